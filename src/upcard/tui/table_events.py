"""The sentences about events of a server's table."""

from __future__ import annotations

__all__ = ["sentences"]

from upcard.i18n import Message
from upcard.tui.client import Json

# Events about people, which have a different sentence for the person concerned.
ABOUT_PEOPLE = (
    "sat", "stood", "renamed", "left", "sat_in", "took_back", "handed_over", "nudged", "undo_asked", "undone",
    "resigned", "end_asked", "rematched", "host_changed", "held",
)  # fmt: skip


def sentences(told: Json, state: Json) -> list[str]:
    """Return the sentences about an event, given the state of the table."""
    seat = told.get("seat")
    chair = state["seats"][seat - 1] if seat else {"name": "", "kind": ""}
    name = told.get("name") or chair["name"]
    if "news" in told:
        spoken = [Message(*one["say"]).text() for one in told["news"] if "say" in one]
        stands_in = spoken and told.get("by") == "bot" and chair["kind"] == "person"
        played = Message("web.house_event_bot_played", {"name": name}).text()
        return [played, *spoken] if stands_in else spoken
    own = "_you" if seat == state["you"] else ""
    match told["kind"]:
        case "said":
            phrase = Message(f"web.house_phrase_{told['phrase']}").text()
            return [Message("web.house_said", {"name": name, "phrase": phrase}).text()]
        case "undo_answered" | "end_answered":
            answer = "agreed" if told["agreed"] else "refused"
            return [Message(f"web.house_undo_{answer}", {"name": name}).text()]
        case "resumed":
            return [Message("web.house_event_resumed").text()]
        case "removed":
            return [Message("web.house_event_removed", {"name": name}).text()]
        case "locked":
            code = "table.is_locked" if told["locked"] else "web.house_event_unlocked"
            return [Message(code).text()]
        case "placed":
            return [Message("web.house_event_placed", {"name": name}).text()] if told["bot"] else []
        case kind if kind in ABOUT_PEOPLE:
            return [Message(f"web.house_event_{kind}{own}", {"name": name}).text()]
    return []
