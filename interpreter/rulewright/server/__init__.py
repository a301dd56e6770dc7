"""Tables in the browser: links, devices, languages, and a log that keeps every answer.

It knows no game: a page is sent what one seat may see, and nothing else.

    page ⇄ network ⇄ web ⇄ tables ── storage: an answer is a row of the log
                      │       └── bots: the computer's players, in processes of their own
                      └── views: what one seat is shown, from its view and nothing else

`server` puts them together; the modules beside it are of use to all. spec/PROTOCOL.md describes the messages.
"""
