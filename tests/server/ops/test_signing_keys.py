"""The keys that sign cookies and tokens: where they are kept, and how they are rotated."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.running import Run, running
from tests.server import guests
from tests.server.guests import Guest, begun
from upcard.server.config import SettingError, Settings
from upcard.server.http.identity import Authenticator
from upcard.server.signing_keys import DAY, fixed_keys, rotate_key, signing_keys

KEY = "a key of the length that is needed to sign"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


def key_in(folder: Path) -> bytes:
    """Return the current key in a folder."""
    return signing_keys(Settings(), folder)()[0]


def test_the_signing_keys_are_those_that_were_set() -> None:
    assert signing_keys(Settings(secret=KEY))() == (KEY.encode(),)
    both = Settings(secret=KEY, old_secrets=("old" + KEY,))
    assert signing_keys(both)() == (KEY.encode(), b"old" + KEY.encode())


def test_a_signing_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    key = key_in(folder)
    assert len(key) >= 32
    assert key_in(folder) == key
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert key_in(tmp_path / "another") != key


def test_servers_that_start_together_share_one_signing_key(tmp_path: Path) -> None:
    for trial in range(20):
        folder = tmp_path / str(trial)
        with ThreadPoolExecutor(4) as threads:
            keys = set(threads.map(key_in, [folder] * 4))
        assert len(keys) == 1
        assert len(list(folder.iterdir())) == 1


def test_a_signing_key_that_is_damaged_or_out_of_reach_is_not_replaced(tmp_path: Path) -> None:
    key_in(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"")
    with pytest.raises(SettingError, match="is damaged: delete it"):
        key_in(tmp_path)
    with pytest.raises(SettingError, match="is damaged: delete it"):
        rotate_key(tmp_path, 90, 5.0)
    with pytest.raises(SettingError, match="cannot be kept: "):
        key_in(file)


def test_a_running_server_follows_a_rotation_and_knows_everyone_as_before(tmp_path: Path) -> None:
    now = 1000.0
    people = Authenticator(signing_keys(Settings(), tmp_path, lambda: now), 90, lambda: now)
    another = Authenticator(signing_keys(Settings(), tmp_path, lambda: now), 90, lambda: now)
    ann = people.new()
    before = people.token(ann)
    old = key_in(tmp_path)
    file, until = rotate_key(tmp_path, 90, now)
    assert file.read_bytes() == old
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert until == now + 90 * DAY
    after = people.token(ann)
    # Another process sees the new key when it first meets a token of it.
    for server in (people, another):
        assert server.read(before) == server.read(after) == ann
    assert Authenticator(fixed_keys(old)).read(after) is None


def test_a_key_is_accepted_until_its_last_token_has_run_out(tmp_path: Path) -> None:
    first = key_in(tmp_path)
    rotate_key(tmp_path, 90, 0.0)
    second = key_in(tmp_path)
    (tmp_path / "secret-of-someone-else.key").write_text("not ours")
    at = 90.0 * DAY
    assert signing_keys(Settings(), tmp_path, lambda: at - 1)()[1:] == (first,)
    assert signing_keys(Settings(), tmp_path, lambda: at)()[1:] == ()
    rotate_key(tmp_path, 90, at)
    assert signing_keys(Settings(), tmp_path, lambda: at)()[1:] == (second,)
    names = {"secret.key", f"secret-{90 * DAY}.key", "secret-of-someone-else.key"}
    assert {file.name for file in tmp_path.iterdir()} == names


def test_a_key_is_not_rotated_twice_in_a_second_and_none_is_lost(tmp_path: Path) -> None:
    key_in(tmp_path)
    rotate_key(tmp_path, 90, 5.0)
    current = key_in(tmp_path)
    with pytest.raises(SettingError, match="within this second"):
        rotate_key(tmp_path, 90, 5.9)
    assert key_in(tmp_path) == current
    assert len(list(tmp_path.iterdir())) == 2


def test_keys_are_rotated_by_a_command_and_none_is_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *names: str(tmp_path))
    monkeypatch.delenv("UPCARD_SECRET", raising=False)
    for command in ("list", "rotate"):
        assert run("keys", command).mistake.startswith("there is no signing key in ")
    old = key_in(tmp_path)
    (before,) = json.loads(run("keys", "list", "--json").out)
    rotated = run("keys", "rotate")
    assert before["key"] in rotated.out
    current, former = json.loads(run("keys", "list", "--json").out)
    assert former["key"] == before["key"] != current["key"]
    assert (current["signs"], former["signs"]) == (True, False)
    assert former["accepted_until"] > 0
    assert old.decode() not in rotated.out + run("keys", "list").out
    monkeypatch.setenv("UPCARD_SECRET", KEY)
    assert "'old_secrets'" in run("keys", "rotate").mistake


def test_players_keep_their_seats_when_the_secret_is_replaced(tmp_path: Path) -> None:
    with guests.running(tmp_path) as server:
        table, (ann, _) = begun(server.url, "lines")
    with guests.running(tmp_path, secret="y" * 40, old_secrets=["x" * 40]) as server:
        again = Guest(server.url, ann.token)
        answer = again.http.get(f"/api/tables/{table}")
        assert answer.json()["you"] == 1
        renewed = answer.headers["Upcard-Token"]
    with guests.running(tmp_path, secret="y" * 40) as server:
        assert Guest(server.url, renewed).look(table)["you"] == 1
        assert Guest(server.url, ann.token).http.get(f"/api/tables/{table}").status_code == 401
