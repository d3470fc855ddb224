"""Push messages: their readers, their text, and the addresses to which they may go."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.guests import SOME_MOVES, Guest, Running, begun, play_on, running
from tests.server.push_services import Browser, PushService, decoded, decrypted, encoded, verified
from tests.server.tables import SHORT, each_game
from tests.waiting import wait_until
from upcard.games import GAMES
from upcard.server.metrics import Metrics
from upcard.server.ops.operator import Operator
from upcard.server.runtime.push import pusher, queue
from upcard.server.runtime.push.encryption import encrypt, private_key, public_bytes
from upcard.server.runtime.push.endpoint import (
    Endpoint,
    ForbiddenEndpoint,
    is_allowed_address,
    read_endpoint,
    resolve,
)
from upcard.server.runtime.push.message import write_message
from upcard.server.runtime.push.vapid import Signer
from upcard.server.store.pushes import MAX_DEVICES
from upcard.server.table.state import TableState

DAY = 24 * 60 * 60
SERVICES = ("push.example",)


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server that may send messages to this machine, and sends them when a test wants it."""
    monkeypatch.setattr(pusher, "ROUND", 1e6)
    with running(tmp_path, push="loopback") as server:
        wait_until(lambda: server.tables.node.pushes.is_active)
        yield server


def send_due(server: Running, after: float = queue.DELAY) -> None:
    """Let time pass, and wait until all messages are sent that are due then."""
    server.pass_time(after)
    assert server.loop is not None
    asyncio.run_coroutine_threadsafe(server.tables.pusher.send_due(), server.loop).result()


def slow(server: Running, game: str = "lines", **fields: Any) -> tuple[str, list[Guest]]:
    """Begin a game over days."""
    setup: dict[str, Any] = {
        "patience": "nudge",
        "patience_seconds": 3 * DAY,
        "options": SHORT[game],
    } | fields
    return begun(server.url, game, **setup)


def subscribed(guest: Guest, service: PushService, name: str, language: str = "en") -> Browser:
    """Let a guest get messages in a browser."""
    browser = Browser(service, name)
    answer = guest.post("/api/push", **browser.subscription(language))
    assert answer.json() == {"subscribed": True}
    return browser


def devices_of(server: Running, guest: Guest) -> list[str]:
    """Return the devices of a guest that get messages."""
    mark = server.app.state.services.authenticator.read(guest.token).mark
    assert server.loop is not None
    found = asyncio.run_coroutine_threadsafe(
        server.tables.node.store.subscriptions(mark), server.loop
    ).result()
    return [device.endpoint for device in found]


def test_a_person_has_a_limited_number_of_devices(server: Running, service: PushService) -> None:
    ann = Guest(server.url)
    names = [f"device {number}".replace(" ", "-") for number in range(MAX_DEVICES + 2)]
    browsers = []
    for name in names:
        browsers.append(subscribed(ann, service, name))
        server.pass_time(1)
    # The first device comes back, so it is not the one that was not used for longest.
    again = browsers[2]
    assert ann.post("/api/push", **again.subscription()).status_code == 200
    subscribed(ann, service, "last")
    kept = {browser.endpoint for browser in browsers[4:]} | {again.endpoint, f"{service.url}/push/last"}
    assert set(devices_of(server, ann)) == kept


def move(table: str, guest: Guest) -> dict[str, Any]:
    """Let a guest make a move."""
    state = guest.look(table)
    answer = guest.do(table, "play", base=state["seq"], move=state["legal"][0])
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()["state"]
    return told


def until_turn_of(seat: int, table: str, guests: list[Guest]) -> None:
    """Play until it is a seat's turn."""
    while (turn := guests[0].look(table)["to_move"]) != seat:
        move(table, guests[turn - 1])


# Readers


def test_a_message_says_that_a_table_waits_and_is_sent_once(server: Running, service: PushService) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    send_due(server)
    browser = subscribed(guests[1], service, "ben", "de")
    until_turn_of(2, table, guests)
    assert browser.messages == []
    send_due(server)
    (message,) = browser.messages
    assert message == {
        "code": "web.house_your_turn",
        "title": "Lines",
        "body": "Du bist dran",
        "language": "de",
        "table": table,
        "url": f"t/{table}",
    }
    # What else happens does not make it a new turn.
    assert guests[0].do(table, "say", phrase="hello").status_code == 200
    send_due(server, DAY)
    assert len(browser.messages) == 1


