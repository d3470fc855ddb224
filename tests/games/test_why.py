"""Reasons for moves: the most important one, never a false one, never a secret."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.cases import Case, each_case
from tests.games.lines_tables import set_up
from tests.games.stacks_tables import BLUE_FOUR, RED_FOUR, stacks
from tests.games.stockpile_tables import stockpile
from tests.positions import Position
from upcard.bots.simple import best_place
from upcard.core.game import Game, apply, outcome
from upcard.core.seats import SPECTATOR
from upcard.core.table import PLAYING, Reason, Result
from upcard.games import all_games, find
from upcard.games.lines.deck import value_of
from upcard.games.lines.moves import DISCARD, card_in, place_in
from upcard.games.lines.rules import points
from upcard.games.stacks.deck import REVERSE, SKIP
from upcard.games.stacks.moves import (
    ALLOW,
    FROM_HAND,
    FROM_TOP,
    is_discard,
    is_play_on_pile,
    pile_in,
    source_in,
    special_in,
)
from upcard.games.stacks.table import ASK
from upcard.games.stockpile.moves import PASS, STOCK, source_of
from upcard.games.stockpile.rules import fits
from upcard.i18n import Message, catalogue

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")


def asked(table: Any, move: int, game: Game, viewer: int | None = None) -> Message:
    """Return the reason for a move, as the player or another viewer sees it."""
    view = game.view(table, table.to_move if viewer is None else viewer)
    return game.why(view, move, NAMES)


@dataclass
class Reasoned:
    """A position, a move, and the reason for it. Differences from the default are set on the table."""

    position: Position
    move: str
    code: str
    parameters: dict[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.code}: {self.move}"

    def ask(self, viewer: int | None = None) -> Message:
        table = self.position.table
        assert self.move in self.position.legal
        return asked(table, self.position.game.read_move(table, self.move), self.position.game, viewer)


def but(position: Position, **values: int) -> Position:
    """Return a position with some numbers of its table changed."""
    for name, value in values.items():
        setattr(position.table, name, value)
    return position


def about_stockpile() -> Iterator[Reasoned]:
    """Seat 1 has the given stockpile and stacks; all other stockpiles are two eights."""

    def table(
        piles: str, stacks: str = "||", stock: str = "8 8", other: str = "8 8", **more: Any
    ) -> Position:
        return stockpile(piles=piles, stacks=[stacks], stocks=[stock, other], **more)

    free: Any = {"must_play": False}
    mine: dict[str, str | int] = {"name": "Ann"}
    theirs: dict[str, str | int] = {"other": "Bob"}
    yield Reasoned(table("3", stock="4"), "stock 1", "why_wins", mine)
    yield Reasoned(table("9", stock="?"), "stock 2", "why_wins", mine)
    yield Reasoned(table("3", stock="9 4"), "stock 1", "why_stock", {**mine, "left": 1})
    yield Reasoned(table("2", "3||", stock="4"), "A 1", "why_opens_last", {**mine, "number": 4})
    yield Reasoned(table("2", "3||", stock="9 4"), "A 1", "why_opens", {**mine, "number": 4})
    yield Reasoned(table("9 2 2 2", "|?|", stock="9 1"), "B 1", "why_opens", {**mine, "number": 1})
    leads = {**mine, "number": 4, "plays": 1}
    yield Reasoned(table("1", "2|3|", stock="9 4"), "A 1", "why_leads", leads)
    yield Reasoned(table("1", "|3 2|", stock="9 4"), "B 1", "why_leads", leads)
    yield Reasoned(table("2 5", "3 6||", stock="9 4"), "A 2", "why_leads", leads)
    # The 6 may be played first, but it does not lead there.
    yield Reasoned(table("1 5", "2|3|6", stock="9 4"), "C 2", "why_empties", {"stack": "C"})
    yield Reasoned(table("4", "5||", other="9 5"), "A 1", "why_blocks", {**theirs, "number": 5})
    yield Reasoned(table("5", "1 6||", stock="9 10"), "A 1", "why_frees", {"card": "1"})
    nearer = {**mine, "pile": 1, "reached": 5, "number": 8}
    yield Reasoned(table("4", "5||"), "A 1", "why_nearer", nearer)
    yield Reasoned(table("9", "10||", stock="9 5"), "A 1", "why_completes", {"pile": 1})
    avoids = {**theirs, "number": 5}
    yield Reasoned(table("3 0", "4|1|", stock="9 9", other="9 5"), "B 2", "why_avoids", avoids)
    yield Reasoned(table("", "1||", stock="9 9"), "A 3", "why_empties", {"stack": "A"})
    yield Reasoned(table("5 9 9 9", "3 6||", stock="2 2"), "A 1", "why_only")
    yield Reasoned(
        table("5 9 7 9", "3 6|8|", stock="2 2"), "A 1", "why_uncovers", {"card": "3", "stack": "A"}
    )
    idle = but(table("3 9 9 9", "4||", stock="8 8 8", other="8 8 8", **free), idle=1, idle_turns=1)
    yield Reasoned(idle, "pass", "why_pass_ends", {**mine, "left": 3})
    yield Reasoned(
        table("3 9 9 9", "4||", other="9 5", **free), "pass", "why_pass_blocks", {**theirs, "number": 5}
    )
    yield Reasoned(table("", "1||", **free), "pass", "why_pass_keeps", {**mine, "number": 8})
    yield Reasoned(table("3", stock="8 4", **free), "pass", "why_pass")


def about_lines() -> Iterator[Reasoned]:
    """It is the turn of seat 1; Bob and Cleo are the others."""
    mine: dict[str, str | int] = {"name": "Ann"}
    theirs: dict[str, str | int] = {"other": "Bob"}

    def last(*zones: str, **more: Any) -> Position:
        return but(set_up(*zones, home=True, **more), closing=1)

    yield Reasoned(last("r5", "b3", hand="r9 g1"), "r9 +1", "why_wins", {**mine, "points": 9})
    yield Reasoned(last("r5", "b3", hand="r9 g1"), "x g1", "why_wins", {**mine, "points": 5})
    yield Reasoned(last("r5", "b9", hand="r9 g1"), "r9 +1", "why_shares", {**mine, "points": 9})
    away = " ".join(
        card for card in map(find("lines").write_card, range(60)) if card not in ("r5", "b3", "g2")
    )
    out_of_cards = set_up("r5", "b3", hand="g2", others=[""], deck="", discards=away, reshuffle=False)
    yield Reasoned(out_of_cards, "g2 @2 top", "why_shares", {**mine, "points": 5})

    yield Reasoned(set_up("", "b3", hand="r2 b9 g12 r7"), "r2 top", "why_opens_extend", {"card": "r7"})
    yield Reasoned(set_up("", "b3", hand="r2 y12 g9 b2"), "r2 top", "why_opens_pair", {"card": "b2"})
    yield Reasoned(set_up("", "b3", hand="r3 b5 g7 y12"), "r3 top", "why_opens_lowest")
    low: dict[str, str | int] = {"points": 3, "room": 9}
    yield Reasoned(set_up("", "b3", hand="r3 b5 g7 y2"), "r3 top", "why_opens_low", low)
    yield Reasoned(set_up("", "b3", hand="r3 b5 g7 y2"), "g7 top", "why_opens_high", {"points": 7})

    three = "b3 | g4 | y2"
    yield Reasoned(set_up("r5", three, hand="p1 p3 r8 r9"), "p1 @2 top", "why_ends", theirs)
    yield Reasoned(
        set_up("r12 | b11", three, hand="p1 p3 r8 r9"), "p1 @2 bottom", "why_ends_ahead", {**mine, **theirs}
    )
    covers = {**theirs, "card": "b5"}
    yield Reasoned(set_up("r5", "b3 b5 | g4", hand="p9 p3 r8 r9"), "p9 @2 top", "why_covers", covers)
    least: dict[str, str | int] = {"points": 1}
    yield Reasoned(set_up("r5", "b3", hand="b4 p9 g8 y7"), "b4 @2 +1", "why_gives_least", least)
    caps = {**theirs, "card": "b12", "points": 2}
    yield Reasoned(set_up("r5", "b10", hand="b12 g1 y7 p9"), "b12 @2 +1", "why_caps", caps)
    four = {**theirs, "points": 4}
    yield Reasoned(set_up("r5", "b3", "g9", hand="y4 y1 r8 r9"), "y4 @2 top", "why_weakest", four)
    useless = {**mine, "card": "y4"}
    yield Reasoned(set_up("r5", "b9", "g3", hand="y4 y1 r8 r9"), "y4 @2 top", "why_useless", useless)
    gives = {**theirs, "points": 9}
    yield Reasoned(set_up("r5", "b9", "g3", hand="y4 y1 r8 r9"), "r9 @2 top", "why_gives", gives)
    nothing_matches = set_up("r5", "b9", hand="g12 y12 p12 r12", give="matching")
    yield Reasoned(nothing_matches, "x g12", "why_no_gift")

    mixed = "r5 | g7 | b6"
    ahead = set_up(mixed, "p3", hand="y5 y12 p2", home=True)
    yield Reasoned(ahead, "y5 top", "why_ends_home_ahead", mine)
    behind = set_up(mixed, "p12 | p11 | p10", hand="y5 y12 p2", home=True)
    yield Reasoned(behind, "y5 top", "why_ends_home", mine)
    yield Reasoned(behind, "x y12", "why_waits", mine)
    overtaking = set_up("r5", "b9", hand="r12 g1 y2", home=True)
    yield Reasoned(overtaking, "r12 +1", "why_leads", {**mine, "points": 7})
    choosing = set_up("r5", "b2", hand="r12 r7 g9", home=True)
    yield Reasoned(choosing, "r12 +1", "why_most", {"points": 7})
    yield Reasoned(choosing, "r7 +1", "why_extends", {**mine, "points": 2})
    yield Reasoned(choosing, "x g9", "why_useless", {**mine, "card": "g9"})
    yield Reasoned(choosing, "x r7", "why_discards")
    covering = set_up("r5", "b2", hand="g5 y12 p12", home=True)
    yield Reasoned(covering, "g5 top", "why_line", {"points": 5})
    yield Reasoned(set_up("r5", "b2", hand="g12 y11 p3", home=True), "x g12", "why_nothing_fits", mine)


def about_stacks() -> Iterator[Reasoned]:
    """Seat 1 has the turn; in a question about a block, seat 2 answers."""
    mine: dict[str, str | int] = {"name": "Ann"}
    theirs: dict[str, str | int] = {"other": "Bob"}
    in_r1: dict[str, str | int] = {"pile": "R1"}
    four = {"R1": RED_FOUR}
    red_five, idle = "r5 b4 b4 b3 b3", "b5 b5 b4 b4"

    rich = {1: (2, 2)}
    blocks = "block block block"
    yield Reasoned(stacks(red_five, piles=four, chips=rich), "r5 R1", "why_wins_unless", in_r1)
    yield Reasoned(stacks(red_five, piles=four, chips=rich, spent=blocks), "r5 R1", "why_wins", in_r1)
    chip = {**mine, **in_r1, "number": 1}
    yield Reasoned(stacks(red_five, piles=four), "r5 R1", "why_chip", chip)
    yield Reasoned(stacks(red_five, piles=four, bank=(0, 20)), "r5 R1", "why_clears", in_r1)

    two = {"R1": "r1 r2"}
    yield Reasoned(stacks("r3 r4 r5 b5 b5", piles=two), "r3 R1", "why_builds", in_r1)
    yield Reasoned(
        stacks("r3 r? b5 b5", piles={"R2": "r1 r2"}, discards={1: "r5"}),
        "r3 R2",
        "why_builds",
        {"pile": "R2"},
    )
    yield Reasoned(stacks("r1"), "r1 R1", "why_refills")
    yield Reasoned(stacks("b1 r1 r2 skip"), "r1 R2", "why_plays_out")
    yield Reasoned(stacks(discards={1: "r2 r1"}), "top R1", "why_top_frees", {"card": "r2"})
    yield Reasoned(stacks(discards={1: "r4 r1"}), "top R1", "why_top_free", {"card": "r1"})
    yield Reasoned(stacks("r1 b5 b5 r5 r5"), "r1 R1", "why_shortens", {"left": 4})
    grows = {**in_r1, "reached": 1}
    yield Reasoned(stacks("r1 b5 b5 r5 r5", deck=""), "r1 R1", "why_grows", grows)

    skip, reverse = f"skip {idle}", f"reverse {idle}"
    yield Reasoned(stacks(skip, chips={2: (2, 2)}), "skip", "why_skip_saves", theirs)
    yield Reasoned(stacks(reverse, chips={2: (3, 1)}), "reverse", "why_skip_saves", theirs)
    yield Reasoned(stacks(skip, piles=four), "skip", "why_skip_pile", {**theirs, **in_r1})
    yield Reasoned(stacks("skip"), "skip", "why_refills")
    yield Reasoned(stacks(skip, players=2), "skip", "why_again", mine)
    full_deck = stacks(reverse, players=2, two_player_deck="full")
    yield Reasoned(full_deck, "reverse", "why_again", mine)
    yield Reasoned(but(stacks(skip, players=2), skips=1), "skip", "why_skip_later", mine)
    yield Reasoned(stacks(skip, chips={2: (1, 0)}), "skip", "why_skip_leader", theirs)
    yield Reasoned(stacks(skip, chips={3: (1, 0)}), "skip", "why_skip", theirs)
    yield Reasoned(stacks(reverse), "reverse", "why_reverse", theirs)
    yield Reasoned(but(stacks(reverse, players=4), skips=1), "reverse", "why_turns")

    card = f"card {idle}"
    fits_there: dict[str, str | int] = {**in_r1, "card": "r5"}
    yield Reasoned(
        stacks(card, piles=four, discards={2: "r5"}), "card @2 top", "why_card_completes", fits_there
    )
    fits_there = {**in_r1, "card": "r1"}
    yield Reasoned(stacks(card, discards={2: "r1"}), "card @2 top", "why_card_fits", fits_there)
    yield Reasoned(stacks(card, chips={2: (2, 2)}), "card @2 hand", "why_card_weakens", theirs)
    yield Reasoned(stacks(card, discards={2: "block"}), "card @2 top", "why_card_block")
    ready = {**theirs, "card": "r4"}
    yield Reasoned(stacks(card, discards={2: "r4"}), "card @2 top", "why_card_ready", ready)
    yield Reasoned(stacks(card), "card @2 hand", "why_card_hand", {**theirs, "left": 4})

    theft = f"chip {idle}"
    delayed = stacks(theft, chips={1: (2, 2), 2: (1, 0)}, chip_win="delayed")
    yield Reasoned(delayed, "chip @2 red", "why_theft_wins", mine)
    yield Reasoned(stacks(theft, chips={2: (2, 2)}), "chip @2 red", "why_theft_saves", theirs)
    yield Reasoned(stacks(theft, chips={2: (4, 1)}), "chip @2 red", "why_theft_leader", theirs)
    others = {2: (1, 0), 3: (3, 0)}
    yield Reasoned(stacks(theft, chips={1: (0, 2), **others}), "chip @2 red", "why_theft_colour", mine)
    number = {**mine, "number": 3}
    yield Reasoned(stacks(theft, chips={1: (2, 0), **others}), "chip @2 red", "why_theft", number)

    yield Reasoned(stacks(turn_limit=1), "x r5", "why_last_turn", mine)
    three = stacks("r4 b5 b5 b5 b4", piles={"R1": "r1 r2 r3"})
    yield Reasoned(three, "x b5", "why_holds_back", theirs)
    yield Reasoned(stacks(), "x r5", "why_twice", {"card": "r5"})
    far: dict[str, str | int] = {"card": "r5", "lacking": 4}
    yield Reasoned(stacks("r5 b4 b3 r4 r3"), "x r5", "why_far", far)
    yield Reasoned(stacks("r2 b2 b4 r4 b5"), "x r2", "why_nothing")
    yield Reasoned(stacks("r1 b2 b4 r4 b5"), "x r1", "why_ready", {**mine, "card": "r1"})
    yield Reasoned(stacks("block r1 b4 r4 b5"), "x block", "why_gives_up")
    empty = stacks("", discards={1: "r1"}, deck="")
    yield Reasoned(empty, "end", "why_end", {**mine, "card": "r1"})

    # The pile in question is Ann's.
    by_ann: dict[str, str | int] = {"other": "Ann", **in_r1}

    def asking(hand: str = red_five, move: str = "r5 R1", **more: Any) -> Position:
        return stacks(hand, hands={2: "block r1 r1 r1 r1"}, **{"piles": four, **more}).play(move)

    anytime = asking("r1 b4 b4 b3 b3", "r1 R1", piles={}, block="anytime")
    yield Reasoned(asking(chips=rich), "block", "why_block_saves", by_ann)
    yield Reasoned(asking(), "block", "why_block_chip", {**by_ann, "number": 1})
    yield Reasoned(anytime, "block", "why_block", by_ann)
    yield Reasoned(anytime, "allow", "why_allow_unfinished", by_ann)
    yield Reasoned(asking(bank=(0, 20)), "allow", "why_allow_no_chip", by_ann)
    yield Reasoned(asking(), "allow", "why_allow_far", {**by_ann, "short": 4})
    blue = asking("b5 b5 r3 r3 r4", "b5 B2", piles={"B2": BLUE_FOUR}, chips={1: (2, 1)})
    yield Reasoned(blue, "allow", "why_allow")


REASONED = [
    Reasoned(reasoned.position, reasoned.move, f"{game}.{reasoned.code}", reasoned.parameters)
    for game, reasons in (("stockpile", about_stockpile), ("lines", about_lines), ("stacks", about_stacks))
    for reasoned in reasons()
]

# Reasons that mention the hand, or a secret answer.
SECRETS = {
    *("lines.why_opens_extend", "lines.why_opens_pair", "lines.why_opens_lowest", "lines.why_gives_least"),
    *("lines.why_most", "lines.why_nothing_fits", "lines.why_waits"),
    *("stacks.why_builds", "stacks.why_plays_out", "stacks.why_holds_back", "stacks.why_twice"),
    *("stacks.why_nothing", "stacks.why_allow", "stacks.why_allow_far", "stacks.why_allow_no_chip"),
    "stacks.why_allow_unfinished",
}


def own_code(code: str) -> str:
    return code.removesuffix("_you").removesuffix("_yours")


all_games()
ALL_CODES = {own_code(code) for code in catalogue().sentences if ".why_" in code}


# In positions


@pytest.mark.parametrize("reasoned", REASONED, ids=str)
def test_the_reason_that_matters_most_is_given(reasoned: Reasoned) -> None:
    before = reasoned.position.table.copy()
    message = reasoned.ask()
    assert (message.code, message.parameters) == (reasoned.code, reasoned.parameters)
    assert reasoned.position.table == before


def test_every_reason_of_the_catalogue_is_given_in_some_position() -> None:
    messages = [reasoned.ask() for reasoned in REASONED]
    said = {message.to(listener).code for message in messages for listener in range(SPECTATOR, 3)}
    assert said == {code for code in catalogue().sentences if ".why_" in code}
    assert SECRETS <= ALL_CODES


@pytest.mark.parametrize("reasoned", REASONED, ids=str)
def test_a_reason_has_words_for_everyone_that_do_not_call_the_listener_by_name(reasoned: Reasoned) -> None:
    message = reasoned.ask()
    assert message.text().endswith(".")
    for listener in range(reasoned.position.table.players):
        assert NAMES[listener] not in message.to(listener).text()


@pytest.mark.parametrize("reasoned", REASONED, ids=str)
def test_what_hands_hold_is_told_to_nobody_but_their_player(reasoned: Reasoned) -> None:
    table = reasoned.position.table
    for viewer in {SPECTATOR, *range(table.players)} - {table.to_move}:
        if reasoned.move != "allow":
            assert reasoned.ask(viewer).code not in SECRETS


def test_words_are_for_the_person_who_hears_them() -> None:
    opening = next(reasoned for reasoned in REASONED if reasoned.code == "stockpile.why_opens").ask()
    assert opening.text() == "This makes room for the 4 on Ann's stockpile."
    assert opening.to(0).text() == "This makes room for the 4 on your stockpile."
    gift = next(reasoned for reasoned in REASONED if reasoned.code == "lines.why_ends_ahead").ask()
    assert [gift.to(listener).text() for listener in (0, 1, 2)] == [
        "This gives Bob a fourth colour, so the last turns begin, and you're ahead.",
        "This gives you a fourth colour, so the last turns begin, and Ann is ahead.",
        "This gives Bob a fourth colour, so the last turns begin, and Ann is ahead.",
    ]


def test_two_hands_that_look_the_same_from_outside_are_explained_alike_to_others_only() -> None:
    run, pair = "r3 r4 r5 b5 b5", "r3 b4 b4 b3 b5"
    for game, tables, move in (
        ("stacks", [stacks(hand, piles={"R1": "r1 r2"}) for hand in (run, pair)], "r3 R1"),
        ("lines", [set_up("", "b3", hand=hand) for hand in ("r2 r7 b9 g12", "r2 b2 g9 y12")], "r2 top"),
    ):
        ours, theirs = [
            [Reasoned(table, move, game).ask(viewer) for viewer in (0, 1, SPECTATOR)] for table in tables
        ]
        assert ours[0] != theirs[0]
        assert ours[1:] == theirs[1:]


# In games


def some_moves(case: Case, most: int = 8) -> Iterator[tuple[Any, int]]:
    """Yield some positions of a game, half of whose moves are good and half random, with all legal moves."""
    dice = random.Random(str(case))
    table = case.game.deal(case.options, b"why")
    tables: list[Any] = []
    while len(tables) < 250 and (moves := case.game.legal_moves(table)):
        tables.append(table.copy())
        best = best_place(case.game.view(table, table.to_move), moves, len(moves))
        apply(table, moves[best] if dice.random() < 0.7 else dice.choice(moves))
    # The last ones, where games are won, and some from the whole game.
    for some in [*tables[-4:], *dice.sample(tables, min(len(tables), most - 4))]:
        for move in case.game.legal_moves(some):
            yield some, move


@each_case
def test_every_move_has_a_reason_and_no_reason_is_false(case: Case) -> None:
    for table, move in some_moves(case):
        for viewer in (table.to_move, (table.to_move + 1) % table.players):
            message = asked(table, move, case.game, viewer)
            assert own_code(message.code) in ALL_CODES
            if viewer != table.to_move and move != secret_move(case):
                assert message.code not in SECRETS
            for listener in range(SPECTATOR, table.players):
                assert message.to(listener).text()
            CHECKS[case.game.id](Fact(case, table, move, message))


def secret_move(case: Case) -> int | None:
    return ALLOW if case.game.id == "stacks" else None


def followed_by(table: Any, move: int) -> Any:
    after = table.copy()
    apply(after, move)
    return after


class Fact:
    """A reason, and the result of the move at the real table."""

    def __init__(self, case: Case, table: Any, move: int, message: Message) -> None:
        self.game = case.game
        self.table = table
        self.move = move
        self.code = message.code.partition(".")[2]
        self.parameters: dict[str, Any] = dict(message.parameters)
        self.seat = table.to_move
        self.after = followed_by(table, move)
        self.number: Any = self.parameters.get("number")

    @property
    def is_won(self) -> bool:
        """Whether the move ends the game, and the player wins or shares the win."""
        result = Result()
        outcome(self.after, result)
        return self.after.over != PLAYING and bool(result.winners[self.seat])

    @property
    def other(self) -> int:
        return NAMES.index(self.parameters["other"])


def takes(table: Any, card: int) -> bool:
    return any(fits(card, pile.height) for pile in table.piles)


def check_stockpile(fact: Fact) -> None:
    before, after, stacks_before = fact.table, fact.after, fact.table.seats[fact.seat].stacks
    plays = [move for move in fact.game.legal_moves(before) if move != PASS]
    opened = [followed_by(before, move) for move in plays if move != fact.move]
    assert (fact.code == "why_wins") == (after.over == Reason.WON)
    match fact.code:
        case "why_wins" | "why_pass_ends":
            assert fact.is_won
        case "why_stock":
            assert after.seats[fact.seat].stock.count == fact.parameters["left"]
        case "why_opens" | "why_opens_last":
            assert not any(source_of(move) == STOCK for move in plays)
            assert any(source_of(move) == STOCK for move in fact.game.legal_moves(after))
            assert (fact.code == "why_opens_last") == (after.seats[fact.seat].stock.count == 1)
        case "why_leads":
            assert fact.parameters["plays"] > 3 or leads(fact.game, after, fact.parameters["plays"])
        case "why_blocks":
            assert takes(before, fact.number)
            assert not takes(after, fact.number)
            assert (
                before.seats[fact.other].stock.cards[before.seats[fact.other].stock.count - 1] == fact.number
            )
        case "why_frees":
            assert source_of(fact.move) in map(source_of, fact.game.legal_moves(after))
        case "why_completes":
            assert after.piles[fact.parameters["pile"] - 1].height == 0
        case "why_avoids":
            assert any(takes(table, fact.number) for table in opened)
            assert not takes(after, fact.number)
        case "why_pass_blocks":
            assert all(takes(table, fact.number) for table in opened)
        case "why_uncovers":
            stack = stacks_before[source_of(fact.move) - 1]
            assert fact.game.write_card(stack.cards[stack.count - 2]) == fact.parameters["card"]
        case "why_pass_keeps":
            assert not any(takes(table, fact.number) for table in (before, *opened))
        case "why_empties":
            assert stacks_before[source_of(fact.move) - 1].count == 1
        case "why_only":
            assert plays == [fact.move]


def leads(game: Any, table: Any, plays: int) -> bool:
    """Whether the stockpile can be played in the same turn after this number of plays from the stacks."""
    moves = game.legal_moves(table)
    if plays == 0:
        return any(source_of(move) == STOCK for move in moves)
    for move in moves:
        if move != PASS and source_of(move) != STOCK:
            after = followed_by(table, move)
            if after.to_move == table.to_move and leads(game, after, plays - 1):
                return True
    return False


def check_lines(fact: Fact) -> None:
    before, after, players = fact.table, fact.after, range(fact.table.players)
    was, now = ([points(table.zones[seat]) for seat in players] for table in (before, after))
    rivals = [now[seat] for seat in players if seat != fact.seat]
    assert (fact.code in ("why_wins", "why_shares")) == fact.is_won
    if before.step and not fact.is_won:
        assert fact.code.startswith("why_ends") == (after.closing > 0 and before.closing == 0)
    match fact.code:
        case "why_wins" | "why_shares":
            assert fact.parameters["points"] == now[fact.seat]
            assert (max(rivals) < now[fact.seat]) == (fact.code == "why_wins")
        case "why_ends_ahead" | "why_ends_home_ahead":
            assert max(rivals) < now[fact.seat]
        case "why_ends" | "why_ends_home":
            assert max(rivals) >= now[fact.seat]
        case "why_leads":
            assert max(rivals) < now[fact.seat]
            assert max(was[seat] for seat in players if seat != fact.seat) >= was[fact.seat]
        case "why_weakest":
            assert all(was[fact.other] < was[seat] for seat in players if seat != fact.other)
        case "why_opens_lowest":
            hand = before.hands[fact.seat]
            assert value_of(card_in(fact.move)) == min(value_of(card) for card in hand.cards[: hand.count])
        case "why_covers":
            assert after.discards.count > before.discards.count
        case "why_nothing_fits":
            assert all(place_in(move) == DISCARD for move in fact.game.legal_moves(before))
        case "why_discards":
            assert was == now
    if "points" in fact.parameters and before.step and not fact.is_won:
        assert sum(now) - sum(was) == fact.parameters["points"]
        if "other" in fact.parameters:
            assert now[fact.other] - was[fact.other] == fact.parameters["points"]
        if "name" in fact.parameters:
            assert now[fact.seat] - was[fact.seat] == fact.parameters["points"]


def check_stacks(fact: Fact) -> None:
    before, after = fact.table, fact.after
    asking = after.step == ASK and before.step != ASK
    chips = sum(after.seats[fact.seat].chips)
    hand = after.seats[fact.seat].hand
    if after.over == Reason.WON and before.step != ASK:
        assert fact.code in ("why_wins", "why_wins_unless")
    match fact.code:
        case "why_wins":
            assert after.over == Reason.WON
        case "why_wins_unless":
            assert after.over == Reason.WON or asking
        case "why_chip":
            assert asking or chips == fact.number
        case "why_refills":
            assert asking or hand.count == 5
        case "why_shortens":
            assert hand.count == fact.parameters["left"]
        case "why_theft":
            assert chips == fact.number
        case "why_last_turn":
            assert fact.is_won
        case "why_card_hand":
            assert after.seats[fact.other].hand.count == fact.parameters["left"]
        case "why_block_saves":
            assert unblocked(before).over == Reason.WON
        case "why_block_chip" | "why_allow_far":
            assert (
                sum(unblocked(before).seats[before.player].chips)
                == sum(before.seats[before.player].chips) + 1
            )
        case "why_builds":
            assert can_finish(unblocked(after), fact.game, pile_in(fact.move))
        case "why_plays_out":
            assert can_play_out(unblocked(after), fact.game)
        case "why_top_frees":
            assert any(source_in(move) == FROM_TOP for move in fact.game.legal_moves(unblocked(after)))
        case "why_card_fits" | "why_card_completes":
            legal = [fact.game.write_move(after, move) for move in fact.game.legal_moves(after)]
            assert f"{fact.parameters['card']} {fact.parameters['pile']}" in legal
        case "why_theft_leader":
            assert sum(before.seats[fact.other].chips) == max(sum(seat.chips) for seat in before.seats)
        case "why_twice":
            assert has_card(hand, fact.game.read_card(fact.parameters["card"]))
        case "why_nothing":
            assert all(is_discard(move) for move in fact.game.legal_moves(before))
        case "why_again" | "why_skip_later" | "why_skip" | "why_skip_leader" | "why_reverse":
            check_turn(fact, after.copy())
        case "why_skip_saves" | "why_skip_pile":
            check_turn(fact, after.copy())


def check_turn(fact: Fact, table: Any) -> None:
    """Once the player stops, the next turn is the one in the reason."""
    stops = [move for move in fact.game.legal_moves(table) if is_discard(move)]
    if not stops:
        return
    apply(table, stops[0])
    if table.over == PLAYING:
        assert table.to_move != fact.other if "other" in fact.parameters else table.to_move == fact.seat


def unblocked(table: Any) -> Any:
    """Return the table if no one blocks."""
    table = table.copy()
    while table.step == ASK:
        apply(table, ALLOW)
    return table


def can_finish(table: Any, game: Any, pile: int) -> bool:
    """Whether the player can complete a pile this turn, only by putting cards on it."""
    return any(
        table.piles[pile].height == 4 or can_finish(unblocked(followed_by(table, move)), game, pile)
        for move in game.legal_moves(table)
        if is_play_on_pile(move) and pile_in(move) == pile
    )


def can_play_out(table: Any, game: Any) -> bool:
    """Whether the player can play all cards of the hand without stealing."""
    last = table.seats[table.player].hand.count == 1
    return any(
        last or can_play_out(unblocked(followed_by(table, move)), game)
        for move in game.legal_moves(table)
        if source_in(move) == FROM_HAND and (is_play_on_pile(move) or special_in(move) in (SKIP, REVERSE))
        if not is_discard(move)
    )


def has_card(hand: Any, card: int) -> bool:
    return card in hand.cards[: hand.count]


CHECKS: dict[str, Callable[[Fact], None]] = {
    "stockpile": check_stockpile,
    "lines": check_lines,
    "stacks": check_stacks,
}
