"""Properties of every game, with every number of players and option."""

from __future__ import annotations

__all__ = ["Contract", "census", "contract_of", "permuted", "positions", "some_positions", "viewers"]

import functools
import importlib
import json
import random
from collections.abc import Iterator
from typing import Any

from upcard.bots import Greedy, Turn
from upcard.core.chance import Chance, chance_of
from upcard.core.events import HIDDEN, NOBODY, redact, sees
from upcard.core.game import Game, apply, determinize, legal
from upcard.core.rule import RULES
from upcard.core.rulebook import clauses
from upcard.core.seats import SPECTATOR
from upcard.core.struct import to_plain
from upcard.core.table import PLAYING
from upcard.i18n import Message
from upcard.match import Match, read_seed, replay
from upcard.testing.cases import Case

SEED = read_seed("contract")
# The maximum length of a game, in moves; a longer one would never end.
MAX_MOVES = 20_000


def contract_of(game: Game) -> Any:
    """Return the module in which a game declares what these tests need to know of it."""
    return importlib.import_module(f"{game.package}.contract")


def census(game: Game, table: Any) -> list[int]:
    """Return the number of each card, and of whatever else the game counts, at a plain table."""
    counts = [0] * contract_of(game).COUNTED
    contract_of(game).census(table, counts)
    return counts


def permuted(game: Game, table: Any, viewer: int, dice: random.Random) -> Any:
    """Return a copy of the table with the cards that the viewer cannot know dealt differently.

    Here the game says which cards those are, so that these tests do not depend on `determinize`.
    """
    other = table.copy()
    for places in contract_of(game).hidden_places(other, viewer):
        cards = [cards[place] for cards, place in places]
        dice.shuffle(cards)
        for (target, place), card in zip(places, cards, strict=True):
            target[place] = card
    return other


def positions(case: Case, seed: bytes = SEED) -> Iterator[Any]:
    """Play a random game, and yield every position of it."""
    dice = random.Random(str(case))
    table = case.game.deal(case.options, seed)
    for _ in range(MAX_MOVES):
        yield table
        moves = case.game.legal_moves(table)
        if not moves:
            return
        apply(table, dice.choice(moves))
    raise AssertionError(f"no end after {MAX_MOVES} moves")


