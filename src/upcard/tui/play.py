"""Playing in the terminal, line by line: questions, answers and sentences, nothing that moves."""

from __future__ import annotations

__all__ = [
    "HARD_SPACE",
    "Leaving",
    "Setting",
    "clause_told",
    "folded",
    "in_hand_order",
    "moves_listed",
    "play_in_terminal",
    "result_told",
]

import contextlib
import shlex
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upcard.bots import Seated
from upcard.bots import find as find_bot
from upcard.bots import parse as parse_bot
from upcard.bots.search import can_search
from upcard.core.errors import BotError, NotationError, Refused, UpcardError
from upcard.core.game import Game
from upcard.core.news import News, redact
from upcard.core.notation import whole
from upcard.core.rulebook import clauses, rulebook
from upcard.core.words import Message
from upcard.games import all_games, find
from upcard.match import Match, Player, new_seed, read_seed
from upcard.match.match import Moved
from upcard.tui.colour import coloured, wants_colour
from upcard.tui.saves import GameFile, Saves

BOT_NAMES = ("Robin", "Ann", "Kim", "Sam", "Alex", "Toni")

HELP = """\
Type the number of a move, or write it as in the list (@2 is seat 2).
Besides:
  ?       this help
  ? {clause}  a clause of the rules, this one or any other
  rules   the whole rulebook, with the notation at its end
  table   the table again
  hint    what a bot would play, and why
  why     why a bot made the last move before yours
  undo    take back your last move
  quit    leave; the game is kept, and 'upcard play --resume' continues it"""

# A bot that takes longer than this is said to be thinking, in seconds.
THINKING_AFTER = 1.0

# Time limit for a bot's move, in seconds, beyond the time that its budget allows.
MOVE_LIMIT = 120.0

# A space where a line must not be broken.
HARD_SPACE = "\xa0"


@dataclass(frozen=True)
class Setting:
    """How somebody wants to play."""

    game: str | None
    options: Mapping[str, object] = field(default_factory=dict)
    bots: Sequence[str] = ("greedy",)
    seat: int = 1
    name: str = "You"
    seed: str | None = None
    resume: bool = False
    # Where to keep the game instead of the folder of all games.
    record: Path | None = None


# Shows what a bot would have done at the decisions of a seat, given the file of a game.
Reviewer = Callable[[Path, int], None]


class Leaving(Exception):
    """The person wants to go, or there is nothing more to read."""


def play_in_terminal(
    setting: Setting,
    say: Callable[[str], None] = print,
    saves: Saves | None = None,
    review: Reviewer | None = None,
) -> int:
    """Play a game with the person at the keyboard; it is kept when it is left, and when it is over. With
    `review`, it is offered to go through the game then."""
    # Where there is one, arrow keys edit the line and bring back earlier ones.
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    saves = saves or Saves()
    shown = coloured if say is print and wants_colour() else str

    def speak(text: str) -> None:
        say(shown(folded(text)))

    session = None
    with contextlib.ExitStack() as opened:
        try:
            session = _session(setting, speak, saves)
            session.file.lock(opened)
            session.play()
            session.end(review)
        except (Leaving, KeyboardInterrupt):
            speak("")
            speak("Goodbye." + ("" if session is None else session.leave()))
    return 0


def _session(setting: Setting, say: Callable[[str], None], saves: Saves) -> Session:
    return _resumed(setting, say, saves) if setting.resume else _begun(setting, say, saves)


def _ask(question: str, say: Callable[[str], None]) -> str:
    """Return what somebody types. Where nobody sees it typed, as from a pipe, it is shown."""
    try:
        answer = input(question).strip()
    except (EOFError, KeyboardInterrupt, RuntimeError):  # the last where there is no standard input
        raise Leaving from None
    if not sys.stdin.isatty():
        say(answer)
    return answer


def _resumed(setting: Setting, say: Callable[[str], None], saves: Saves) -> Session:
    if setting.options or setting.seed is not None:
        raise UpcardError("--resume continues a game as it is: leave out players, options and seed")
    file = _choose_save(setting, say, saves) if setting.record is None else GameFile(setting.record)
    match = file.load()
    if setting.game not in (None, match.game.id):
        raise UpcardError(f"the game in {file.path} is {match.game.id}, not {setting.game}")
    return Session(match, say, file, resumed=True)


