"""Neural network bots: they play without torch, and report errors of files in one sentence."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import upcard
from upcard.bots import Seated, find
from upcard.bots.net import SHIPPED, Net, load, save
from upcard.core.errors import UpcardError
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.run import run_tournament
from upcard.rl.encodings import encoding_of

each_game = pytest.mark.parametrize("game", ["stockpile", "lines", "stacks"])
# The maximum size of the included networks, in bytes.
LARGEST = 300_000


def made(
    folder: Path, game: str, players: tuple[int, ...] = (2, 3), changes: dict[str, Any] | None = None
) -> Path:
    """Write an untrained network, with some arrays changed or (None) left out."""
    encoding, dice = encoding_of(game), np.random.default_rng(1)
    widths = [encoding.size, 8, encoding.action_count]
    layers = [(dice.normal(size=(a, b)), dice.normal(size=b)) for a, b in pairwise(widths)]
    file = folder / f"{game}.npz"
    save(file, encoding, players, layers)
    if changes:
        with np.load(file) as kept:
            arrays = {name: value for name, value in {**kept, **changes}.items() if value is not None}
        np.savez(file, **arrays)
    return file


@each_game
@pytest.mark.parametrize("players", [2, 3])
def test_a_net_from_a_file_plays_legal_moves_to_the_end(game: str, players: int, tmp_path: Path) -> None:
    entrant = find(f"net:{made(tmp_path, game)}")
    match = upcard.new(game, seed=1, players=players)
    seated = [Seated(entrant if seat < 3 else find("greedy"), match, seat) for seat in range(1, players + 1)]
    moves = 0
    while not match.over and moves < 300:
        assert match.to_move is not None
        match.make(seated[match.to_move - 1].choose())
        moves += 1
    assert moves > 10


@each_game
def test_a_net_does_what_comes_out_highest_of_what_is_legal(game: str, tmp_path: Path) -> None:
    """Layers that prefer higher actions."""
    encoding = encoding_of(game)
    wish = np.arange(encoding.action_count)
    save(tmp_path / "wish.npz", encoding, [2], [(np.zeros((encoding.size, len(wish))), wish)])
    turn = Seated(find("greedy"), match := upcard.new(game, seed=2), match.to_move or 1).turn()
    chosen = Net(b"", str(tmp_path / "wish.npz")).choose(turn)
    highest = np.flatnonzero(encoding.mask_of(turn.view, list(turn.moves)))[-1]
    assert encoding.rules["action_of"](turn.view, chosen) == highest


def test_what_is_saved_is_for_observations_in_bytes(tmp_path: Path) -> None:
    encoding = encoding_of("lines")
    matrix = np.ones((encoding.size, encoding.action_count), np.float32)
    save(tmp_path / "ones.npz", encoding, [2], [(matrix, np.zeros(encoding.action_count))])
    scores = load(str(tmp_path / "ones.npz")).scores(encoding.observation.high)
    assert scores == pytest.approx(np.full(encoding.action_count, encoding.size), rel=1e-2)


def test_a_net_that_is_saved_again_plays_what_is_in_the_file_now(tmp_path: Path) -> None:
    """Even if the files have the same name, size and time."""
    encoding, file = encoding_of("lines"), tmp_path / "wish.npz"
    turn = Seated(find("greedy"), match := upcard.new("lines", seed=2), match.to_move or 1).turn()
    nothing = np.zeros((encoding.size, encoding.action_count))
    actions = []
    for wish in (np.arange(encoding.action_count), np.arange(encoding.action_count)[::-1]):
        save(file, encoding, [2], [(nothing, wish)])
        os.utime(file, (0, 0))
        chosen = find(f"net:{file}").make(b"").choose(turn)
        actions.append(encoding.rules["action_of"](turn.view, chosen))
    legal = np.flatnonzero(encoding.mask_of(turn.view, list(turn.moves)))
    assert actions == [legal[-1], legal[0]]


def test_a_net_that_has_not_changed_is_decoded_once(tmp_path: Path) -> None:
    file = str(made(tmp_path, "lines"))
    assert load(file) is load(file)
    assert load("lines") is load("lines")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "not an installed game"),
    ({"game": "stacks"}, "not a net"),
    ({"version": 99}, "trained with version 99"),
    ({"version": None}, "not a net"),
    ({"matrix0": np.zeros((3, 8))}, "not a net"),
    ({"matrix1": None, "bias1": None}, "not a net"),
    ({"bias0": None}, "not a net"),
    ({"players": np.array(["two"])}, "not a net"),
    ({"matrix0": np.full((1551, 8), "x")}, "not a net"),
    ({"matrix0": np.full((1551, 8), np.nan)}, "not a net"),
]


def test_a_bad_net_is_refused_in_one_sentence(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for changes, sentence in WRONG:
        with subtests.test(f"{sentence}: {', '.join(changes)}"):
            file = made(tmp_path, "lines", changes=changes)
            with pytest.raises(UpcardError, match=sentence):
                find(f"net:{file}")


@pytest.mark.parametrize("content", [b"", b"no net at all", b"PK\x03\x04 broken"])
def test_a_file_without_a_network_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    file.write_bytes(content)
    with pytest.raises(UpcardError, match="not a net"):
        find(f"net:{file}")
    with pytest.raises(UpcardError, match="not a net"):
        find(f"net:{tmp_path}")
    with pytest.raises(UpcardError, match="there is no file"):
        find(f"net:{tmp_path / 'nothing'}")


def test_a_pickle_in_a_file_is_never_opened(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    np.savez(file, game=np.array([print], object))
    with pytest.raises(UpcardError, match="not a net"):
        find(f"net:{file}")


def test_a_net_says_what_it_has_not_learned(tmp_path: Path) -> None:
    net = Net(b"", str(made(tmp_path, "lines", (2, 3))))
    four = Seated(find("greedy"), upcard.new("lines", seed=1, players=4, first=1), 1).turn()
    with pytest.raises(UpcardError, match="with 2 or 3 at the table, not with 4"):
        net.choose(four)
    with pytest.raises(UpcardError, match="plays lines, not stacks"):
        net.choose(Seated(find("greedy"), upcard.new("stacks", seed=1, dealer=2), 1).turn())


@each_game
@pytest.mark.parametrize("players", [2, 3, 4])
def test_without_a_file_it_plays_every_game_with_everyone(game: str, players: int) -> None:
    match = upcard.new(game, seed=3, players=players)
    seated = [Seated(find("net"), match, seat) for seat in range(1, players + 1)]
    for _ in range(60):
        if match.to_move is not None:
            match.make(seated[match.to_move - 1].choose())
    assert len(match.log_of_moves) > 8


def test_nets_that_come_along_are_small_and_beat_random_clearly() -> None:
    files = sorted(SHIPPED.glob("*.npz"))
    assert files
    for file in files:
        assert file.stat().st_size < LARGEST
        for players in load(file.stem).players:
            plan = TournamentPlan.of(
                file.stem, {"players": players}, [f"net:{file.stem}", "random"], b"clearly"
            )
            facts = run_tournament(plan, 60).to_json()
            share = {row["bot"]: row for row in facts["standings"]}[f"net:{file.stem}"]["interval"]
            assert share[0] > 0.75
