"""Tables in the browser: links, devices, languages, and a log that keeps every answer.

It knows no game: a page is sent what one seat may see, and nothing else.

    page ⇄ connection ⇄ tables ── store: an answer is a row of its log
                 │          └── thinking: the computer's players, in processes of their own
                 └── glossary, seat_view: what one seat is shown, from its view and nothing else

spec/PROTOCOL.md says what goes over the wire.
"""
