"""Playing in the terminal, line by line: questions, answers and sentences, nothing that moves."""

from __future__ import annotations

__all__ = ["Setting", "play_in_terminal"]

import shutil
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from upcard import bots as all_bots
from upcard.bots import Bot
from upcard.core.errors import NotationError, Refused, UpcardError
from upcard.core.rulebook import clauses, rulebook
from upcard.core.words import Message
from upcard.games import all_games, find
from upcard.match import Match, Player, new_seed, read_seed
from upcard.tui.shelf import Shelf

BOT_NAMES = ("Robin", "Ann", "Kim", "Sam", "Alex", "Toni")

HELP = """\
Type the number of a move, or write it as in the list. Besides:
  ?          this help            ? S3.4     a clause of the rules (or any other)
  rules      the whole rulebook   table      show the table again
  hint       what a bot would do  undo       take back your last move
  quit       leave; the game is kept, and 'upcard play --resume' goes on with it"""


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


class Leaving(Exception):
    """The person wants to go, or there is nothing more to read."""


def play_in_terminal(setting: Setting, say: Callable[[str], None] = print, shelf: Shelf | None = None) -> int:
    """Play a game with whoever sits at the keyboard; leaving keeps it for later."""
    shelf = shelf or Shelf()
    try:
        match, seat = _resumed(shelf) if setting.resume else _begun(setting, say, shelf)
        Evening(match, seat, say, shelf).play()
    except Leaving:
        say("")
        say("Goodbye." + (" The game is kept: upcard play --resume" if shelf.has_game() else ""))
    return 0


def _ask(question: str) -> str:
    try:
        return input(question).strip()
    except (EOFError, KeyboardInterrupt):
        raise Leaving from None


def _resumed(shelf: Shelf) -> tuple[Match, int]:
    if not shelf.has_game():
        raise UpcardError("there is no unfinished game to go on with")
    return shelf.take()


def _begun(setting: Setting, say: Callable[[str], None], shelf: Shelf) -> tuple[Match, int]:
    options = dict(setting.options)
    name = setting.game
    if name is None:
        name = _choose_game(say, shelf)
        if name is None:
            return shelf.take()
        if "players" not in options:
            options["players"] = _choose_players(name, say)
    game = find(name)
    players = int(game.complete(options)["players"])
    if not 1 <= setting.seat <= players:
        raise UpcardError(f"there is no seat {setting.seat}: {players} play")
    seed = new_seed() if setting.seed is None else read_seed(setting.seed)
    return Match(game, options, seed, _players(setting, players)), setting.seat


def _players(setting: Setting, players: int) -> list[Player]:
    """You at your seat, bots at the others, in the order of their names."""
    for bot in setting.bots:
        all_bots.find(bot)
    if not 1 <= len(setting.bots) < max(2, players):
        raise UpcardError(f"{players - 1} bots play with you, not {len(setting.bots)}")
    seated = [
        Player(name, setting.bots[place % len(setting.bots)])
        for place, name in zip(range(players - 1), BOT_NAMES, strict=False)
    ]
    seated.insert(setting.seat - 1, Player(setting.name))
    return seated


def _choose_game(say: Callable[[str], None], shelf: Shelf) -> str | None:
    """Return the game somebody chooses; None for the one that was left."""
    games = all_games()
    say("Welcome to Upcard.")
    for number, game in enumerate(games, 1):
        say(f"  {number}  {game.title}: {game.summary}")
    if shelf.has_game():
        say("  0  Go on with the game you left.")
    while True:
        answer = _ask("Which game? ").lower()
        if answer == "0" and shelf.has_game():
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
        answer = _ask("How many players, you included? [2] ") or "2"
        try:
            game.complete({"players": answer})
        except UpcardError as error:
            say(f"{error}.")
        else:
            return answer


def _wrapped(text: str) -> str:
    """Break a long line between words, where the terminal would break within them."""
    return textwrap.fill(text, shutil.get_terminal_size().columns - 1, subsequent_indent="       ")


