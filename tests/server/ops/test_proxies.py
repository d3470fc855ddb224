"""The shipped files for nginx and Caddy, run by the real programs. Only addresses and certificates are
replaced."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.soak_processes import Serving
from tests.waiting import wait_until

DEPLOY = Path(__file__).parents[3] / "deploy"

pytestmark = pytest.mark.soak


def free_port() -> int:
    """Return an unused port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for cards.example."""
    key, made = folder / "privkey.pem", folder / "fullchain.pem"
    subject = ["-subj", "/CN=cards.example", "-addext", "subjectAltName=DNS:cards.example"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*command, "-keyout", key, "-out", made], check=True, capture_output=True)
    return key, made


def nginx(folder: Path, nodes: list[str], port: int) -> list[str | Path]:
    """Return the command that runs nginx with the shipped file for these nodes."""
    key, made = certificate(folder)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    servers = "".join(f"server {node} max_fails=0;\n" for node in nodes)
    assert "server 127.0.0.1:8000 max_fails=0;" in site
    site = site.replace("server 127.0.0.1:8000 max_fails=0;", servers).replace("ip_hash;", "")
    site = re.sub(r"listen \[::\]:\d+[^;]*;", "", site).replace("listen 443", f"listen 127.0.0.1:{port}")
    site = site.replace("listen 80", f"listen 127.0.0.1:{free_port()}")
    site = site.replace("/etc/letsencrypt/live/cards.example/fullchain.pem", str(made))
    site = site.replace("/etc/letsencrypt/live/cards.example/privkey.pem", str(key))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    as_root = "user root; " if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(
        f"{as_root}daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off;\n{places}{site}\n}}\n"
    )
    return ["nginx", "-c", config, "-p", folder]


def caddy(folder: Path, nodes: list[str], port: int) -> list[str | Path]:
    """Return the command that runs Caddy with the shipped file for these nodes."""
    key, made = certificate(folder)
    site = (DEPLOY / "Caddyfile").read_text("utf-8").replace("127.0.0.1:8000", " ".join(nodes))
    site = site.replace("cards.example {", f"cards.example:{port} {{\n\ttls {made} {key}", 1)
    config = folder / "Caddyfile"
    config.write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site)
    return ["caddy", "run", "--config", config, "--adapter", "caddyfile"]


Proxy = Callable[[Path, list[str], int], list[str | Path]]
each_proxy = pytest.mark.parametrize("proxy", [nginx, caddy])


@contextmanager
def behind(proxy: Proxy, folder: Path, nodes: int = 2) -> Iterator[httpx.Client]:
    """Run nodes of one database behind a proxy, and return a client of the site."""
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"{proxy.__name__} is not installed")
    with ExitStack() as stack:
        serving = []
        for number in range(nodes):
            place = folder / f"node{number}"
            place.mkdir()
            serving.append(stack.enter_context(Serving(place, proxies="127.0.0.1")))
        port = free_port()
        command = proxy(folder, [node.url.removeprefix("http://") for node in serving], port)
        with (folder / "proxy.log").open("wb") as log:
            process = stack.enter_context(subprocess.Popen(command, stdout=log, stderr=log))
        stack.callback(process.terminate)
        wait_until(lambda: process.poll() is not None or is_listening(port))
        assert process.poll() is None, (folder / "proxy.log").read_text()
        trusted = ssl.create_default_context(cafile=folder / "fullchain.pem")
        transport = ToLoopback(port, trusted)
        client = httpx.Client(transport=transport, base_url=f"https://cards.example:{port}")
        yield stack.enter_context(client)


class ToLoopback(httpx.HTTPTransport):
    """Connects to this machine, whatever the name of the site."""

    def __init__(self, port: int, trusted: ssl.SSLContext) -> None:
        super().__init__(verify=trusted)
        self._port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["sni_hostname"] = "cards.example"
        request.url = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(request)


def is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@each_proxy
def test_pages_commands_and_events_pass(proxy: Proxy, tmp_path: Path) -> None:
    with behind(proxy, tmp_path, nodes=1) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["strict-transport-security"]
        assert client.get("/metrics").status_code == 404
        origin = {"Origin": str(client.base_url).rstrip("/")}
        joined = client.post("/api/session", json={}, headers=origin)
        assert joined.status_code == 200, joined.text
        assert "Secure" in joined.headers["set-cookie"]
        table = client.post("/api/tables", json={"id": "a", "game": "lines"}, headers=origin).json()["table"]
        with client.stream("GET", f"/api/tables/{table}/events") as events:
            first = next(line for line in events.iter_lines() if line.startswith("event:"))
        assert first == "event: state"


@each_proxy
def test_a_request_that_is_refused_takes_no_node_out_of_service(proxy: Proxy, tmp_path: Path) -> None:
    with behind(proxy, tmp_path) as client:
        for _ in range(5):
            refused = client.post("/api/session", content=b"x" * 400_000)
            assert refused.status_code in (413, 415), refused.text
            assert {client.get("/api/games").status_code for _ in range(10)} == {200}
