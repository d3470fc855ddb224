"""The description of the HTTP interface, generated from its endpoints and types: as OpenAPI, and as a
page."""

from __future__ import annotations

__all__ = ["describe", "page"]

import functools
import html
import json
import re
from typing import Any

import msgspec

from upcard import __version__
from upcard.server.http.endpoints import Endpoint
from upcard.server.http.identity import COOKIE, SECURE_COOKIE
from upcard.server.http.routes import ENDPOINTS

REFERENCE = "#/components/schemas/{name}"


class ProblemDetails(msgspec.Struct):
    """A problem, as in RFC 9457. The request had no effect."""

    type: str
    title: str
    status: int
    detail: str


@functools.cache
def describe() -> dict[str, Any]:
    """Return the OpenAPI description."""
    paths: dict[str, dict[str, Any]] = {}
    types = _types()
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    for component in components.values():
        component["description"] = _one_line(component["description"])
    schema_of = dict(zip(map(str, types), schemas, strict=True))
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Upcard",
            "version": __version__,
            "summary": "Tables for card games.",
            "description": "Commands by POST; news by server-sent events, whose ids are sequence numbers.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": f"Over https, its name is {SECURE_COOKIE}.",
                },
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{}, {"cookie": []}, {"token": []}],
    }


def _types() -> list[Any]:
    """Return all request and response types."""
    types: dict[str, Any] = {str(ProblemDetails): ProblemDetails}
    for endpoint in ENDPOINTS:
        named = [
            endpoint.request,
            *endpoint.answers.values(),
            *(kind for kind, _ in endpoint.parameters.values()),
        ]
        types |= {str(kind): kind for kind in named if kind is not None}
    return list(types.values())


def _operation(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": endpoint.name,
        "responses": {
            str(status): _content("application/json", schema_of[str(kind)], kind.__doc__)
            for status, kind in endpoint.answers.items()
        }
        | {
            "default": _content(
                "application/problem+json",
                schema_of[str(ProblemDetails)],
                "Something is wrong with the request.",
            )
        },
    }
    if endpoint.streams:
        operation["responses"]["200"]["content"]["text/event-stream"] = {"schema": {"type": "string"}}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]
    parameters += [
        {"name": name, "in": "query", "description": text, "schema": schema_of[str(kind)]}
        for name, (kind, text) in endpoint.parameters.items()
    ]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.request is not None:
        body = {"application/json": {"schema": schema_of[str(endpoint.request)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def _content(media: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": _one_line(description), "content": {media: {"schema": schema}}}


def _one_line(docstring: str) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join(docstring.partition("\n\n")[0].split())


@functools.cache
def page() -> str:
    """Return the description as a page for readers."""
    about = describe()
    rows = []
    for path, operations in about["paths"].items():
        for method, operation in operations.items():
            rows.append(f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>")
            rows.append(f"<p>{html.escape(operation['summary'])}</p>")
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                rows.append(f"<p>Takes {_named(schema)}.</p>")
            rows.append("<ul>")
            for status, answer in operation["responses"].items():
                schema = next(iter(answer["content"].values()))["schema"]
                rows.append(f"<li>{status}: {_named(schema)} {html.escape(answer['description'])}</li>")
            rows.append("</ul>")
    rows.append("<h1>Types</h1>")
    for name, schema in about["components"]["schemas"].items():
        text = html.escape(json.dumps(schema, indent=2))
        rows.append(f'<h2 id="{name}">{name}</h2><pre>{text}</pre>')
    title = f"Upcard {__version__}: the HTTP interface"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width"></head>'
        f'<body><h1>{title}</h1><p>Also as <a href="/api/openapi.json">OpenAPI</a>.</p>'
        f"{''.join(rows)}</body></html>"
    )


def _named(schema: dict[str, Any]) -> str:
    """Return a link to a type, or nothing if it has no name."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return f'<a href="#{name}">{name}</a>' if name else "JSON:"
