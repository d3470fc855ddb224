"""A seat at a table far away, line by line: the server deals, and others may sit at browsers."""

from __future__ import annotations

__all__ = ["Invitation", "join"]

import importlib
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.core.notation import whole
from upcard.core.rulebook import clauses, rulebook
from upcard.core.words import Message, Refusal
from upcard.games import find
from upcard.tui.colour import coloured, wants_colour
from upcard.tui.play import (
    HARD_SPACE,
    Leaving,
    clause_told,
    folded,
    in_hand_order,
    moves_listed,
    result_told,
)
from upcard.tui.post import Post, Told

HELP = """\
Type the number of a move, or write it as in the list (@2 is seat 2). At any time:
  ?       this help
  ? {clause}  a clause of the rules, this one or any other
  rules   the whole rulebook, with the notation at its end
  table   the table again
  hint    what a bot would play, and why
  undo    ask the others whether your last move may be taken back; they answer yes or no
  start   deal the cards, once everybody is here (only the host can)
  again   another game with the same players, when this one is over
  say hello, good_luck, well_played, thanks, oops, wow, one_moment, your_turn, again or goodbye
  quit    leave; your seat is kept, and 'upcard join' with the same address brings you back"""

# Events about people, which have words of their own for the one who did it.
ABOUT_PEOPLE = (
    "sat", "stood", "renamed", "left", "sat_in", "took_back", "handed_over", "nudged", "undo_asked", "undone",
    "rematched",
)  # fmt: skip


