"""A seat at a server's table, in the terminal, line by line. Other players may use browsers."""

from __future__ import annotations

__all__ = ["join"]

import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.core.messages import Refusal
from upcard.core.notation import whole
from upcard.core.rulebook import clauses, rulebook
from upcard.games import find
from upcard.i18n import Message
from upcard.tui.client import Client, Json
from upcard.tui.colour import coloured, wants_colour
from upcard.tui.invitation import Invitation
from upcard.tui.phrases import help_text, phrase
from upcard.tui.table_events import sentences
from upcard.tui.text import (
    HARD_SPACE,
    Leaving,
    Say,
    clause_text,
    folded,
    in_hand_order,
    moves_listed,
    result_lines,
)

PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "oops", "wow", "one_moment", "your_turn", "again",
    "goodbye",
)  # fmt: skip


def join(url: str, name: str, seat: int | None = None, say: Say = print) -> int:
    """Sit down at the table of a link, and play."""
    invitation = Invitation.read(url)
    shown = coloured if say is print and wants_colour() else str

    def speak(text: str) -> None:
        say(shown(folded(text)))

    client = Client(invitation.origin)
    client.introduce()
    session = RemoteSession(client, name, seat, speak)
    try:
        session.come_to(invitation.table or session.find(invitation.code))
        session.stay()
    except Leaving:
        session.leave()
    return 0


