"""The terminal game: everything that can be typed, and everything that can happen instead."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from tests.bots.guests import add_bots
from tests.cli.running import Run, command, run_process
from tests.cli.terminal import Answer, Terminal, moves_in, scores_in, table_in
from tests.waiting import wait_until
from upcard.bots import Seated, known
from upcard.core.exclusive import InUse, exclusive
from upcard.core.rulebook import clauses, rulebook
from upcard.games import GAMES, all_games, find
from upcard.match import Match, replay
from upcard.tui.colour import coloured, wants_colour

each_game = pytest.mark.parametrize("game", GAMES)

KEPT = "Your unfinished game is saved: upcard play --resume"
GOODBYE = f"Goodbye. {KEPT}"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, data_folder: Path) -> Terminal:
    return Terminal(monkeypatch, data_folder)


def anything(seed: int) -> Callable[[str], str]:
    """Return a player who types one of the listed moves, in notation."""
    dice = random.Random(seed)
    return lambda said: dice.choice(moves_in(said))


# Whole games


@each_game
def test_a_whole_game_can_be_played_by_typing_1_and_is_not_left_then(terminal: Terminal, game: str) -> None:
    said = terminal.play(repeat("1"), game=game, seed="one")
    assert said.startswith(f"{find(game).title}. Type ? for help.\n")
    assert " win" in said.splitlines()[-4]
    assert scores_in(said).startswith("Scores: You ")
    assert "Traceback" not in said
    assert "Goodbye" not in said
    assert not terminal.saves.unfinished()


@each_game
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_can_be_played_in_notation(terminal: Terminal, game: str, players: int) -> None:
    said = terminal.play(repeat(anything(players)), game=game, seed="4", options={"players": players})
    scores = scores_in(said).removeprefix("Scores: ").split(", ")
    assert [score.split()[0] for score in scores] == ["You", "Robin", "Ann", "Kim"][:players]


@each_game
def test_notation_may_be_typed_in_capitals_with_spaces(terminal: Terminal, game: str) -> None:
    typed: list[Answer] = [lambda said: f"  {moves_in(said)[-1].upper()} "]
    terminal.play(typed, game=game, seed="1", options=first(game))
    assert len(moves_of_seat(terminal.kept, 1)) == 1


def test_the_last_table_is_shown_before_the_result(terminal: Terminal) -> None:
    said = terminal.play(repeat("1"), game="lines", seed="5")
    table, result = said.split("\n\n")[-2:]
    assert table.startswith("Draw pile")
    assert "Moves" not in table
    assert len(result.splitlines()) == 4


def first(game: str, **options: object) -> dict[str, object]:
    """Return options that give seat 1 the first turn."""
    return {"dealer": 2} | options if game == "stacks" else {"first": 1} | options


def moves_of_seat(kept: Any, seat: int) -> list[str]:
    return [entry["move"] for entry in kept["log"] if entry.get("seat") == seat]


# Output


@each_game
def test_the_table_names_the_seats_that_moves_speak_of(terminal: Terminal, game: str) -> None:
    table = table_in(terminal.play(game=game, options={"players": 4 if game == "stacks" else 3}))
    assert "You (seat 1)" in table
    assert "Robin (seat 2)" in table
    assert "Ann (seat 3)" in table


def test_cards_that_others_draw_are_hidden(terminal: Terminal) -> None:
    said = terminal.play(repeat("1", 30), game="stacks", seed="1", options={"players": 4})
    assert "You draw " in said
    assert not any(f"{name} draws" in said for name in ("Robin", "Ann", "Kim"))
    assert said.count("Your hand") == said.count("Moves: ")


@each_game
def test_lines_are_broken_between_words_to_fit_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    typed = ["?", "hint", "rules", "frob", *repeat("1", 10)]
    wide = terminal.play(typed, game=game, seed="6")
    terminal.forget()
    monkeypatch.setenv("COLUMNS", "40")
    narrow = terminal.play(typed, game=game, seed="6")
    assert narrow.split()[:-1] == wide.split()[:-1]
    # A path is not broken, so that it can be copied.
    broken = [line for line in narrow.splitlines() if ".json" not in line]
    assert max(map(len, broken)) < 40


def test_even_a_very_narrow_terminal_is_written_to(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1")
    said = terminal.play(["?", "rules", "1"], game="stacks")
    assert all(len(line) <= 20 or " " not in line.strip() for line in said.splitlines())


def test_a_move_is_never_broken_over_two_lines(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    said = terminal.play(repeat("1", 6), game="lines", seed="1")
    assert all(move in GAME_MOVES for move in map(shape, moves_in(said)))


GAME_MOVES = {"# top", "# bottom", "# +#", "# @# top", "# @# bottom", "# @# +#", "x #"}


def shape(move: str) -> str:
    """Return a move of Lines with # instead of cards and numbers."""
    words = [
        word if word in ("x", "top", "bottom") else word[: word[0] in "+@"] + "#" for word in move.split()
    ]
    return " ".join(words)


