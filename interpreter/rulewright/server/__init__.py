"""Tables in the browser: friends, each with a link, a device and a language, and a log that keeps their games.

    page ⇄ connection ⇄ tables ── store: an answer is a row of its log
                 │          └── thinking: the computer's players, in processes of their own
                 └── glossary, seen: what one seat is shown, from its view and nothing else

spec/PROTOCOL.md says what goes over the wire.
"""
