"""Identity: tokens, cookies, marks, and codes that people read to each other."""

from __future__ import annotations

import hashlib
import re

import pytest
from itsdangerous import URLSafeSerializer

from upcard.server.http import identity as module
from upcard.server.http.identity import (
    COOKIE,
    Authenticator,
    Person,
    Sender,
    digest,
    headers_of,
    new_code,
    new_table_code,
    read_table_code,
)
from upcard.server.http.problems import TokenExpired, Unauthorized
from upcard.server.signing_keys import DAY, fixed_keys

KEY = b"a key that is long enough to sign"


def sender(people: Authenticator, *headers: tuple[str, str]) -> Person | None:
    """Return the sender of a request with these headers."""
    scope = {"type": "http", "headers": [(name.encode(), value.encode()) for name, value in headers]}
    return people.identify(headers_of(scope)).person


def test_a_person_is_known_by_token_and_by_nothing_else() -> None:
    people = Authenticator(fixed_keys(KEY))
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
    people = Authenticator(fixed_keys(KEY))
    ann = people.new()
    token = people.token(ann)
    for place, letter in enumerate(token):
        changed = token[:place] + ("A" if letter != "A" else "B") + token[place + 1 :]
        # The last letter of each part has unused bits; changing only those, it is still Ann.
        assert people.read(changed) in (None, ann)
        if place not in (token.index(".") - 1, len(token) - 1):
            assert people.read(changed) is None


def test_another_server_does_not_know_the_token() -> None:
    people = Authenticator(fixed_keys(KEY))
    token = people.token(people.new())
    assert Authenticator(fixed_keys(KEY)).read(token) == people.read(token)
    assert Authenticator(fixed_keys(KEY + b"!")).read(token) is None


def test_a_token_that_is_too_long_is_not_even_looked_at() -> None:
    people = Authenticator(fixed_keys(KEY))
    assert people.read(people.token(Person(bytes(range(250)) * 4))) is None


def test_the_mark_is_half_of_a_hash_and_the_number_itself_is_never_shown() -> None:
    person = Authenticator(fixed_keys(KEY)).new()
    assert len(person.bits) == 16
    assert person.mark == hashlib.sha256(person.bits).hexdigest()[:32]
    assert person.mark in repr(person)
    assert person.bits.hex() not in repr(person)
    assert repr(person.bits) not in repr(person)


def test_verification_is_remembered_for_those_who_are_known_only() -> None:
    people = Authenticator(fixed_keys(KEY), max_known=10)
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
    people = Authenticator(fixed_keys(KEY))
    ann, robin = people.new(), people.new()
    cookie = ("cookie", f"{COOKIE}={people.token(robin)}")
    token = ("authorization", f"Bearer {people.token(ann)}")
    assert sender(people) is None
    assert sender(people, cookie) == robin
    assert sender(people, token) == ann
    assert sender(people, cookie, token) == ann
    assert sender(people, ("authorization", f"bEARER   {people.token(ann)}")) == ann


def test_a_bad_bearer_token_is_refused_even_with_a_good_cookie(subtests: pytest.Subtests) -> None:
    people = Authenticator(fixed_keys(KEY))
    for value in ("Bearer", "Bearer ", "Bearer x", "bearer x y", "Bearer é"):
        with subtests.test(value), pytest.raises(Unauthorized) as problem:
            sender(people, ("cookie", f"{COOKIE}={people.token(people.new())}"), ("authorization", value))
        assert problem.value.status == 401, value
        assert problem.value.headers == {"WWW-Authenticate": "Bearer"}, value


def test_two_bearer_tokens_are_one_too_many() -> None:
    people = Authenticator(fixed_keys(KEY))
    token = ("authorization", f"Bearer {people.token(people.new())}")
    with pytest.raises(Unauthorized):
        sender(people, token, token)


def test_authorization_for_a_proxy_is_ignored() -> None:
    people = Authenticator(fixed_keys(KEY))
    ann = people.new()
    basic = ("authorization", "Basic YW5uOnNlY3JldA==")
    assert sender(people, basic) is None
    assert sender(people, basic, ("cookie", f"{COOKIE}={people.token(ann)}")) == ann


def test_a_bad_cookie_is_as_none_and_the_first_good_one_counts() -> None:
    people = Authenticator(fixed_keys(KEY))
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
        assert sender(people, ("cookie", bad)) is None
        assert sender(people, ("cookie", f"{bad}; a=b; upcard={people.token(ann)} ;c")) == ann
    both = f"upcard={people.token(ann)}; upcard={people.token(robin)}"
    assert sender(people, ("cookie", both)) == ann
    assert sender(people, ("cookie", "upcard=x"), ("cookie", both)) == ann


