"""Two nodes on one PostgreSQL and one Redis are one server, whichever of all these is killed."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from tests.server.servers import Postgres, Redis
from tests.server.soak_processes import (
    Device,
    Follower,
    Players,
    Serving,
    begun_at,
    moves_of,
    playing,
    seated_at,
    wait_for,
    wait_for_moves,
)
from upcard.games import GAMES

# All in one process, for what they start takes longer than they do.
pytestmark = pytest.mark.xdist_group("cluster")


@dataclass
class Cluster:
    """Two nodes, and what they share."""

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
    """Both nodes, alive."""
    for node in servers.nodes:
        if not node.is_running:
            node.start()
    return servers


@contextlib.contextmanager
def watched(nodes: list[Serving], tables: list[Players]) -> Iterator[list[Follower]]:
    """Let somebody look at every table from every node: a player at the one, anybody at the other."""
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
    """Look whether nothing was lost or doubled, in the log or in what anybody was told."""
    last = [players.check() for players in tables]
    for follower, seq in zip(followers, [seq for seq in last for _ in range(2)], strict=True):
        reader = follower.reader
        wait_for(lambda: (reader.seen or [reader.last or 0])[-1] >= seq, "everybody is told all")  # noqa: B023
        seen = [number for number in reader.seen if number <= seq]
        assert seen == list(range(seq - len(seen) + 1, seq + 1))


def test_players_at_different_nodes_see_everything(cluster: Cluster) -> None:
    tables = [Players(cluster.nodes, game, seed, players=3) for seed, game in enumerate(GAMES)]
    with watched(cluster.nodes, tables) as followers:
        with playing(tables):
            wait_for_moves(tables, 45)
        check(tables, followers)
        assert all(len(follower.reader.seen) > 5 for follower in followers)


def kill_in_turn(cluster: Cluster, kills: int, moves_between: int, seed: int = 0) -> int:
    """Kill one node after another while both are played with; return how many moves were acknowledged."""
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


def test_killing_either_node_loses_nothing_and_the_table_goes_on_from_the_other(cluster: Cluster) -> None:
    assert kill_in_turn(cluster, kills=2, moves_between=10) >= 30


@pytest.mark.soak
def test_killing_nodes_fifty_times_loses_nothing(cluster: Cluster) -> None:
    moves = sum(kill_in_turn(cluster, kills=2, moves_between=20, seed=seed) for seed in range(25))
    print(f"cluster: 50 times kill -9 of one of two nodes, {moves} moves acknowledged, none lost or doubled")


def test_what_is_due_happens_though_its_node_was_killed(cluster: Cluster) -> None:
    here, there = cluster.nodes
    bots, opened = begun_at([here], "lines", seats=[{"bot": "greedy"}] * 2, pace=1)
    nudged, _ = begun_at([here], "stockpile", patience="nudge", patience_seconds=1)
    window, asked = begun_at([here], "stacks", 3, options={"block": "anytime"}, window_seconds=1)
    with Follower(there, opened[0].token, bots) as looking:
        open_window(asked, window)
        here.kill()
        looking.wait(kind="moved", by="bot")
        # Nobody asks the other node about these, so nobody reminds it of them.
        wait_for(lambda: "nudged" in written(cluster, nudged), "somebody is nudged")
        wait_for(lambda: "closed" in written(cluster, window), "a window is closed")


def test_a_node_that_has_missed_the_last_news_of_another_does_what_is_due(cluster: Cluster) -> None:
    here, there = cluster.nodes
    table, devices = seated_at([here], "lines", patience="nudge", patience_seconds=1)
    assert Device([there], devices[0].token).look(table)["phase"] == "open"
    cluster.redis.kill()
    try:
        assert devices[0].do(table, "start").status_code == 200
        here.kill()
        wait_for(lambda: "nudged" in written(cluster, table), "somebody is nudged")
    finally:
        cluster.redis.start()


def written(cluster: Cluster, table: str) -> list[str]:
    """Return what kinds of entries the database has of a table."""
    with psycopg.connect(cluster.postgres.url) as link:
        found = link.execute("SELECT body FROM entries WHERE table_id = %s ORDER BY seq", (table,)).fetchall()
    return [json.loads(body)["kind"] for (body,) in found]


def open_window(devices: list[Device], table: str) -> None:
    """Play until it is asked whether anybody blocks."""
    for _ in range(100):
        state = devices[0].look(table)
        if state["window"] is not None:
            return
        mover = devices[state["to_move"] - 1]
        legal = mover.look(table)["legal"]
        piles = [move for move in legal if move.split()[-1] in ("R1", "R2", "B1", "B2")]
        mover.do(table, "play", base=state["seq"], move=(piles or legal)[0])
    raise AssertionError("nobody can ever block")


def test_without_redis_nothing_is_lost_only_later(cluster: Cluster) -> None:
    here, there = cluster.nodes
    tables = [Players([here], game, seed) for seed, game in enumerate(GAMES)]
    # Nobody looks at this one all the time: somebody only asks at the other node, again and again.
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
    wait_for(lambda: asking.look(asked_about.table)["seq"] == last, "who asks is told")
    asked_about.check()


def test_a_database_that_comes_back_has_everything_that_was_acknowledged(cluster: Cluster) -> None:
    tables = [Players(cluster.nodes, game, seed) for seed, game in enumerate(GAMES)]
    with watched(cluster.nodes, tables) as followers:
        with playing(tables):
            wait_for_moves(tables, 10)
            cluster.postgres.kill()
            cluster.postgres.start()
            wait_for_moves(tables, moves_of(tables) + 15)
        check(tables, followers)


def test_a_node_listens_again_though_the_database_was_gone_when_redis_came_back(cluster: Cluster) -> None:
    here, there = cluster.nodes
    table, devices = begun_at([here], "lines")
    with Follower(there, devices[1].token, table) as looking:
        cluster.postgres.stop()
        cluster.redis.kill()
        cluster.redis.start()
        cluster.postgres.start()
        wait_for(lambda: devices[0].do(table, "say", phrase="hello").status_code == 200, "it is written")
        looking.wait(kind="said", phrase="hello")


def test_names_that_no_table_can_have_are_not_found(cluster: Cluster) -> None:
    device = Device(cluster.nodes)
    for name in (
        "%00",
        "a%00b",
        "%ff",
        "%ed%a0%80",
        "x" * 500,
        "%F0%9F%83%8F",
        "'",
        '"',
        "%25",
    ):
        for path in ("", "/events", "/record"):
            assert device.ask(f"/api/tables/{name}{path}").status_code == 404
        assert device.ask(f"/api/tables/{name}/say", {"id": "a", "phrase": "wow"}).status_code == 404
    for code in ("\0", "A\0B", "x" * 41, "", "\U0001f0cf"):
        assert device.ask("/api/join", {"code": code}).status_code in (400, 404)
        assert device.ask("/api/take-seat", {"code": code}).status_code in (400, 404)
