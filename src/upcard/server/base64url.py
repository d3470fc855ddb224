"""Base64 for URLs, cookies and headers: RFC 4648, section 5, without padding."""

from __future__ import annotations

__all__ = ["decode", "encode"]

from base64 import urlsafe_b64decode, urlsafe_b64encode


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes of a text without padding, or raise ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
