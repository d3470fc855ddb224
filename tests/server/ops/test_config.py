"""The settings of a server: their precedence, what is refused, and what is never shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from upcard.server.config import SettingError, Settings

KEY = "a key of the length that is needed to sign"


def test_flags_count_more_than_the_environment_which_counts_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "upcard.toml"
    file.write_text('port = 1\nburst = 1\nkeep_days = 1\nproxies = ["10.0.0.0/8"]\n')
    settings = Settings.of({"port": 3}, {"UPCARD_PORT": "2", "UPCARD_BURST": "2"}, file)
    assert (settings.port, settings.burst, settings.keep_days, settings.max_body) == (3, 2.0, 1, 16_384)
    assert settings.proxies == ("10.0.0.0/8",)
    assert settings.sources == {
        "port": "from --port",
        "burst": "from UPCARD_BURST",
        "keep_days": f"in {file}",
        "proxies": f"in {file}",
    }


def test_missing_settings_have_their_defaults() -> None:
    assert Settings.of({"port": None}, {"UPCARD_HOST": "", "UPCARD_CACHE": "elsewhere", "PATH": "x"}) == (
        Settings()
    )
    assert Settings().database.startswith("sqlite:///")
    assert Settings().bot_threads >= 1


def test_the_environment_has_commas_between_names() -> None:
    settings = Settings.of(
        {}, {"UPCARD_ORIGINS": "https://a.example, http://b:8000,", "UPCARD_PROXIES": "::1,unix,10.1.0.0/16"}
    )
    assert settings.origins == ("https://a.example", "http://b:8000")
    assert settings.proxies == ("::1", "unix", "10.1.0.0/16")


REFUSED: list[tuple[dict[str, Any], dict[str, str], str]] = [
    (
        {"port": 70_000},
        {},
        "port should be a whole number from 0 to 65535, not 70000 (from --port)",
    ),
    ({"port": "eighty"}, {}, 'port should be a whole number from 0 to 65535, not "eighty" (from --port)'),
    ({"port": True}, {}, "port should be a whole number from 0 to 65535, not true (from --port)"),
    (
        {},
        {"UPCARD_PORT": "many"},
        'port should be a whole number from 0 to 65535, not "many" (from UPCARD_PORT)',
    ),
    (
        {},
        {"UPCARD_BURST": "nan"},
        'burst should be a number from 1 to 1000000, not "nan" (from UPCARD_BURST)',
    ),
    ({"burst": float("nan")}, {}, "burst should be a number from 1 to 1000000, not NaN (from --burst)"),
    ({}, {"UPCARD_LOG": "xml"}, 'log should be json or text, not "xml" (from UPCARD_LOG)'),
    ({"log_level": 3}, {}, "log_level should be debug, info, warning or error, not 3 (from --log-level)"),
    ({"metrics": "no"}, {}, 'metrics should be local, on or off, not "no" (from --metrics)'),
    (
        {"origins": ["https://a.example/page"]},
        {},
        (
            "origins should be origins such as https://cards.example, "
            'not ["https://a.example/page"] (from --origins)'
        ),
    ),
    (
        {},
        {"UPCARD_PROXIES": "somewhere"},
        (
            "proxies should be addresses or networks, or 'unix' for a local socket, "
            'not ["somewhere"] (from UPCARD_PROXIES)'
        ),
    ),
    ({"bus": "http://x"}, {}, 'bus should be redis://... or nothing, not "http://x" (from --bus)'),
    (
        {"database": "mysql://ann:pass@word@host/db"},
        {},
        (
            "database should be sqlite:///... or postgresql://..., "
            'not "mysql://ann:(hidden)@host/db" (from --database)'
        ),
    ),
    (
        {},
        {"UPCARD_SECRET": "too short"},
        "secret should be at least 32 characters that cannot be guessed, not (hidden) (from UPCARD_SECRET)",
    ),
    (
        {},
        {"UPCARD_OLD_SECRETS": f"{KEY},too short"},
        "old_secrets should be keys with at least 32 characters each, not (hidden) (from UPCARD_OLD_SECRETS)",
    ),
    (
        {},
        {"UPCARD_PROT": "1"},
        "there is no setting UPCARD_PROT (in the environment); did you mean port?",
    ),
    ({"max_bodies": 1}, {}, "there is no setting --max-bodies (among the flags); did you mean max_body?"),
    ({"sources": {}}, {}, "there is no setting --sources (among the flags)"),
]


def test_an_invalid_setting_is_refused_in_one_sentence(subtests: pytest.Subtests) -> None:
    for flags, environment, sentence in REFUSED:
        with subtests.test(sentence), pytest.raises(SettingError) as error:
            Settings.of(flags, environment)
        assert str(error.value) == sentence


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "upcard.toml"
    with pytest.raises(SettingError, match="cannot be read: No such file") as error:
        Settings.of({}, {}, file)
    assert str(file) in str(error.value)
    for text, wrong in (
        ("port = ", "are not TOML"),
        ("prot = 1", "there is no setting prot"),
        ("port = 1.5", "1.5"),
    ):
        file.write_text(text)
        with pytest.raises(SettingError, match=wrong) as error:
            Settings.of({}, {}, file)
        assert str(file) in str(error.value)


def test_all_settings_are_listed_with_their_sources_and_nothing_secret() -> None:
    settings = Settings.of(
        {"port": 0},
        {
            "UPCARD_SECRET": KEY,
            "UPCARD_OLD_SECRETS": f"{KEY}!,{KEY}?",
            "UPCARD_DATABASE": "postgresql://ann:pass@word@host/db?password=pass@word&x=1",
            "UPCARD_BUS": "redis://:pass@word@host/0",
        },
    )
    lines = {line.split(" ", 1)[0]: line for line in settings.describe().splitlines()}
    assert set(lines) == set(Settings.__struct_fields__) - {"sources"}
    assert lines["port"].endswith("# from --port")
    assert lines["host"].endswith("# default")
    assert lines["bus"].startswith('bus = "redis://:(hidden)@host/0"')
    for told in (settings.describe(), repr(settings)):
        assert KEY not in told
        assert "pass@word" not in told
        assert "ann" in told
        assert "host/db" in told
