"""Playing in the terminal, line by line: plain text without animation, which suits screen readers."""

from __future__ import annotations

__all__ = ["play_in_terminal"]

import contextlib
import shlex
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from upcard.bots import Seated
from upcard.bots import parse as parse_bot
from upcard.bots.search import can_search
from upcard.core.errors import BotError, NotationError, Refused
from upcard.core.events import EventKind, redact
from upcard.core.notation import whole
from upcard.core.rulebook import rulebook
from upcard.match import Match
from upcard.match.log import Moved
from upcard.tui.colour import coloured, wants_colour
from upcard.tui.phrases import help_text, phrase
from upcard.tui.saves import GameFile, Saves
from upcard.tui.setup import Setting, open_game
from upcard.tui.text import (
    Leaving,
    Say,
    ask,
    clause_text,
    folded,
    in_hand_order,
    moves_listed,
    result_lines,
)

# A bot that takes longer than this is said to be thinking, in seconds.
THINKING_AFTER = 1.0

# Time limit for a bot's move, in seconds, beyond the time that its budget allows.
MOVE_LIMIT = 120.0

# Shows what a bot would have done at the decisions of a seat, given the file of a game.
Reviewer = Callable[[Path, int], None]


def play_in_terminal(
    setting: Setting,
    say: Say = print,
    saves: Saves | None = None,
    review: Reviewer | None = None,
) -> int:
    """Play a game with the person at the keyboard. It is saved after every move and at the end.
    With `review`, offer to review it at the end."""
    # With readline, arrow keys edit the line and bring back earlier ones.
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    saves = saves or Saves()
    shown = coloured if say is print and wants_colour() else str

    def speak(text: str) -> None:
        say(shown(folded(text)))

    session = None
    with contextlib.ExitStack() as opened:
        try:
            session = Session(*open_game(setting, speak, saves), speak)
            session.file.lock(opened)
            session.play()
            session.end(review)
        except (Leaving, KeyboardInterrupt):
            speak("")
            speak(phrase("terminal.goodbye") + ("" if session is None else session.leave()))
    return 0


def _limit(bot: str) -> float:
    """Return the time limit for a move of a bot, in seconds."""
    return MOVE_LIMIT + (parse_bot(bot).budget.seconds or 0.0)


