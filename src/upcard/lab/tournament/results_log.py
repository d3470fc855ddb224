"""The results log of a tournament: a file with every finished deal, so that nothing is played twice.

Its first line describes the tournament; each following line is a deal, with a list for every seating: why the
game ended, how many moves it took, the seat that began, the seats that won, the scores; and for a game
that a bot lost by an error, the seat of that bot and what it did.
"""

from __future__ import annotations

__all__ = ["ResultsLog", "seed_in"]

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from upcard import __version__
from upcard.core.errors import BotError, UpcardError
from upcard.core.exclusive import exclusive
from upcard.core.memory import INT
from upcard.core.table import Reason
from upcard.lab.contest import FORFEIT
from upcard.lab.tournament.deals import FIRST, MOVES, REASON, WINNERS, Dealt, Rows, TournamentPlan
from upcard.match.seed import SEED_BYTES, numbered_seed

FORMAT = 1
# The number of values of a game, without those of a forfeited one.
ROW = 5
REASONS = {reason.name.lower(): int(reason) for reason in Reason}


class ResultsLog:
    """A file of finished deals, opened for appending by one process at a time. `dealt` are the deals it had
    before."""

    def __init__(self, path: Path, plan: TournamentPlan) -> None:
        self.path = path
        self.plan = plan
        with contextlib.ExitStack() as opened:
            self._lock(opened)
            lines = _lines(path)
            if lines:
                _compare(path, _head(path, lines[0]), _about(plan))
            self.dealt = self._read(lines[1:])
            self.deals = len(self.dealt.rows)
            try:
                self._file = opened.enter_context(path.open("ab"))
                # A half-written last line, left by a crash, is played again.
                self._file.truncate(sum(len(line) for line in lines))
            except OSError as error:
                raise self._unwritable(error) from None
            if not lines:
                self._append([_about(plan)])
            self._opened = opened.pop_all()

    def _lock(self, opened: contextlib.ExitStack) -> None:
        _check_kind(self.path)
        try:
            opened.enter_context(exclusive(self.path))
        except OSError as error:
            raise self._unwritable(error) from None

    @property
    def rows(self) -> Rows:
        """The deals it had before, as rows."""
        return self.dealt.rows

    def write(self, dealt: Dealt) -> None:
        """Append more deals."""
        numbers = range(dealt.first, dealt.first + len(dealt.rows))
        self._append([{"deal": number, "games": self._written(dealt, number)} for number in numbers])
        self.deals += len(dealt.rows)

    def _append(self, lines: Sequence[dict[str, Any]]) -> None:
        try:
            self._file.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> UpcardError:
        return UpcardError(f"{self.path} cannot be written: {error.strerror}")

    def __enter__(self) -> ResultsLog:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._opened.close()

    # Deals as lines

    def _written(self, dealt: Dealt, number: int) -> list[list[Any]]:
        players = self.plan.players
        written = []
        for seating, row in enumerate(dealt.rows[number - dealt.first].tolist()):
            winners = [seat + 1 for seat in range(players) if row[WINNERS + seat]]
            error = dealt.errors.get((number, seating))
            reason = FORFEIT if error is not None else Reason(row[REASON]).name.lower()
            game = [reason, row[MOVES], row[FIRST] + 1, winners, row[WINNERS + players :]]
            written.append(game if error is None else [*game, error.seat, error.what])
        return written

    def _read(self, lines: Sequence[bytes]) -> Dealt:
        games, players = len(self.plan.seatings), self.plan.players
        rows = np.zeros((len(lines), games, WINNERS + 2 * players), INT)
        errors: dict[tuple[int, int], BotError] = {}
        for number, line in enumerate(lines):
            try:
                deal = json.loads(line)
                if deal["deal"] != number or len(deal["games"]) != games:
                    raise ValueError
                rows[number] = [self._row(*game[:ROW], *game[ROW : ROW + 1]) for game in deal["games"]]
                for seating, game in enumerate(deal["games"]):
                    if game[0] == FORFEIT:
                        errors[number, seating] = self._error(number, seating, *game[1:2], *game[ROW:])
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                raise UpcardError(
                    f"{self.path}, line {number + 2}: this is not deal {number} of the tournament; "
                    "delete the lines from here on, and they are played again"
                ) from None
        return Dealt(0, rows, errors)

    def _row(
        self,
        reason: str,
        moves: int,
        first: int,
        winners: list[int],
        scores: list[int],
        forfeited_by: int | None = None,
    ) -> list[int]:
        seats = range(1, self.plan.players + 1)
        won = [int(seat in winners) for seat in seats]
        if first not in seats or not winners or sum(won) != len(winners):
            raise ValueError
        if reason == FORFEIT:
            if forfeited_by is None or forfeited_by not in seats or moves < 0:
                raise ValueError
            return [-forfeited_by, moves, first - 1, *won, *scores]
        if forfeited_by is not None or moves < 1:
            raise ValueError
        return [REASONS[reason], moves, first - 1, *won, *scores]

    def _error(self, deal: int, seating: int, moves: int, seat: int, what: str) -> BotError:
        if not isinstance(what, str):
            raise TypeError
        plan = self.plan
        bot, seed = plan.seatings[seating][seat - 1], numbered_seed(plan.seed, deal)
        return BotError(bot, seat, plan.game, what, moves + 1, seed)


def seed_in(path: Path) -> bytes | None:
    """Return the seed of the tournament in a file; None if there is none yet."""
    lines = _lines(path)
    return bytes.fromhex(_head(path, lines[0])["seed"]) if lines else None


def _lines(path: Path) -> list[bytes]:
    """Return the whole lines of a file, none if there is no file."""
    _check_kind(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UpcardError(f"{path} cannot be read: {error.strerror}") from None
    lines = content.splitlines(keepends=True)
    if len(lines) == 1 and not lines[0].endswith(b"\n"):
        raise _not_a_log(path)
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]


def _check_kind(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise UpcardError(f"{path} cannot store a tournament: it is not a regular file")


def _head(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        if head["tournament"] != FORMAT or len(bytes.fromhex(head["seed"])) != SEED_BYTES:
            raise ValueError
        return {name: head[name] for name in HEAD} | {"options": dict(head["options"])}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_a_log(path) from None


def _not_a_log(path: Path) -> UpcardError:
    return UpcardError(f"{path} is not the file of a tournament: choose another name, and it is made")


HEAD = ("tournament", "version", "game", "bots", "seed", "options")


def _about(plan: TournamentPlan) -> dict[str, Any]:
    values = (FORMAT, __version__, plan.game, list(plan.bots), plan.seed.hex(), dict(plan.options))
    return dict(zip(HEAD, values, strict=True))


def _compare(path: Path, kept: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse to continue a different tournament from the one in the file."""
    for name in HEAD:
        if name != "options" and kept[name] != wanted[name]:
            raise _another(path, name, kept[name], wanted[name])
    for name, value in wanted["options"].items():
        if kept["options"].get(name) != value:
            raise _another(path, name, kept["options"].get(name), value)


def _another(path: Path, name: str, kept: object, wanted: object) -> UpcardError:
    return UpcardError(f"{path} keeps another tournament, with {name} {_word(kept)}, not {_word(wanted)}")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
