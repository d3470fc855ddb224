"""A cache of compiled code that is damaged, foreign, full or read-only only costs time.

A new `CompiledFunction` of the same function knows nothing of earlier ones, as if another process had
started.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest
from filelock import FileLock, Timeout
from numba.core.registry import cpu_target

from upcard.core.cache import SavedCode, _hash_of_package, cache_root, folder_of_game
from upcard.core.compiler import CompiledFunction, announce
from upcard.games import find

ANNOUNCED = "Compiling the rules for this machine"
NUMBERS = np.arange(3)


def double(numbers: Any) -> int:
    return int(numbers[-1] * 2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "compiled"
    folder.mkdir()
    monkeypatch.setattr(CompiledFunction, "folder", folder)
    return folder


@pytest.fixture
def compiles(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Start again, check the result, and return whether anything was compiled."""

    def start(function: Callable[..., Any] = double, *arguments: Any) -> bool:
        monkeypatch.setattr("upcard.core.compiler._announced", set())
        assert CompiledFunction(function)(*(arguments or (NUMBERS,))) == 4
        return ANNOUNCED in capsys.readouterr().err

    return start


def files_in(folder: Path) -> list[Path]:
    """Return the files that are read: the seal and those of Numba."""
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


# Games of other packages


def test_a_change_in_any_module_of_a_foreign_game_leads_to_another_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "foreign_game"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "deck.py").write_text("HIGHEST = 10")
    (package / "why.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("foreign_game")

    def found() -> Path | None:
        _hash_of_package.cache_clear()
        return folder_of_game(folder, "foreign_game.inner")

    before = found()
    assert before is not None
    assert before.is_relative_to(folder)
    (package / "why.py").write_text("# speaks of rules, and has none")
    assert found() == before
    (package / "deck.py").write_text("HIGHEST = 11")
    assert found() != before
    assert folder_of_game(folder, "upcard.games.lines") == folder


def test_code_with_rules_of_a_foreign_game_is_kept_in_the_folder_of_that_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = dataclasses.replace(find("stockpile"), package="tests.core")
    monkeypatch.setattr("upcard.core.compiler._game_among", lambda _signature: game)
    assert CompiledFunction(double)(NUMBERS) == 4
    (inside,) = (folder / "tests").iterdir()
    assert list(inside.glob("double-*.sha256"))
    assert not list(folder.glob("double-*"))


# Damage


def test_code_is_compiled_once(compiles: Callable[..., bool]) -> None:
    assert compiles()
    assert not compiles()


def test_code_is_kept_for_each_signature(compiles: Callable[..., bool]) -> None:
    others = NUMBERS.astype(np.float32)
    assert compiles(double, NUMBERS)
    assert compiles(double, others)
    assert not compiles(double, NUMBERS)
    assert not compiles(double, others)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "flipped bit": lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
    "removed": Path.unlink,
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc", ".sha256"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_code_is_compiled_again_once(
    folder: Path, compiles: Callable[..., bool], suffix: str, damage: Callable[[Path], object]
) -> None:
    compiles()
    (path,) = [path for path in files_in(folder) if path.suffix == suffix]
    damage(path)
    assert compiles()
    assert not compiles()