def test_the_headers_say_who_sends_it_how_long_it_counts_and_which_one_it_replaces(
    server: Running, service: PushService
) -> None:
    table, guests = slow(server)
    browsers = [subscribed(guest, service, name) for guest, name in zip(guests, ("ann", "ben"), strict=True)]
    for seat in (1, 2, 1):
        until_turn_of(seat, table, guests)
        send_due(server)
    received = [one for browser in browsers for one in service.received[browser.path]]
    assert len({one.headers["topic"] for one in received}) == 1
    assert len({len(one.body) for one in received}) == 1
    key = httpx.get(f"{server.url}/api/push", verify=False).json()["key"]
    for one in received:
        assert one.claims["aud"] == service.url
        assert one.claims["key"] == key
        assert server.now < one.claims["exp"] <= server.now + DAY
        assert one.headers["content-encoding"] == "aes128gcm"
        assert 3 * DAY - 2 * queue.DELAY <= int(one.headers["ttl"]) <= 3 * DAY
        assert len(one.headers["topic"]) == 32
        assert table not in str(one.headers)


def test_a_player_who_is_at_the_table_or_back_in_time_gets_none(
    server: Running, service: PushService
) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    browser = subscribed(guests[1], service, "ben")
    with guests[1].stream(table) as events:
        next(events)
        until_turn_of(2, table, guests)
    wait_until(lambda: guests[0].look(table)["present"] == [])
    send_due(server)
    until_turn_of(1, table, guests)
    until_turn_of(2, table, guests)
    with guests[1].stream(table) as events:
        next(events)
        send_due(server)
    until_turn_of(1, table, guests)
    until_turn_of(2, table, guests)
    until_turn_of(1, table, guests)
    send_due(server)
    assert browser.messages == []


def test_a_table_that_waits_as_long_as_it_takes_sends_one(server: Running, service: PushService) -> None:
    table, guests = slow(server, patience="none")
    until_turn_of(1, table, guests)
    browser = subscribed(guests[1], service, "ben")
    until_turn_of(2, table, guests)
    send_due(server)
    assert len(browser.messages) == 1
    assert int(service.received[browser.path][0].headers["ttl"]) == 7 * DAY


def test_quick_games_send_none(server: Running, service: PushService) -> None:
    table, guests = slow(server, patience_seconds=3600)
    browsers = [subscribed(guest, service, name) for guest, name in zip(guests, ("ann", "ben"), strict=True)]
    until_turn_of(1, table, guests)
    until_turn_of(2, table, guests)
    send_due(server)
    assert [browser.messages for browser in browsers] == [[], []]


def test_a_device_that_is_gone_is_forgotten(server: Running, service: PushService, tmp_path: Path) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    browser = subscribed(guests[1], service, "ben")
    service.status = 410
    for seat in (2, 1, 2):
        until_turn_of(seat, table, guests)
        send_due(server)
    assert len(browser.messages) == 1


def test_a_push_service_that_fails_is_tried_again_and_harms_no_table(
    server: Running, service: PushService
) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    browser, other = (subscribed(guests[1], service, name) for name in ("ben", "phone"))
    nobody = Browser(service, "nobody")
    nobody.endpoint = "http://127.0.0.1:1/"
    assert guests[1].post("/api/push", **nobody.subscription()).status_code == 200
    service.status = 503
    until_turn_of(2, table, guests)
    send_due(server)
    service.status = 201
    send_due(server, queue.RETRIES[0])
    # Both have got it; the third address is tried once more, and the two others are not.
    send_due(server, queue.RETRIES[1])
    assert [len(browser.messages), len(other.messages)] == [2, 2]
    until_turn_of(1, table, guests)
    send_due(server, queue.RETRIES[2])
    assert len(server.tables.node.pushes) == 0