class Session:
    """One person playing one match with bots."""

    def __init__(self, match: Match, file: GameFile, say: Say) -> None:
        self.match = match
        self.seat = next(seat for seat, player in enumerate(match.players, 1) if player.bot is None)
        self.say = say
        self.file = file
        # Why the game is not on disk as it is now; None if it is.
        self.unkept: str | None = None
        self.shown = self._last_round()
        self.bots = {
            place: Seated(parse_bot(player.bot), match, place, hurry=True, limit=_limit(player.bot))
            for place, player in enumerate(match.players, 1)
            if player.bot is not None
        }

    def play(self) -> None:
        """Play to the end."""
        self.say(phrase("terminal.type_help", game=self.match.game.title))
        while not self.match.over:
            if self.match.to_move == self.seat:
                self._my_move()
            else:
                self._bot_move()
        self._show_events()
        self._show_result()

    def _bot_move(self) -> None:
        assert self.match.to_move is not None
        seat = self.match.to_move
        name = self.match.names[seat - 1]
        # Gives the player something to read while the bot thinks.
        self._show_events()
        try:
            with self._reported_if_slow(name):
                move = self.bots[seat].choose()
        except BotError as error:
            self.say(f"{name} ({error.bot}) {error.what}, so greedy plays this seat now.")
            self.bots[seat] = Seated(parse_bot("greedy"), self.match, seat)
            move = self.bots[seat].choose()
        self.match.make_legal(move)

    @contextlib.contextmanager
    def _reported_if_slow(self, name: str) -> Iterator[None]:
        timer = threading.Timer(THINKING_AFTER, self.say, [phrase("terminal.thinking", name=name)])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _my_move(self) -> None:
        self._keep()
        self._show_events()
        self._show_table()
        before = len(self.match.log)
        while len(self.match.log) == before:
            self._do(ask(f"{phrase('terminal.your_move')} ", self.say))
        # Save before the bots think, because that may take long and be interrupted.
        if not self.match.over:
            self._keep()

    # The game on disk

    def _keep(self) -> None:
        """Save the game as it is now; only the first failure is reported."""
        before = self.unkept
        try:
            self.unkept = None
            self.file.finish(self.match) if self.match.over else self.file.keep(self.match)
        except OSError as error:
            self.unkept = error.strerror or str(error)
            if before is None:
                self.say(self._complaint())

    def _complaint(self) -> str:
        return phrase("terminal.not_kept", file=str(self.file.path), reason=str(self.unkept))

    def leave(self) -> str:
        """Make sure that the game is saved, and return how to continue it."""
        self._keep()
        if self.unkept is not None and not self._keep_elsewhere():
            return f" {phrase('terminal.game_lost')}"
        if self.match.over:
            return ""
        where = f" --record {shlex.quote(str(self.file.path))}" if self.file.finished is None else ""
        return f" {phrase('terminal.game_kept', command=f'upcard play --resume{where}')}"

    def end(self, review: Reviewer | None) -> None:
        """Save the finished game, and offer to review it."""
        self._keep()
        if self.unkept is not None and not self._keep_elsewhere():
            self.say(phrase("terminal.game_lost"))
            return
        command = f"upcard review {shlex.quote(str(self.file.path))}"
        self.say(phrase("terminal.record_kept", command=command))
        question = f"{phrase('terminal.review_now')} [y/N] "
        if review is not None and ask(question, self.say).lower() in ("y", "yes"):
            review(self.file.path, self.seat)

    def _keep_elsewhere(self) -> bool:
        """Ask for a file until the game is saved; an empty line gives it up."""
        while self.unkept is not None:
            try:
                answer = ask(f"{phrase('terminal.keep_where')} ", self.say)
            except Leaving:
                return False
            if not answer:
                return False
            self._try_file(answer)
        return True

    def _try_file(self, name: str) -> None:
        try:
            file = GameFile(Path(name).expanduser())
            if file.path.exists():
                self.say(phrase("terminal.file_exists", file=name))
                return
            file.keep(self.match)
        except (OSError, RuntimeError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.say(phrase("terminal.file_unwritable", file=name, reason=reason))
        else:
            self.file, self.unkept = file, None

    def _my_moves(self) -> list[int]:
        """Return the indices of your moves among all moves."""
        moves = enumerate(self.match.log_of_moves)
        return [place for place, entry in moves if entry.seat == self.seat - 1]

    def _do(self, answer: str) -> None:
        """Run a command, or make a move."""
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                self.say(phrase("terminal.type_move"))
            case "?" | "help":
                self._help(rest)
            case clause if clause.startswith("?"):
                self._help(clause[1:])
            case "rules":
                self.say(rulebook(self.match.game))
            case "table":
                self._show_table()
            case "hint":
                self._hint()
            case "why":
                self._why()
            case "undo":
                self._undo()
            case "quit" | "exit" | "q":
                raise Leaving
            case _:
                self._move(answer)

    def _move(self, answer: str) -> None:
        legal = self._legal()
        if answer.isascii() and answer.isdigit():
            number = whole(answer) or 0
            if not 1 <= number <= len(legal):
                self.say(phrase("terminal.move_numbers", last=len(legal)))
                return
            answer = legal[number - 1]
        try:
            self.match.play(answer, self.seat)
        except Refused as refused:
            self.say(str(refused))
        except NotationError as error:
            self.say(f"{error}.")

    def _help(self, clause: str) -> None:
        self.say(clause_text(self.match.game, clause) if clause else self._all_help())

    def _all_help(self) -> str:
        return help_text(
            {
                "?": phrase("terminal.help_help"),
                f"? {self.match.game.turn_clause}": phrase("terminal.help_clause"),
                "rules": phrase("terminal.help_rules"),
                "table": phrase("terminal.help_table"),
                "hint": phrase("terminal.help_hint"),
                "why": phrase("terminal.help_why"),
                "undo": phrase("terminal.help_undo"),
                "quit": phrase("terminal.help_quit"),
            }
        )

    def _hint(self) -> None:
        bot = parse_bot("hard" if can_search() else "greedy")
        move = Seated(bot, self.match, self.seat, hurry=True).choose()
        text = self.match.game.write_move(self.match.table, move)
        reason = self._reason(self.match.view(self.seat), move)
        self.say(phrase("terminal.hint", move=text, reason=reason))

    def _why(self) -> None:
        """Explain the last move of a bot from your view before it, without revealing the bot's hand."""
        found = self._last_move_of_a_bot()
        if found is None:
            self.say(phrase("terminal.no_bot_moved"))
            return
        moved, view = found
        reason = self._reason(view, moved.move)
        self.say(phrase("terminal.why", name=self.match.names[moved.seat], move=moved.text, reason=reason))

    def _last_move_of_a_bot(self) -> tuple[Moved, Any] | None:
        """Return the last move of a bot that you saw, and your view of the table before it."""
        match, viewer = self.match, self.seat - 1
        again = Match(match.game, match.options, match.seed, match.players)
        found = None
        for moved in match.log_of_moves:
            view = again.view(self.seat)
            # The effects of a move come after the event of the move itself.
            known = len(again.events)
            again.make_legal(moved.move)
            news = redact(again.events[known], viewer)
            if moved.seat != viewer and news is not None:
                found = moved, view
        return found

    def _reason(self, view: Any, move: int) -> str:
        """Return the reason for a move, in words for you."""
        return self.match.game.why(view, move, self.match.names).to(self.seat - 1).text()

    def _undo(self) -> None:
        """Take back your last move, and everything that the bots have done since."""
        mine = self._my_moves()
        if not mine:
            self.say(phrase("table.nothing_to_undo"))
            return
        self.match.undo(len(self.match.log_of_moves) - mine[-1])
        self.shown = len(self.match.events)
        self.say(phrase("terminal.undone"))

    # Output

    def _last_round(self) -> int:
        """Return the number of the event that started your previous turn; 0 in a new game."""
        turns = [
            place
            for place, event in enumerate(self.match.events)
            if event.kind == EventKind.TURN and event.seat == self.seat - 1
        ]
        return turns[-2] if len(turns) > 1 else 0

    def _show_events(self) -> None:
        for event in self.match.events_for(self.seat, self.shown):
            message = self.match.game.describe(event, self.match.names)
            if message is not None:
                self.say(message.to(self.seat - 1).text())
        self.shown = len(self.match.events)

    def _show_table(self) -> None:
        self.say("")
        seats = [
            phrase("terminal.seat", name=name, seat=seat) for seat, name in enumerate(self.match.names, 1)
        ]
        self.say(self.match.game.render(self.match.view(self.seat), seats))
        if not self.match.over:
            self.say(phrase("terminal.moves", moves=moves_listed(self._legal())))

    def _legal(self) -> list[str]:
        return in_hand_order(self.match.game, self.match.legal)

    def _show_result(self) -> None:
        result = self.match.result
        assert result is not None
        self._show_table()
        for line in result_lines(self.match.game.id, result, self.match.names, self.seat):
            self.say(line)
