"""The documentation of running a server is true: all settings, metrics, files, commands and tests."""

from __future__ import annotations

import ast
import functools
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, begun, play_on, running
from tests.server.ops.test_logs import House, Notebook
from upcard.cli import app
from upcard.games import GAMES
from upcard.server.config import TYPES, Settings
from upcard.server.metrics import Metrics
from upcard.server.ops.logs import Log

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
DOCKERFILE = ROOT / "Dockerfile"
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

# Defaults that differ between machines are described in words.
BY_MACHINE = {
    "database": "`tables.db` in the data folder",
    "bot_threads": "as many as there are cores, at least 2",
    "bus": "none",
    "secret": "made once, kept as `secret.key` in the data folder",
}


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the table that begins with a heading."""
    lines = iter(page.splitlines())
    for line in lines:
        if line.startswith(f"| {heading} |"):
            break
    next(lines)  # the line of dashes
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return found


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of code."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


# Settings


def test_the_table_of_settings_has_all_of_them_as_they_are() -> None:
    said = {name.strip("`"): (default, allowed) for name, default, allowed, _ in rows(HOSTING, "setting")}
    settings = Settings()
    assert list(said) == list(TYPES)
    for name, kind in TYPES.items():
        shown = BY_MACHINE.get(name) or f"`{json.dumps(getattr(settings, name))}`"
        assert said[name] == (shown, kind.__metadata__[0].description), name


def test_the_example_file_has_every_setting_with_its_default(tmp_path: Path) -> None:
    text = (DEPLOY / "upcard.toml").read_text("utf-8")
    all_of_it = tmp_path / "all.toml"
    all_of_it.write_text(re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE))
    settings = Settings.of({}, {}, all_of_it)
    assert set(settings.sources) == set(TYPES)
    for name in set(TYPES) - set(BY_MACHINE):
        assert getattr(settings, name) == getattr(Settings(), name), name
    assert Settings.of({}, {}, DEPLOY / "upcard.toml") == Settings()


def test_every_setting_of_the_example_file_is_explained() -> None:
    lines = (DEPLOY / "upcard.toml").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        if re.match(r"# \w+ = ", line):
            before = [other for other in lines[:number] if not re.match(r"# \w+ = ", other)]
            assert before[-1].startswith("# "), line


@pytest.mark.parametrize(
    "file", ["Dockerfile", "deploy/upcard.service", "deploy/cluster/compose.yaml", "docs/hosting.md"]
)
def test_every_variable_that_is_named_is_a_setting_that_can_be_so(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    filled = re.sub(r"\$\{\w+:\?[^}]*\}|\.\.\.", "x" * 32, text)
    given = dict(re.findall(r"\b(UPCARD_[A-Z_]+)(?:=|: )\"?([^\s\"`)]+)", filled))
    named = set(re.findall(r"\bUPCARD_[A-Z_]*[A-Z]", text)) - {"UPCARD_CACHE"}
    assert {name.removeprefix("UPCARD_").lower() for name in named} <= set(TYPES)
    Settings.of({}, given)
    assert named


def test_the_line_that_matters_behind_a_proxy_is_accepted(tmp_path: Path) -> None:
    (line,) = blocks(HOSTING, "toml")
    file = tmp_path / "upcard.toml"
    file.write_text(line)
    assert Settings.of({}, {}, file).proxies == ("127.0.0.1",)


# Metrics and logs


def test_the_table_of_metrics_has_all_of_them() -> None:
    told = dict(re.findall(r"^# TYPE (\w+) (\w+)$", Metrics().render().decode(), re.MULTILINE))
    told = {name: kind for name, kind in told.items() if not name.endswith("_created")}
    said = {name.strip("`"): kind for name, kind, _ in rows(HOSTING, "metric")}
    assert {name for name in said if name.startswith("upcard_")} == {
        name for name in told if name.startswith("upcard_")
    }
    if sys.platform == "linux":
        assert said == told


def test_the_dashboard_shows_metrics_that_exist_and_all_of_ours() -> None:
    told = set(re.findall(r"^# TYPE (\w+) ", Metrics().render().decode(), re.MULTILINE))
    panels = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))["panels"]
    queries = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    shown = {name.removesuffix("_bucket") for name in re.findall(r"\b(?:upcard|process)_\w+", queries)}
    missing = shown - told
    assert {name for name in missing if sys.platform == "linux" or not name.startswith("process_")} == set()
    assert {
        name for name in told - shown if name.startswith("upcard_") and not name.endswith("_created")
    } == set()


def test_the_line_of_the_log_that_is_shown_looks_like_one() -> None:
    (shown,) = blocks(HOSTING, "json")
    settings, file = Settings(secret="x" * 40), Notebook()
    with Log(settings, file) as log:
        House(log, settings).ask("GET", "/tables/1")
    line = next(line for line in file.lines if line["event"] == "request")
    example = json.loads(shown)
    assert list(example) == list(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", example["time"])
    assert len(example["request"]) == len(line["request"])


# Names


@pytest.mark.parametrize("page", ["docs/hosting.md", "docs/security.md"])
def test_every_file_and_heading_that_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 5
    headings = {
        "#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }
    for link in links:
        assert link in headings or ((ROOT / page).parent / link).exists(), link


def test_every_command_that_is_shown_exists() -> None:
    shown = set(re.findall(r"\bupcard ([a-z]+)\b", " ".join(re.findall(r"`(upcard [^`]+)`", HOSTING))))
    for block in blocks(HOSTING, "sh"):
        shown |= set(re.findall(r"^upcard ([a-z]+)", block, re.MULTILINE))
    assert "serve" in shown
    assert shown <= set(app)


def test_every_file_that_is_installed_exists() -> None:
    text = "\n".join(blocks(HOSTING, "sh"))
    installed = re.findall(r"\b((?:deploy|requirements)/[\w./-]+)", text)
    assert len(installed) >= 3
    for name in installed:
        assert (ROOT / name).is_file(), name


# The unit


def unit() -> dict[str, list[str]]:
    """Return the settings of the systemd unit."""
    said: dict[str, list[str]] = {}
    for line in (DEPLOY / "upcard.service").read_text("utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            said.setdefault(name, []).append(value)
    return said


def test_the_unit_starts_what_the_page_installs() -> None:
    (start,) = unit()["ExecStart"]
    program, *arguments = shlex.split(start)
    installs = "\n".join(blocks(HOSTING, "sh"))
    assert Path(program).name in PROJECT["project"]["scripts"]
    folder = Path(program).parents[1]
    assert f"python3 -m venv {folder}" in installs
    assert f"{folder}/bin/pip install --no-deps --no-build-isolation ." in installs
    assert arguments[0] in set(app)
    file = Path(arguments[arguments.index("--config") + 1])
    assert f"deploy/{file.name} {file}" in installs
    assert (DEPLOY / file.name).is_file()
    assert f"deploy/upcard.service /etc/systemd/system/{'upcard.service'}" in installs


def test_the_unit_keeps_tables_where_the_page_says_and_systemd_allows() -> None:
    said = unit()
    environment = dict(part.split("=") for part in said["Environment"][0].split())
    # %S is /var/lib, %C is /var/cache; the data folder is upcard in it.
    assert environment == {"XDG_DATA_HOME": "%S", "UPCARD_CACHE": "%C/upcard"}
    assert said["StateDirectory"] == said["CacheDirectory"] == ["upcard"]
    assert "/var/lib/upcard/tables.db" in HOSTING


def test_the_unit_gives_away_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    said = unit()
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectHome"):
        assert said[name] == ["yes"], name
    assert said["ProtectSystem"] == ["strict"]
    assert said["CapabilityBoundingSet"] == [""]
    # Bots are compiled into memory that is first written and then executed.
    assert "MemoryDenyWriteExecute" not in said
    if shutil.which("systemd-analyze"):
        checked = tmp_path / "upcard.service"
        program = shlex.split(said["ExecStart"][0])[0]
        text = (DEPLOY / "upcard.service").read_text("utf-8")
        checked.write_text(text.replace(program, sys.executable))
        verdict = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", checked], capture_output=True, text=True, check=False
        )
        assert (verdict.returncode, verdict.stderr) == (0, "")


# Proxies


@pytest.mark.parametrize(
    ("file", "needed"),
    [
        (
            "nginx.conf",
            [
                "proxy_buffering off;",
                "proxy_http_version 1.1;",
                "proxy_set_header Host $http_host;",
                "proxy_set_header X-Forwarded-For $remote_addr;",
                "proxy_set_header X-Forwarded-Proto $scheme;",
                "listen 443 ssl http2;",
            ],
        ),
        ("Caddyfile", ["reverse_proxy 127.0.0.1:8000 {", "flush_interval -1"]),
        ("cluster/Caddyfile", ["reverse_proxy node1:8000 node2:8000 {", "flush_interval -1"]),
    ],
)
def test_a_proxy_passes_events_on_as_they_come_and_hides_the_metrics(file: str, needed: list[str]) -> None:
    text = (DEPLOY / file).read_text("utf-8")
    lines = [line.strip() for line in text.splitlines()]
    for line in needed:
        assert line in lines
    assert re.search(r"/metrics( \{\s*return)? 404", text)
    assert text.count("{") == text.count("}")
    assert "8000" in text
    assert Settings().port == 8000


def test_the_nodes_of_the_compose_file_are_those_that_its_proxy_knows() -> None:
    text = (DEPLOY / "cluster" / "compose.yaml").read_text("utf-8")
    nodes = re.findall(r"^  (\w+): \*node$", text, re.MULTILINE)
    assert f"reverse_proxy {' '.join(f'{node}:8000' for node in nodes)} {{" in (
        DEPLOY / "cluster" / "Caddyfile"
    ).read_text("utf-8")
    (context,) = re.findall(r"build: (\S+)", text)
    assert (DEPLOY / "cluster" / context / "Dockerfile").resolve() == DOCKERFILE
    (mounted,) = re.findall(r"- \./(\S+):\S+:ro", text)
    assert (DEPLOY / "cluster" / mounted).is_file()
    (subnet,) = re.findall(r"subnet: ([\d./]+)", text)
    assert f"UPCARD_PROXIES: {subnet}\n" in text


def test_every_container_is_limited_and_made_of_an_exact_version() -> None:
    text = (DEPLOY / "cluster" / "compose.yaml").read_text("utf-8")
    node, services = text.partition("\nservices:\n")[::2]
    described = re.split(r"^  (\w+):", services.partition("\nnetworks:")[0], flags=re.MULTILINE)
    containers = {"node": node} | dict(zip(described[1::2], described[2::2], strict=True))
    own = {name for name, about in containers.items() if "*node" not in about}
    assert own == {"node", "proxy", "database", "bus"}
    for name in own:
        assert re.search(r"^ +mem_limit: \d+[mg]$", containers[name], re.MULTILINE), name
        assert re.search(r"^ +pids_limit: \d+$", containers[name], re.MULTILINE), name
    images = re.findall(r"^ +image: (\S+)$", services, re.MULTILINE)
    (python,) = re.findall(r"^ARG PYTHON=(\S+)$", DOCKERFILE.read_text("utf-8"), re.MULTILINE)
    for version in [image.partition(":")[2] for image in images] + [python]:
        assert re.fullmatch(r"\d+\.\d+(\.\d+)?", version), version
    assert len(images) == 3
    assert python.count(".") == 2, "a minor version of Python is a different image every month"


def test_the_unit_limits_the_server_and_notices_when_it_stands_still() -> None:
    said = unit()
    for name in ("MemoryHigh", "MemoryMax", "TasksMax", "WatchdogSec", "LimitNOFILE"):
        (value,) = said[name]
        assert re.fullmatch(r"[1-9]\d*[MG]?", value), name
    # Only a process that may notify systemd is watched.
    assert (said["Type"], said["NotifyAccess"]) == (["notify"], ["main"])


# Installing


def test_the_image_has_nothing_that_only_tests_need() -> None:
    """It has what play.txt lists, the drivers of many nodes, and what push messages need."""
    (chosen,) = re.findall(r"\\\(([\w\\|-]+)\\\)==", DOCKERFILE.read_text("utf-8"))
    extra = PROJECT["project"]["optional-dependencies"]
    named = {re.split(r"[\[>=]", package)[0] for package in [*extra["cluster"], *extra["push"]]}
    # psycopg's binary part, what redis needs on older versions of Python, and what cryptography needs.
    needed = {"psycopg-binary", "async-timeout", "cffi", "pycparser"}
    assert set(chosen.split("\\|")) == named | needed
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "play.txt").read_text(), re.MULTILINE))
    for_tests = {re.split(r"[\[>=;]", package)[0].strip() for package in extra["dev"]}
    assert len(for_tests) > 10
    assert not locked & {name for name in for_tests if not name.startswith("upcard")}


def test_nothing_is_installed_that_is_not_locked_with_its_hashes() -> None:
    for name in ("play.txt", "test.txt"):
        text = (ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", " ")
        packages = [line for line in text.splitlines() if line.strip()]
        assert len(packages) > 10
        for package in packages:
            assert re.fullmatch(r"[\w.-]+==\S+( ; .*?)?(\s+--hash=sha256:[0-9a-f]{64})+", package), package
    text = DOCKERFILE.read_text("utf-8") + "\n".join(blocks(HOSTING, "sh"))
    installing = re.findall(r"pip install (.*)", text)
    assert len(installing) == 4
    for arguments in installing:
        assert "--require-hashes -r" in arguments or "--no-deps --no-build-isolation ." in arguments


Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """Return the steps of the Dockerfile."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    steps = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    return [(word, " ".join(rest.split())) for word, rest in steps]