def _choose_save(setting: Setting, say: Callable[[str], None], saves: Saves) -> GameFile:
    """Return the game that was left; if there are several, the one that is chosen."""
    left = saves.unfinished(setting.game)
    if not left:
        raise UpcardError(f"there is no unfinished game{f' of {setting.game}' if setting.game else ''}")
    if len(left) == 1:
        return left[0]
    for number, file in enumerate(left, 1):
        say(f"  {number}  {file.summary()}")
    while True:
        answer = _ask("Which game? [1] ", say) or "1"
        if answer.lower() in ("quit", "q"):
            raise Leaving
        number = whole(answer) or 0
        if 1 <= number <= len(left):
            return left[number - 1]
        say(f"Type a number from 1 to {len(left)}, or 'quit'.")


def _begun(setting: Setting, say: Callable[[str], None], saves: Saves) -> Session:
    if not setting.name.strip() or not setting.name.isprintable():
        raise UpcardError(f"a name should be a few letters, not {setting.name!r:.40}")
    if setting.record is not None and setting.record.exists():
        raise UpcardError(
            f"{setting.record} exists already: choose another file, or add --resume to continue its game"
        )
    options = dict(setting.options)
    name = setting.game
    if name is None:
        name = _choose_game(say, saves)
        if name is None:
            return _resumed(Setting(None), say, saves)
        if "players" not in options:
            options["players"] = _choose_players(name, say)
    game = find(name)
    players = int(game.complete(options)["players"])
    if not 1 <= setting.seat <= players:
        raise UpcardError(f"there is no seat {setting.seat}: {players} play")
    seed = new_seed() if setting.seed is None else read_seed(setting.seed)
    match = Match(game, options, seed, _players(setting, players))
    file = saves.new(game.id) if setting.record is None else GameFile(setting.record)
    if setting.record is not None:
        _write_or_refuse(file, match)
    return Session(match, say, file)


def _write_or_refuse(file: GameFile, match: Match) -> None:
    try:
        file.keep(match)
    except OSError as error:
        raise UpcardError(f"{file.path} cannot be written: {error.strerror}") from None


def _players(setting: Setting, players: int) -> list[Player]:
    """You at your seat, bots at the others, in the order of their names."""
    for bot in setting.bots:
        find_bot(bot)
    if len(setting.bots) >= players:
        raise UpcardError(f"{len(setting.bots)} bots are named, and only {players - 1} can play with you")
    names = [name for name in BOT_NAMES if name != setting.name]
    seated = [Player(names[place], setting.bots[place % len(setting.bots)]) for place in range(players - 1)]
    seated.insert(setting.seat - 1, Player(setting.name))
    return seated


def _choose_game(say: Callable[[str], None], saves: Saves) -> str | None:
    """Return the game that is chosen; None for one that was left."""
    games, left = all_games(), saves.unfinished()
    say("Welcome to Upcard.")
    for number, game in enumerate(games, 1):
        say(f"  {number}  {game.title}: {game.summary}")
    if left:
        what = "the game" if len(left) == 1 else f"one of the {len(left)} games"
        say(f"  0  Continue {what} you left.")
    while True:
        answer = _ask("Which game? ", say).lower()
        if answer == "0" and left:
            return None
        for number, game in enumerate(games, 1):
            if answer in (str(number), game.id):
                return game.id
        if answer in ("quit", "q"):
            raise Leaving
        say("Type one of the numbers above, or 'quit'.")


def _choose_players(name: str, say: Callable[[str], None]) -> str:
    """Return how many play; 2 if the line is left empty."""
    game = find(name)
    while True:
        answer = _ask("How many players, you included? [2] ", say) or "2"
        if answer.lower() in ("quit", "q"):
            raise Leaving
        try:
            game.complete({"players": answer})
        except UpcardError as error:
            say(f"{error}.")
        else:
            return answer


def folded(text: str) -> str:
    """Break long lines between words, where the terminal would break them within words."""
    width = max(20, shutil.get_terminal_size().columns - 1)
    lines = [line if len(line) <= width else _fold(line, width) for line in text.split("\n")]
    return "\n".join(lines).replace(HARD_SPACE, " ")


