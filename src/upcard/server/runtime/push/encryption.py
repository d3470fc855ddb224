"""The encryption of push messages (RFC 8291): only the browser that subscribed can read them."""

from __future__ import annotations

__all__ = [
    "AUTH_BYTES",
    "PUBLIC_BYTES",
    "SALT_BYTES",
    "SEED_BYTES",
    "encrypt",
    "is_public_key",
    "private_key",
    "public_bytes",
]

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

PUBLIC_BYTES: Final = 65
AUTH_BYTES: Final = 16
SALT_BYTES: Final = 16
# Random bytes for a private key: many more than the key has, so that no key is noticeably more likely.
SEED_BYTES: Final = 48
# The number of points of the curve P-256.
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

# All messages are padded to this length, so that it says nothing about the game or the language.
LENGTH: Final = 1024
# Marks the end of the last record, before the padding (RFC 8188).
DELIMITER: Final = b"\x02"
TAG_BYTES: Final = 16


def private_key(seed: bytes) -> EllipticCurvePrivateKey:
    """Return the private key that follows from random bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, ec.SECP256R1())


def public_bytes(key: EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one, as an uncompressed point."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_public_key(point: bytes) -> bool:
    """Whether these bytes are an uncompressed point of the curve."""
    from cryptography.hazmat.primitives.asymmetric import ec

    if len(point) != PUBLIC_BYTES:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return True


def encrypt(
    text: bytes,
    receiver: bytes,
    auth: bytes,
    sender: EllipticCurvePrivateKey,
    salt: bytes,
    length: int = LENGTH,
) -> bytes:
    """Return a message for the receiver with this public key and secret, as the body of a request. `sender`
    and `salt` are for this message only."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    own = public_bytes(sender)
    shared = sender.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    )
    secret = _derived(auth, shared, b"WebPush: info\0" + receiver + own, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    padded = (text + DELIMITER).ljust(length, b"\0")
    size = max(4096, len(padded) + TAG_BYTES)
    head = salt + size.to_bytes(4) + bytes([len(own)]) + own
    return head + AESGCM(key).encrypt(nonce, padded, None)


def _derived(salt: bytes, secret: bytes, info: bytes, count: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), count, salt, info).derive(secret)