def is_ignored(path: Path) -> bool:
    """Whether .dockerignore excludes a file; the last matching line decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        if not pattern or pattern.startswith("#"):
            continue
        parts = [path, *path.parents][:-1]
        if any(
            fnmatch(str(part), pattern) or fnmatch(f"./{part}", pattern.replace("**", "*")) for part in parts
        ):
            ignored = not line.startswith("!")
    return ignored


class Container:
    """A folder that stands for the root of a container, in which the steps of the Dockerfile are run."""

    def __init__(self, root: Path, packages: Path | None) -> None:
        self.root = root
        # The folder of packages that need not be installed again.
        self.packages = packages
        self.folder = root
        self.user: int | None = None
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(root / "home")}
        self.said: dict[str, str] = {}
        # All folders of the container that the steps name.
        named = re.findall(r"(?<![\w.$}])(/(?:opt|data|build)\b)", DOCKERFILE.read_text("utf-8"))
        self._places = re.compile(rf"(?<![\w.$}}])(?={'|'.join(sorted(set(named)))})")

    def here(self, text: str) -> str:
        """Return a text in which folders of the container are folders of this machine."""
        return self._places.sub(str(self.root), text)

    def build(self) -> None:
        for word, rest in instructions():
            getattr(self, f"do_{word.lower()}", self.keep)(rest)
            self.said[word] = rest

    def keep(self, rest: str) -> None:
        """Ignore an instruction that only matters to Docker."""

    def do_workdir(self, rest: str) -> None:
        self.folder = Path(self.here(rest))
        self.folder.mkdir(parents=True)

    def do_env(self, rest: str) -> None:
        for name, value in (part.split("=", 1) for part in rest.split()):
            self.environment[name] = self.here(value).replace("$PATH", self.environment["PATH"])

    def do_copy(self, rest: str) -> None:
        *sources, target = rest.split()
        if sources[0].startswith("--from="):
            assert Path(self.here(sources[1])).is_dir()
            assert sources[1] == target
            return
        for source in sources:
            assert (ROOT / source).exists(), source
            files = [ROOT / source] if (ROOT / source).is_file() else sorted((ROOT / source).rglob("*"))
            copied = 0
            for file in files:
                name = file.relative_to(ROOT)
                if file.is_file() and not is_ignored(name):
                    to = self.folder / target / (name if target == "./" else name.relative_to(source))
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, to)
                    copied += 1
            assert copied, f"{source} is kept out by .dockerignore"

    def do_run(self, rest: str) -> None:
        command = self.here(rest)
        if os.getuid() != 0:
            command = re.sub(r" -[og] \d+", "", command)
        makes_venv = "-m venv" in rest
        if makes_venv and self.packages is not None:
            command += " --without-pip"
        self.run(["/bin/sh", "-c", command])
        if makes_venv and self.packages is not None:
            self.share(self.packages)

    def share(self, packages: Path) -> None:
        """Make packages available that need not be installed again, including pip."""
        (site,) = self.root.glob("opt/upcard/lib/python*/site-packages")
        (site / "known.pth").write_text(f"{packages}\n")
        pip = self.root / "opt" / "upcard" / "bin" / "pip"
        pip.write_text('#!/bin/sh\nexec python -m pip "$@"\n')
        pip.chmod(0o755)

    def run(self, command: list[str], **environment: str) -> str:
        """Run a command in the container, and return its output."""
        quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | quiet | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout

    def do_user(self, rest: str) -> None:
        self.user = int(rest.partition(":")[0])
        assert self.user != 0

    def command(self, said: str) -> list[str]:
        """Return a command in the form of a list, as one for this machine."""
        return [self.here(word) for word in json.loads(said[said.index("[") :])]


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self._log = log
        assert process.stdout is not None
        self.url = process.stdout.readline().split()[3]

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")


@contextmanager
def serving(folder: Path, command: list[str], environment: dict[str, str], **how: Any) -> Iterator[Server]:
    """Start a server by a command, and stop it afterwards."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
    log = folder / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            env=clean | {"XDG_DATA_HOME": str(folder / "data")} | environment,
            **how,
        )
    try:
        yield Server(process, log)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def can_be(user: int, python: str) -> bool:
    """Whether this process can start Python as another user."""
    if os.getuid() != 0:
        return False
    try:
        return subprocess.run([python, "-c", ""], user=user, group=user, check=False).returncode == 0
    except OSError:
        return False


