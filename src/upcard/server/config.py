"""The settings of a server, from flags, the environment or a file, and the source of each of them."""

from __future__ import annotations

__all__ = ["SECRET_BYTES", "SettingError", "Settings", "data_folder"]

import contextlib
import difflib
import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
import platformdirs
from msgspec import Meta

from upcard.core.errors import UpcardError

DEFAULT = "default"
PREFIX = "UPCARD_"
# Environment variables that are not settings of the server.
OTHERS = {"UPCARD_CACHE", "UPCARD_CHROMIUM", "UPCARD_NEEDS_BROWSER"}

SECRET_BYTES = 32

LISTS = ("old_secrets", "origins", "hosts", "proxies", "push_services")

# In the list of proxies, this stands for clients on a local socket, which have no address.
UNIX = "unix"


class SettingError(UpcardError):
    """A setting is unknown or out of range; the message names its source."""


def data_folder() -> Path:
    """Return the default folder of the tables and the signing key."""
    return Path(platformdirs.user_data_dir("upcard", False))


def _tables() -> str:
    return f"sqlite:///{data_folder()}/tables.db"


def _bot_threads() -> int:
    """Return one thread per core, and at least two, since one client never gets all of them."""
    return max(2, os.cpu_count() or 1)


def _whole(least: int, most: int) -> Meta:
    return Meta(ge=least, le=most, description=f"a whole number from {least} to {most}")


def _number(least: float, most: float) -> Meta:
    return Meta(ge=least, le=most, description=f"a number from {least} to {most}")