class RemoteSession:
    """The player at one table of a server."""

    def __init__(self, client: Client, name: str, seat: int | None, say: Say) -> None:
        self.client = client
        self.name = name
        self.wanted = seat
        self.say = say
        self.table = ""
        self.facts: Json = {}
        self.state: Json = {}
        # Events of the server and typed lines, in the order of arrival.
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
        """Ask a question before the events of a table arrive."""
        self.say(question)
        kind, line = self.inbox.get()
        if kind == "quit" or line.lower() in ("quit", "q", "exit"):
            raise Leaving
        return str(line)

    # Joining and leaving

    def find(self, code: str | None) -> str:
        """Return the table of a short code; without one, ask for it."""
        while True:
            wanted = code or self._typed(phrase("terminal.table_code"))
            try:
                return str(self.client.ask("/api/join", {"code": wanted})["table"])
            except UpcardError as error:
                if code is not None:
                    raise
                self.say(f"{error}.")

    def come_to(self, table: str) -> None:
        """Open a table, and take a seat if one is free."""
        self.table = table
        self._shown = self._awaited = None
        self.facts = self.state = self.client.ask(f"/api/tables/{table}")
        self.game = find(self.facts["game"])
        if self.state["you"] is None and self.state["phase"] == "open":
            share = random_bytes("share", 32).hex()
            self._done(self.client.do(table, "sit", name=self.name, share=share, seat=self.wanted))
        elif self.state["you"] is not None:
            self._done(self.client.do(table, "come"))
        self.say(phrase("terminal.type_help", game=self.game.title))
        if self.state["you"] is None:
            self.say(phrase("terminal.watching"))
        self._stop_listening()
        self._stop_listening = self.client.listen(
            table, self.state["seq"], lambda kind, told: self.inbox.put((kind, (table, told)))
        )
        self._look()

    def stay(self) -> None:
        """Handle events and typed lines until the player leaves."""
        while True:
            try:
                kind, told = self.inbox.get()
            except KeyboardInterrupt:
                raise Leaving from None
            if kind == "line":
                self._do(told)
            elif kind == "quit":
                raise Leaving
            elif told[0] == self.table:  # but not a finished game
                self._hear(kind, told[1])

    def leave(self) -> None:
        """Leave the table, if the server can be reached, and say goodbye."""
        try:
            if self.state.get("you") is not None and self.state["phase"] in ("open", "playing"):
                self.client.do(self.table, "leave")
        except UpcardError:
            pass
        seat = f" {phrase('terminal.your_seat', command=f'upcard join {self._link()}')}"
        self.say(f"\n{phrase('terminal.goodbye')}{seat if self._has_seat() else ''}")

    def _has_seat(self) -> bool:
        return self.state.get("you") is not None and self.state.get("phase") == "playing"

    def _link(self) -> str:
        return f"{self.client.origin}/t/{self.table}"

    # Events

    def _hear(self, kind: str, told: Json) -> None:
        match kind:
            case "news":
                for sentence in sentences(told, self.state):
                    self.say(sentence)
            case "state":
                # The answer to a command may have arrived before its events.
                if told["seq"] >= self.state["seq"]:
                    self.state = told
                    self._look()
            case "bye":
                self.say(phrase("terminal.server_stopping"))
            case "lost":
                self.say(phrase("terminal.server_lost"))
            case "back":
                self.say(phrase("terminal.server_back"))

    # Output

    def _look(self) -> None:
        """Show the table, once, if the player has a decision to make or the game has just ended."""
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
        """Say who the table is waiting for, unless it is a bot; on arrival, show the table first."""
        if self._shown is None:
            self._shown = ()
            self._show_table()
        to_move, asked = self.state["to_move"], self.state["window"] is not None
        seat = None if asked or to_move is None else self.state["seats"][to_move - 1]
        if seat is None or seat["kind"] == "person":
            awaited = (
                phrase("terminal.waiting_answers")
                if seat is None
                else phrase("terminal.waiting", name=seat["name"])
            )
            if awaited != self._awaited:
                self._awaited = awaited
                self.say(awaited)

    def _show_seats(self) -> None:
        names = [seat["name"] for seat in self.state["seats"]]
        listed = ", ".join(name or phrase("terminal.free") for name in names)
        code = f" {phrase('terminal.code', code=self.facts['code'])}" if self.facts["code"] else ""
        self.say(phrase("terminal.at_table", names=listed) + code)
        if not all(names):
            self.say(phrase("terminal.waiting_seats"))
        elif self.state["you"] == self.state["host"]:
            self.say(phrase("terminal.type_start"))
        else:
            self.say(phrase("terminal.waiting_host"))

    def _show_table(self) -> None:
        seats = enumerate(self.state["seats"], 1)
        names = [phrase("terminal.seat", name=seat["name"], seat=number) for number, seat in seats]
        self.say("")
        self.say(self.game.render_shown(self.state["view"], names))
        self._offer()

    def _offer(self) -> None:
        """List the legal moves or answers, if there are any."""
        if self._choices:
            code = "terminal.moves" if self.state["window"] is None else "terminal.asked"
            self.say(phrase(code, moves=moves_listed(self._choices)))
            if self.state["window"] is not None and self.state["you"] not in self.state["window"]["held_by"]:
                self.say(phrase("terminal.type_wait"))

    @property
    def _choices(self) -> list[str]:
        window = self.state["window"]
        choices: list[str] = self.state["legal"] if window is None else window["answers"]
        return in_hand_order(self.game, choices)

    def _show_end(self) -> None:
        if self.state["result"] is None:
            self.say(Message("table.is_archived").text())
            return
        self._show_table()
        names = [seat["name"] for seat in self.state["seats"]]
        for line in result_lines(self.game.id, self.state["result"], names, self.state["you"]):
            self.say(line)
        self.say(phrase("terminal.type_again"))

    # Input

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            match word.lower():
                case "":
                    self.say(phrase("terminal.type_move"))
                case "quit" | "exit" | "q":
                    raise Leaving
                case "?" | "help":
                    self._help(rest)
                case "rules":
                    self.say(rulebook(self.game))
                case "table":
                    self._show_table() if self.state["view"] is not None else self._show_seats()
                case "hint":
                    self._hint()
                case "say":
                    self._done(self.client.do(self.table, "say", phrase=rest.strip()))
                case "undo":
                    self._done(self.client.do(self.table, "undo", base=self.state["seq"]))
                case "resign":
                    self._done(self.client.do(self.table, "resign"))
                case "end":
                    self._done(self.client.do(self.table, "end"))
                case "wait":
                    self._wait_for_me(rest.strip().lower())
                case "yes" | "no":
                    self._answer(word.lower() == "yes")
                case "start":
                    self._done(self.client.do(self.table, "start"))
                case "remove":
                    self._remove(rest)
                case "lock" | "unlock":
                    self._done(self.client.do(self.table, "lock", locked=word.lower() == "lock"))
                case "again":
                    self._again()
                case _:
                    self._move(line)
        except UpcardError as error:
            self.say(f"{str(error).rstrip('.')}.")
            self._offer()

    def _answer(self, agreed: bool) -> None:
        """Answer the question of another player: whether the game may end, or a move be taken back."""
        ending = self.state.get("ending")
        question, what = (ending, "end/answer") if ending else (self.state["undo"], "undo/answer")
        if question is None:
            raise UpcardError(phrase("table.undo_not_asked"))
        self._done(self.client.do(self.table, what, agreed=agreed, asked=question["asked"]))

    def _wait_for_me(self, when: str) -> None:
        """Ask everyone to wait for an answer: now, or (`always`, `never`) whenever this seat is asked."""
        if when in ("always", "never"):
            self._done(self.client.do(self.table, "give-time", given=when == "always"))
        else:
            self._done(self.client.do(self.table, "hold", base=self.state["seq"]))

    def _help(self, clause: str) -> None:
        self.say(clause_text(self.game, clause) if clause else self._all_help())

    def _all_help(self) -> str:
        return help_text(
            {
                "?": phrase("terminal.help_help"),
                f"? {min(clauses(self.game))}": phrase("terminal.help_clause"),
                "rules": phrase("terminal.help_rules"),
                "table": phrase("terminal.help_table"),
                "hint": phrase("terminal.help_hint"),
                "wait": phrase("terminal.help_wait"),
                "undo": phrase("terminal.help_ask_undo"),
                "resign": phrase("terminal.help_resign"),
                "end": phrase("terminal.help_end"),
                "start": phrase("terminal.help_start"),
                "remove 2": phrase("terminal.help_remove"),
                "lock, unlock": phrase("terminal.help_lock"),
                "again": phrase("terminal.help_again"),
                "say": phrase("terminal.help_say", phrases=", ".join(PHRASES)),
                "quit": phrase("terminal.help_leave"),
            }
        )

    def _hint(self) -> None:
        told = self.client.ask(f"/api/tables/{self.table}/hint", {})
        if "move" in told:
            self.say(phrase("terminal.hint", move=told["move"], reason=Message(*told["why"]).text()))
        else:
            self._done(told)

    def _remove(self, text: str) -> None:
        seat = whole(text.strip())
        if seat is None:
            raise UpcardError(phrase("terminal.seat_to_remove"))
        self._done(self.client.do(self.table, "remove", seat=seat))

    def _again(self) -> None:
        """Go to the table of the next game, and set it up if it does not exist yet."""
        if self.state["rematch"] is None:
            self._done(self.client.do(self.table, "rematch"))
        if self.state["rematch"] is not None:
            self.come_to(self.state["rematch"])

    def _move(self, text: str) -> None:
        choices = self._choices
        if text.isascii() and text.isdigit() and choices:
            number = whole(text) or 0
            if not 1 <= number <= len(choices):
                raise UpcardError(phrase("terminal.move_numbers", last=len(choices)))
            text = choices[number - 1]
        what = "play" if self.state["window"] is None else "react"
        self._done(self.client.do(self.table, what, base=self.state["seq"], move=text))

    def _done(self, told: Json) -> None:
        """Handle the answer to a command. Its effects arrive again as events."""
        match told.get("type"):
            case "refused":
                self.say(Refusal(told["code"], told["parameters"], told["clause"] or "").text())
                self._offer()
            case "stale":
                self.say(phrase("web.house_stale"))
                self.state = told["state"]
                self._show_table()
            case "kept":
                self.say(phrase("terminal.answer_kept", move=told["move"].replace(" ", HARD_SPACE)))
            case "done":
                self.state = told["state"]