def check_dockerfile(packages: Path | None) -> None:
    """Run the steps of the Dockerfile, start its server, and check its health."""
    with tempfile.TemporaryDirectory(prefix="upcard-container-") as name:
        root = Path(name)
        root.chmod(0o755)
        container = Container(root, packages)
        container.build()
        python, program = (container.here(f"/opt/upcard/bin/{name}") for name in ("python", "upcard"))
        place = container.run([python, "-c", "import upcard; print(upcard.__file__)"])
        assert place.startswith(container.here("/opt/upcard/lib")), "this is another Upcard"
        assert "L1.1" in container.run([program, "rules", "lines", "--clauses"]), "the rulebooks are missing"
        entry = container.command(container.said["ENTRYPOINT"])
        assert shutil.which(entry[0], path=container.environment["PATH"]) == program
        health = container.command(container.said["HEALTHCHECK"])
        assert container.user is not None
        how: dict[str, Any] = {}
        if can_be(container.user, python):
            how = {"user": container.user, "group": container.user, "extra_groups": []}
        with serving(root, [program, *entry[1:], "--port", "0"], container.environment, **how) as server:
            port = server.url.rpartition(":")[2]
            container.run(health, UPCARD_PORT=port)
            table, guests = begun(f"http://127.0.0.1:{port}", "lines")
            assert guests[0].look(table)["phase"] == "playing"
        with pytest.raises(AssertionError, match="urlopen error"):
            container.run(health, UPCARD_PORT=port)
        kept = {file.name for file in (root / "data" / "upcard").iterdir()}
        assert kept >= {"tables.db", "secret.key"}


