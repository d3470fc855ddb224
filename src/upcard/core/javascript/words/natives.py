"""The functions of Python's library that words use, and our own functions that are written by hand in
JavaScript."""

from __future__ import annotations

__all__ = ["BUILTINS", "EXCEPTIONS", "LEFT_OUT", "METHODS", "NATIVE"]

import copy
import hashlib
import json
import operator
import sys
import time
from collections import deque
from dataclasses import replace
from typing import Any, cast

import msgspec

# Functions of ours that have a twin in a module of `runtime`, by their full names.
NATIVE = {
    **dict.fromkeys(
        (
            "upcard.bots.search._borrowed",
            "upcard.bots.search._grow_in_threads",
            "upcard.bots.search.can_search",
            "upcard.bots.search.is_ready",
            "upcard.bots.search.prepare",
            "upcard.core.memory.store",
        ),
        "tree",
    ),
    **dict.fromkeys(("upcard.games.find", "upcard.games.names"), "verbs"),
    **dict.fromkeys(
        (
            "upcard.match.format.GameRecord",
            "upcard.match.format.MoveEntry",
            "upcard.match.format.ShuffleEntry",
        ),
        "records",
    ),
    "upcard.core.struct.assign": "structs",
    "upcard.core.struct.copy": "texts",
    "upcard.core.chance.key_of": "hashes",
    "upcard.core.entropy.random_bytes": "entropy",
    "upcard.core.position.read_position": "positions",
    "upcard.core.text.printable": "texts",
    "upcard.core.text.quoted": "texts",
    "upcard.i18n.message.sentence": "sentences",
}

# Methods that only Python needs, by their full names, such as those for printing objects.
LEFT_OUT = {
    *("__repr__", "__str__", "__hash__", "__eq__", "_copy_into"),
    "upcard.bots.bot.Budget.read",
    "upcard.core.game.Game.__post_init__",
    "upcard.match.match.Match.position",
}

# Python functions with a counterpart in runtime/python.js, with the order of their parameters.
BUILTINS: dict[Any, tuple[str, tuple[str, ...]]] = {
    len: ("len", ()),
    range: ("range", ()),
    sorted: ("sorted", ("iterable", "key", "reverse")),
    sum: ("sum", ("iterable", "start")),
    any: ("any", ()),
    all: ("all", ()),
    enumerate: ("enumerate", ("iterable", "start")),
    reversed: ("reversed", ()),
    zip: ("zip", ()),
    list: ("list", ()),
    tuple: ("list", ()),
    dict: ("dict", ()),
    iter: ("iter", ()),
    next: ("next", ()),
    int: ("int", ()),
    bool: ("truth", ()),
    str: ("str", ()),
    repr: ("repr", ()),
    isinstance: ("isinstance", ()),
    replace: ("replace", ()),
    cast: ("second", ()),
    abs: ("abs", ()),
    bytes: ("bytes", ()),
    bytes.fromhex: ("fromhex", ()),
    copy.copy: ("copied", ()),
    deque: ("list", ()),
    hashlib.sha256: ("sha256", ()),
    json.dumps: ("dumps", ()),
    map: ("map", ()),
    msgspec.structs.asdict: ("asdict", ()),
    operator.index: ("index", ()),
    time.perf_counter: ("perf_counter", ()),
    type: ("type", ()),
    sys.intern: ("str", ()),
}

EXCEPTIONS: dict[type[BaseException], str] = {
    Exception: "Error",
    BaseException: "Error",
    ValueError: "Error",
    LookupError: "Error",
    ImportError: "Error",
    TypeError: "TypeError",
    AssertionError: "Error",
    IndexError: "RangeError",
    KeyError: "RangeError",
    RecursionError: "RangeError",
}


# Methods of texts, lists and dictionaries that runtime/python.js has, and what they return.
METHODS: dict[str, Any] = {
    **dict.fromkeys(("lower", "upper", "strip", "join", "removeprefix", "removesuffix", "hex"), str),
    **dict.fromkeys(("encode", "digest", "to_bytes"), bytes),
    **dict.fromkeys(("update",), type(None)),
    **dict.fromkeys(("startswith", "endswith", "isdigit", "isascii"), bool),
    **dict.fromkeys(("count", "index"), int),
    **dict.fromkeys(("split", "partition"), list[str]),
    **dict.fromkeys(("append", "extend", "insert", "remove", "add"), type(None)),
    **dict.fromkeys(("get", "items", "values", "keys", "copy", "pop", "popleft"), Any),
}
