"""ChaCha's arithmetic for compiled code, in registers of 32 bits. Only the compiler imports this.

Plain Python has no 32-bit numbers and masks them; compiled, masked numbers of 64 bits would take
twice the time. The tests hold both against the published values.
"""

from __future__ import annotations

__all__ = ["quarter", "u32"]

from typing import Any

from numpy import uint32


def u32(number: Any) -> Any:
    """Return the low 32 bits of a number."""
    return uint32(number)


def quarter(a: Any, b: Any, c: Any, d: Any) -> Any:
    """ChaCha's quarter round."""
    a = uint32(a + b)
    d = uint32(d ^ a)
    d = uint32((d << uint32(16)) | (d >> uint32(16)))
    c = uint32(c + d)
    b = uint32(b ^ c)
    b = uint32((b << uint32(12)) | (b >> uint32(20)))
    a = uint32(a + b)
    d = uint32(d ^ a)
    d = uint32((d << uint32(8)) | (d >> uint32(24)))
    c = uint32(c + d)
    b = uint32(b ^ c)
    b = uint32((b << uint32(7)) | (b >> uint32(25)))
    return a, b, c, d
