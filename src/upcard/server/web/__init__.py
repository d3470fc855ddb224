"""The browser table: its pages and their files.

A table's page is a view of a store (`store.js`): a model, actions, and a pure reducer. A game's `web/`
folder says how its table is drawn (`table.js`), with its styles, its first lesson and its picture; without
it, `generic.js` draws any view. The table is sized from its own box by container queries, in cascade layers
(`base`, `house`, `cards`, `table`, `game`, `landscape`). Its artwork (`static/art/`, each game's
`deck.svg`, `static/fonts/`) is drawn by `make art`; cards refer to the shapes of a sprite by `<use>`.

A table on one device (`static/js/local/`) needs no server. A worker (`worker.js`) plays by the translated
modules and speaks the messages of a server's table, so the pages of a table do not know the difference;
bots think in a second worker. Lessons, replays, and hints at a server's table are made there too, so they
cost the server nothing. The page gets a view, as from a server (`table.js`). The log of each table is
in IndexedDB before the page sees an entry. The server translates the modules when one is first requested
(`translated.py`), and `upcard export` (`export.py`) writes the same page and files as a static site. The
service worker (`static/service-worker.js`) keeps the page and all its files (`offline.py`) in the browser,
where there is encryption or the server is the same machine; a new version waits until a person chooses it
or no page is open. It also shows the push messages of the server (`runtime/push/`), which a person switches
on in the settings (`notifications.js`).
"""

from __future__ import annotations

__all__ = ["PAGES", "missing"]

from upcard.server.web.pages import PAGES, missing