def test_the_steps_of_the_dockerfile_lead_to_a_server() -> None:
    """All steps, except for installing packages that are already here."""
    check_dockerfile(Path(sysconfig.get_path("purelib")))


@pytest.mark.soak
def test_the_steps_of_the_dockerfile_lead_to_a_server_from_nothing() -> None:
    check_dockerfile(None)


def test_stray_files_do_not_get_into_the_container() -> None:
    for name in (
        ".git/config",
        ".venv/bin/python",
        "tables.db",
        "secret.key",
        "tests/conftest.py",
        "docs/bots.md",
    ):
        assert is_ignored(Path(name)), name
    assert is_ignored(Path("src/upcard/__pycache__/x.pyc"))
    for name in ("src/upcard/py.typed", "pyproject.toml", "README.md", "requirements/play.txt"):
        assert not is_ignored(Path(name)), name


# Backups


def test_a_backup_is_made_while_people_play_and_can_be_restored(tmp_path: Path) -> None:
    live, kept, again = (tmp_path / name for name in ("live", "backups", "again"))
    for folder in (live, kept, again):
        folder.mkdir()
    (live / "secret.key").write_text("k" * 64)
    making, restoring = blocks(HOSTING, "sh")[-3:-1]

    def run(commands: str, data: Path) -> None:
        commands = re.sub(r"^systemctl .*\n", "", commands, flags=re.MULTILINE)
        commands = commands.replace("/opt/upcard/bin/python", sys.executable)
        commands = commands.replace("/var/lib/upcard", str(data)).replace("/var/backups", str(kept))
        subprocess.run(["/bin/sh", "-ec", commands], check=True)

    key = "k" * 64
    with running(live, secret=key) as server:
        tables = [begun(server.url, game) for game in GAMES]
        for table, guests in tables:
            play_on(table, guests, random.Random(1), most=5)
        before = [guest.look(table) for table, guests in tables for guest in guests]
        run(making, live)
        for table, guests in tables:
            guests[0].do(table, "say", phrase="hello")
    assert {file.name for file in kept.iterdir()} == {"upcard-tables.db", "upcard-secret.key"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in kept.iterdir())
    (again / "tables.db").write_bytes(b"something old")
    (again / "tables.db-wal").write_bytes(b"something old")
    run(restoring, again)
    assert {file.name for file in again.iterdir()} == {"tables.db", "secret.key"}
    with running(again, secret=(again / "secret.key").read_text()) as server:
        restored = [
            Guest(server.url, guest.token).look(table) for table, guests in tables for guest in guests
        ]
    assert restored == before


# Threats


@functools.cache
def named_in(file: Path) -> set[str]:
    """Return the names of the tests in a file."""
    return {
        node.name
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_every_test_that_the_page_on_security_names_exists() -> None:
    named = re.findall(r"\[`(test_\w+)`\]\(\.\./((?:tests|src)/[\w/]+\.py)\)", SECURITY)
    assert len(named) > 60
    assert {name for name, _ in named} == set(re.findall(r"\b(test_\w+)\b(?!\.py)", SECURITY))
    for name, file in named:
        assert name in named_in(ROOT / file), f"{file} has no {name}"


def test_every_threat_has_a_test_and_every_test_a_threat() -> None:
    threats = re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", SECURITY, re.MULTILINE)
    threats = [(threat, tests) for threat, _, tests in threats if tests != "shown by"]
    assert len(threats) > 45
    for threat, tests in threats:
        assert "test_" in tests, threat
    for name in named_in(ROOT / "tests" / "server" / "http" / "test_security.py"):
        assert f"[`{name}`](../tests/server/http/test_security.py)" in SECURITY, name
