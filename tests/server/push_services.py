"""A push service for tests, on this machine: it checks who sends a message, and keeps what browsers read."""

from __future__ import annotations

__all__ = ["Browser", "PushService", "Received", "decoded", "decrypted", "encoded", "verified"]

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from upcard.core.entropy import random_bytes


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Received:
    """A message as it arrived: its headers, and the claims of its sender."""

    headers: dict[str, str]
    body: bytes
    claims: dict[str, Any]


class Browser:
    """A browser that subscribes. Only it can decrypt its messages."""

    def __init__(self, service: PushService, name: str) -> None:
        seed = int.from_bytes(random_bytes("browser", 31)) + 1
        self.key = ec.derive_private_key(seed, ec.SECP256R1())
        self.auth = random_bytes("auth of a browser", 16)
        self.service = service
        self.path = f"/push/{name}"
        self.endpoint = service.url + self.path

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, language: str = "en") -> dict[str, Any]:
        """Return the subscription as a page sends it."""
        keys = {"p256dh": encoded(self.public), "auth": encoded(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys, "language": language}

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What the browser can read of what has arrived."""
        received = self.service.received.get(self.path, [])
        return [json.loads(decrypted(one.body, self.key, self.auth)) for one in received]


class PushService:
    """A service that answers with a status, and refuses messages whose signature is wrong."""

    def __init__(self) -> None:
        self.received: dict[str, list[Received]] = {}
        self.status = 201
        # Errors of the sender, which no test expects.
        self.refused: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        assert self.refused == []

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                try:
                    claims = verified(headers["authorization"])
                except Exception as error:
                    service.refused.append(repr(error))
                    raise
                service.received.setdefault(self.path, []).append(Received(headers, body, claims))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name
                """Log nothing."""

        return Handler


def verified(authorization: str) -> dict[str, Any]:
    """Return the claims of a sender, if the signature in the header is that of the key in the header."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    numbers = decoded(signature)
    assert len(numbers) == 64
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    both = encode_dss_signature(int.from_bytes(numbers[:32]), int.from_bytes(numbers[32:]))
    key.verify(both, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: dict[str, Any] = json.loads(decoded(claims))
    return found | {"key": parts["k"]}


def decrypted(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypt a message, by the steps of RFC 8291 with HMAC alone."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= size
    own = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    secret = _hmac(_hmac(auth, shared), b"WebPush: info\0" + own + sender + b"\1")
    mixed = _hmac(salt, secret)
    content_key = _hmac(mixed, b"Content-Encoding: aes128gcm\0\1")[:16]
    nonce = _hmac(mixed, b"Content-Encoding: nonce\0\1")[:12]
    padded = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
    assert padded.endswith(b"\2")
    return padded[:-1]


def _hmac(key: bytes, text: bytes) -> bytes:
    mixed = hmac.HMAC(key, hashes.SHA256())
    mixed.update(text)
    return mixed.finalize()
