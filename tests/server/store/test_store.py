"""Storing, finding and refusing."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from tests.server.store.databases import OPEN, rows, script
from upcard.server.store import (
    AlreadyDone,
    Attendee,
    CodeTaken,
    CodeUsed,
    CommandIdReused,
    CommandKey,
    Handover,
    Row,
    SequenceConflict,
    Store,
    StoreError,
    TableSummary,
    WindowNotes,
    open_store,
)

pytestmark = pytest.mark.anyio

ANN = CommandKey("ann", "1")


async def test_entries_come_back_in_order_and_numbered_from_one(store: Store) -> None:
    assert await store.append("t", 0, rows(3), OPEN) == 3
    assert await store.append("t", 3, rows(9, start=4), OPEN) == 12
    assert await store.load("t") == [
        Row(number, float(number), b'{"entry": %d}' % number) for number in range(1, 13)
    ]


async def test_entries_can_be_loaded_from_any_one_on(store: Store) -> None:
    await store.append("t", 0, rows(5), OPEN)
    assert [row.seq for row in await store.load("t", 3)] == [4, 5]
    assert await store.load("t", 5) == []
    assert await store.load("t", 99) == []


async def test_tables_do_not_mix(store: Store) -> None:
    await asyncio.gather(*(store.append(f"t{count}", 0, rows(count), OPEN) for count in range(1, 20)))
    assert [len(await store.load(f"t{count}")) for count in range(1, 20)] == list(range(1, 20))
    assert await store.count() == 19


async def test_an_unknown_table_has_nothing(store: Store) -> None:
    assert await store.load("t") == []
    assert await store.notes("t", 1) == {}
    assert await store.repeated("t", ANN) is None
    assert await store.find_code("ABCD") is None
    assert await store.count() == 0


async def test_text_that_no_database_takes_is_nowhere_found(store: Store) -> None:
    for text in ("\0", "a\ud800"):
        assert await store.load(text) == []
        assert await store.notes(text, 1) == {}
        assert await store.repeated("t", CommandKey("ann", text)) is None
        assert await store.find_code(text) is None


async def test_stored_entries_are_there_when_the_database_is_opened_again(url: str, store: Store) -> None:
    await store.append("t", 0, rows(2), OPEN, ANN)
    again = open_store(url)
    assert [row.seq for row in await again.load("t")] == [1, 2]
    assert await again.repeated("t", ANN) == 2
    await again.close()


async def test_any_text_comes_back_as_it_was(store: Store) -> None:
    for text in (
        "",
        "0",
        "'; DROP TABLE entries; --",
        "%s ? \\x41",
        "Zoë \N{GRINNING FACE} \U0010ffff",
        "\ufeff\u2028\x7f",
    ):
        body = json.dumps(text, ensure_ascii=False).encode()
        await store.append(f"t{text}", 0, [(0.1, body)], replace(OPEN, code=text), CommandKey(text, text))
        await store.note(f"t{text}", 1, 2, text, CommandKey(text, f"{text} "), 1)
        assert await store.load(f"t{text}") == [Row(1, 0.1, body)]
        assert await store.repeated(f"t{text}", CommandKey(text, text)) == 1
        assert await store.notes(f"t{text}", 1) == {2: text}
        assert await store.find_code(text) == f"t{text}"


async def test_any_bytes_come_back_as_they_were_also_a_million_of_them(store: Store) -> None:
    bodies = [b"", b"\0", bytes(range(256)), bytes(range(256)) * 4096]
    await store.append("t", 0, [(1.0, body) for body in bodies], OPEN)
    assert [row.body for row in await store.load("t")] == bodies


async def test_times_come_back_to_the_last_bit(store: Store) -> None:
    times = [0.0, 0.1, 1_800_000_000.123456, 2.0**53 + 2, 5e-324]
    await store.append("t", 0, [(at, b"{}") for at in times], replace(OPEN, due=0.1 + 0.2))
    assert [row.at for row in await store.load("t")] == times
    assert await store.due(1.0, 1) == [("t", 0.1 + 0.2)]


# Refusals


@pytest.mark.parametrize("base", [0, 1, 3, 99])
async def test_an_append_to_another_number_than_the_last_is_behind(store: Store, base: int) -> None:
    await store.append("t", 0, rows(2), OPEN)
    with pytest.raises(SequenceConflict):
        await store.append("t", base, rows(1), replace(OPEN, phase="over"), ANN)
    assert len(await store.load("t")) == 2
    assert await store.repeated("t", ANN) is None
    assert await store.idle(2.0, 9) == ["t"]


async def test_a_table_that_is_not_there_cannot_be_appended_to(store: Store) -> None:
    with pytest.raises(SequenceConflict):
        await store.append("t", 1, rows(1), OPEN)
    assert await store.count() == 0


async def test_entries_that_are_there_are_behind_though_their_table_does_not_know(
    url: str, store: Store
) -> None:
    await store.append("t", 0, rows(2), OPEN)
    script(url, "UPDATE tables SET seq = 1")
    with pytest.raises(SequenceConflict):
        await store.append("t", 1, rows(2, start=7), OPEN)
    assert [row.at for row in await store.load("t")] == [1, 2]


async def test_a_command_is_done_once_and_says_where(store: Store) -> None:
    await store.append("t", 0, rows(2), OPEN, ANN)
    await store.append("t", 2, rows(3), OPEN, CommandKey("ann", "2"))
    for base in (0, 2, 5):
        with pytest.raises(AlreadyDone) as repeated:
            await store.append("t", base, rows(1), OPEN, ANN)
        assert repeated.value.seq == 2
    assert len(await store.load("t")) == 5
    assert await store.repeated("t", CommandKey("ann", "2")) == 5


async def test_a_command_id_with_another_request_is_an_error(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN, CommandKey("ann", "1", b"play"))
    for other in (b"leave", b"say"):
        with pytest.raises(CommandIdReused):
            await store.append("t", 1, rows(1), OPEN, CommandKey("ann", "1", other))
        with pytest.raises(CommandIdReused):
            await store.repeated("t", CommandKey("ann", "1", other))
        with pytest.raises(CommandIdReused):
            await store.note("t", 1, 2, "pass", CommandKey("ann", "1", other), 1)
    assert await store.repeated("t", CommandKey("ann", "1", b"play")) == 1
    assert len(await store.load("t")) == 1


async def test_command_ids_belong_to_a_person_at_a_table(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN, ANN)
    await store.append("t", 1, rows(1), OPEN, CommandKey("bob", "1"))
    await store.append("u", 0, rows(1), OPEN, ANN)
    assert await store.repeated("t", CommandKey("bob", "1")) == 2
    assert await store.repeated("u", CommandKey("bob", "1")) is None


async def test_an_open_table_keeps_its_code_for_itself(store: Store) -> None:
    await store.append("t", 0, rows(1), replace(OPEN, code="ABCD"))
    with pytest.raises(CodeTaken):
        await store.append("u", 0, rows(1), replace(OPEN, code="ABCD"), ANN)
    assert await store.count() == 1
    assert await store.repeated("u", ANN) is None
    assert await store.find_code("ABCD") == "t"


async def test_a_code_is_free_again_when_its_table_gives_it_back(store: Store) -> None:
    await store.append("t", 0, rows(1), replace(OPEN, code="ABCD"))
    await store.append("t", 1, rows(1), OPEN)
    assert await store.find_code("ABCD") is None
    await store.append("u", 0, rows(1), replace(OPEN, code="ABCD"))
    assert await store.find_code("ABCD") == "u"
    with pytest.raises(CodeTaken):
        await store.append("t", 2, rows(1), replace(OPEN, code="ABCD"))
    assert len(await store.load("t")) == 2


async def test_making_a_table_again_is_a_repetition_and_no_taken_code(store: Store) -> None:
    await store.append("t", 0, rows(1), replace(OPEN, code="ABCD"), ANN)
    with pytest.raises(AlreadyDone):
        await store.append("t", 0, rows(1), replace(OPEN, code="ABCD"), ANN)
    with pytest.raises(SequenceConflict):
        await store.append("t", 0, rows(1), replace(OPEN, code="ABCD"))


async def test_text_that_no_database_takes_is_refused_and_nothing_of_it_written(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.append("t", 0, rows(1), OPEN, CommandKey("ann", "\ud800"))
    assert await store.count() == 0
    assert await store.append("t", 0, rows(1), OPEN) == 1


# Notes


async def test_notes_are_kept_by_window_and_seat_and_the_last_one_counts(store: Store) -> None:
    await store.append("t", 0, rows(4), OPEN)
    await store.note("t", 4, 2, "pass", ANN, 4)
    await store.note("t", 4, 1, "block", CommandKey("bob", "1"), 4)
    await store.note("t", 4, 2, "block", CommandKey("ann", "2"), 4)
    assert await store.notes("t", 4) == {1: "block", 2: "block"}
    assert await store.notes("t", 3) == {}
    assert await store.load("t", 4) == []


async def test_a_note_that_is_sent_again_does_not_bring_back_a_changed_mind(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN)
    await store.note("t", 1, 2, "pass", ANN, 1)
    await store.note("t", 1, 2, "block", CommandKey("ann", "2"), 1)
    await store.note("t", 1, 2, "pass", ANN, 1)
    assert await store.notes("t", 1) == {2: "block"}


async def test_a_note_is_too_late_when_the_log_has_grown(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN)
    await store.note("t", 1, 2, "pass", ANN, 1)
    await store.append("t", 1, rows(1), OPEN)
    with pytest.raises(SequenceConflict):
        await store.note("t", 1, 2, "block", CommandKey("ann", "2"), 1)
    assert await store.repeated("t", CommandKey("ann", "2")) is None
    assert await store.note("t", 1, 2, "pass", ANN, 2) == 1  # was in time
    assert await store.notes("t", 1) == {2: "pass"}
    with pytest.raises(SequenceConflict):
        await store.note("nowhere", 1, 2, "pass", ANN, 1)


async def test_a_window_closes_only_with_all_its_notes(store: Store) -> None:
    await store.append("t", 0, rows(4), OPEN)
    await store.note("t", 4, 2, "block", ANN, 4)
    for notes in ({}, {2: "pass"}, {1: "block", 2: "block"}):
        with pytest.raises(SequenceConflict):
            await store.append("t", 4, rows(1), OPEN, closing=WindowNotes(4, notes))
    assert await store.append("t", 4, rows(1), OPEN, closing=WindowNotes(4, {2: "block"})) == 5


# Searching


async def lay(store: Store, **tables: TableSummary) -> None:
    for table, facts in tables.items():
        await store.append(table, 0, rows(1), facts)


async def test_public_tables_are_those_that_wait_for_players_the_newest_first(store: Store) -> None:
    public = replace(OPEN, public=True)
    await lay(
        store,
        second=replace(public, touched=2.0),
        private=OPEN,
        third=replace(public, touched=3.0),
        first=public,
        running=replace(public, phase="playing", touched=9.0),
    )
    tables = ("first", "second", "third", "private", "running")
    await store.attend([Attendee(table, "ann", table.encode(), 5.0) for table in tables], 1.0)
    assert await store.public(10, 1.0) == ["third", "second", "first"]
    assert await store.public(2, 1.0) == ["third", "second"]
    await store.append("first", 1, rows(1), replace(public, touched=10.0))
    assert await store.public(1, 1.0) == ["third"]
    await store.append("third", 1, rows(1), replace(public, phase="playing"))
    assert await store.public(1, 1.0) == ["second"]


async def test_public_tables_have_someone_there_and_no_address_fills_the_list(store: Store) -> None:
    public = replace(OPEN, public=True)
    await lay(store, **{f"t{number}": replace(public, touched=float(number)) for number in range(1, 7)})
    crowd = [Attendee(f"t{number}", "eve", b"one address", 9.0) for number in range(2, 6)]
    await store.attend([*crowd, Attendee("t1", "ann", b"another", 9.0)], 1.0)
    # Nobody is at t6, and t1 comes before the second table of the other address.
    assert await store.public(3, 1.0) == ["t5", "t1", "t4"]
    # Two people at one table are one table.
    await store.attend([Attendee("t5", "ben", b"third", 9.0)], 1.0)
    assert await store.public(9, 1.0) == ["t5", "t1", "t4", "t3", "t2"]
    # A person who has left is no longer there.
    await store.attend([Attendee("t1", "ann", b"another", 1.5)], 1.0)
    assert await store.attendance("t1", 1.5) == {"ann"}
    assert await store.attendance("t1", 2.0) == set()
    assert await store.public(2, 2.0) == ["t5", "t4"]


async def test_due_tables_come_the_earliest_first(store: Store) -> None:
    await lay(
        store,
        later=replace(OPEN, due=7.0),
        soon=replace(OPEN, due=5.0),
        never=OPEN,
        now=replace(OPEN, due=3.0),
    )
    assert await store.due(5.0, 10) == [("now", 3.0), ("soon", 5.0)]
    assert await store.due(9.0, 1) == [("now", 3.0)]
    await store.append("now", 1, rows(1), OPEN)
    assert await store.due(5.0, 10) == [("soon", 5.0)]


async def test_idle_tables_come_the_longest_idle_first_until_they_are_archived(store: Store) -> None:
    await lay(
        store,
        busy=replace(OPEN, touched=9.0),
        quiet=replace(OPEN, touched=5.0, phase="over"),
        asleep=replace(OPEN, touched=2.0),
    )
    assert await store.idle(9.0, 10) == ["asleep", "quiet"]
    assert await store.idle(9.0, 1) == ["asleep"]
    await store.append("asleep", 1, rows(1), replace(OPEN, touched=2.0, phase="archived"))
    assert await store.idle(9.0, 10) == ["quiet"]


# Handing over


ANNS_SEAT = Handover("t", 3, "ann", "")
TAKE = CommandKey("bob", "take", handover=b"\0digest")


async def test_a_code_hands_a_seat_over_with_the_entry_that_says_so(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN)
    await store.keep_code(b"\0digest", "t", 3, "ann", 100.0, 1.0)
    assert await store.find_handover(b"another", 50.0) is None
    assert await store.find_handover(b"\0digest", 100.0) == ANNS_SEAT
    assert await store.append("t", 1, rows(1), OPEN, TAKE) == 2
    assert await store.find_handover(b"\0digest", 50.0) == replace(ANNS_SEAT, taken_by="bob")


async def test_a_used_code_hands_nothing_over_to_another_person(store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN)
    await store.keep_code(b"\0digest", "t", 3, "ann", 100.0, 1.0)
    await store.append("t", 1, rows(1), OPEN, TAKE)
    with pytest.raises(CodeUsed):
        await store.append("t", 2, rows(1), OPEN, CommandKey("eve", "take", handover=b"\0digest"))
    with pytest.raises(CodeUsed):
        await store.append("t", 2, rows(1), OPEN, CommandKey("eve", "take", handover=b"never kept"))
    assert len(await store.load("t")) == 2


async def test_a_code_is_not_used_up_by_an_entry_that_was_not_written(store: Store) -> None:
    await store.append("t", 0, rows(2), OPEN)
    await store.keep_code(b"\0digest", "t", 3, "ann", 100.0, 1.0)
    with pytest.raises(SequenceConflict):
        await store.append("t", 1, rows(1), OPEN, TAKE)
    assert await store.find_handover(b"\0digest", 50.0) == ANNS_SEAT


async def test_a_code_hands_nothing_over_after_it_expired(store: Store) -> None:
    await store.keep_code(b"\0digest", "t", 3, "ann", 100.0, 1.0)
    assert await store.find_handover(b"\0digest", 100.1) is None
    await store.keep_code(b"another", "t", 3, "ann", 200.0, 100.1)
    assert await store.find_handover(b"\0digest", 50.0) is None


async def test_a_code_cannot_be_kept_for_two_seats(store: Store) -> None:
    await store.keep_code(b"\0digest", "t", 3, "ann", 100.0, 1.0)
    with pytest.raises(CodeTaken):
        await store.keep_code(b"\0digest", "u", 1, "ann", 100.0, 1.0)
    assert await store.find_handover(b"\0digest", 1.0) == ANNS_SEAT
