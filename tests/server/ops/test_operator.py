"""The actions of operators on tables and people while a server runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, Running, begun, running, seated
from tests.server.store.databases import ON_POSTGRESQL, empty
from upcard.cli import main
from upcard.core.errors import UpcardError
from upcard.match import replay
from upcard.server.ops.operator import Operator


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as server:
        yield server


def follow(server: Running) -> None:
    """Let the server follow what operators have done, which it does every second."""
    on_loop(server, server.tables.operators.follow())


def on_loop(server: Running, work: Coroutine[Any, Any, Any]) -> Any:
    assert server.loop is not None
    return asyncio.run_coroutine_threadsafe(work, server.loop).result()


@pytest.fixture
def operator(server: Running) -> Operator:
    return Operator(server.settings.database, "olga", lambda: 5.0)


def test_tables_are_listed_and_shown_without_cards(server: Running, operator: Operator) -> None:
    table, _ = begun(server.url, "lines")
    lobby = Guest(server.url).open("stacks")
    assert {one["table"]: (one["game"], one["phase"]) for one in operator.tables()} == {
        table: ("lines", "playing"),
        lobby: ("stacks", "open"),
    }
    assert [one["table"] for one in operator.tables(phase="open")] == [lobby]
    shown = operator.show(table)
    assert [seat["name"] for seat in shown["seats"]] == ["Guest 1", "Guest 2"]
    assert shown["seats"][0]["mark"] == operator.person(f"{table}:1")
    assert "hand" not in json.dumps(shown)
    assert server.state(table).opened.secret not in json.dumps(shown)


def test_a_table_that_is_closed_stays_closed_though_its_players_come_back(
    server: Running, operator: Operator
) -> None:
    table, guests = begun(server.url, "lines")
    operator.close(table)
    follow(server)
    state = guests[0].look(table)
    with guests[0].stream(table) as events:
        assert next(events).data["phase"] == "archived"
    refused = guests[0].do(table, "play", base=state["seq"], move="x r1").json()
    assert refused["code"] == "table.is_archived"
    assert guests[0].do(table, "come").json()["state"]["phase"] == "archived"
    with pytest.raises(UpcardError, match="closed already"):
        operator.close(table)


def test_a_table_that_is_deleted_is_gone_with_all_that_belongs_to_it(
    server: Running, operator: Operator
) -> None:
    table, guests = begun(server.url, "lines")
    other, _ = begun(server.url, "lines")
    assert replay(operator.export(table)).game.id == "lines"
    operator.delete(table)
    follow(server)
    assert guests[0].http.get(f"/api/tables/{table}").status_code == 404
    assert [one["table"] for one in operator.tables()] == [other]
    assert guests[0].http.get("/api/my-tables").json()["tables"] == []
    with pytest.raises(UpcardError, match="there is no table"):
        operator.show(table)
    lines = [(line["operator"], line["action"], line["target"]) for line in operator.audit()]
    assert lines == [("olga", "export", table), ("olga", "delete", table)]


def test_a_banned_person_can_do_nothing_until_the_ban_is_lifted(server: Running, operator: Operator) -> None:
    table, (ann, ben) = begun(server.url, "lines")
    operator.ban(operator.person(f"{table}:2"), "shouting")
    follow(server)
    assert ben.http.get(f"/api/tables/{table}").status_code == 403
    assert ben.do(table, "say", phrase="hello").json()["type"] == "banned"
    assert ann.do(table, "say", phrase="hello").status_code == 200
    assert list(operator.rules()["bans"].values()) == ["shouting"]
    operator.unban(operator.person(f"{table}:2"))
    follow(server)
    assert ben.http.get(f"/api/tables/{table}").status_code == 200
    with pytest.raises(UpcardError, match="is not banned"):
        operator.unban("127.0.0.1/32")
    operator.ban("127.0.0.0/8")
    follow(server)
    assert ann.http.get("/api/games").status_code == 403


def test_nobody_takes_a_denied_name_however_it_is_written(server: Running, operator: Operator) -> None:
    operator.deny_name("*badword*")
    operator.deny_name("Hog")
    table, (ann, _) = seated(server.url, "lines")

    def renamed(name: str) -> str:
        answer: dict[str, str] = ann.do(table, "rename", name=name).json()
        return answer.get("code", "done")

    follow(server)
    assert renamed("xBADW0RDx") == "table.name_denied"
    assert renamed("a hog") == "table.name_denied"
    assert renamed("Hogarth") == "done"
    operator.allow_name("Hog")
    follow(server)
    assert renamed("hog") == "done"
    with pytest.raises(UpcardError, match="every name"):
        operator.deny_name("*")


def test_a_report_leaves_a_line_for_the_operator_once(server: Running, operator: Operator) -> None:
    table, (ann, ben) = begun(server.url, "lines")
    for _ in range(2):
        assert ann.post(f"/api/tables/{table}/report", seat=2).json() == {"seat": 2}
    assert ann.post(f"/api/tables/{table}/report", seat=1).json()["code"] == "table.no_such_seat"
    assert Guest(server.url).post(f"/api/tables/{table}/report", seat=1).json()["code"] == "table.not_seated"
    [report] = operator.reports()
    assert (report["table"], report["seat"], report["name"]) == (table, 2, "Guest 2")
    assert report["person"] == operator.person(f"{table}:2")
    assert ben.look(table)["seq"] == ann.look(table)["seq"]


def test_a_person_who_is_forgotten_is_named_nowhere_and_the_game_stays(
    server: Running, operator: Operator
) -> None:
    table, (ann, ben) = begun(server.url, "lines")
    ann.do(table, "rename", name="Zacharias")
    mark, before = operator.person(f"{table}:1"), ben.look(table)
    assert operator.forget(mark) == [table]
    follow(server)
    after = ben.look(table)
    assert after["seats"][0]["name"] == "Player 1"
    assert after["view"] == before["view"]
    assert ann.look(table)["you"] is None
    assert ann.http.get("/api/my-tables").json()["tables"] == []
    told = json.dumps([operator.show(table), operator.audit()])
    assert mark not in told
    assert "Zacharias" not in told


def test_old_tables_are_deleted_only_if_the_operator_wants_that(tmp_path: Path) -> None:
    with running(tmp_path, delete_after_days=30) as server:
        operator = Operator(server.settings.database, "olga", lambda: 5.0)
        table, _ = begun(server.url, "lines")
        operator.close(table)
        store = server.tables.node.store
        assert on_loop(server, store.delete_old(server.now - 30 * 86_400, 9)) == []
        assert on_loop(server, store.delete_old(server.now + 1, 9)) == [table]
        assert operator.tables() == []


@pytest.fixture(params=["sqlite", ON_POSTGRESQL])
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/tables.db"
    url: str = request.getfixturevalue("postgresql")
    empty(url)
    return url


def test_the_commands_print_lines_for_people_and_json_for_programs(
    tmp_path: Path, any_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path, database=any_database) as server:
        table, _ = begun(server.url, "lines")
    database = ["--database", any_database]

    def run(*words: str) -> str:
        with pytest.raises(SystemExit) as left:
            main([*words, *database])
        assert left.value.code == 0, capsys.readouterr().err
        return capsys.readouterr().out

    assert table in run("tables", "list")
    assert json.loads(run("tables", "show", table, "--json"))["phase"] == "playing"
    assert "Guest 2" in run("tables", "show", table)
    assert json.loads(run("tables", "export", table))["game"] == "lines"
    assert json.loads(run("people", "ban", f"{table}:2", "--json")).keys() == {"banned"}
    run("people", "unban", f"{table}:2")
    run("people", "deny-name", "Hog")
    assert "Hog" in run("people", "rules")
    run("people", "allow-name", "Hog")
    assert "nothing found" in run("people", "reports")
    assert json.loads(run("people", "forget", f"{table}:1", "--json"))
    assert run("tables", "close", table) == f"closed: {table}\n"
    assert run("tables", "delete", table) == f"deleted: {table}\n"
    actions = [line["action"] for line in json.loads(run("tables", "audit", "--json"))]
    assert actions[-3:] == ["forget", "close", "delete"]
    with pytest.raises(SystemExit) as left:
        main(["tables", "show", "nowhere", *database])
    assert left.value.code == 2
    assert "there is no table 'nowhere'" in capsys.readouterr().err