def some_positions(case: Case, most: int = 25) -> list[Any]:
    """Return some positions of a random game, its first and last among them. Other tests get the same tables,
    so do not change them."""
    tables = _positions(case)
    step = max(1, len(tables) // most)
    return [*tables[::step], tables[-1]]


@functools.cache
def _positions(case: Case) -> list[Any]:
    """Return all positions of a random game, or as many as any test uses."""
    tables = [table.copy() for table in positions(case)]
    return [*tables[:: max(1, len(tables) // 50)], tables[-1]]


def viewers(table: Any) -> range:
    """Return all viewers of a table, the spectator first."""
    return range(SPECTATOR, table.players)


def played(case: Case) -> Match:
    """Return a match with the same moves as `positions`."""
    dice = random.Random(str(case))
    match = Match(case.game, case.options, SEED)
    while not match.over:
        match.make(dice.choice(case.game.legal_moves(match.table)))
    return match


def chance_from(text: str) -> Chance:
    """Return a stream of chance."""
    return chance_of(text.encode())


def news_of(table: Any, move: int, viewer: int) -> list[Any]:
    """Return the events that a viewer sees after a move."""
    after = table.copy()
    after.events = []
    apply(after, move)
    seen = (redact(event, viewer) for event in after.events)
    return [event for event in seen if event is not None]


def cards_of(shown: Any) -> Iterator[Any]:
    """Yield everything that is called a card, or a list of cards."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name == "card" and isinstance(value, str):  # a number of cards
                yield value
            elif name in ("cards", "hand", "discards", "discarded") and isinstance(value, list):
                yield from value
            else:
                yield from cards_of(value)
    elif isinstance(shown, list):
        for value in shown:
            yield from cards_of(value)


class Contract:
    """Tests of the plain rules, of records and of secrecy, each with one case."""

    def test_cards_are_conserved_at_every_step(self, case: Case) -> None:
        tables = positions(case)
        before = census(case.game, next(tables))
        for table in tables:
            assert census(case.game, table) == before

    def test_every_game_ends_with_a_result_and_then_nothing_is_legal(self, case: Case) -> None:
        for number in range(4):
            *_, table = positions(case, SEED + bytes([number]))
            assert table.over != PLAYING
            assert legal(table, [0] * case.game.max_legal) == 0

    def test_every_legal_move_applies_and_none_is_listed_twice(self, case: Case) -> None:
        for table in some_positions(case, 8):
            moves = case.game.legal_moves(table)
            assert len(set(moves)) == len(moves)
            for move in moves:
                assert case.game.explain(table, move) is None
                after = table.copy()
                apply(after, move)
                assert after != table

    def test_every_other_move_is_refused_with_a_clause_and_changes_nothing(self, case: Case) -> None:
        dice = random.Random(str(case))
        for table in some_positions(case, 6):
            legal_here = set(case.game.legal_moves(table))
            before = table.copy()
            others = [move for move in range(case.game.move_count) if move not in legal_here]
            for move in dice.sample(others, min(len(others), 400)):
                refusal = case.game.explain(table, move)
                assert refusal is not None, case.game.write_move(table, move)
                assert refusal.clause in refusal.text()
            assert table == before

    def test_moves_and_cards_survive_notation(self, case: Case) -> None:
        for table in some_positions(case):
            for move in case.game.legal_moves(table):
                text = case.game.write_move(table, move)
                assert case.game.read_move(table, text) == move
                assert case.game.read_move(table, f"  {text.upper()} ") == move
        for card, count in enumerate(census(case.game, table)[: contract_of(case.game).KINDS]):
            if count:
                assert case.game.read_card(case.game.write_card(card)) == card

    def test_a_determinized_table_looks_the_same_and_has_the_same_cards_and_moves(self, case: Case) -> None:
        for number, table in enumerate(some_positions(case, 12)):
            for viewer in viewers(table):
                view = case.game.view(table, viewer)
                imagined = case.game.Table()
                determinize(view, imagined, chance_from(f"{number} {viewer}"))
                assert case.game.view(imagined, viewer) == view
                assert census(case.game, imagined) == census(case.game, table)
                if viewer == table.to_move:
                    assert case.game.legal_moves(imagined) == case.game.legal_moves(table)

    def test_a_determinized_table_can_be_played_to_its_end(self, case: Case) -> None:
        dice = random.Random(str(case))
        tables = some_positions(case)
        table = tables[3 % len(tables)]
        imagined = case.game.Table()
        determinize(case.game.view(table, table.to_move), imagined, chance_from("end"))
        for _ in range(MAX_MOVES):
            moves = case.game.legal_moves(imagined)
            if not moves:
                break
            apply(imagined, dice.choice(moves))
        assert imagined.over != PLAYING

    def test_a_game_survives_its_record(self, case: Case) -> None:
        match = played(case)
        record = match.record(legal=True)
        again = replay(json.loads(json.dumps(record)))
        assert again.record(legal=True) == record
        assert again.table == match.table
        assert replay({**record, "seed": None}).result == match.result

    def test_undo_leads_back_through_the_whole_game(self, case: Case) -> None:
        match = played(case)
        made = match.log_of_moves
        half = len(made) // 2
        match.undo(len(made) - half)
        tables = positions(case)
        for _ in range(half):
            next(tables)
        assert match.table == next(tables)
        for entry in made[half:]:
            match.play(entry.text)
        assert match.log_of_moves == made
        assert match.over

    def test_events_show_a_card_only_to_its_audience(self, case: Case) -> None:
        match = played(case)
        for viewer in (None, *range(1, match.table.players + 1)):
            seat = SPECTATOR if viewer is None else viewer - 1
            shown = match.events_for(viewer)
            for event in shown:
                assert event.audience != NOBODY or event.card == HIDDEN
                assert all(card == HIDDEN for card in event.cards)
            hidden = [event for event in match.events if event.secret and not sees(seat, event.audience)]
            assert len(shown) == len(match.events) - len(hidden)

    # # Hidden cards can be any others, and the viewer does not see any difference.

    def test_a_view_does_not_change_when_what_is_hidden_is_permuted(self, case: Case) -> None:
        dice = random.Random(str(case))
        changed = 0
        for table in some_positions(case):
            for viewer in viewers(table):
                other = permuted(case.game, table, viewer, dice)
                changed += other != table
                seen, twin = case.game.view(table, viewer), case.game.view(other, viewer)
                assert json.dumps(to_plain(seen)) == json.dumps(to_plain(twin))
        assert changed, "nothing was hidden, so nothing was tested"

    def test_the_seat_to_move_gets_the_same_choice_and_a_bot_makes_the_same_move(self, case: Case) -> None:
        dice = random.Random(str(case))
        bot = Greedy(b"")
        for table in some_positions(case):
            moves = case.game.legal_moves(table)
            if moves:
                other = permuted(case.game, table, table.to_move, dice)
                assert case.game.legal_moves(other) == moves
                ours = bot.choose(Turn(case.game, case.game.view(table, table.to_move), moves))
                theirs = bot.choose(Turn(case.game, case.game.view(other, table.to_move), moves))
                assert ours == theirs

    def test_events_that_follow_a_move_do_not_tell_what_is_hidden(self, case: Case) -> None:
        """After the same move at two tables that look the same, a viewer sees the same events up to the
        first that shows a card which was hidden before."""
        dice = random.Random(str(case))
        for table in some_positions(case, 10):
            moves = case.game.legal_moves(table)
            for viewer in viewers(table):
                if not moves:
                    break
                # The seat that moves knows its hand, so another seat is the viewer.
                if viewer == table.to_move:
                    continue
                other = permuted(case.game, table, viewer, dice)
                move = dice.choice(sorted(set(moves) & set(case.game.legal_moves(other))) or [None])
                if move is None:
                    continue
                here, there = news_of(table, move, viewer), news_of(other, move, viewer)
                for one, theirs in zip(here, there, strict=False):
                    if one != theirs:
                        assert sees(viewer, one.audience), "a hidden event differs"
                        break

    # The rulebook

    def test_every_clause_is_cited_by_a_rule_or_an_option_and_no_other_is(self, case: Case) -> None:
        cited = {option.clause for option in case.game.options}
        for rule in RULES:
            if rule.plain.__module__.startswith(f"{case.game.package}."):
                cited |= set(rule.clauses)
        assert cited == set(clauses(case.game))

    # Views and events for programs and for people

    def test_views_and_events_are_json_with_cards_in_notation(self, case: Case) -> None:
        game, match, kinds = case.game, played(case), set()
        names = {kind.name.lower() for kind in game.event_kinds.values()}
        for table in some_positions(case):
            for viewer in viewers(table):
                shown = game.show(game.view(table, viewer))
                assert json.loads(json.dumps(shown)) == shown
                for card in cards_of(shown):
                    game.read_card(card)
                assert game.render_shown(shown, match.names)
        for event in match.events_for(1):
            shown = game.show_event(event)
            assert json.loads(json.dumps(shown)) == shown
            kinds.add(shown["kind"])
            if shown.get("card") is not None:
                game.read_card(shown["card"])
        assert {"turn", "over"} <= kinds <= names

    def test_events_scores_and_reasons_for_moves_have_words(self, case: Case) -> None:
        match = played(case)
        assert "Ann 1" in Message(f"{case.game.id}.scores", {"scores": "Ann 1"}).text()
        assert "Ann" in Message(f"{case.game.id}.turn", {"name": "Ann"}).text()
        for viewer in (None, 1):
            for event in match.events_for(viewer):
                message = case.game.describe(event, match.names)
                assert message is None or message.text()
        for table in some_positions(case, 8):
            view = case.game.view(table, table.to_move)
            for move in case.game.legal_moves(table):
                assert case.game.why(view, move, match.names).text()