Names = tuple[str, ...]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. `sources` contains the source of every setting that was given."""

    host: Annotated[str, Meta(min_length=1, description="an address or a name to listen on")] = "127.0.0.1"
    # 0 means any free port.
    port: Annotated[int, _whole(0, 65_535)] = 8000
    database: Annotated[str, Meta(description="sqlite:///... or postgresql://...")] = msgspec.field(
        default_factory=_tables
    )
    # The bus over which several nodes that serve the same tables notify each other.
    bus: Annotated[str | None, Meta(description="redis://... or nothing")] = None
    # The key that signs cookies and tokens; all nodes need the same one. None: created once and saved.
    secret: Annotated[
        str | None, Meta(description=f"at least {SECRET_BYTES} characters that cannot be guessed")
    ] = None
    # Former values of `secret`, whose cookies and tokens are still accepted.
    old_secrets: Annotated[Names, Meta(description=f"keys with at least {SECRET_BYTES} characters each")] = ()
    # Cookies and tokens are valid for this long after they were last renewed. Browsers keep no cookie longer
    # than 400 days.
    session_days: Annotated[int, _whole(1, 400)] = 90
    # Other sites whose pages may use this server, such as https://cards.example
    origins: Annotated[Names, Meta(description="origins such as https://cards.example")] = ()
    # Names of this server when there is no trusted proxy, such as cards.example
    hosts: Annotated[Names, Meta(description="names such as cards.example")] = ()
    # Proxies that are trusted to name the client (X-Forwarded-For and similar headers).
    proxies: Annotated[Names, Meta(description="addresses or networks, or 'unix' for a local socket")] = ()
    # Per person, and per address.
    commands_per_second: Annotated[float, _number(0.01, 1_000_000)] = 20.0
    burst: Annotated[float, _number(1, 1_000_000)] = 60.0
    # Per address. Guesses are attempts at short codes.
    tables_per_minute: Annotated[float, _number(0.01, 1_000_000)] = 60.0
    guesses_per_minute: Annotated[float, _number(0.01, 1_000_000)] = 20.0
    max_streams_per_person: Annotated[int, _whole(1, 1_000_000)] = 16
    max_streams: Annotated[int, _whole(1, 1_000_000)] = 20_000
    max_body: Annotated[int, _whole(1024, 16_777_216)] = 16_384
    bot_threads: Annotated[int, _whole(1, 1024)] = msgspec.field(default_factory=_bot_threads)
    # How long a table is kept when nobody comes back to it.
    keep_days: Annotated[int, _whole(1, 36_500)] = 14
    # Days without a visit after which an archived table is deleted; 0: never.
    delete_after_days: Annotated[int, _whole(0, 36_500)] = 0
    # Push messages to players whose turn it is; loopback: tests may receive them on this machine.
    push: Annotated[Literal["on", "off", "loopback"], Meta(description="on, off or loopback")] = "on"
    # The push services of browsers, to which messages may be sent; these names, and names under them.
    push_services: Annotated[Names, Meta(description="names such as push.example")] = (
        "fcm.googleapis.com",
        "push.services.mozilla.com",
        "push.apple.com",
        "notify.windows.com",
    )
    log: Annotated[Literal["json", "text"], Meta(description="json or text")] = "json"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="debug, info, warning or error")
    ] = "info"
    # local: only for clients on this machine.
    metrics: Annotated[Literal["local", "on", "off"], Meta(description="local, on or off")] = "local"
    sources: dict[str, str] = {}

    @classmethod
    def of(
        cls, flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None
    ) -> Settings:
        """Gather the settings. Flags override the environment, and the environment overrides the file.

        A flag that is None and an empty variable count as not given.
        """
        values: dict[str, Any] = {}
        sources: dict[str, str] = {}
        for name, value, source in [*_in_file(file), *_in_environment(environment), *_in_flags(flags)]:
            values[name] = _checked(name, value, source)
            sources[name] = source
        return cls(**values, sources=sources)

    def describe(self) -> str:
        """List all settings with their sources, one per line, without anything secret."""
        lines = [(f"{name} = {_shown(name, getattr(self, name))}", name) for name in TYPES]
        width = max(len(line) for line, _ in lines)
        return "\n".join(f"{line:{width}}  # {self.sources.get(name, DEFAULT)}" for line, name in lines)

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={_shown(name, getattr(self, name))}' for name in TYPES)})"


TYPES: dict[str, Any] = {
    name: kind for name, kind in get_type_hints(Settings, include_extras=True).items() if name != "sources"
}


# Sources of settings

Given = Iterator[tuple[str, Any, str]]


def _in_file(file: Path | None) -> Given:
    if file is None:
        return
    try:
        settings = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingError(f"the settings in {file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SettingError(f"the settings in {file} are not TOML: {error}") from None
    for key, value in settings.items():
        yield _known(key, key, f"in {file}"), value, f"in {file}"


def _in_environment(environment: Mapping[str, str]) -> Given:
    for variable, text in sorted(environment.items()):
        if variable.startswith(PREFIX) and variable not in OTHERS and text:
            source = f"from {variable}"
            name = _known(variable.removeprefix(PREFIX).lower(), variable, "in the environment")
            yield name, _read(name, text), source


def _in_flags(flags: Mapping[str, Any]) -> Given:
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is not None:
            known = _known(name, flag, "among the flags")
            yield known, _read(name, value) if isinstance(value, str) else value, f"from {flag}"


def _known(name: str, spelled: str, where: str) -> str:
    """Return the name of a setting if there is one."""
    if name in TYPES:
        return name
    close = difflib.get_close_matches(name, TYPES, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise SettingError(f"there is no setting {spelled} ({where}){hint}")


def _read(name: str, text: str) -> Any:
    """Parse a text without types, in which names are separated by commas."""
    if name in LISTS:
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return msgspec.convert(text, TYPES[name], strict=False)
    except msgspec.ValidationError:
        return text


# Valid values


def _checked(name: str, value: Any, source: str) -> Any:
    with contextlib.suppress(msgspec.ValidationError):
        read = msgspec.convert(value, TYPES[name])
        if read is None or name not in CHECKS or CHECKS[name](read):
            return read
    wanted = TYPES[name].__metadata__[0].description
    raise SettingError(f"{name} should be {wanted}, not {_shown(name, value)} ({source})")


def _is_database(url: str) -> bool:
    return re.fullmatch(r"(sqlite:///|postgres(ql)?://).+", url) is not None


def _is_bus(url: str) -> bool:
    return re.fullmatch(r"(rediss?|unix)://.+", url) is not None


def _is_secret(text: str) -> bool:
    return len(text) >= SECRET_BYTES


def _are_secrets(texts: Names) -> bool:
    return all(map(_is_secret, texts))


def _are_origins(origins: Names) -> bool:
    return all(re.fullmatch(r"https?://[^/?#@\s]+", origin) for origin in origins)


def _are_hosts(hosts: Names) -> bool:
    return all(re.fullmatch(r"[\w-]+(\.[\w-]+)*", host) for host in hosts)


def _are_proxies(proxies: Names) -> bool:
    try:
        return all(proxy == UNIX or ipaddress.ip_network(proxy) for proxy in proxies)
    except ValueError:
        return False


CHECKS: dict[str, Callable[[Any], bool]] = {
    "database": _is_database,
    "bus": _is_bus,
    "secret": _is_secret,
    "old_secrets": _are_secrets,
    "hosts": _are_hosts,
    "origins": _are_origins,
    "proxies": _are_proxies,
    "push_services": _are_hosts,
}


def _shown(name: str, value: Any) -> str:
    """Write a value as in a settings file, without its secrets."""
    if value is None:
        return "(none)"
    if name == "secret" or (name == "old_secrets" and value):
        return "(hidden)"
    text = json.dumps(value, default=str, ensure_ascii=False)
    if name in ("database", "bus"):
        text = re.sub(r"(password=)[^&\"]*", r"\1(hidden)", text)
        text = re.sub(r"(://[^:/?#]*):.*@", r"\1:(hidden)@", text)
    return text