def test_someone_who_is_forgotten_or_wants_none_gets_none(server: Running, service: PushService) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    browsers = [subscribed(guest, service, name) for guest, name in zip(guests, ("ann", "ben"), strict=True)]
    assert [devices_of(server, guest) for guest in guests] == [[one.endpoint] for one in browsers]
    assert guests[1].post("/api/push/remove", endpoint=browsers[1].endpoint).json() == {"subscribed": False}
    until_turn_of(2, table, guests)
    operator = Operator(server.settings.database, "olga", lambda: 5.0)
    operator.forget(operator.person(f"{table}:1"))
    send_due(server)
    assert [browser.messages for browser in browsers] == [[], []]
    assert [devices_of(server, guest) for guest in guests] == [[], []]


def test_a_device_that_becomes_another_person_gets_their_messages(
    server: Running, service: PushService
) -> None:
    table, guests = slow(server)
    until_turn_of(1, table, guests)
    phrase = guests[1].post("/api/recovery-phrase").json()["phrase"]
    phone = Guest(server.url)
    browser = subscribed(phone, service, "phone")
    assert phone.post("/api/recover", phrase=phrase).status_code == 200
    until_turn_of(2, table, guests)
    send_due(server)
    assert len(browser.messages) == 1


def test_the_queue_has_a_limit_and_a_new_turn_comes_before_another_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "MAX_WAITING", 2)
    metrics, now = Metrics(), 0.0
    waiting = queue.PushQueue(lambda: now, metrics)
    waiting.try_again(queue.Waiting("a", "ann", 0.0, 1), frozenset("x"))
    waiting.try_again(queue.Waiting("b", "ben", 0.0), frozenset())
    waiting.try_again(queue.Waiting("c", "cem", 0.0), frozenset())
    assert len(waiting) == 2
    assert 'upcard_pushes_total{outcome="dropped"} 1.0' in metrics.render().decode()
    waiting.try_again(queue.Waiting("a", "ann", 0.0), frozenset())
    now = queue.RETRIES[0]
    assert [(one.person, one.tries) for one in waiting.take_due(9)] == [("ann", 1), ("ben", 1)]
    waiting.try_again(queue.Waiting("a", "ann", 0.0, len(queue.RETRIES)), frozenset())
    assert len(waiting) == 0


# What a message says


@each_game
def test_no_message_has_a_card_whatever_happens_in_a_game(
    server: Running, service: PushService, game: str
) -> None:
    dice = random.Random(game)
    table, guests = slow(server, game)
    browsers = [subscribed(guest, service, name) for guest, name in zip(guests, ("ann", "ben"), strict=True)]
    for _ in range(4 * SOME_MOVES):
        play_on(table, guests, dice, most=1)
        send_due(server)
    messages = [message for browser in browsers for message in browser.messages]
    assert len(messages) > 2
    title = {"stockpile": "Stockpile", "lines": "Lines", "stacks": "Stacks"}[game]
    # Nothing but what was known before the cards were dealt.
    assert {tuple(message.items()) for message in messages} == {
        (
            ("code", "web.house_your_turn"),
            ("title", title),
            ("body", "Your turn"),
            ("language", "en"),
            ("table", table),
            ("url", f"t/{table}"),
        )
    }


@pytest.mark.parametrize("game", GAMES)
def test_messages_are_short_enough_to_look_alike_in_every_language(game: str) -> None:
    for language in ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "pt-PT", "xx"):
        assert len(write_message(game, "x" * 16, language)) < 1000


# Encryption


def test_the_example_of_rfc_8291_is_encrypted_as_there() -> None:
    text = b"When I grow up, I want to be a watermelon"
    number = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    sender = private_key((number - 1).to_bytes(48))
    receiver = decoded(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    auth, salt = decoded("BTBZMqHH6r4Tts7J_aSIgg"), decoded("DGv6ra1nlYgDCS1FRnbzlw")
    assert encoded(encrypt(text, receiver, auth, sender, salt, length=0)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK"
        "6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    own = private_key(
        (int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")) - 1).to_bytes(48)
    )
    assert public_bytes(own) == receiver
    assert decrypted(encrypt(text, receiver, auth, sender, salt), own, auth) == text


def test_a_signature_names_the_service_and_our_site_over_https_only() -> None:
    signer = Signer(b"seed" * 12)
    claims = verified(signer.header("https://push.example", "https://cards.example", 100.0))
    assert claims["aud"] == "https://push.example"
    assert claims["sub"] == "https://cards.example"
    assert "sub" not in verified(signer.header("https://push.example", "http://127.0.0.1:8000", 100.0))
    assert Signer(b"seed" * 12).public == signer.public != Signer(b"deed" * 12).public


# Where messages may go


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example/x",
        "https://push.example:8443/x",
        "https://ann@push.example/x",
        "https://push.example.evil.example/x",
        "https://evilpush.example/x",
        "https://evil.example/push.example",
        "https://evil.example#push.example",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://push.example/x y",
        "https://push.example/x\r\nHost: evil.example",
        "https://push.example:x/",
        "https://[push.example/",
        "http://127.0.0.1:80/x",
        "file:///etc/passwd",
        "",
        "https://push.example/" + "x" * 1024,
    ],
)
def test_only_addresses_of_push_services_are_accepted(address: str) -> None:
    with pytest.raises(ForbiddenEndpoint):
        read_endpoint(address, SERVICES, loopback=False)