def test_code_whose_writer_was_killed_is_compiled_again(
    compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(SavedCode, "seal", lambda _self: None)
        compiles()
    assert compiles()
    assert not compiles()


def test_a_folder_that_was_removed_is_made_again(folder: Path, compiles: Callable[..., bool]) -> None:
    compiles()
    shutil.rmtree(folder)
    assert compiles()
    assert not compiles()


def test_code_that_numba_cannot_load_is_compiled_again(
    folder: Path, compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiles()
    (index,) = folder.rglob("*.nbi")
    index.write_bytes(b"another format")
    with monkeypatch.context() as patch:
        patch.setattr(SavedCode, "is_intact", lambda _self: True)
        assert compiles()
    assert not compiles()


# Other processes and environments


GUEST = "def double(numbers):\n    return numbers[-1] * 2\n"


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Callable[..., Any]]:
    """Import the module `guest` from a folder, as another environment would, and return its function."""

    def load(source: Path) -> Callable[..., Any]:
        spec = importlib.util.spec_from_file_location("guest", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "guest", module)
        spec.loader.exec_module(module)
        function: Callable[..., Any] = module.double
        return function

    return load


def test_two_environments_share_a_folder_and_no_code(
    tmp_path: Path, compiles: Callable[..., bool], guest: Callable[[Path], Callable[..., Any]]
) -> None:
    sources = [tmp_path / name / "guest.py" for name in ("one", "two")]
    for source in sources:
        source.parent.mkdir()
        source.write_text(GUEST)
    assert [compiles(guest(source)) for source in sources] == [True, True]
    assert [compiles(guest(source)) for source in sources] == [False, False]


def test_another_source_is_compiled_again(
    tmp_path: Path, compiles: Callable[..., bool], guest: Callable[[Path], Callable[..., Any]]
) -> None:
    source = tmp_path / "guest.py"
    source.write_text(GUEST)
    compiles(guest(source))
    source.write_text(GUEST.replace("* 2", "+ 2  # the same for this argument"))
    assert compiles(guest(source))
    assert not compiles(guest(source))


def test_only_one_process_compiles_a_function_at_a_time(
    folder: Path, compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = []

    def check_lock(message: str) -> None:
        (lock,) = folder.glob("*.lock")
        with pytest.raises(Timeout):
            FileLock(lock).acquire(timeout=0)
        refused.append(lock)
        announce(message)

    monkeypatch.setattr("upcard.core.compiler.announce", check_lock)
    assert compiles()
    with FileLock(refused[0]).acquire(timeout=0):
        pass


def test_a_process_that_waited_for_another_loads_what_it_compiled(
    compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = SavedCode.locked

    @contextmanager
    def wait(saved: SavedCode) -> Iterator[None]:
        monkeypatch.setattr(SavedCode, "locked", locked)
        assert compiles()
        with locked(saved):
            yield

    monkeypatch.setattr(SavedCode, "locked", wait)
    assert not compiles()


# Disks


def test_without_a_folder_code_is_compiled_and_not_kept(
    compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CompiledFunction, "folder", None)
    assert compiles()
    assert compiles()


def test_code_that_cannot_be_written_is_used_all_the_same(
    tmp_path: Path, compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not a file mode, which root can ignore.
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(CompiledFunction, "folder", tmp_path / "file" / "compiled")
    assert compiles()


@pytest.mark.parametrize("room", [0, 100, 3_000])
def test_a_full_disk_costs_time_only(compiles: Callable[..., bool], room: int) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        assert compiles()
        assert compiles()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert compiles()
    assert not compiles()


# Other users


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the temporary folder the only available one."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "file"))
    return folder


def test_a_temporary_folder_is_kept_for_the_next_start_and_closed_to_others(temporary: Path) -> None:
    root = cache_root.__wrapped__()
    assert root == temporary / f"upcard-{os.getuid()}"
    assert root.stat().st_mode & 0o777 == 0o700
    assert cache_root.__wrapped__() == root


def open_to_all(folder: Path, _elsewhere: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def symbolic_link(folder: Path, elsewhere: Path) -> None:
    folder.symlink_to(elsewhere)


@pytest.mark.parametrize("plant", [open_to_all, symbolic_link])
def test_code_is_never_loaded_from_a_temporary_folder_that_others_can_write(
    tmp_path: Path, temporary: Path, plant: Callable[[Path, Path], None]
) -> None:
    planted = temporary / f"upcard-{os.getuid()}"
    plant(planted, tmp_path)
    root = cache_root.__wrapped__()
    assert root not in (planted, None)
    assert root.parent == temporary
    assert root.stat().st_mode & 0o777 == 0o700


def test_code_is_never_loaded_from_a_temporary_folder_of_another_user(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = os.getuid() + 1
    planted = temporary / f"upcard-{stranger}"
    planted.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    assert cache_root.__wrapped__() != planted


def test_the_cache_of_another_user_is_not_used_unless_chosen(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "theirs"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_: str(theirs))
    monkeypatch.delenv("UPCARD_CACHE")
    assert cache_root.__wrapped__() == theirs
    monkeypatch.setattr(os, "getuid", lambda: theirs.stat().st_uid + 1)
    elsewhere = cache_root.__wrapped__()
    assert elsewhere is not None
    assert elsewhere.parent == temporary
    monkeypatch.setenv("UPCARD_CACHE", str(theirs))
    assert cache_root.__wrapped__() == theirs


# Ctrl-C


def test_an_interrupt_in_a_callback_of_llvm_is_not_lost(
    compiles: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    # LLVM calls this when it has produced machine code; an exception raised there is printed and dropped.
    engine = cpu_target.target_context.codegen()._engine._ee
    keep = engine._object_cache_notify

    def interrupt(module: object, code: object) -> None:
        signal.raise_signal(signal.SIGINT)
        keep(module, code)

    with monkeypatch.context() as patch:
        patch.setattr(engine, "_object_cache_notify", interrupt)
        with pytest.raises(KeyboardInterrupt):
            compiles()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    compiles()
    assert not compiles()