@pytest.mark.parametrize("game", ["lines", "stacks"])
def test_moves_are_listed_in_the_order_of_the_hand_with_discards_last(terminal: Terminal, game: str) -> None:
    def look(said: str) -> str:
        hand = said.rpartition("Your hand   ")[2].partition("\n")[0].split()
        moves = moves_in(said)
        discards = [move.removeprefix("x ") for move in moves if move.startswith("x ")]
        plays = [move.split()[0] for move in moves if not move.startswith("x ")]
        assert discards == [card for card in dict.fromkeys(hand) if card in discards]
        assert [move.startswith("x ") for move in moves] == sorted(move.startswith("x ") for move in moves)
        played = [card for card in plays if card in hand]
        assert played == sorted(played, key=hand.index)
        seen.append(max(len(discards), len(set(played))) > 1)
        return "1"

    seen: list[bool] = []
    terminal.play(repeat(look), game=game, seed="2", options={"players": 3})
    assert any(seen)


def test_a_bot_that_takes_long_is_said_to_be_thinking(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Seated.choose

    def choose_slowly(seated: Seated) -> int:
        wait_until(lambda: "Robin is thinking ..." in terminal.screen)
        return choose(seated)

    monkeypatch.setattr("upcard.tui.play.THINKING_AFTER", 0)
    monkeypatch.setattr(Seated, "choose", choose_slowly)
    said = terminal.play(["1"], game="lines", options=first("lines"))
    # Your own events can be read meanwhile.
    assert (
        said.index("You start a new line") < said.index("Robin is thinking ...") < said.index("Robin starts")
    )


# Colours


def test_cards_are_shown_in_their_colours_and_the_text_stays_the_same(terminal: Terminal) -> None:
    said = terminal.play(["rules", *repeat("1", 20)], game="lines", seed="1")
    shown = coloured(said)
    assert re.sub(r"\x1b\[[\d;]*m", "", shown) == said
    assert "\x1b[31mr" in shown
    assert "\x1b[1m> You (seat 1), " in shown
    find("stacks")
    assert (
        coloured("b?, R2, @2, +3, stock 1, 10, Robin")
        == "\x1b[34mb?\x1b[0m, \x1b[31mR2\x1b[0m, @2, +3, stock 1, 10, Robin"
    )


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_are_only_for_terminals_that_want_them(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], wanted: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert not wants_colour()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert wants_colour() is wanted


# Commands


@each_game
def test_help_tells_what_can_be_typed(terminal: Terminal, game: str) -> None:
    for word in ("?", "help", "HELP", " ? "):
        said = terminal.play([word], game=game)
        assert "Type the number of a move, or write it as in the list" in said
        for name in ("?", "rules", "table", "hint", "why", "undo", "quit"):
            assert f"\n  {name} " in said
        assert f"? {find(game).turn_clause} " in said


@each_game
def test_every_clause_can_be_read(terminal: Terminal, game: str) -> None:
    texts = clauses(find(game))
    for typed in ("? {}", "?{}", "help {}", "?   {}  "):
        said = terminal.play([typed.format(name.lower()) for name in texts], game=game)
        words = " ".join(said.split())
        assert all(text in words for text in texts.values())


def test_a_clause_that_is_not_there_says_which_are(terminal: Terminal) -> None:
    said = terminal.play(["? z9"], game="stacks")
    assert "There is no clause z9: they run from K1.1 to K7.2." in said


@each_game
def test_the_rulebook_can_be_read(terminal: Terminal, game: str) -> None:
    assert rulebook(find(game)) in terminal.play(["rules"], game=game)


@each_game
def test_the_table_can_be_seen_again(terminal: Terminal, game: str) -> None:
    said = terminal.play(["table"], game=game)
    assert said.count(table_in(said)) == 2


@each_game
def test_a_hint_is_one_of_the_moves_and_is_not_played(terminal: Terminal, game: str) -> None:
    said = terminal.play(["hint"], game=game, options=first(game))
    assert hinted(said) in moves_in(said)
    assert moves_of_seat(terminal.kept, 1) == []


def hinted(said: str) -> str:
    """Return the move of the last hint."""
    return said.rpartition("A bot would play: ")[2].partition(".")[0]


@each_game
def test_a_hint_says_why(terminal: Terminal, game: str) -> None:
    said = terminal.play(["hint"], game=game, options=first(game))
    match = replay(terminal.kept)
    move = match.game.read_move(match.table, hinted(said))
    reason = match.game.why(match.view(1), move, match.names).to(0).text()
    assert f"A bot would play: {hinted(said)}. {reason}" in said.splitlines()


def test_following_every_hint_plays_a_game(terminal: Terminal) -> None:
    said = terminal.play(chain.from_iterable(repeat(("hint", hinted))), game="stacks", seed="1")
    assert scores_in(said)


@each_game
def test_nothing_is_explained_before_a_bot_has_moved(terminal: Terminal, game: str) -> None:
    assert "No bot has moved yet." in terminal.play(["why"], game=game, seed="2", options=first(game))


def explained(said: str) -> list[str]:
    """Return the moves that were explained, with their reasons."""
    return re.findall(r"^\w+ played: .+$", said, re.MULTILINE)


@each_game
def test_the_last_move_of_a_bot_is_explained_with_what_you_saw_before_it(
    terminal: Terminal, game: str
) -> None:
    typed = ["why", "1"] * 7
    said = terminal.play(typed, game=game, seed="2", seat=2, options=first(game, players=3))
    match = replay(terminal.kept)
    again = Match(match.game, match.options, match.seed, match.players)
    expected: list[tuple[str, str]] = []
    last = None
    for moved in match.log_of_moves:
        if moved.seat == 1:
            expected += [last] if last else []
        elif moved.text != "allow":
            views = again.view(2), again.view(moved.seat + 1)
            yours, its = (match.game.why(view, moved.move, match.names).to(1).text() for view in views)
            last = (f"{match.names[moved.seat]} played: {moved.text}. {yours}", its)
        again.make_legal(moved.move)
    assert explained(said) == [line for line, _ in expected]
    # With knowledge of the bots' hands, the reason would be different.
    hidden = [line for line, its in expected if not line.endswith(its)]
    assert bool(hidden) == (game != "stockpile")


@each_game
def test_a_move_is_explained_in_the_same_way_after_undo_and_when_one_comes_back(
    terminal: Terminal, game: str
) -> None:
    typed = [*["1"] * 4, "why"]
    before = explained(terminal.play(typed, game=game, seat=2, seed="2", options=first(game)))
    after = explained(terminal.play(["why", "1", "undo", "why"], resume=True))
    assert len(before) == 1
    assert after == before * 2


def test_that_someone_allowed_a_pile_is_never_explained(terminal: Terminal) -> None:
    """K5.4 Nothing may reveal who holds a block."""
    typed: list[Answer] = ["why", anything(1)] * 30
    options = {"players": 3, "block": "anytime"}
    said = terminal.play(typed, game="stacks", seed="3", options=options, bots=["random"])
    log = replay(terminal.kept).log_of_moves
    answers = {
        log[place - 1].text for place in range(1, len(log)) if log[place].seat == 0 < log[place - 1].seat
    }
    assert {"allow", "block"} <= answers
    assert any("played: block. " in line for line in explained(said))
    assert not any("allow" in line for line in explained(said))


@each_game
def test_undo_takes_back_a_move_and_all_that_followed(terminal: Terminal, game: str) -> None:
    before = table_in(terminal.play(["1"] * 3, game=game, seed="7"))
    after = table_in(terminal.play(["1"], resume=True))
    undone = terminal.play(["undo"], resume=True)
    assert after != before
    assert "Your last move has been undone." in undone
    assert table_in(undone) == before
    assert table_in(terminal.play(["1"], resume=True)) == after


@each_game
def test_undo_goes_back_to_the_beginning_and_no_further(terminal: Terminal, game: str) -> None:
    start = table_in(terminal.play(game=game, seed="8"))
    said = terminal.play([*["1"] * 5, *["undo"] * 6], resume=True)
    assert said.count("Your last move has been undone.") == 5
    assert said.count("You haven't made a move yet.") == 1
    assert table_in(said) == start
    assert moves_of_seat(terminal.kept, 1) == []


def test_leaving_saves_the_game_and_says_how_to_continue(
    terminal: Terminal, subtests: pytest.Subtests
) -> None:
    ways: list[Answer] = ["quit", "exit", "q", "QUIT", EOFError, KeyboardInterrupt, RuntimeError]
    for typed in ways:
        with subtests.test(str(typed)):
            terminal.forget()
            said = terminal.play([typed, "1"], game="stacks")
            assert said.endswith(f"\n\n{GOODBYE}")
            assert len(terminal.saves.unfinished()) == 1


# Refused moves


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("stockpile", "pass", "Your turn lasts as long as you can play something. (S3.8)"),
        ("lines", "x {}", "On your first turn, you lay a card. You can't discard one yet. (L4.1)"),
        ("stacks", "block", "You can play a block only when someone else's pile can be blocked. (K5.3)"),
        ("stacks", "end", "To end your turn, discard a card from your hand. (K3.6)"),
        ("stacks", "top R1", "Your discard pile is empty. (K3.3)"),
    ],
)
def test_a_refused_move_is_explained_with_its_clause(
    terminal: Terminal, game: str, typed: str, said: str
) -> None:
    answers: list[Answer] = [lambda screen: typed.format(moves_in(screen)[0].split()[0])]
    assert said in terminal.play(answers, game=game, options=first(game)).splitlines()


