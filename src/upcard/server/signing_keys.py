"""The keys that sign cookies and tokens: the current one, and older ones whose tokens are still accepted.

If no key is set, one is created and saved as `secret.key` in the data folder. When it is rotated, the file is
renamed to `secret-TIME.key`, with the time of the rotation in seconds since the epoch.
"""

from __future__ import annotations

__all__ = ["Keys", "fixed_keys", "key_id", "list_keys", "old_key_files", "rotate_key", "signing_keys"]

import contextlib
import hashlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from upcard.core.entropy import random_bytes
from upcard.server.config import SECRET_BYTES, SettingError, Settings, data_folder

# Returns the keys, the current one first; the same tuple as before if they have not changed.
Keys = Callable[[], tuple[bytes, ...]]

NAME = "secret.key"
NO_KEY = "there is no signing key in {} yet: a server creates it when it starts"
DAY = 24 * 60 * 60


def fixed_keys(*keys: bytes) -> Keys:
    """Return keys that never change, the current one first."""
    return lambda: keys


def signing_keys(
    settings: Settings, folder: Path | None = None, clock: Callable[[], float] = time.time
) -> Keys:
    """Return the keys of a server. Keys in files are read again after a rotation."""
    if settings.secret is not None:
        return fixed_keys(settings.secret.encode(), *(key.encode() for key in settings.old_secrets))
    found = _KeyFiles(folder or data_folder(), settings.session_days, clock)
    found()
    return found


def key_id(key: bytes) -> bytes:
    """Return the id of a key, which is in its tokens. It does not reveal the key."""
    return hashlib.sha256(b"upcard key id " + key).digest()[:4]


class _KeyFiles:
    def __init__(self, folder: Path, session_days: int, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._session_days = session_days
        self._clock = clock
        self._keys: tuple[bytes, ...] = ()
        # Identifies the version of the current key's file.
        self._version = (0, 0)

    def __call__(self) -> tuple[bytes, ...]:
        path = self._folder / NAME
        try:
            if not path.exists():
                _create(path)
            about = path.stat()
            version = (about.st_ino, about.st_mtime_ns)
            if version != self._version:
                old = old_key_files(self._folder, self._session_days, self._clock())
                self._keys = (_read(path), *(_read(file) for file, _ in old))
                self._version = version
        except OSError as error:
            # A running server continues with the keys that it has.
            if not self._keys:
                raise SettingError(f"the signing key in {path} cannot be kept: {error.strerror}") from None
        return self._keys


def old_key_files(folder: Path, session_days: int, now: float) -> list[tuple[Path, float]]:
    """Return the files of older keys that are still accepted, the newest first, and until when each is."""
    found = [(path, at + session_days * DAY) for path, at in _rotated(folder)]
    return sorted((one for one in found if one[1] > now), key=lambda one: -one[1])


def _rotated(folder: Path) -> Iterator[tuple[Path, float]]:
    """Return the files of all older keys, and when they were replaced."""
    for path in folder.glob("secret-*.key"):
        name = re.fullmatch(r"secret-(\d{1,12})\.key", path.name)
        if name is not None:
            yield path, float(name[1])


def list_keys(settings: Settings, folder: Path, now: float) -> list[tuple[bytes, float | None]]:
    """Return the id of each key that is accepted, the current one first, and until when, if that is known."""
    if settings.secret is None and not (folder / NAME).exists():
        raise SettingError(NO_KEY.format(folder))
    keys = signing_keys(settings, folder, lambda: now)()
    files = [] if settings.secret else old_key_files(folder, settings.session_days, now)
    ends = [None, *(until for _, until in files)] if files else [None] * len(keys)
    return [(key_id(key), until) for key, until in zip(keys, ends, strict=True)]


def rotate_key(folder: Path, session_days: int, now: float) -> tuple[Path, float]:
    """Replace the current key by a new one. Return the file of the old one, and until when its tokens are
    accepted. Keys that are no longer accepted are deleted."""
    path = folder / NAME
    try:
        if not path.exists():
            raise SettingError(NO_KEY.format(folder))
        _read(path)
        old = folder / f"secret-{int(now)}.key"
        with _draft(path) as draft:
            if sys.platform != "win32":
                # The server may run as another user.
                os.chown(draft, path.stat().st_uid, path.stat().st_gid)
            # Whatever interrupts this, the old key is never lost.
            old.hardlink_to(path)
            draft.replace(path)
        accepted = {file for file, _ in old_key_files(folder, session_days, now)}
        for file, _ in list(_rotated(folder)):
            if file not in accepted:
                file.unlink()
    except FileExistsError:
        raise SettingError("the key has been rotated within this second") from None
    except OSError as error:
        raise SettingError(f"the signing key in {path} cannot be rotated: {error.strerror}") from None
    return old, int(now) + float(session_days * DAY)


def _create(path: Path) -> None:
    """Create a key. If several processes do so at the same time, the first wins, and no process ever reads
    half a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _draft(path) as draft, contextlib.suppress(FileExistsError):
        path.hardlink_to(draft)


def _read(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) < SECRET_BYTES:
        raise SettingError(f"the signing key in {path} is damaged: delete it, and all players sit down again")
    return key


@contextlib.contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """Write a new key to a file that only its owner can read. It is removed afterwards."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(random_bytes("signing key", SECRET_BYTES).hex().encode())
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
