"""The pictures in the rulebooks show real positions, and each shows what its caption says.

If one no longer does because a rule has changed, `python -m tests.server.web.test_positions` finds another.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from string import Formatter
from typing import Any

import httpx
import pytest

from tests.server.guests import PATIENCE
from tests.server.web.houses import house
from upcard.bots import Greedy, Turn
from upcard.core.picture import Picture
from upcard.core.rulebook import clauses
from upcard.games import GAMES, find
from upcard.i18n import catalogue, languages
from upcard.match import Match
from upcard.server.web import translations
from upcard.server.web.offline import books_folder
from upcard.server.web.pages import FOR_EVER
from upcard.server.web.positions import caption_of, figure_of, play_to, positions_of

POSITIONS = {(game, clause): position for game in GAMES for clause, position in positions_of(game).items()}
each_position = pytest.mark.parametrize(("game", "clause"), POSITIONS)
View = dict[str, Any]
# Whether a position shows a caption: a move that illustrates it and the caption's parameters, or None.
Shown = tuple[str | None, dict[str, str | int]] | None


# The conditions


def _only(wanted: bool, picked: str | None = None, **named: str | int) -> Shown:
    return (picked, named) if wanted else None


def _first(moves: Iterator[Shown]) -> Shown:
    return next((shown for shown in moves if shown), None)


def _stacks(view: View) -> list[list[str]]:
    return [cards for seat in view["seats"] for cards in seat["stacks"].values()]


def _easy_to_read(view: View) -> bool:
    """Whether at least three piles have begun, and the stacks are low."""
    return sum(pile["height"] > 0 for pile in view["piles"]) >= 3 and max(map(len, _stacks(view))) <= 4


def shows_S2_3(view: View, legal: list[str]) -> Shown:
    """Nothing has been played, and only the first player has been dealt a hand."""
    hands = [sum(map(len, seat["stacks"].values())) for seat in view["seats"]]
    begun = any(pile["height"] for pile in view["piles"])
    return _only(not begun and sorted(hands) == [0, 3] and len(legal) > 1)


def shows_S3_4(view: View, legal: list[str]) -> Shown:
    """A wild lies on a pile, and a card of its own stacks can follow it."""
    own = view["seats"][view["turn"] - 1]["stacks"]
    for move in legal:
        source, pile = move.split()
        at = view["piles"][int(pile) - 1]
        if source == "stock" or at["cards"][-1:] != ["?"] or at["height"] < 2 or not _easy_to_read(view):
            continue
        card = own[source][-1]
        if card != "?":
            return move, {"pile": pile, "height": at["height"], "next": int(card)}
    return None


def shows_S3_5(view: View, legal: list[str]) -> Shown:
    """A 10 can complete a pile."""
    own = view["seats"][view["turn"] - 1]["stacks"]
    for move in legal:
        source, pile = move.split()
        if source != "stock" and own[source][-1] == "10" and _easy_to_read(view):
            return move, {"pile": pile}
    return None


def shows_S3_6(view: View, legal: list[str]) -> Shown:
    """The top card of the stockpile fits onto one pile, which is not its first card."""
    top = view["seats"][view["turn"] - 1]["top"]
    fits = [move for move in legal if move.startswith("stock ")]
    wanted = len(fits) == 1 and top not in ("?", "1") and _easy_to_read(view)
    return _only(wanted, fits[0], card=top, pile=fits[0].split()[1]) if wanted else None


def shows_S5_1(view: View, legal: list[str]) -> Shown:
    """The last card of a stockpile fits."""
    fits = [move for move in legal if move.startswith("stock ")]
    return _only(bool(fits) and view["seats"][view["turn"] - 1]["stock"] == 1, fits[0] if fits else None)


def shows_L3_5(view: View, legal: list[str]) -> Shown:
    """A card can be added to a line of two or more cards in the player's own zone."""
    lines = view["seats"][view["turn"] - 1]["lines"]
    for move in legal:
        extended = re.fullmatch(r"\w+ \+(\d)", move)
        if extended and len(lines[int(extended[1]) - 1]["cards"]) >= 2:
            return move, {}
    return None


def shows_L3_6(view: View, legal: list[str]) -> Shown:
    """The player's own zone has lines between the top and the bottom one."""
    lines = view["seats"][view["turn"] - 1]["lines"]
    full = any(len(line["cards"]) > 1 for line in (lines[:1] + lines[-1:]))
    return _only(len(lines) == 3 and full and view["step"] == "home")


def shows_L4_2(view: View, legal: list[str]) -> Shown:
    """A card can be added to someone else's line, or start a new one there."""
    others = all(seat["lines"] for seat in view["seats"])
    for move in legal:
        given = re.fullmatch(r"(\w+) @(\d) \+\d", move)
        if given and others and f"{given[1]} @{given[2]} top" in legal:
            return move, {}
    return None


def shows_L4_4(view: View, legal: list[str]) -> Shown:
    """A card can only start a line at one end of the player's own zone, next to its value."""
    lines = view["seats"][view["turn"] - 1]["lines"]
    for move in legal if view["step"] == "home" else []:
        card, place, *_ = move.split()
        alone = [other for other in legal if other.startswith(f"{card} ")] == [move]
        if alone and place in ("top", "bottom") and len(lines) > 1:
            covered = lines[0 if place == "top" else -1]["cards"]
            return _only(card[1:] in [other[1:] for other in covered], move)
    return None


def shows_L5_1(view: View, legal: list[str]) -> Shown:
    """A zone has lines of four colours, and the last turns have begun."""
    colours = [{line["cards"][-1][0] for line in seat["lines"]} for seat in view["seats"]]
    return _only(view["closing"] > 0 and max(map(len, colours)) >= 4 and view["step"] != "opening")


