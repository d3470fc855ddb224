"""Identity: tokens, cookies, marks, and codes that people read to each other."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from starlette.requests import Request

from upcard.server.http import identity as module
from upcard.server.http.identity import (
    COOKIE,
    Authenticator,
    Person,
    digest,
    new_code,
    new_table_code,
    read_table_code,
)
from upcard.server.http.problems import Unauthorized

KEY = b"a key that is long enough to sign"


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    return {"type": "http", "headers": [(name.encode(), value.encode()) for name, value in headers]}


def test_a_person_is_known_by_token_and_by_nothing_else() -> None:
    people = Authenticator(KEY)
    ann, robin = people.new(), people.new()
    assert ann != robin
    token = people.token(ann)
    assert people.read(token) == ann
    assert people.read(people.token(robin)) == robin
    assert re.fullmatch(r"[A-Za-z0-9_.-]+", token)
    for forged in (
        "",
        ".",
        token[:-5],
        token + "x",
        token + "=",
        token.replace(".", "=."),
        token.swapcase(),
        token.partition(".")[0],
        "x" * 10_000,
        "é",
    ):
        assert people.read(forged) is None


def test_a_change_of_any_letter_of_a_token_is_seen() -> None:
    people = Authenticator(KEY)
    ann = people.new()
    token = people.token(ann)
    for place, letter in enumerate(token):
        changed = token[:place] + ("A" if letter != "A" else "B") + token[place + 1 :]
        # The last letter of each part has unused bits; changing only those, it is still Ann.
        assert people.read(changed) in (None, ann)
        if place not in (token.index(".") - 1, len(token) - 1):
            assert people.read(changed) is None


def test_another_server_does_not_know_the_token() -> None:
    people = Authenticator(KEY)
    token = people.token(people.new())
    assert Authenticator(KEY).read(token) == people.read(token)
    assert Authenticator(KEY + b"!").read(token) is None


def test_a_token_that_is_too_long_is_not_even_looked_at() -> None:
    people = Authenticator(KEY)
    assert people.read(people.token(Person(bytes(range(250)) * 4))) is None


def test_the_mark_is_half_of_a_hash_and_the_number_itself_is_never_shown() -> None:
    person = Authenticator(KEY).new()
    assert len(person.bits) == 16
    assert person.mark == hashlib.sha256(person.bits).hexdigest()[:32]
    assert person.mark in repr(person)
    assert person.bits.hex() not in repr(person)
    assert repr(person.bits) not in repr(person)


def test_verification_is_remembered_for_those_who_are_known_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_KNOWN", 10)
    people = Authenticator(KEY)
    tokens = [people.token(people.new()) for _ in range(20)]
    for token in tokens:
        assert people.read(token) is people.read(token)
    for number in range(100):
        people.read(f"{tokens[-1]}{number}")
    kept = people._verified.cache_info()
    assert kept.currsize == 10
    assert people.read(tokens[-1]) is people.read(tokens[-1])
    assert people._verified.cache_info().misses == kept.misses


def test_a_bearer_token_counts_before_a_cookie() -> None:
    people = Authenticator(KEY)
    ann, robin = people.new(), people.new()
    cookie = ("cookie", f"{COOKIE}={people.token(robin)}")
    token = ("authorization", f"Bearer {people.token(ann)}")
    assert people.of(scope()) is None
    assert people.of(scope(cookie)) == robin
    assert people.of(scope(token)) == ann
    assert people.of(scope(cookie, token)) == ann
    assert people.of(Request(scope(("authorization", f"bEARER   {people.token(ann)}")))) == ann


def test_a_bad_bearer_token_is_refused_even_with_a_good_cookie(subtests: pytest.Subtests) -> None:
    people = Authenticator(KEY)
    for value in ("Bearer", "Bearer ", "Bearer x", "bearer x y", "Bearer é"):
        with subtests.test(value), pytest.raises(Unauthorized) as problem:
            people.of(scope(("cookie", f"{COOKIE}={people.token(people.new())}"), ("authorization", value)))
        assert problem.value.status == 401, value
        assert problem.value.headers == {"WWW-Authenticate": "Bearer"}, value


def test_two_bearer_tokens_are_one_too_many() -> None:
    people = Authenticator(KEY)
    token = ("authorization", f"Bearer {people.token(people.new())}")
    with pytest.raises(Unauthorized):
        people.of(scope(token, token))


def test_authorization_for_a_proxy_is_ignored() -> None:
    people = Authenticator(KEY)
    ann = people.new()
    basic = ("authorization", "Basic YW5uOnNlY3JldA==")
    assert people.of(scope(basic)) is None
    assert people.of(scope(basic, ("cookie", f"{COOKIE}={people.token(ann)}"))) == ann


def test_a_bad_cookie_is_as_none_and_the_first_good_one_counts() -> None:
    people = Authenticator(KEY)
    ann, robin = people.new(), people.new()
    for bad in (
        "upcard",
        "upcard=",
        "upcard=x",
        "; ;=;",
        "other=1",
        f"other={people.token(ann)}",
        "UPCARD=x",
    ):
        assert people.of(scope(("cookie", bad))) is None
        assert people.of(scope(("cookie", f"{bad}; a=b; upcard={people.token(ann)} ;c"))) == ann
    both = f"upcard={people.token(ann)}; upcard={people.token(robin)}"
    assert people.of(scope(("cookie", both))) == ann
    assert people.of(scope(("cookie", "upcard=x"), ("cookie", both))) == ann


def test_the_cookie_is_for_this_server_alone_and_no_script_reads_it() -> None:
    people = Authenticator(KEY)
    ann = people.new()
    name, *rules = people.cookie(ann, secure=False).split("; ")
    assert name == f"upcard={people.token(ann)}"
    assert rules == ["Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"]
    assert people.cookie(ann, secure=True).split("; ")[1:] == [*rules, "Secure"]


def test_a_code_for_a_seat_is_read_however_it_is_typed() -> None:
    codes = [new_code() for _ in range(200)]
    assert len(set(codes)) == 200
    for code in codes:
        assert re.fullmatch(r"[A-Z0-9]{5}-[A-Z0-9]{5}", code)
        for typed in (
            code.lower(),
            code.replace("-", ""),
            code.replace("-", " – "),
            f"\t{code[:2]} {code[2:]}\n",
        ):
            assert digest(typed) == digest(code)
        assert digest(code[:-1]) != digest(code)
    assert len({digest(code) for code in codes}) == 200
    assert digest("") != digest("\ud800")
    assert digest("A" * 10**6) == digest("A" * 10**6 + "B")


def test_no_two_letters_of_a_code_look_alike() -> None:
    seats, tables = (
        set("".join(new_code() for _ in range(500))),
        set("".join(new_table_code() for _ in range(500))),
    )
    assert seats == set(module.CODE_LETTERS) | {"-"}
    assert tables == set(module.TABLE_LETTERS)
    for alike in ("0O", "1IL", "2Z", "5S", "8B"):
        assert len(set(alike) & seats) <= 1
        assert len(set(alike) & tables) <= 1
    assert not tables & set("AEIOU")


def test_a_code_of_a_table_is_read_however_it_is_typed() -> None:
    code = new_table_code()
    assert re.fullmatch("[A-Z]{6}", code)
    for typed in (code, code.lower(), f" {code[:3]}-{code[3:]} ", f"{code[:3]} {code[3:]}"):
        assert read_table_code(typed) == code
    for other in (
        "",
        code[:5],
        code + "B",
        "ABCDEF",
        "12345B",
        "é" * 6,
        code + "\0",
        "B" * 10**6,
        "\ud800" * 6,
    ):
        assert read_table_code(other) is None


def test_people_are_equal_by_their_number() -> None:
    assert Person(b"0" * 16) == Person(b"0" * 16)
    assert len({Person(b"0" * 16), Person(b"0" * 16), Person(b"1" * 16)}) == 2