def test_addresses_of_push_services_are_read() -> None:
    read = read_endpoint("https://eu.push.example/send/a?b=c#d", SERVICES, loopback=False)
    assert read == Endpoint("eu.push.example", 443, "/send/a?b=c", False)
    assert read.origin == "https://eu.push.example"
    for address in ("http://10.0.0.1:80/", "http://localhost:80/", "http://127.0.0.1/"):
        with pytest.raises(ForbiddenEndpoint):
            read_endpoint(address, SERVICES, loopback=True)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1"),
    ],
)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert not is_allowed_address(address, loopback=False)


def test_public_addresses_are_accepted_and_loopback_only_in_tests() -> None:
    for address in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"):
        assert is_allowed_address(address, loopback=False)
        assert not is_allowed_address(address, loopback=True)
    assert is_allowed_address("127.0.0.1", loopback=True)


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolved(*addresses: str) -> str:
        async def getaddrinfo(*_: object, **__: object) -> list[Any]:
            return [(0, 0, 0, "", (address, 443)) for address in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
        return await resolve(Endpoint("push.example", 443, "/", False))

    assert asyncio.run(resolved("8.8.8.8", "8.8.4.4")) == "8.8.8.8"
    for addresses in (["8.8.8.8", "10.0.0.1"], ["::1"], []):
        with pytest.raises(ForbiddenEndpoint):
            asyncio.run(resolved(*addresses))


def test_a_subscription_is_checked_before_it_is_stored(server: Running, service: PushService) -> None:
    ann, browser = Guest(server.url), Browser(service, "ann")
    good = browser.subscription()
    wrong: dict[str, Any]
    zeros = encoded(b"\4" + bytes(64))
    for wrong in (
        {"endpoint": "https://10.0.0.1/x"},
        {"endpoint": "http://127.0.0.1.evil.example:80/"},
        {"keys": {"p256dh": zeros, "auth": good["keys"]["auth"]}},
        {"keys": {"p256dh": good["keys"]["p256dh"], "auth": "AAAA"}},
        {"keys": {"p256dh": "é", "auth": "é"}},
        {"keys": {}},
    ):
        assert ann.post("/api/push", **(good | wrong)).status_code == 400, wrong


# Servers that send none


def test_a_server_without_the_package_works_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service: PushService
) -> None:
    browser = Browser(service, "ben")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with running(tmp_path, push="loopback") as server:
        table, guests = slow(server)
        assert guests[1].http.get("/api/push").json() == {"key": None}
        answer = guests[1].post("/api/push", **browser.subscription())
        assert answer.status_code == 404
        assert "pip install 'upcard[push]'" in answer.json()["detail"]
        until_turn_of(1, table, guests)
        until_turn_of(2, table, guests)


def test_a_server_may_send_none(tmp_path: Path) -> None:
    with running(tmp_path, push="off") as server:
        assert Guest(server.url).http.get("/api/push").json() == {"key": None}


def test_the_key_is_made_once_and_kept_with_the_tables(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with running(tmp_path) as server:
            keys.append(Guest(server.url).http.get("/api/push").json()["key"])
    assert keys[0] == keys[1] is not None
    assert len(decoded(keys[0])) == 65


def test_an_empty_table_waits_for_nobody() -> None:
    assert queue.person_awaited(TableState("table")) is None