def shows_K3_2(view: View, legal: list[str]) -> Shown:
    """A wild lies on a pile, and a card in hand can follow it."""
    for move in legal:
        found = re.fullmatch(r"[rb](\d) ([RB]\d)", move)
        if found and (pile := view["piles"][found[2]]) and pile[-1].endswith("?") and len(pile) > 1:
            return move, {"pile": found[2], "height": len(pile), "next": int(found[1])}
    return None


def shows_K3_3(view: View, legal: list[str]) -> Shown:
    """The top card of the player's discard pile, with others under it, can be played onto a pile."""
    moves = [move for move in legal if re.fullmatch(r"top [RB]\d", move)]
    deep = len(view["seats"][view["turn"] - 1]["discards"]) > 1
    return _only(bool(moves) and deep, moves[0] if moves else None)


def shows_K3_4(view: View, legal: list[str]) -> Shown:
    """A 5 can complete a pile, and someone already has a chip."""
    for move in legal:
        found = re.fullmatch(r"[rb]5 ([RB]\d)", move)
        if found and any(sum(seat["chips"].values()) for seat in view["seats"]):
            return move, {"pile": found[1]}
    return None


def shows_K4_4(view: View, legal: list[str]) -> Shown:
    """A chip of either colour can be stolen."""
    moves = [move for move in legal if move.startswith("chip ")]
    both = {move.split()[2] for move in moves} == {"red", "blue"}
    return _only(both, moves[0] if moves else None)


def shows_K5_1(view: View, legal: list[str]) -> Shown:
    """A player who can block is asked about a full pile."""
    return _only(
        view["asking"] is not None and sorted(legal) == ["allow", "block"], pile=view["asking"] or ""
    )


SHOWS: dict[str, Callable[[View, list[str]], Shown]] = {
    name.removeprefix("shows_").replace("_", "."): shows
    for name, shows in list(globals().items())
    if name.startswith("shows_")
}


def shown_in(clause: str, match: Match) -> Shown:
    """Return how a position shows a clause."""
    if match.over:
        return None
    return SHOWS[clause](match.game.show(match.view(match.to_move)), match.legal)


# The positions


@each_position
def test_a_picture_shows_what_its_caption_says(game: str, clause: str) -> None:
    position = POSITIONS[game, clause]
    match = play_to(game, position)
    assert shown_in(clause, match) == (position.picked, dict(position.named))
    assert position.picked is None or position.picked in match.legal


@each_position
def test_a_caption_fills_its_gaps_in_every_language(game: str, clause: str) -> None:
    code, named = caption_of(game, clause)
    for language in languages():
        text = catalogue(language).gapped(code)
        assert text is not None
        assert {name for _, name, _, _ in Formatter().parse(text) if name} == set(named)


@each_position
def test_a_picture_shows_only_what_the_seat_to_move_may_know(game: str, clause: str) -> None:
    match = play_to(game, POSITIONS[game, clause])
    assert figure_of(game, clause)["state"]["view"] == match.game.show(match.view(match.to_move))


def test_every_game_has_pictures_at_some_of_its_clauses() -> None:
    for game in GAMES:
        own = list(positions_of(game))
        assert 3 <= len(own) <= 6
        assert set(own) <= set(clauses(find(game)))
    assert list(SHOWS) == [clause for _, clause in POSITIONS]


# Data for browsers


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        house(tmp_path_factory.mktemp("positions")) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        yield client


PICTURE = r'<upcard-position inert src="([^"]+)"'


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_has_the_pictures_in_all_languages(browser: httpx.Client, game: str) -> None:
    own = list(positions_of(game))
    for language in languages():
        for place in (f"/rules/{game}", f"/{books_folder()}{game}.{language}.html"):
            page = browser.get(place, headers={"Cookie": f"language={language}"}).text
            # Each picture is shown at the step of how to play that names its clause, and at the clause.
            steps, _, book = page.partition("</ol>")
            named = re.findall(PICTURE, book)
            assert [re.sub(r".*/|\.json.*", "", address) for address in named] == own
            assert sorted(re.findall(PICTURE, steps)) == sorted(named)
            for clause, address in zip(own, named, strict=True):
                code, gaps = caption_of(game, clause)
                assert f"<figcaption>{translations.say(language, code, gaps)}</figcaption>" in page
                answer = browser.get(address)
                assert answer.json() == figure_of(game, clause)
                assert answer.headers["cache-control"] == FOR_EVER


@pytest.mark.parametrize("address", ["stockpile/S9.9", "lines/S3.4", "chess/S3.4"])
def test_an_unknown_picture_is_not_found(browser: httpx.Client, address: str) -> None:
    assert browser.get(f"/positions/{address}.json").status_code == 404


# Looking for others


def look_for(game: str, clause: str, wanted: Picture, seeds: range) -> Picture | None:
    """Return the earliest position that shows a clause."""
    best: Picture | None = None
    for seed in seeds:
        match = play_to(game, replace(wanted, seed=seed, moves=0))
        for moves in itertools.count():
            shown = shown_in(clause, match)
            if shown:
                best = replace(wanted, seed=seed, moves=moves, picked=shown[0], named=shown[1])
            if shown or match.over or (best and moves + 1 >= best.moves):
                break
            turn = Turn(match.game, match.view(match.to_move), match.game.legal_moves(match.table))
            match.make_legal(Greedy().choose(turn))
    return best


def main() -> None:
    """Print a position for each clause."""
    for clause in SHOWS:
        game = next(game for game in GAMES if clause in clauses(find(game)))
        wanted = Picture(2 if game == "stockpile" else 3, 0, 0)
        print(clause, look_for(game, clause, wanted, range(60)))


if __name__ == "__main__":
    main()
