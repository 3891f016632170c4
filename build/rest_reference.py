"""The REST reference in Markdown, from the OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
PREFIX = "/v1/mindviz"
HEAD = """\
# REST reference

Generated from [openapi.json](openapi.json) by `make openapi`; do not edit.
[rest-api.md](rest-api.md) explains train jobs, cursors, smoothing, the Arrow format, limits and
errors. Paths are relative to `/v1/mindviz`; those marked *Contract* also exist below
`/v1/mindinsight`. `train_id` is the id of a train job. Every route may answer 400 or 401, routes
with a body also 403, 413 or 415.
"""
EVERYWHERE = {"200", "304", "400", "401"}
WITH_BODY = EVERYWHERE | {"403", "413", "415"}


def reference(description: Json) -> str:
    """The whole document."""
    schemas = description["components"]["schemas"]
    routes = [
        "\n".join(_route(path, method, item[method], schemas))
        for path, item in description["paths"].items()
        for method in ("get", "post", "put", "delete")
        if method in item
    ]
    return "\n".join([HEAD, *routes])


def _route(path: str, method: str, route: Json, schemas: Json) -> Iterator[str]:
    mark = "*Contract.* " if route["tags"] == ["mindviz"] else ""
    yield f"## {method.upper()} {path.removeprefix(PREFIX)}\n"
    yield f"{mark}{route['summary']}\n"
    body = route.get("requestBody")
    yield from _table("argument", {item["name"]: item for item in route.get("parameters", ())})
    if body is not None:
        schema = _resolved(body["content"]["application/json"]["schema"], schemas)
        required = schema.get("required", ())
        properties = {
            name: {"schema": value, "required": name in required, **value}
            for name, value in schema["properties"].items()
        }
        yield from _table("key of the body", properties)
    yield f"{route['description']}\n" if route.get("description") else ""
    content = route["responses"]["200"]["content"]
    if set(content) != {"application/json"}:
        yield f"Content types: {', '.join(f'`{kind}`' for kind in sorted(content))}.\n"
    errors = sorted(set(route["responses"]) - (WITH_BODY if body is not None else EVERYWHERE))
    if errors:
        yield f"Also answers {', '.join(errors)}.\n"


def _table(title: str, arguments: Json) -> Iterator[str]:
    if arguments:
        yield f"| {title} | type | |\n|---|---|---|"
        for name, argument in sorted(arguments.items(), key=lambda item: not item[1]["required"]):
            about = argument.get("description", "").replace("|", "\\|")
            required = ["required"] if argument["required"] else []
            yield f"| `{name}` | {', '.join([*required, *_type(argument['schema'])])} | {about} |"
        yield ""


def _resolved(schema: Json, schemas: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    resolved: Json = schemas[name] if name else schema
    return resolved


def _type(schema: Json) -> Iterator[str]:
    if "enum" in schema:
        yield " ".join(f"`{choice}`" for choice in schema["enum"] if choice is not None)
    elif schema.get("type") == "array" and "$ref" not in schema["items"]:
        yield f"{schema['items'].get('type', 'any')}, repeatable"
    else:
        kinds = schema.get("type", "any")
        names = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
        yield " or ".join(names)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        yield f"{low} to {high}"
    elif low is not None:
        yield f"{low} or more"
    if "maxLength" in schema or "maxItems" in schema:
        yield f"at most {schema.get('maxLength', schema.get('maxItems'))}"
    if schema.get("default") not in (None, ""):
        default = schema["default"]
        yield f"default `{str(default).lower() if isinstance(default, bool) else default}`"
