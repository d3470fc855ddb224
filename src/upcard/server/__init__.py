"""The table server: tables for people and bots, over plain HTTP.

Its folders are layers, each importing only from those below it:

    ops             running the server as a program: start and stop, logs, one server for a database file
    app.py          puts the application together
    web             the pages for browsers
    http            routes, schemas, identity, rate limits, event streams
    runtime         the tables of a node: actors, bot threads, housekeeping, messages to other nodes
    table | store   one table, without input or output | the log in SQLite or PostgreSQL
    metrics.py | config.py   counters | settings

A command (`table/commands.py`) returns entries (`table/entries.py`); `runtime/table_actor.py` stores them,
and then applies them to the state (`table/state.py`). What leaves the server passes `table/projection.py`.

Deadlines follow from times in the log, so they survive a restart. Nodes share the database and nothing else
that matters: messages between them say only that a table has changed. When one seat may answer out of turn,
every seat that might have to is asked, for the same time, so that nobody learns who could; the answers are
notes next to the log until one entry closes the window.
"""
