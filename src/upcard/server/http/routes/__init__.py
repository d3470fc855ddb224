"""The endpoints of the HTTP interface. Importing a module adds its endpoints to ENDPOINTS."""

from __future__ import annotations

__all__ = ["ENDPOINTS"]

from upcard.server.http.endpoints import ENDPOINTS
from upcard.server.http.routes import catalogue, commands, handover, lobby, push, recovery, tables  # noqa: F401
