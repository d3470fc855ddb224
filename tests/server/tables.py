"""Tables for tests, without a server: commands take effect immediately, at times that tests choose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from upcard.games import GAMES, find
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.entries import Entry, read_entry, write_entry
from upcard.server.table.parts import AppliedEntry
from upcard.server.table.state import TableState

each_game = pytest.mark.parametrize("game", GAMES)
# For behaviour that is the same in every game: one game, and the others only in the long tests.
any_game = pytest.mark.parametrize(
    "game",
    [game if game == "lines" else pytest.param(game, marks=pytest.mark.soak) for game in GAMES],
)

# Options for short games that are long enough for everyone to move.
SHORT: dict[str, dict[str, Any]] = {"stockpile": {"stock": 5}, "lines": {}, "stacks": {"turn_limit": 12}}

SECRET = "00" * 31 + "01"
SHARE = "ab" * 32


class Tried:
    """A table at which every command takes effect immediately."""

    def __init__(
        self, game: str, players: int = 2, chosen: dict[str, Any] | None = None, **setup: Any
    ) -> None:
        options = find(game).complete({"players": players, **(chosen or {})})
        bots = setup.pop("bots", {})
        chairs = [
            log.Chair(f"Bot {seat}", bots[seat]) if seat in bots else log.Chair()
            for seat in range(1, players + 1)
        ]
        self.state = TableState("table")
        self.now = 1_000.0
        self.entries: list[tuple[float, Entry]] = []
        self.write(
            [
                log.Opened(
                    **{
                        "game": game,
                        "options": options,
                        "host": "p1",
                        "chairs": chairs,
                        "secret": SECRET,
                        **setup,
                    }
                )
            ]
        )

    def write(self, entries: Sequence[Entry]) -> list[AppliedEntry]:
        """Apply entries as if they came from disk."""
        self.entries += [(self.now, entry) for entry in entries]
        return [self.state.apply(self.now, read_entry(write_entry(entry))) for entry in entries]

    def sit_down(self) -> Tried:
        """Let people p1, p2 ... sit at all seats without a bot."""
        for number, seat in enumerate(self.state.seats, 1):
            if seat.is_free:
                self.write(commands.sit(self.state, f"p{number}", number, f"Person {number}", SHARE))
        return self

    def start(self) -> Tried:
        """Let everyone sit down, and begin."""
        self.sit_down()
        self.write(commands.start(self.state, self.state.host, self.now))
        return self

    def move(self, text: str) -> list[AppliedEntry]:
        """Make a move for the player to move."""
        seat = self.state.to_move
        assert seat is not None
        return self.write(commands.play(self.state, f"p{seat}", text, self.state.seq))

    def step(self, dice: random.Random) -> list[AppliedEntry]:
        """Take a random step: a random move, or the end of a window with random answers."""
        state, match = self.state, self.state.match
        assert match is not None
        if state.window is not None:
            answers = {
                seat: match.game.write_move(match.table, dice.choice(match.answers(seat)))
                for seat in match.asked
                if dice.random() < 0.7
            }
            return self.write(commands.close_window(state, state.window.opened, answers, state.window.closes))
        return self.move(dice.choice(match.legal))

    def close_windows(self, dice: random.Random) -> None:
        """Continue until no window is open."""
        while self.state.window is not None:
            self.step(dice)

    def again(self) -> TableState:
        """Return the state that follows from the log alone."""
        state = TableState("table")
        for at, entry in self.entries:
            state.apply(at, read_entry(write_entry(entry)))
        return state
