"""Recovery phrases: another device becomes the same person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.guests import Guest, Running, begun, running
from upcard.server.http.recovery import COUNT, WORDS, digest_of, new_phrase, read_phrase, seal
from upcard.server.ops.operator import Operator


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, guesses_per_minute=3) as server:
        yield server


def phrase_of(guest: Guest) -> str:
    return str(guest.post("/api/recovery-phrase").json()["phrase"])


def test_words_are_told_apart_by_their_first_four_letters() -> None:
    assert len(WORDS) == len({word[:4] for word in WORDS}) == 256


def test_a_phrase_is_read_however_it_is_typed() -> None:
    phrase = new_phrase()
    bits = read_phrase(phrase)
    assert bits is not None
    assert len(bits) == COUNT
    shortened = " - ".join(f"{number}. {word[:4].upper()}" for number, word in enumerate(phrase.split(), 1))
    assert read_phrase(f"\n {shortened}!") == bits
    assert read_phrase(phrase.rpartition(" ")[0]) is None
    assert read_phrase(f"{phrase} {WORDS[0]}") is None
    assert read_phrase("x " * COUNT) is None


def test_a_number_is_sealed_by_its_phrase_only() -> None:
    one, other = bytes(range(COUNT)), bytes(COUNT)
    bits = bytes(range(16))
    assert seal(one, seal(one, bits)) == bits
    assert bits not in (seal(one, bits), seal(other, seal(one, bits)))
    assert digest_of(one) != digest_of(other)


def test_another_device_has_all_seats_and_keeps_those_that_it_had(server: Running) -> None:
    table, (ann, _) = begun(server.url, "lines")
    phone = Guest(server.url)
    lobby = phone.open("stacks")
    phone.sit(lobby, "Ann")
    before = phone.look(lobby)["you"]
    answer = phone.post("/api/recover", phrase=phrase_of(ann))
    phone.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    assert phone.look(table)["you"] == 1
    assert phone.look(lobby)["you"] == before
    listed = phone.http.get("/api/my-tables").json()["tables"]
    assert {one["table"] for one in listed} == {table, lobby}
    assert ann.look(lobby)["you"] == before


def test_a_browser_gets_the_cookie_of_the_person(server: Running) -> None:
    table, (ann, _) = begun(server.url, "lines")
    phrase = phrase_of(ann)
    browser = Guest(server.url)
    del browser.http.headers["Authorization"]
    browser.http.headers["Origin"] = server.url
    answer = browser.post("/api/recover", phrase=phrase)
    assert answer.json()["token"] is None
    assert browser.look(table)["you"] == 1


def test_a_new_phrase_replaces_the_old_one_and_forgetting_removes_it(server: Running) -> None:
    table, (ann, ben) = begun(server.url, "lines")
    old, new = phrase_of(ann), phrase_of(ann)
    assert ben.post("/api/recover", phrase=old).status_code == 404
    assert Guest(server.url).post("/api/recover", phrase=new).status_code == 200
    operator = Operator(server.settings.database, "olga", lambda: 5.0)
    operator.forget(operator.person(f"{table}:1"))
    assert ben.post("/api/recover", phrase=new).status_code == 404


def test_guessing_is_limited(server: Running) -> None:
    guest = Guest(server.url)
    answers = [guest.post("/api/recover", phrase=new_phrase()).status_code for _ in range(5)]
    assert answers == [404, 404, 404, 429, 429]


def test_neither_the_phrase_nor_the_number_is_in_the_database(server: Running, tmp_path: Path) -> None:
    _, (ann, _) = begun(server.url, "lines")
    phrase = phrase_of(ann)
    person = server.app.state.services.authenticator.read(ann.token)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("tables.db*"))
    assert person.mark.encode() in stored
    for secret in (phrase.encode(), person.bits, person.bits.hex().encode(), read_phrase(phrase)):
        assert secret is not None
        assert secret not in stored