@dataclass(frozen=True)
class Invitation:
    """Where a table is: the server, and the name or the short code of the table (none: it is asked for)."""

    origin: str
    table: str | None = None
    code: str | None = None

    @classmethod
    def read(cls, url: str) -> Invitation:
        """Return what a link means, with or without its beginning."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
        except ValueError:
            known = False
        if not known:
            raise UpcardError(
                f"a table is at an address like http://192.168.1.20:8000/t/..., not {url!r:.60}"
            )
        origin = f"{parts.scheme}://{parts.netloc}"
        code = parse_qs(parts.query).get("code", [None])[0]
        table = parts.path.removeprefix("/t/").strip("/") if parts.path.startswith("/t/") else None
        return cls(origin, table or None, code)


def join(url: str, name: str, seat: int | None = None, say: Callable[[str], None] = print) -> int:
    """Sit down at the table of a link, and play."""
    invitation = Invitation.read(url)
    shown = coloured if say is print and wants_colour() else str

    def speak(text: str) -> None:
        say(shown(folded(text)))

    post = Post(invitation.origin)
    post.introduce()
    guest = Guest(post, name, seat, speak)
    try:
        guest.come_to(invitation.table or guest.find(invitation.code))
        guest.stay()
    except Leaving:
        guest.leave()
    return 0


class Guest:
    """One person at one table of a server."""

    def __init__(self, post: Post, name: str, seat: int | None, say: Callable[[str], None]) -> None:
        self.post = post
        self.name = name
        self.wanted = seat
        self.say = say
        self.table = ""
        self.facts: Told = {}
        self.state: Told = {}
        # What happens, and what is typed, in the order in which it comes.
        self.inbox: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._shown: object = None
        self._awaited: str | None = None
        self._stop_listening: Callable[[], None] = lambda: None
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        for line in sys.stdin or ():
            self.inbox.put(("line", line.strip()))
        self.inbox.put(("quit", None))

    def _typed(self, question: str) -> str:
        """Ask something, before there is a table to listen to."""
        self.say(question)
        kind, line = self.inbox.get()
        if kind == "quit" or line.lower() in ("quit", "q", "exit"):
            raise Leaving
        return str(line)

    # Coming and going

    def find(self, code: str | None) -> str:
        """Return the table of a short code; without one, ask for it."""
        while True:
            wanted = code or self._typed("The code of the table:")
            try:
                return str(self.post.ask("/api/join", {"code": wanted})["table"])
            except UpcardError as error:
                if code is not None:
                    raise
                self.say(f"{error}.")

    def come_to(self, table: str) -> None:
        """Look at a table, and take a seat if there is one."""
        self.table = table
        self._shown = self._awaited = None
        self.facts = self.state = self.post.ask(f"/api/tables/{table}")
        if self.state["you"] is None and self.state["phase"] == "open":
            share = random_bytes("share", 32).hex()
            self._done(self.post.do(table, "sit", name=self.name, share=share, seat=self.wanted))
        elif self.state["you"] is not None:
            self._done(self.post.do(table, "come"))
        self.say(f"{self._title()}. Type ? for help.")
        if self.state["you"] is None:
            self.say("You have no seat here, and watch.")
        self._stop_listening()
        self._stop_listening = self.post.listen(
            table, self.state["seq"], lambda kind, told: self.inbox.put((kind, (table, told)))
        )
        self._look()

    def stay(self) -> None:
        """Take in what happens and what is typed, until somebody wants to go."""
        while True:
            try:
                kind, told = self.inbox.get()
            except KeyboardInterrupt:
                raise Leaving from None
            if kind == "line":
                self._do(told)
            elif kind == "quit":
                raise Leaving
            elif told[0] == self.table:  # and not a game that is over
                self._hear(kind, told[1])

    def leave(self) -> None:
        """Tell the others, if that can be done."""
        try:
            if self.state.get("you") is not None and self.state["phase"] in ("open", "playing"):
                self.post.do(self.table, "leave")
        except UpcardError:
            pass
        self.say("\nGoodbye." + (f" Your seat: upcard join {self._link()}" if self._has_seat() else ""))

    def _has_seat(self) -> bool:
        return self.state.get("you") is not None and self.state.get("phase") == "playing"

    def _link(self) -> str:
        return f"{self.post.origin}/t/{self.table}"

    def _title(self) -> str:
        return Message(f"web.house_game_{self.facts['game']}").text()

    # What happens

    def _hear(self, kind: str, told: Told) -> None:
        match kind:
            case "news":
                for sentence in self._sentences(told):
                    self.say(sentence)
            case "state":
                # The answer to something typed may have been quicker than the news of it.
                if told["seq"] >= self.state["seq"]:
                    self.state = told
                    self._look()
            case "bye":
                self.say("The server is stopping. Waiting until it is back ...")
            case "lost":
                self.say("The server does not answer. Waiting until it is back ...")
            case "back":
                self.say("The server is back.")

    def _sentences(self, told: Told) -> list[str]:
        if "news" in told:
            return [Message(*one["say"]).text() for one in told["news"] if "say" in one]
        seat = told.get("seat")
        name = told.get("name") or (self.state["seats"][seat - 1]["name"] if seat else "")
        own = "_you" if seat == self.state["you"] else ""
        match told["kind"]:
            case "said":
                phrase = Message(f"web.house_phrase_{told['phrase']}").text()
                return [Message("web.house_said", {"name": name, "phrase": phrase}).text()]
            case "undo_answered":
                answer = "agreed" if told["agreed"] else "refused"
                return [Message(f"web.house_undo_{answer}", {"name": name}).text()]
            case "placed":
                return [Message("web.house_event_placed", {"name": name}).text()] if told["bot"] else []
            case kind if kind in ABOUT_PEOPLE:
                return [Message(f"web.house_event_{kind}{own}", {"name": name}).text()]
        return []

    # What is shown

    def _look(self) -> None:
        """Show the table if something is to be decided here, or has just ended, once."""
        state = self.state
        asked = [] if state["window"] is None else state["window"]["answers"]
        shown = (
            state["phase"],
            state["view"],
            state["legal"],
            asked,
            [seat["name"] for seat in state["seats"]],
        )
        if shown == self._shown:
            return
        if not (state["legal"] or asked or state["phase"] != "playing"):
            self._wait()
            return
        self._shown, self._awaited = shown, None
        match state["phase"]:
            case "open":
                self._show_seats()
            case "playing":
                self._show_table()
            case _:
                self._show_end()

    def _wait(self) -> None:
        """Say for whom the table waits, unless it is a bot; on arrival, show the table first."""
        if self._shown is None:
            self._shown = ()
            self._show_table()
        to_move, asked = self.state["to_move"], self.state["window"] is not None
        seat = None if asked or to_move is None else self.state["seats"][to_move - 1]
        if seat is None or seat["kind"] == "person":
            awaited = "answers" if seat is None else seat["name"]
            if awaited != self._awaited:
                self._awaited = awaited
                self.say(f"Waiting for {awaited} ...")

    def _show_seats(self) -> None:
        seats = [seat["name"] or "free" for seat in self.state["seats"]]
        self.say(
            f"At the table: {', '.join(seats)}."
            + (f" Code: {self.facts['code']}." if self.facts["code"] else "")
        )
        if "free" in seats:
            self.say("Waiting for others to sit down ...")
        elif self.state["you"] == self.state["host"]:
            self.say("Type start to deal the cards.")
        else:
            self.say("Waiting for the host to deal the cards ...")

    def _show_table(self) -> None:
        names = [f"{seat['name']} (seat {number})" for number, seat in enumerate(self.state["seats"], 1)]
        drawing = importlib.import_module(f"upcard.games.{self.facts['game']}.draw")
        self.say("")
        self.say(drawing.draw_shown(self.state["view"], names))
        self._offer()

    def _offer(self) -> None:
        """Say what can be done now, if anything."""
        if self._choices:
            asked = self.state["window"] is not None
            self.say(("You are asked: " if asked else "Moves: ") + moves_listed(self._choices))

    @property
    def _choices(self) -> list[str]:
        window = self.state["window"]
        choices: list[str] = self.state["legal"] if window is None else window["answers"]
        return in_hand_order(find(self.facts["game"]), choices)

    def _show_end(self) -> None:
        if self.state["result"] is None:
            self.say(Message("table.is_archived").text())
            return
        self._show_table()
        names = [seat["name"] for seat in self.state["seats"]]
        for line in result_told(self.facts["game"], self.state["result"], names, self.state["you"]):
            self.say(line)
        self.say("Type again for another game, or quit.")

    # What is typed

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            match word.lower():
                case "":
                    self.say("Type a move, or ? for help.")
                case "quit" | "exit" | "q":
                    raise Leaving
                case "?" | "help":
                    self._help(rest)
                case "rules":
                    self.say(rulebook(self.facts["game"]))
                case "table":
                    self._show_table() if self.state["view"] is not None else self._show_seats()
                case "hint":
                    self._hint()
                case "say":
                    self._done(self.post.do(self.table, "say", phrase=rest.strip()))
                case "undo":
                    self._done(self.post.do(self.table, "undo", base=self.state["seq"]))
                case "yes" | "no":
                    self._done(self.post.do(self.table, "undo/answer", agreed=word.lower() == "yes"))
                case "start":
                    self._done(self.post.do(self.table, "start"))
                case "again":
                    self._again()
                case _:
                    self._move(line)
        except UpcardError as error:
            self.say(f"{str(error).rstrip('.')}.")
            self._offer()

    def _help(self, clause: str) -> None:
        game = self.facts["game"]
        self.say(clause_told(game, clause) if clause else HELP.format(clause=min(clauses(game))))

    def _hint(self) -> None:
        told = self.post.ask(f"/api/tables/{self.table}/hint", {})
        if "move" in told:
            self.say(f"A bot would play: {told['move']}. {Message(*told['why']).text()}")
        else:
            self._done(told)

    def _again(self) -> None:
        """Go to the table of the next game, setting it up if nobody has done so."""
        if self.state["rematch"] is None:
            self._done(self.post.do(self.table, "rematch"))
        if self.state["rematch"] is not None:
            self.come_to(self.state["rematch"])

    def _move(self, text: str) -> None:
        choices = self._choices
        if text.isascii() and text.isdigit() and choices:
            number = whole(text) or 0
            if not 1 <= number <= len(choices):
                raise UpcardError(f"The moves are numbered from 1 to {len(choices)}.")
            text = choices[number - 1]
        what = "play" if self.state["window"] is None else "react"
        self._done(self.post.do(self.table, what, base=self.state["seq"], move=text))

    def _done(self, told: Told) -> None:
        """Take in the answer to a command. What it changed comes again with the news."""
        match told.get("type"):
            case "refused":
                self.say(Refusal(told["code"], told["parameters"], told["clause"] or "").text())
                self._offer()
            case "stale":
                self.say("The table has gone on meanwhile; look again.")
                self.state = told["state"]
                self._show_table()
            case "kept":
                self.say(f"Your answer is kept: {told['move'].replace(' ', HARD_SPACE)}.")
            case "done":
                self.state = told["state"]
