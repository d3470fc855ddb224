"""Two nodes on one PostgreSQL and one Redis act as one server, whichever of these is killed."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.guests import Guest, running
from tests.server.servers import Postgres, Redis, redis
from tests.server.soak_processes import (
    Device,
    Follower,
    Players,
    Serving,
    asked_at,
    begun_at,
    moves_of,
    playing,
    seated_at,
    wait_for_moves,
)
from tests.server.store.databases import database_in, on_postgresql
from tests.waiting import wait_until
from upcard.games import GAMES


def soak(test: Any) -> Any:
    """Mark a long test. All of them run in one process, because starting the servers takes longer than the
    tests."""
    return pytest.mark.soak(pytest.mark.xdist_group("cluster")(test))


@dataclass
class Cluster:
    """Two nodes, and the servers that they share."""

    nodes: list[Serving]
    postgres: Postgres
    redis: Redis


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folders = [tmp_path_factory.mktemp(name) for name in ("postgres", "redis", "here", "there")]
    with Postgres(folders[0]) as postgres, Redis(folders[1]) as redis:
        nodes = [Serving(folder, database=postgres.url, bus=redis.url) for folder in folders[2:]]
        with nodes[0], nodes[1]:
            yield Cluster(nodes, postgres, redis)


@pytest.fixture
def cluster(servers: Cluster) -> Cluster:
    """Both nodes, running."""
    for node in servers.nodes:
        if not node.is_running:
            node.start()
    return servers


@contextlib.contextmanager
def watched(nodes: list[Serving], tables: list[Players]) -> Iterator[list[Follower]]:
    """Watch every table from every node: as a player at one, as a spectator at the other."""
    with contextlib.ExitStack() as stack:
        followers = [
            stack.enter_context(
                Follower(node, players.devices[number].token, players.table, states=bool(number))
            )
            for players in tables
            for number, node in enumerate(nodes)
        ]
        yield followers


def check(tables: list[Players], followers: list[Follower]) -> None:
    """Check that nothing was lost or doubled, in the log or in any stream."""
    last = [players.check() for players in tables]
    for follower, seq in zip(followers, [seq for seq in last for _ in range(2)], strict=True):
        reader = follower.reader
        wait_until(lambda: (reader.seen or [reader.last or 0])[-1] >= seq)  # noqa: B023
        seen = [number for number in reader.seen if number <= seq]
        assert seen == list(range(seq - len(seen) + 1, seq + 1))


def kill_in_turn(cluster: Cluster, kills: int, moves_between: int, seed: int = 0) -> int:
    """Kill one node after another while people play on both; return how many moves were acknowledged."""
    tables = [Players(cluster.nodes, game, seed + number) for number, game in enumerate(GAMES)]
    with watched(cluster.nodes, tables) as followers:
        with playing(tables):
            for node in itertools.islice(itertools.cycle(cluster.nodes), kills):
                wait_for_moves(tables, moves_of(tables) + moves_between)
                node.kill()
                wait_for_moves(tables, moves_of(tables) + moves_between)
                node.start()
        check(tables, followers)
    return moves_of(tables)


@on_postgresql
def test_killing_either_node_loses_nothing_and_the_table_continues_on_the_other(
    postgresql: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folders = [tmp_path_factory.mktemp(name) for name in ("redis", "here", "there")]
    with contextlib.ExitStack() as stack:
        database, bus = stack.enter_context(database_in(postgresql)), stack.enter_context(redis(folders[0]))
        here, there = (
            stack.enter_context(Serving(folder, database=database, bus=bus)) for folder in folders[1:]
        )
        # Not Stacks: windows close later in a cluster.
        tables = [Players([here, there], game, seed) for seed, game in enumerate(("lines", "stockpile"))]
        with Follower(here, tables[0].devices[1].token, tables[0].table) as follower:
            for players in tables:
                players.play(2)
            here.kill()
            for players in tables:
                players.repeat()
                players.play(2)
            here.start()
            there.kill()
            for players in tables:
                players.repeat()
                players.play(2)
            last, *_ = [players.check() for players in tables]
            wait_until(lambda: follower.reader.last == last)
            assert follower.reader.seen == list(range(last - len(follower.reader.seen) + 1, last + 1))
            assert len(follower.reader.seen) >= 6


@soak
def test_killing_nodes_fifty_times_loses_nothing(cluster: Cluster) -> None:
    moves = sum(kill_in_turn(cluster, kills=2, moves_between=20, seed=seed) for seed in range(25))
    print(f"cluster: 50 times kill -9 of one of two nodes, {moves} moves acknowledged, none lost or doubled")


@soak
def test_players_at_different_nodes_see_everything(cluster: Cluster) -> None:
    tables = [Players(cluster.nodes, game, seed, players=3) for seed, game in enumerate(GAMES)]
    with watched(cluster.nodes, tables) as followers:
        with playing(tables):
            wait_for_moves(tables, 45)
        check(tables, followers)
        assert all(len(follower.reader.seen) > 5 for follower in followers)


@soak
def test_deadlines_are_met_after_their_node_was_killed(cluster: Cluster) -> None:
    here, there = cluster.nodes
    bots, opened = begun_at([here], "lines", seats=[{"bot": "greedy"}] * 2, pace=1)
    nudged, _ = begun_at([here], "stockpile", patience="nudge", patience_seconds=1)
    with Follower(there, opened[0].token, bots) as looking:
        window, _ = asked_at([here], window_seconds=1)
        here.kill()
        looking.wait(kind="moved", by="bot")
        # Nobody asks the other node about these, so nothing reminds it of them.
        wait_until(lambda: "nudged" in written(cluster, nudged))
        wait_until(lambda: "closed" in written(cluster, window))


@soak
def test_a_node_that_has_missed_the_last_news_of_another_does_what_is_due(cluster: Cluster) -> None:
    here, there = cluster.nodes
    table, devices = seated_at([here], "lines", patience="nudge", patience_seconds=1)
    assert Device([there], devices[0].token).look(table)["phase"] == "open"
    cluster.redis.kill()
    try:
        assert devices[0].do(table, "start").status_code == 200
        here.kill()
        wait_until(lambda: "nudged" in written(cluster, table))
    finally:
        cluster.redis.start()


def written(cluster: Cluster, table: str) -> list[str]:
    """Return the kinds of entries of a table in the database."""
    with psycopg.connect(cluster.postgres.url) as link:
        found = link.execute("SELECT body FROM entries WHERE table_id = %s ORDER BY seq", (table,)).fetchall()
    return [json.loads(body)["kind"] for (body,) in found]


@soak
def test_without_redis_nothing_is_lost_only_later(cluster: Cluster) -> None:
    here, there = cluster.nodes
    tables = [Players([here], game, seed) for seed, game in enumerate(GAMES)]
    # Nobody watches this one all the time: a client only asks the other node, again and again.
    asked_about = Players([here], "lines", 4)
    asking = Device([there], asked_about.devices[0].token)
    asking.look(asked_about.table)
    with watched(cluster.nodes, tables) as followers:
        with playing([*tables, asked_about]):
            wait_for_moves(tables, 10)
            cluster.redis.kill()
            wait_for_moves(tables, moves_of(tables) + 15)
        cluster.redis.start()
        check(tables, followers)
    last = asked_about.devices[0].look(asked_about.table)["seq"]
    wait_until(lambda: asking.look(asked_about.table)["seq"] == last)
    asked_about.check()


@soak
def test_a_database_that_comes_back_has_everything_that_was_acknowledged(cluster: Cluster) -> None:
    tables = [Players(cluster.nodes, game, seed) for seed, game in enumerate(GAMES)]
    with watched(cluster.nodes, tables) as followers:
        with playing(tables):
            wait_for_moves(tables, 10)
            cluster.postgres.kill()
            cluster.postgres.start()
            wait_for_moves(tables, moves_of(tables) + 15)
        check(tables, followers)


@soak
def test_a_node_listens_again_though_the_database_was_gone_when_redis_came_back(cluster: Cluster) -> None:
    here, there = cluster.nodes
    table, devices = begun_at([here], "lines")
    with Follower(there, devices[1].token, table) as looking:
        cluster.postgres.stop()
        cluster.redis.kill()
        cluster.redis.start()
        cluster.postgres.start()
        wait_until(lambda: devices[0].do(table, "say", phrase="hello").status_code == 200)
        looking.wait(kind="said", phrase="hello")


@on_postgresql
def test_names_that_no_table_can_have_are_not_found(postgresql: str, tmp_path: Path) -> None:
    with database_in(postgresql) as database, running(tmp_path, database=database) as server:
        guest = Guest(server.url)
        guest.http.headers["Accept"] = "application/json"
        for name in ("%00", "a%00b", "%ff", "%ed%a0%80", "x" * 500, "%F0%9F%83%8F", "'", '"', "%25"):
            for path in ("", "/events", "/record"):
                assert guest.http.get(f"/api/tables/{name}{path}").status_code == 404, name
            assert guest.do(name, "say", phrase="wow").status_code == 404, name
        for code in ("\0", "A\0B", "x" * 41, "", "\U0001f0cf"):
            assert guest.post("/api/join", code=code).status_code in (400, 404), repr(code)
            assert guest.post("/api/take-seat", code=code).status_code in (400, 404), repr(code)
