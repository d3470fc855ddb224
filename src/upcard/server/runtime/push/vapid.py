"""The signature that tells a push service which server sends a message (RFC 8292)."""

from __future__ import annotations

__all__ = ["Signer"]

from typing import TYPE_CHECKING

import msgspec

from upcard.server.base64url import encode
from upcard.server.runtime.push.encryption import private_key, public_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

# How long a signature is valid, in seconds. Push services accept up to a day.
VALID = 12 * 60 * 60

_to_json = msgspec.json.Encoder().encode


class Signer:
    """The key of this server. Browsers bind their subscriptions to it."""

    def __init__(self, seed: bytes) -> None:
        self._key: EllipticCurvePrivateKey = private_key(seed)
        # The public key, as browsers want it.
        self.public = encode(public_bytes(self._key))

    def header(self, service: str, site: str, now: float) -> str:
        """Return the header `Authorization` for a push service (its origin). `site` is our own address, for
        the operators of the service; only https counts."""
        claims: dict[str, str | int] = {"aud": service, "exp": int(now) + VALID}
        if site.startswith("https://"):
            claims["sub"] = site
        signed = encode(_to_json({"typ": "JWT", "alg": "ES256"})) + "." + encode(_to_json(claims))
        return f"vapid t={signed}.{encode(self._sign(signed.encode()))}, k={self.public}"

    def _sign(self, text: bytes) -> bytes:
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        first, second = decode_dss_signature(self._key.sign(text, ec.ECDSA(SHA256())))
        return first.to_bytes(32) + second.to_bytes(32)