@each_game
def test_every_move_that_is_not_listed_is_refused_with_a_clause(terminal: Terminal, game: str) -> None:
    """Any move in the notation of a game that is not legal now."""
    start = terminal.play(game=game, seed="9", options=first(game))
    match = replay(terminal.kept)
    written = {match.game.write_move(match.table, move) for move in range(match.game.move_count)}
    refused = sorted(move for move in written if move not in moves_in(start) and speaks_of_seats(move, 2))
    said = terminal.play(refused, resume=True)
    answers = [answer.splitlines()[1] for answer in said.split("Your move:\n")[1 : len(refused) + 1]]
    assert len(answers) == len(refused) > 10
    for answer in answers:
        assert re.search(r"[.!] \([A-Z]\d\.\d+\)$", answer)
    assert terminal.kept == match.record()


def speaks_of_seats(move: str, players: int) -> bool:
    """Whether all seats in a move exist."""
    return all(int(seat) <= players for seat in re.findall(r"@(\d)", move))


GARBAGE = [
    *("", " ", "frob", "0", "99", "-1", "1.5", "²", "٣", "1 1", "0000000010", "9" * 5000, "\0", "\x1b[A"),
    *(
        "x",
        "top",
        "card",
        "r",
        "r99 top",
        "card @9 hand",
        "card @0000000019 hand",
        "é 🃏",
        "'; drop",
        "{card}",
    ),
    *("?" * 100, "? " + "x" * 5000, "undo undo", "table 3", "%s", "\udcff", "a\tb", "stock", "stock 5", "A"),
]


