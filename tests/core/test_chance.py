"""Chance: a cryptographic stream, fair draws, fair shuffles."""

from __future__ import annotations

import struct
from typing import Annotated

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.chance import (
    MASK,
    Chance,
    Script,
    chance_of,
    key_of,
    next_block,
    next_nonce,
    randint,
    rekey,
    set_key,
    shuffle,
    word,
)
from upcard.core.errors import RecordError
from upcard.core.piles import Pile

ROUNDS_OF_CHACHA20 = 10


def surprise(counts: list[int]) -> float:
    """Return the deviation of counts from equality, by chi-square: about 0 on average, and above 4 by chance
    once in 30,000 times (Wilson and Hilferty's normal approximation)."""
    expected = sum(counts) / len(counts)
    freedom = len(counts) - 1
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


class Cards(Pile):
    cards: Annotated[list[int], 120]


def keyed(seed: bytes = b"test") -> Chance:
    return chance_of(seed)


def pile_of(count: int) -> Cards:
    pile = Cards()
    pile.count = count
    pile.cards[:count] = range(count)
    return pile


def keystream(chance: Chance, double_rounds: int) -> bytes:
    next_block(chance, double_rounds)
    return struct.pack("<16I", *(number & MASK for number in chance.words))


def test_the_block_with_a_zero_key_is_the_published_one_of_chacha8() -> None:
    chance = Chance()
    set_key(chance, [0] * 8)
    block = keystream(chance, 4).hex()
    assert block.startswith("3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e")


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_with_twenty_rounds_it_is_the_chacha20_of_others(key: bytes, block: int, nonce: int) -> None:
    chance = Chance()
    set_key(chance, list(struct.unpack("<8i", key)))
    chance.block, chance.nonce = block, nonce
    counter_and_nonce = struct.pack("<4I", block, 0, nonce, 0)
    theirs = Cipher(ChaCha20(key, counter_and_nonce), mode=None).encryptor().update(bytes(64))
    assert keystream(chance, ROUNDS_OF_CHACHA20) == theirs


@given(st.binary(), st.integers(1, 2**31 - 1))
def test_a_draw_is_below_its_bound(seed: bytes, below: int) -> None:
    assert 0 <= randint(keyed(seed), below) < below


def test_the_words_that_would_favour_some_numbers_are_thrown_away() -> None:
    chance = keyed()
    word(chance)
    chance.used = 0
    below = 3 * 2**29
    # The lowest words are unfair for this bound: (2 ** 32) % below is not 0.
    chance.words[0] = 0
    expected = chance.words[1] & MASK
    assert randint(chance, below) == (expected * below) >> 32
    assert chance.used == 2


@given(st.binary(), st.integers(0, 120))
def test_a_shuffled_pile_has_the_same_cards(seed: bytes, count: int) -> None:
    pile = pile_of(count)
    shuffle(keyed(seed), pile)
    assert sorted(pile.cards[:count]) == list(range(count))


def test_labels_are_streams_of_their_own() -> None:
    one, other = keyed(), keyed()
    randint(one, 100)
    for chance in (one, other):
        next_nonce(chance)
    assert [randint(one, 1000) for _ in range(20)] == [randint(other, 1000) for _ in range(20)]
    next_nonce(one)
    assert [randint(one, 1000) for _ in range(20)] != [randint(other, 1000) for _ in range(20)]


def test_every_seed_has_a_stream_of_its_own() -> None:
    assert [randint(keyed(b"a"), 1000) for _ in range(5)] != [randint(keyed(b"b"), 1000) for _ in range(5)]


def test_an_imagined_table_gets_a_key_that_nobody_has_seen() -> None:
    source, target = keyed(), Chance()
    rekey(target, source)
    assert target.key != source.key
    assert len(set(target.key)) == 8


def test_the_chi_square_test_would_notice_a_bad_shuffle() -> None:
    assert surprise([100] * 20) < -4
    assert surprise([130] + [100] * 19) < 4
    assert surprise([200] + [100] * 19) > 4


def test_draws_are_even_by_a_chi_square_test() -> None:
    chance, counts = keyed(), [0] * 96
    for _ in range(40_000):
        counts[randint(chance, 96)] += 1
    assert surprise(counts) < 4


def test_shuffles_are_even_by_a_chi_square_test() -> None:
    """Every card is equally likely at every place."""
    chance = keyed()
    size, rounds = 12, 4_000
    seen = [[0] * size for _ in range(size)]
    for _ in range(rounds):
        pile = pile_of(size)
        shuffle(chance, pile)
        for place in range(size):
            seen[place][pile.cards[place]] += 1
    pooled = [count for row in seen for count in row]
    assert surprise(pooled) < 4
    assert max(surprise(row) for row in seen) < 4


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    chance = keyed()
    orders: dict[tuple[int, ...], int] = {}
    for _ in range(12_000):
        pile = pile_of(4)
        shuffle(chance, pile)
        order = tuple(pile.cards[:4])
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 24
    assert surprise(list(orders.values())) < 4


def test_a_script_deals_the_cards_that_a_record_says() -> None:
    script, pile = Script(), pile_of(5)
    script.wanted.extend([3, 1, 4, 0, 2])
    shuffle(script, pile)
    assert pile.cards[:5] == [2, 0, 4, 1, 3]


def test_a_script_refuses_cards_that_are_not_there() -> None:
    script, pile = Script(), pile_of(3)
    script.wanted.extend([7, 0, 1])
    with pytest.raises(RecordError, match="not there"):
        shuffle(script, pile)


def test_a_script_that_is_too_short_is_missing_a_shuffle() -> None:
    with pytest.raises(RecordError, match="missing a shuffle"):
        shuffle(Script(), pile_of(3))


def test_a_script_with_a_key_accepts_only_what_follows_from_it() -> None:
    pile = pile_of(30)
    shuffle(keyed(), pile)
    order = list(reversed(pile.cards[:30]))
    script, again = Script(key_of(b"test")), pile_of(30)
    script.wanted.extend(order)
    shuffle(script, again)
    assert again.cards == pile.cards
    other = Script(key_of(b"test"))
    other.wanted.extend([*order[1:], order[0]])
    with pytest.raises(RecordError, match="does not follow from the seed"):
        shuffle(other, pile_of(30))
