"""`upcard tables`, `upcard people` and `upcard keys`: commands for operators, also while servers run."""

from __future__ import annotations

__all__ = ["keys", "people", "tables"]

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from upcard.cli.arguments import Whole, check_count

tables = App(
    name="tables", help="List, close, delete and export the tables of a server.", help_format="plaintext"
)
people = App(name="people", help="Ban and forget people, and deny names.", help_format="plaintext")
keys = App(
    name="keys", help="List and rotate the keys that sign cookies and tokens.", help_format="plaintext"
)

Database = Annotated[
    str | None,
    Parameter(help="Where tables are stored, if it is not the default: sqlite:///PATH or postgresql://..."),
]
Config = Annotated[Path | None, Parameter(help="The file with the settings of the server, in TOML.")]
AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
Limit = Annotated[Whole, Parameter(help="The maximum number of lines.")]
Person = Annotated[
    str, Parameter(help="The person: TABLE:SEAT, or the mark that `upcard tables show` prints.")
]
Phase = Literal["open", "playing", "over", "archived"]


def _operator(database: str | None, config: Path | None) -> Any:
    from upcard.cli.operator import operator_of

    return operator_of(database, config)


@tables.command(name="list")
def list_tables(
    *,
    phase: Phase | None = None,
    game: str | None = None,
    limit: Limit = 50,
    database: Database = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """List tables, the last touched first.

    Parameters
    ----------
    phase
        Only tables in this phase.
    game
        Only tables of this game.
    """
    from upcard.cli.operator import print_rows

    check_count("--limit", limit)
    print_rows(_operator(database, config).tables(phase, game, limit), json)


@tables.command
def show(table: str, /, *, database: Database = None, config: Config = None, json: AsJson = False) -> None:
    """Show a table: its setup, its seats and people, and whose turn it is, without hidden cards."""
    from upcard.cli.operator import print_fields

    print_fields(_operator(database, config).show(table), json)


@tables.command
def close(table: str, /, *, database: Database = None, config: Config = None, json: AsJson = False) -> None:
    """Close a table for good. Its record is kept."""
    from upcard.cli.operator import print_done

    _operator(database, config).close(table)
    print_done("closed", table, json)


@tables.command
def delete(table: str, /, *, database: Database = None, config: Config = None, json: AsJson = False) -> None:
    """Delete a table with its record. This cannot be undone."""
    from upcard.cli.operator import print_done

    _operator(database, config).delete(table)
    print_done("deleted", table, json)


@tables.command
def export(table: str, /, *, database: Database = None, config: Config = None) -> None:
    """Print the record of a game as JSON, with all hidden cards, even during the game."""
    from upcard.cli.operator import print_json

    print_json(_operator(database, config).export(table))


@tables.command
def audit(
    *, limit: Limit = 50, database: Database = None, config: Config = None, json: AsJson = False
) -> None:
    """List the actions of operators."""
    from upcard.cli.operator import print_rows

    check_count("--limit", limit)
    print_rows(_operator(database, config).audit(limit), json)


@people.command
def ban(
    person: Annotated[str, Parameter(help="TABLE:SEAT, a mark, an address or a network.")],
    /,
    *,
    reason: str = "",
    database: Database = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Ban a person, or everyone at an address, from this server.

    Parameters
    ----------
    reason
        For the audit log.
    """
    from upcard.cli.operator import print_done, target_of

    operator = _operator(database, config)
    target = target_of(operator, person)
    operator.ban(target, reason)
    print_done("banned", target, json)


@people.command
def unban(
    person: Annotated[str, Parameter(help="TABLE:SEAT, a mark, an address or a network.")],
    /,
    *,
    database: Database = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Lift a ban."""
    from upcard.cli.operator import print_done, target_of

    operator = _operator(database, config)
    target = target_of(operator, person)
    operator.unban(target)
    print_done("unbanned", target, json)


@people.command
def forget(
    person: Person, /, *, database: Database = None, config: Config = None, json: AsJson = False
) -> None:
    """Remove a person's names and identity from all tables. Their games stay, but they lose their seats."""
    from upcard.cli.operator import print_done

    operator = _operator(database, config)
    count = len(operator.forget(operator.person(person)))
    print_done("forgotten", f"{person} ({count} tables)", json)


@people.command(name="deny-name")
def deny_name(
    name: str, /, *, database: Database = None, config: Config = None, json: AsJson = False
) -> None:
    """Deny a name; `*` stands for any text. Capitals and letters that look alike make no difference."""
    from upcard.cli.operator import print_done

    _operator(database, config).deny_name(name)
    print_done("denied", name, json)


@people.command(name="allow-name")
def allow_name(
    name: str, /, *, database: Database = None, config: Config = None, json: AsJson = False
) -> None:
    """Allow a name that was denied."""
    from upcard.cli.operator import print_done

    _operator(database, config).allow_name(name)
    print_done("allowed", name, json)


@people.command
def rules(*, database: Database = None, config: Config = None, json: AsJson = False) -> None:
    """List the bans and the denied names."""
    from upcard.cli.operator import print_fields

    print_fields(_operator(database, config).rules(), json)


@people.command
def reports(
    *, limit: Limit = 50, database: Database = None, config: Config = None, json: AsJson = False
) -> None:
    """List the reports of players, the newest first."""
    from upcard.cli.operator import print_rows

    check_count("--limit", limit)
    print_rows(_operator(database, config).reports(limit), json)


@keys.command(name="list")
def list_keys(*, config: Config = None, json: AsJson = False) -> None:
    """List the ids of the keys, and until when the tokens of old ones are accepted."""
    from upcard.cli.operator import listed_keys, print_rows

    print_rows(listed_keys(config), json)


@keys.command
def rotate(*, config: Config = None, json: AsJson = False) -> None:
    """Sign with a new key from now on. Nobody loses a seat: devices get tokens of the new key with the next
    answer, and the old key is accepted until its last token has run out."""
    from upcard.cli.operator import print_rows, rotated_key

    print_rows([rotated_key(config)], json)
