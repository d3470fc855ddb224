"""Push messages: when a table of a game over days begins to wait for someone who is not there, the browsers
of that person are told through their push services (Web Push: RFC 8030, 8291 and 8292).

    pusher.py      sending messages in the background
    queue.py       the people to notify
    message.py     what a message says: never anything about cards
    delivery.py    sending a message to one device
    endpoint.py    to which addresses messages may go
    encryption.py | vapid.py   encrypting a message | signing who sends it

The last two need the package cryptography (`pip install 'upcard[push]'`), and import it when they are used.
"""