@each_game
def test_garbage_is_answered_and_changes_nothing(terminal: Terminal, game: str) -> None:
    start = terminal.play(game=game, seed="9")
    kept = terminal.kept
    said = terminal.play(GARBAGE, resume=True)
    assert terminal.kept == kept
    assert table_in(said) == table_in(start)
    answers = said.split("Your move:\n")[1:-1]
    assert len(answers) == len(GARBAGE)
    assert all(answer.strip() for answer in answers)


@each_game
def test_text_that_is_not_a_move_gets_examples(terminal: Terminal, game: str) -> None:
    assert f"'frob' is not a move of {find(game).title}: write " in terminal.play(["frob"], game=game)


def test_a_number_that_is_not_in_the_list_says_which_are(terminal: Terminal) -> None:
    said = terminal.play(["0", "99", "0000000010"], game="stacks", seed="1")
    assert said.count(f"The moves are numbered from 1 to {len(moves_in(said))}.") == 3


# Beginning


def test_a_game_is_chosen_by_its_number_or_name(terminal: Terminal) -> None:
    for number, game in enumerate(GAMES, 1):
        for answer in (str(number), game, game.upper()):
            said = terminal.play([answer, "2"])
            assert f"\n{find(game).title}. Type ? for help.\n" in said
            terminal.forget()


def test_the_menu_tells_what_each_game_is_about(terminal: Terminal) -> None:
    said = terminal.play()
    assert said.startswith("Welcome to Upcard.\n")
    for number, game in enumerate(all_games(), 1):
        assert f"  {number}  {game.title}: {game.summary}\n" in said
    assert "Continue" not in said
    assert said.endswith("\n\nGoodbye.")


def test_the_menu_asks_again_until_it_understands(terminal: Terminal) -> None:
    said = terminal.play(["frob", "", "0", "4", "2", "2"])
    assert said.count("Type one of the numbers above, or 'quit'.") == 4
    assert "Lines. Type ? for help." in said


def test_the_number_of_players_is_asked_for_until_it_is_one(terminal: Terminal) -> None:
    said = terminal.play(["lines", "x", "9", "5", "3"])
    assert "players cannot be 'x': it is a whole number from 2 to 5 (L1.2)." in said
    assert "players cannot be '9': it is a whole number from 2 to 5 (L1.2)." in said
    assert "5 players need 6 colours, not 5 (L1.2)." in said
    assert terminal.kept["options"]["players"] == 3