def _fold(line: str, width: int) -> str:
    """Break one line between words; what follows is set in a little further. A word that is too long, such as
    a path, can still be copied."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def moves_listed(moves: Sequence[str]) -> str:
    """Return moves with their numbers, each of which stays on one line."""
    return ", ".join(f"{number}) {move}".replace(" ", HARD_SPACE) for number, move in enumerate(moves, 1))


def in_hand_order(game: Game, moves: Sequence[str]) -> list[str]:
    """Return moves in the order in which a hand is shown, whatever the order in which its cards were drawn:
    discards last, then by card."""

    def key(move: str) -> tuple[bool, int]:
        words = move.split()
        discard = words[0] == "x" and len(words) > 1
        try:
            card = game.read_card(words[discard])
        except NotationError:
            card = game.all_moves
        return discard, card

    return sorted(moves, key=key)


def clause_told(game: str, clause: str) -> str:
    """Return a clause of the rules, however it was typed; for what is none, which there are."""
    texts = clauses(game)
    text = texts.get(clause.strip().upper())
    return text or f"There is no clause {clause}: they run from {min(texts)} to {max(texts)}."


def result_told(game: str, result: Mapping[str, Any], names: Sequence[str], seat: int | None) -> list[str]:
    """Return who won and why, for somebody at a seat or for somebody who watches."""
    winners = [names[number - 1] for number in result["winners"]]
    if len(winners) == 1:
        mine = result["winners"] == [seat]
        won = Message("table.won_you" if mine else "table.won", {"name": winners[0]})
    else:
        won = Message("table.shared", {"names": " and ".join(winners)})
    listed = ", ".join(f"{name} {score}" for name, score in zip(names, result["scores"], strict=True))
    scores = Message(f"{game}.scores", {"scores": listed})
    return ["", won.text(), Message(f"table.reason_{result['reason']}").text(), scores.text()]


def _limit(bot: str) -> float:
    """Return the time limit for a move of a bot, in seconds."""
    return MOVE_LIMIT + (parse_bot(bot).budget.seconds or 0.0)


class Session:
    """One person playing one match with bots."""

    def __init__(
        self, match: Match, say: Callable[[str], None], file: GameFile, resumed: bool = False
    ) -> None:
        self.match = match
        self.seat = next(seat for seat, player in enumerate(match.players, 1) if player.bot is None)
        self.say = say
        self.file = file
        # Why the game is not on disk as it is now; None if it is.
        self.unkept: str | None = None
        self.told = self._last_round() if resumed else 0
        self.bots = {
            place: Seated(parse_bot(player.bot), match, place, hurry=True, limit=_limit(player.bot))
            for place, player in enumerate(match.players, 1)
            if player.bot is not None
        }

    def play(self) -> None:
        """Play to the end."""
        self.say(f"{self.match.game.title}. Type ? for help.")
        while not self.match.over:
            if self.match.to_move == self.seat:
                self._my_move()
            else:
                self._bot_move()
        self._tell_news()
        self._tell_result()

    def _bot_move(self) -> None:
        assert self.match.to_move is not None
        seat = self.match.to_move
        name = self.match.names[seat - 1]
        # There is something to read while a bot thinks.
        self._tell_news()
        try:
            with self._told_if_slow(name):
                move = self.bots[seat].choose()
        except BotError as error:
            self.say(f"{name} ({error.bot}) {error.what}, so greedy plays this seat now.")
            self.bots[seat] = Seated(parse_bot("greedy"), self.match, seat)
            move = self.bots[seat].choose()
        self.match.make_legal(move)

    @contextlib.contextmanager
    def _told_if_slow(self, name: str) -> Iterator[None]:
        timer = threading.Timer(THINKING_AFTER, self.say, [f"{name} is thinking ..."])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _my_move(self) -> None:
        self._keep()
        self._tell_news()
        self._show_table()
        before = len(self.match.log)
        while len(self.match.log) == before:
            self._do(_ask("Your move: ", self.say))
        # Before the bots think, which may take long and be interrupted.
        if not self.match.over:
            self._keep()

    # The game on disk

    def _keep(self) -> None:
        """Keep the game as it is now; the first failure is reported."""
        before = self.unkept
        try:
            self.unkept = None
            self.file.finish(self.match) if self.match.over else self.file.keep(self.match)
        except OSError as error:
            self.unkept = error.strerror or str(error)
            if before is None:
                self.say(self._complaint())

    def _complaint(self) -> str:
        return f"This game cannot be kept: {self.file.path} cannot be written ({self.unkept})."

    def leave(self) -> str:
        """Make sure that the game is kept, and return how to continue it."""
        self._keep()
        if self.unkept is not None and not self._keep_elsewhere():
            return " Your game is lost."
        if self.match.over:
            return ""
        where = f" --record {shlex.quote(str(self.file.path))}" if self.file.finished is None else ""
        return f" Your unfinished game is kept: upcard play --resume{where}"

    def end(self, review: Reviewer | None) -> None:
        """Keep the game, which is over, and offer to review it."""
        self._keep()
        if self.unkept is not None and not self._keep_elsewhere():
            self.say("The record of your game is lost.")
            return
        self.say(f"The game is kept: upcard review {shlex.quote(str(self.file.path))}")
        if review is not None and _ask("Review it now? [y/N] ", self.say).lower() in ("y", "yes"):
            review(self.file.path, self.seat)

    def _keep_elsewhere(self) -> bool:
        """Ask for a file until the game is in one; an empty line gives it up."""
        while self.unkept is not None:
            try:
                answer = _ask("Keep it in which file? (Leave the line empty to lose it.) ", self.say)
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
                self.say(f"{name} exists already: choose another file.")
                return
            file.keep(self.match)
        except (OSError, RuntimeError, ValueError) as error:
            self.say(f"{name} cannot be written ({getattr(error, 'strerror', None) or error}).")
        else:
            self.file, self.unkept = file, None

    def _my_moves(self) -> list[int]:
        """Return the places of your moves among all moves."""
        moves = enumerate(self.match.log_of_moves)
        return [place for place, entry in moves if entry.seat == self.seat - 1]

    def _do(self, answer: str) -> None:
        """Do what somebody typed: a command, or a move."""
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                self.say("Type a move, or ? for help.")
            case "?" | "help":
                self._help(rest)
            case clause if clause.startswith("?"):
                self._help(clause[1:])
            case "rules":
                self.say(rulebook(self.match.game.id))
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
                self.say(f"The moves are numbered from 1 to {len(legal)}.")
                return
            answer = legal[number - 1]
        try:
            self.match.play(answer, self.seat)
        except Refused as refused:
            self.say(str(refused))
        except NotationError as error:
            self.say(f"{error}.")

    def _help(self, clause: str) -> None:
        if not clause:
            self.say(HELP.format(clause=self.match.game.turn_clause))
            return
        self.say(clause_told(self.match.game.id, clause))

    def _hint(self) -> None:
        bot = parse_bot("hard" if can_search() else "greedy")
        move = Seated(bot, self.match, self.seat, hurry=True).choose()
        text = self.match.game.write_move(self.match.table, move)
        self.say(f"A bot would play: {text}. {self._reason(self.match.view(self.seat), move)}")

    def _why(self) -> None:
        """Explain the last move of a bot, by what you saw before it: what it held stays its own."""
        found = self._last_move_of_a_bot()
        if found is None:
            self.say("No bot has moved yet.")
            return
        moved, view = found
        self.say(f"{self.match.names[moved.seat]} played: {moved.text}. {self._reason(view, moved.move)}")

    def _last_move_of_a_bot(self) -> tuple[Moved, Any] | None:
        """Return the last move of a bot that you were told of, and your view of the table before it."""
        match, viewer = self.match, self.seat - 1
        again = Match(match.game, match.options, match.seed, match.players)
        found = None
        for moved in match.log_of_moves:
            view = again.view(self.seat)
            # What a move leads to comes after the news of the move itself.
            news = redact(again.make_legal(moved.move)[0], viewer)
            if moved.seat != viewer and news is not None:
                found = moved, view
        return found

    def _reason(self, view: Any, move: int) -> str:
        """Return why one would make a move, in words for you."""
        return self.match.game.why(view, move, self.match.names).to(self.seat - 1).text()

    def _undo(self) -> None:
        """Go back to before your last move, with all that the bots did since."""
        mine = self._my_moves()
        if not mine:
            self.say("You have not moved yet.")
            return
        self.match.undo(len(self.match.log_of_moves) - mine[-1])
        self.told = len(self.match.events)
        self.say("Your last move is taken back.")

    # What is said

    def _last_round(self) -> int:
        """Return the number of the event that began your last turn but this one."""
        turns = [
            place
            for place, event in enumerate(self.match.events)
            if event.kind == News.TURN and event.seat == self.seat - 1
        ]
        return turns[-2] if len(turns) > 1 else 0

    def _tell_news(self) -> None:
        for event in self.match.news(self.seat, self.told):
            message = self.match.game.describe(event, self.match.names)
            if message is not None:
                self.say(message.to(self.seat - 1).text())
        self.told = len(self.match.events)

    def _show_table(self) -> None:
        self.say("")
        seats = [f"{name} (seat {seat})" for seat, name in enumerate(self.match.names, 1)]
        self.say(self.match.game.draw(self.match.view(self.seat), seats))
        if not self.match.over:
            self.say("Moves: " + moves_listed(self._legal()))

    def _legal(self) -> list[str]:
        return in_hand_order(self.match.game, self.match.legal)

    def _tell_result(self) -> None:
        result = self.match.result
        assert result is not None
        self._show_table()
        for line in result_told(self.match.game.id, result, self.match.names, self.seat):
            self.say(line)