class Evening:
    """One person playing one match with bots."""

    def __init__(self, match: Match, seat: int, say: Callable[[str], None], shelf: Shelf) -> None:
        self.match = match
        self.seat = seat
        self.say = say
        self.shelf = shelf
        self.told = 0
        seed = match.seed or new_seed()
        self.bots: dict[int, Bot] = {
            place: all_bots.find(player.bot)(seed + bytes([place]))
            for place, player in enumerate(match.players, 1)
            if player.bot is not None
        }
        self.adviser = all_bots.find("greedy")(seed)

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
        self.shelf.clear()

    def _bot_move(self) -> None:
        assert self.match.to_move is not None
        bot = self.bots[self.match.to_move]
        moves = self.match.game.legal_moves(self.match.table)
        self.match.make_legal(bot.choose(self.match.view(self.match.to_move), moves))

    def _my_move(self) -> None:
        self.shelf.keep(self.match, self.seat)
        self._tell_news()
        self._show_table()
        before = len(self.match.log)
        while len(self.match.log) == before:
            self._do(_ask("Your move: "))

    def _do(self, answer: str) -> None:
        """Do what somebody typed: a command, or a move."""
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                self.say("Type a move, or ? for help.")
            case "?" | "help":
                self._help(rest)
            case "rules":
                self.say(rulebook(self.match.game.id))
            case "table":
                self._show_table()
            case "hint":
                self._hint()
            case "undo":
                self._undo()
            case "quit" | "exit" | "q":
                raise Leaving
            case _:
                self._move(answer)

    def _move(self, answer: str) -> None:
        legal = self.match.legal
        if answer.isascii() and answer.isdigit():
            if not 1 <= int(answer[:9]) <= len(legal):
                self.say(f"There are {len(legal)} moves to choose from.")
                return
            answer = legal[int(answer) - 1]
        try:
            self.match.play(answer, self.seat)
        except Refused as refused:
            self.say(str(refused))
        except NotationError as error:
            self.say(f"{error}.")

    def _help(self, clause: str) -> None:
        if not clause:
            self.say(HELP)
            return
        texts = clauses(self.match.game.id)
        text = texts.get(clause.strip().upper())
        self.say(text or f"There is no clause {clause}: they run from {min(texts)} to {max(texts)}.")

    def _hint(self) -> None:
        game = self.match.game
        moves = game.legal_moves(self.match.table)
        move = self.adviser.choose(self.match.view(self.seat), moves)
        self.say(f"A bot would play: {game.write_move(self.match.table, move)}")

    def _undo(self) -> None:
        """Go back to before your last move, with all that the bots did since."""
        mine = [place for place, entry in enumerate(self.match.log_of_moves) if entry.seat == self.seat - 1]
        if not mine:
            self.say("You have not moved yet.")
            return
        self.match.undo(len(self.match.log_of_moves) - mine[-1])
        self.told = len(self.match.events)
        self.say("Your last move is taken back.")

    # What is said

    def _tell_news(self) -> None:
        for event in self.match.news(self.seat, self.told):
            message = self.match.game.describe(event, self.match.names)
            if message is not None:
                self.say(message.text(to_you=event.seat == self.seat - 1))
        self.told = len(self.match.events)

    def _show_table(self) -> None:
        self.say("")
        self.say(self.match.game.draw(self.match.view(self.seat), self.match.names))
        moves = [f"{number} {move}" for number, move in enumerate(self.match.legal, 1)]
        self.say(_wrapped("Moves: " + ", ".join(moves)))

    def _tell_result(self) -> None:
        result = self.match.result
        assert result is not None
        names = [self.match.names[seat - 1] for seat in result["winners"]]
        self.say("")
        if len(names) == 1:
            mine = result["winners"] == [self.seat]
            self.say(Message("table.won", {"name": names[0]}).text(to_you=mine))
        else:
            self.say(Message("table.shared", {"names": " and ".join(names)}).text())
        self.say(Message(f"table.reason_{result['reason']}").text())
        scores = zip(self.match.names, result["scores"], strict=True)
        self.say("Scores: " + ", ".join(f"{name} {score}" for name, score in scores))