def test_an_empty_line_means_two_players(terminal: Terminal) -> None:
    terminal.play(["stacks", ""])
    assert terminal.kept["options"]["players"] == 2


def test_the_number_of_players_is_not_asked_for_if_it_is_known(terminal: Terminal) -> None:
    assert "How many players" not in terminal.play(["stacks"], options={"players": 3})
    assert "How many players" not in terminal.play(game="stacks")


def test_the_menu_can_be_left(terminal: Terminal, subtests: pytest.Subtests) -> None:
    ways: list[list[Answer]] = [["quit"], ["q"], [KeyboardInterrupt], ["1", "quit"], ["1", EOFError]]
    for typed in ways:
        with subtests.test(str(typed)):
            assert terminal.play(typed).endswith("\n\nGoodbye.")
            assert not terminal.saves.unfinished()


def test_the_same_seed_deals_the_same_cards(terminal: Terminal) -> None:
    first_table, again, other = (table_in(terminal.play(game="lines", seed=seed)) for seed in "aab")
    assert first_table == again != other


def test_seat_name_and_bots_can_be_chosen(terminal: Terminal) -> None:
    said = terminal.play(
        game="stacks", options={"players": 4}, seat=3, name="Zoë", bots=["greedy", "random"], seed="1"
    )
    assert "> Zoë (seat 3)" in said
    assert terminal.kept["seats"] == [
        {"name": "Robin", "bot": "greedy"},
        {"name": "Ann", "bot": "random"},
        {"name": "Zoë"},
        {"name": "Kim", "bot": "greedy"},
    ]


@each_game
@pytest.mark.parametrize("seat", [2, 3])
def test_a_whole_game_can_be_played_at_any_seat(terminal: Terminal, game: str, seat: int) -> None:
    said = terminal.play(repeat("1"), game=game, seat=seat, options={"players": 3}, bots=["random"], seed="2")
    assert scores_in(said)


@pytest.mark.parametrize(
    ("bot", "did"),
    [
        ("stock", "chose 'stock 1', which is not legal"),
        ("raise", r"raised KeyError: 'no\nsuch\x1b[31m card'"),
        ("wait", "took longer than 0.01 s for a move"),
    ],
)
def test_greedy_plays_on_for_a_bot_that_breaks_the_rules(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, bot: str, did: str
) -> None:
    add_bots(monkeypatch)
    monkeypatch.setattr("upcard.tui.play.MOVE_LIMIT", 0.01 if bot == "wait" else 600)
    said = terminal.play(repeat("1"), game="stockpile", seed="1", bots=[bot])
    told = f"Robin ({bot}) {did}, so greedy plays this seat now."
    assert " ".join(said.split()).count(told) == 1
    assert scores_in(said)


def test_no_bot_has_the_name_of_the_person(terminal: Terminal) -> None:
    terminal.play(game="stacks", options={"players": 6}, name="Ann")
    names = [seat["name"] for seat in terminal.kept["seats"]]
    assert len(set(names)) == 6


def test_house_rules_hold(terminal: Terminal) -> None:
    said = terminal.play(game="stockpile", options={"stock": 3})
    assert " of 3   A: " in table_in(said)


# Continuing a game


@each_game
def test_a_game_left_at_every_move_ends_like_one_that_was_not(terminal: Terminal, game: str) -> None:
    whole = terminal.play(repeat("1"), game=game, seed="3", options={"players": 3})
    said = terminal.play(game=game, seed="3", options={"players": 3})
    while said.endswith(GOODBYE):
        said = terminal.play(["1"], resume=True)
    assert said.splitlines()[-4:-1] == whole.splitlines()[-4:-1]
    assert not terminal.saves.unfinished()


def test_a_player_who_comes_back_hears_the_last_round_and_not_the_whole_game(terminal: Terminal) -> None:
    told = terminal.play(repeat("1", 25), game="stacks", seed="3")
    again = terminal.play(resume=True)
    assert table_in(again) == table_in(told)
    assert "cards are shuffled" not in again
    assert again.count("Your turn.") <= 2
    assert len(again) < len(told) / 3


def test_the_menu_offers_the_game_that_was_left(terminal: Terminal) -> None:
    told = terminal.play(["1"], game="lines", seed="1")
    said = terminal.play(["0"])
    assert "  0  Continue the game you left.\n" in said
    assert table_in(said) == table_in(told)


def test_a_crash_at_any_moment_loses_no_move(terminal: Terminal) -> None:
    class Crash(BaseException):
        pass

    with pytest.raises(Crash):
        terminal.play(["1", "1", "1", Crash], game="lines", seed="1", options=first("lines"))
    assert len(moves_of_seat(terminal.kept, 1)) == 3
    terminal.play(["1"], resume=True)
    assert len(moves_of_seat(terminal.kept, 1)) == 4