def test_the_cookie_is_for_this_server_alone_and_no_script_reads_it() -> None:
    people = Authenticator(fixed_keys(KEY))
    ann = people.new()
    name, *rules = people.cookie(ann, secure=False).split("; ")
    assert name == f"upcard={people.token(ann)}"
    assert rules == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax"]
    name, *stricter = people.cookie(ann, secure=True).split("; ")
    assert name == f"__Host-upcard={people.token(ann)}"
    assert stricter == [*rules, "Secure"]


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


# Time


class Times:
    """A server whose clock a test sets, with people known to it."""

    def __init__(self, *keys: bytes) -> None:
        self.now = 1_000_000.0
        self.people = Authenticator(fixed_keys(*keys or (KEY,)), 10, lambda: self.now)

    def sent(self, *headers: tuple[str, str], secure: bool = False) -> Sender:
        scope = {"type": "http", "headers": [(name.encode(), value.encode()) for name, value in headers]}
        return self.people.identify(headers_of(scope), secure)


def untimed(key: bytes, person: Person) -> str:
    """Return a token as older servers made them."""
    signed = URLSafeSerializer(
        key, salt="upcard person", signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
    )
    return str(signed.dumps(person.bits.hex()))


def test_a_token_that_has_run_out_is_refused_and_says_what_to_do() -> None:
    times = Times()
    ann = times.people.new()
    bearer = ("authorization", f"Bearer {times.people.token(ann)}")
    times.now += 10 * DAY - 1
    assert times.sent(bearer).person == ann
    times.now += 1
    with pytest.raises(TokenExpired, match="POST /api/session") as problem:
        times.sent(bearer)
    assert (problem.value.status, problem.value.type) == (401, "token-expired")


def test_a_cookie_that_has_run_out_is_nobody_unless_there_is_another() -> None:
    times = Times()
    ann = times.people.new()
    old = times.people.token(ann)
    times.now += 10 * DAY
    assert times.sent(("cookie", f"upcard={old}")) == Sender(has_expired=True)
    both = ("cookie", f"upcard={old}; upcard={times.people.token(ann)}")
    assert times.sent(both) == Sender(ann)
    assert times.sent(("cookie", "upcard=x")) == Sender()


def test_a_token_is_renewed_after_a_tenth_of_its_time() -> None:
    times = Times()
    ann = times.people.new()
    token = times.people.token(ann)
    times.now += DAY
    assert times.sent(("authorization", f"Bearer {token}")).renewal == ()
    assert times.sent(("cookie", f"upcard={token}")).renewal == ()
    times.now += 1
    ((name, renewed),) = times.sent(("authorization", f"Bearer {token}")).renewal
    assert name == b"upcard-token"
    ((name, cookie),) = times.sent(("cookie", f"upcard={token}")).renewal
    assert name == b"set-cookie"
    assert cookie == times.people.cookie(ann, secure=False).encode()
    times.now += 9 * DAY + 1
    assert times.people.read(token) is None
    assert times.people.read(renewed.decode()) == ann


def test_a_token_of_an_old_key_is_renewed_with_the_current_one() -> None:
    before, after = Times(KEY), Times(KEY + b"!", KEY)
    ann = before.people.new()
    sent = after.sent(("authorization", f"Bearer {before.people.token(ann)}"))
    assert sent.person == ann
    ((_, renewed),) = sent.renewal
    assert Times(KEY + b"!").people.read(renewed.decode()) == ann
    assert before.people.read(renewed.decode()) is None


def test_a_token_without_a_time_is_accepted_and_replaced() -> None:
    times = Times(b"the current key, which signs all tokens", KEY)
    ann = times.people.new()
    old = untimed(KEY, ann)
    sent = times.sent(("cookie", f"upcard={old}"))
    assert sent.person == ann
    assert b"upcard=" + times.people.token(ann).encode() in sent.renewal[0][1]
    for forged in (old[:-3] + "xyz", old + "=", untimed(b"another key that is long enough", ann)):
        assert times.people.read(forged) is None


def test_an_older_cookie_gets_the_strict_name_over_https_and_a_new_one_cannot_be_planted() -> None:
    times = Times()
    ann, robin = times.people.new(), times.people.new()
    sent = times.sent(("cookie", f"upcard={untimed(KEY, ann)}"), secure=True)
    assert sent.person == ann
    (_, strict), (_, removed) = sent.renewal
    assert strict.startswith(b"__Host-upcard=")
    assert removed.startswith(b"upcard=; Path=/; Max-Age=0")
    planted = f"upcard={times.people.token(robin)}"
    assert times.sent(("cookie", planted), secure=True) == Sender()
    own = f"{planted}; upcard={untimed(KEY, robin)}; __Host-upcard={times.people.token(ann)}"
    assert times.sent(("cookie", own), secure=True) == Sender(ann)
    assert times.sent(("cookie", f"__Host-upcard={times.people.token(ann)}")) == Sender()
