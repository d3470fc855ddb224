"""Setting up a game in the terminal: a new one or an unfinished one, chosen by arguments or by questions."""

from __future__ import annotations

__all__ = ["Setting", "open_game"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from upcard.bots import find as find_bot
from upcard.core.errors import UpcardError
from upcard.core.notation import whole
from upcard.games import all_games, find
from upcard.match import Match, Player, new_seed, read_seed
from upcard.tui.phrases import phrase
from upcard.tui.saves import GameFile, Saves
from upcard.tui.text import Leaving, Say, ask

BOT_NAMES = ("Robin", "Ann", "Kim", "Sam", "Alex", "Toni")


@dataclass(frozen=True)
class Setting:
    """The arguments of the command line."""

    game: str | None
    options: Mapping[str, object] = field(default_factory=dict)
    bots: Sequence[str] = ("greedy",)
    seat: int = 1
    name: str = "You"
    seed: str | None = None
    resume: bool = False
    # Where to keep the game instead of the folder of all games.
    record: Path | None = None


def open_game(setting: Setting, say: Say, saves: Saves) -> tuple[Match, GameFile]:
    """Return the match to play and its file."""
    return _resumed(setting, say, saves) if setting.resume else _begun(setting, say, saves)


def _resumed(setting: Setting, say: Say, saves: Saves) -> tuple[Match, GameFile]:
    if setting.options or setting.seed is not None:
        raise UpcardError("--resume continues a game as it is: leave out players, options and seed")
    file = _choose_save(setting, say, saves) if setting.record is None else GameFile(setting.record)
    match = file.load()
    if setting.game not in (None, match.game.id):
        raise UpcardError(f"the game in {file.path} is {match.game.id}, not {setting.game}")
    return match, file


def _choose_save(setting: Setting, say: Say, saves: Saves) -> GameFile:
    """Return the unfinished game; if there are several, ask for one."""
    left = saves.unfinished(setting.game)
    if not left:
        raise UpcardError(f"there is no unfinished game{f' of {setting.game}' if setting.game else ''}")
    if len(left) == 1:
        return left[0]
    for number, file in enumerate(left, 1):
        say(f"  {number}  {file.summary()}")
    while True:
        answer = ask(f"{phrase('terminal.which_game')} [1] ", say) or "1"
        if answer.lower() in ("quit", "q"):
            raise Leaving
        number = whole(answer) or 0
        if 1 <= number <= len(left):
            return left[number - 1]
        say(phrase("terminal.type_number", last=len(left)))


def _begun(setting: Setting, say: Say, saves: Saves) -> tuple[Match, GameFile]:
    if not setting.name.strip() or not setting.name.isprintable():
        raise UpcardError(f"a name should be a few letters, not {setting.name!r:.40}")
    if setting.record is not None and setting.record.exists():
        raise UpcardError(
            f"{setting.record} already exists: choose another file, or add --resume to continue its game"
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
        raise UpcardError(f"there is no seat {setting.seat}: there are {players} players")
    seed = new_seed() if setting.seed is None else read_seed(setting.seed)
    match = Match(game, options, seed, _players(setting, players))
    file = saves.new(game.id) if setting.record is None else GameFile(setting.record)
    if setting.record is not None:
        _write_or_refuse(file, match)
    return match, file


def _write_or_refuse(file: GameFile, match: Match) -> None:
    try:
        file.keep(match)
    except OSError as error:
        raise UpcardError(f"{file.path} cannot be written: {error.strerror}") from None


def _players(setting: Setting, players: int) -> list[Player]:
    """You are at your seat, and bots are at the others, in the given order."""
    for bot in setting.bots:
        find_bot(bot)
    if len(setting.bots) >= players:
        raise UpcardError(f"{len(setting.bots)} bots are too many: only {players - 1} can play with you")
    names = [name for name in BOT_NAMES if name != setting.name]
    seated = [Player(names[place], setting.bots[place % len(setting.bots)]) for place in range(players - 1)]
    seated.insert(setting.seat - 1, Player(setting.name))
    return seated


def _choose_game(say: Say, saves: Saves) -> str | None:
    """Ask for a game; return None to continue an unfinished one."""
    games, left = all_games(), saves.unfinished()
    say(phrase("terminal.welcome"))
    for number, game in enumerate(games, 1):
        say(f"  {number}  {game.title}: {game.summary}")
    if left:
        say(f"  0  {phrase('terminal.continue_left', count=len(left))}")
    while True:
        answer = ask(f"{phrase('terminal.which_game')} ", say).lower()
        if answer == "0" and left:
            return None
        for number, game in enumerate(games, 1):
            if answer in (str(number), game.id):
                return game.id
        if answer in ("quit", "q"):
            raise Leaving
        say(phrase("terminal.type_above"))


def _choose_players(name: str, say: Say) -> str:
    """Ask for the number of players; an empty line means 2."""
    game = find(name)
    while True:
        answer = ask(f"{phrase('terminal.how_many')} [2] ", say) or "2"
        if answer.lower() in ("quit", "q"):
            raise Leaving
        try:
            game.complete({"players": answer})
        except UpcardError as error:
            say(f"{error}.")
        else:
            return answer