def test_every_game_that_was_left_is_kept_and_can_be_chosen(terminal: Terminal) -> None:
    tables = {game: table_in(terminal.play(["1"], game=game, seed="1")) for game in GAMES}
    for number, game in enumerate(GAMES, 1):
        leave_in_order(terminal)
        listed = [file.summary() for file in terminal.saves.unfinished()]
        assert [summary.partition(",")[0] for summary in listed] == [find(name).title for name in GAMES]
        said = terminal.play([str(number)], resume=True)
        assert f"  {number}  {listed[number - 1]}\n" in said
        assert table_in(said) == tables[game]
    leave_in_order(terminal)
    assert table_in(terminal.play([""], resume=True)) == next(iter(tables.values()))
    assert "  0  Continue one of the 3 games you left.\n" in terminal.play()


def leave_in_order(terminal: Terminal) -> None:
    """Set the times at which games were left a minute apart, so that the first in the list of games is the
    latest."""
    for minutes, game in enumerate(reversed(GAMES)):
        (file,) = terminal.saves.unfinished(game)
        os.utime(file.path, (0, 60 * minutes))


def test_which_game_is_asked_again_until_it_is_one_and_can_be_left(terminal: Terminal) -> None:
    for seed in "12":
        terminal.play(game="lines", seed=seed)
    said = terminal.play(["0", "3", "x", "9" * 5000, "2"], resume=True)
    assert said.count("Type a number from 1 to 2, or 'quit'.") == 4
    assert "Lines. Type ? for help." in said
    assert terminal.play(["quit"], resume=True).endswith("\n\nGoodbye.")


def test_a_game_that_is_named_is_chosen_among_those_of_its_kind(terminal: Terminal) -> None:
    table = table_in(terminal.play(["1"], game="lines", seed="1"))
    terminal.play(["1"], game="stacks", seed="1")
    assert table_in(terminal.play(game="lines", resume=True)) == table


def test_continuing_a_different_game_from_the_one_that_was_left_is_refused(
    terminal: Terminal, run: Run
) -> None:
    assert run("play", "--resume").mistake == "there is no unfinished game"
    terminal.play(game="lines")
    assert run("play", "stacks", "--resume").mistake == "there is no unfinished game of stacks"
    assert run("play", "stacks", "--resume", "--record", terminal.kept_in).mistake == (
        f"the game in {terminal.kept_in} is lines, not stacks"
    )


def test_a_game_that_another_terminal_plays_is_refused(terminal: Terminal, run: Run) -> None:
    terminal.play(game="lines")
    with exclusive(terminal.kept_in):
        assert f"{terminal.kept_in} is in use by process {os.getpid()} on " in run("play", "--resume").err


def test_a_new_game_is_locked_while_it_is_played(terminal: Terminal, run: Run) -> None:
    def look(_said: str) -> str:
        with pytest.raises(InUse), exclusive(terminal.kept_in):
            pass
        return "quit"

    terminal.play([look], game="lines")
    assert [path.name for path in terminal.saves.folder.iterdir()] == [terminal.kept_in.name]


# Games that are over


@each_game
def test_a_game_that_is_over_is_kept_and_the_referee_agrees(terminal: Terminal, run: Run, game: str) -> None:
    for seed in "12":
        terminal.play(repeat("1"), game=game, seed=seed)
    assert [replay(record).over for record in terminal.finished] == [True, True]
    assert not terminal.saves.unfinished()
    assert run("verify", *terminal.saves.finished.glob("*.json")).code == 0


def test_a_finished_game_can_be_reviewed_right_away(terminal: Terminal) -> None:
    reviewed: list[tuple[Path, int]] = []
    terminal.review = lambda path, seat: reviewed.append((path, seat))
    for answer in ("", "n", "y"):
        assert not reviewed
        said = terminal.play(repeat(one_then(answer)), game="stacks", seed="1", seat=2)
        assert "\nReview it now? [y/N]\n" in said
    ((path, seat),) = reviewed
    assert (path.parent, seat) == (terminal.saves.finished, 2)


def one_then(last: str) -> Callable[[str], str]:
    """Return a player who types 1 until the game is over, and then another answer."""
    return lambda said: last if "Scores: " in said else "1"


# Disks


def test_ctrl_c_while_a_bot_thinks_keeps_the_move_before(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = terminal.play(game="lines", seed="1", options=first("lines"))
    with monkeypatch.context() as patch:
        patch.setattr(Seated, "choose", interrupt)
        assert terminal.play(["1"], resume=True).endswith(f"\n\n{GOODBYE}")
    assert moves_of_seat(terminal.kept, 1) == moves_in(start)[:1]
    assert len(moves_of_seat(terminal.kept, 2)) == 0


def interrupt(_seated: Seated) -> int:
    raise KeyboardInterrupt


NOT_KEPT = "This game can't be saved: "


def test_a_game_that_cannot_be_kept_says_so_once_and_asks_for_a_file(
    terminal: Terminal, data_folder: Path, tmp_path: Path
) -> None:
    # Not a file mode, which root can ignore.
    data_folder.parent.mkdir()
    data_folder.write_text("a file where the folder should be")
    elsewhere, taken = tmp_path / "my game", tmp_path / "taken"
    taken.write_text("precious")
    answers = ["1", "1", "quit", str(taken), str(tmp_path / "no" / "folder"), "\0", str(elsewhere)]
    said = terminal.play(answers, game="lines", options=first("lines"))
    assert said.count(NOT_KEPT) == 1
    assert "Not a directory" in said
    assert f"{taken} already exists: choose another file." in said
    assert "no/folder can't be written (No such file or directory)." in said
    assert said.endswith(f"\nGoodbye. {KEPT} --record '{elsewhere}'")
    assert taken.read_text() == "precious"
    again = terminal.play(resume=True, record=elsewhere)
    assert table_in(again) == table_in(said)


@pytest.mark.parametrize("answer", ["", EOFError, KeyboardInterrupt])
def test_a_game_that_is_given_up_is_said_to_be_lost(
    terminal: Terminal, data_folder: Path, answer: Answer
) -> None:
    data_folder.parent.mkdir()
    data_folder.write_text("a file where the folder should be")
    assert terminal.play(["1", "quit", answer], game="lines").endswith("\nGoodbye. Your game wasn't saved.")


def test_a_game_that_is_over_and_cannot_be_kept_asks_for_a_file(
    terminal: Terminal, data_folder: Path, tmp_path: Path
) -> None:
    data_folder.parent.mkdir()
    data_folder.write_text("a file where the folder should be")
    elsewhere = str(tmp_path / "mine.json")
    said = terminal.play(repeat(one_then(elsewhere)), game="lines")
    assert said.endswith(f"\nThe game is saved: upcard review {elsewhere}")
    assert replay(json.loads(Path(elsewhere).read_text())).over


def test_a_disk_that_fills_up_leaves_the_last_whole_game(terminal: Terminal) -> None:
    resource = pytest.importorskip("resource")
    terminal.play(["1"], game="lines", seed="1")
    kept, before = terminal.kept, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        said = terminal.play(["1", "1"], resume=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.count(NOT_KEPT) == 1
    assert "File too large" in said
    assert terminal.kept == kept
    assert list(terminal.saves.folder.iterdir()) == [terminal.kept_in]


# A file chosen by the player


def test_a_game_can_be_kept_in_a_file_and_continued_from_it(
    terminal: Terminal, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    said = terminal.play(["1"], game="lines", record=path, options=first("lines"))
    assert said.endswith(f"\n\nGoodbye. {KEPT} --record {path}")
    assert len(moves_of_seat(json.loads(path.read_text()), 1)) == 1
    assert not terminal.saves.finished.exists()
    assert run("play", "lines", "--record", path).mistake == (
        f"{path} already exists: choose another file, or add --resume to continue its game"
    )
    said = terminal.play(repeat("1"), record=path, resume=True)
    assert said.endswith(f"\nThe game is saved: upcard review {path}")
    assert run("verify", path).code == 0
    assert run("play", "--resume", "--record", path).mistake == (
        f"the game in {path} is over: upcard review shows it"
    )


def test_a_file_that_cannot_be_written_is_refused_before_the_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no" / "game.json"
    assert run("play", "lines", "--record", path).mistake == (
        f"{path} cannot be written: No such file or directory"
    )


# Damage


def damaged(kept: dict[str, Any]) -> dict[str, bytes]:
    """Return ways to damage an unfinished game."""
    text = json.dumps(kept).encode()
    strangers = [{"name": seat["name"]} for seat in kept["seats"]]
    robots = [{"name": seat["name"], "bot": "greedy"} for seat in kept["seats"]]
    changed: dict[str, Any] = {
        "a number": 3,
        "nothing": None,
        "a list": [kept],
        "two people": kept | {"seats": strangers},
        "nobody": kept | {"seats": robots},
        "no seed": kept | {"seed": None},
        "another game": kept | {"game": "chess"},
        "no log": kept | {"log": []},
        "a move that is none": kept | {"log": [*kept["log"], {"seat": 1, "move": "x"}]},
    }
    contents = {name: json.dumps(value).encode() for name, value in changed.items()}
    return contents | {
        "empty": b"",
        "cut off": text[:-40],
        "no text": b"\xff\xfe",
        "deep": b"[" * 100_000,
        "no JSON": b"unfinished",
        "a key twice": text.replace(b"{", b'{"upcard": 1, ', 1),
        "two games": text + b"\n" + text + b"\n",
    }


def test_a_damaged_kept_game_gets_one_clear_sentence(
    terminal: Terminal, run: Run, subtests: pytest.Subtests
) -> None:
    terminal.play(["1"], game="stacks")
    path = terminal.kept_in
    for name, content in damaged(terminal.kept).items():
        with subtests.test(name):
            path.write_bytes(content)
            sentence = run("play", "--resume").mistake
            assert sentence.startswith(f"the game in {path} is damaged (")
            assert sentence.endswith("): begin a new one")
            assert path.read_bytes() == content


def test_a_damaged_kept_game_does_not_keep_one_from_playing(terminal: Terminal) -> None:
    terminal.play(game="stacks")
    terminal.kept_in.write_text("unfinished")
    said = terminal.play(["1", "1"], game="lines")
    assert said.endswith(GOODBYE)
    assert any(", damaged, left " in file.summary() for file in terminal.saves.unfinished())


def test_a_kept_game_with_an_unknown_bot_is_refused(terminal: Terminal, run: Run) -> None:
    terminal.play(game="stacks")
    kept = terminal.kept
    kept["seats"][1]["bot"] = "frob"
    terminal.kept_in.write_text(json.dumps(kept))
    assert run("play", "--resume").mistake == f"there is no bot 'frob': choose {', '.join(known())}"


def test_a_folder_in_the_place_of_a_kept_game_gets_one_sentence(terminal: Terminal, run: Run) -> None:
    path = terminal.saves.new("lines").path
    path.mkdir(parents=True)
    assert run("play", "--resume").mistake == f"{path} cannot be read: Is a directory"


# As a command


def test_the_command_plays_with_its_options(terminal: Terminal, run: Run) -> None:
    terminal.answers = iter(["1", "quit"])
    played = run(
        *("play", "stacks", "--players", "3", "--seat", "2", "--name", "Zoë", "--bots", "random,greedy"),
        *("--option", "block=anytime", "--option", "must_play=yes", "--seed", "x"),
    )
    assert (played.code, played.err) == (0, "")
    assert played.out.endswith(f"\n\n{GOODBYE}\n")
    kept = terminal.kept
    assert [seat["name"] for seat in kept["seats"]] == ["Robin", "Zoë", "Ann"]
    assert [seat.get("bot") for seat in kept["seats"]] == ["random", None, "greedy"]
    assert kept["options"]["block"] == "anytime"
    assert kept["options"]["must_play"] is True


@pytest.mark.parametrize("arguments", [["play"], ["play", "--players", "2"]])
def test_without_a_game_the_player_is_asked_which(terminal: Terminal, run: Run, arguments: list[str]) -> None:
    terminal.answers = iter(["lines", "2"])
    assert "Welcome to Upcard." in run(*arguments).out


def test_a_game_alone_is_played(terminal: Terminal, run: Run) -> None:
    assert run("lines").out.startswith("Lines. Type ? for help.")
    assert terminal.kept["game"] == "lines"


def test_answers_from_a_pipe_are_shown_where_they_were_asked_for() -> None:
    played = run_process("play", "lines", "--seed", "1", stdin="hint\n1\nquit\n")
    assert (played.code, played.err) == (0, "")
    for answer in ("hint", "1", "quit"):
        assert f"Your move: {answer}\n" in played.out
    assert "\x1b" not in played.out
    assert played.out.endswith(f"{GOODBYE}\n")


def test_a_whole_game_can_be_piped_in() -> None:
    played = run_process("play", "stacks", "--seed", "1", stdin="1\n" * 1000, TERM="dumb", NO_COLOR="1")
    assert (played.code, played.err) == (0, "")
    assert scores_in(played.out).startswith("Scores: You ")


def test_bytes_that_are_not_text_are_answered_like_other_garbage() -> None:
    done = subprocess.run(command("play", "lines"), input=b"\xff\xfe\n1\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not a move of Lines" in done.stdout


def test_a_killed_game_continues_where_it_was(terminal: Terminal) -> None:
    terminal.play(game="lines", seed="1", options=first("lines"))
    with subprocess.Popen(
        command("play", "--resume"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write("1\n1\n1\n")
        process.stdin.flush()
        wait_until(lambda: len(moves_of_seat(terminal.kept, 1)) == 3)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    said = terminal.play(["undo"], resume=True)
    assert "Your last move has been undone." in said
    assert len(moves_of_seat(terminal.kept, 1)) == 2
