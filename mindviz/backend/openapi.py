"""The OpenAPI description of declared routes, made by flask-smorest.

flask-smorest's blueprints could serve the routes too, but describing them at every start would
take 80 ms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import Any

import marshmallow as ma
from flask import Flask

import mindviz
from mindviz.backend.responses import JSON
from mindviz.backend.routes import Route, RouteBlueprint

BYTES = {"type": "string", "format": "binary"}


class ErrorBody(ma.Schema):
    """The body of every error."""

    error_code = ma.fields.String(required=True, metadata={"description": "8 hex digits."})
    error_msg = ma.fields.String(required=True)
    reason = ma.fields.String(metadata={"description": "Of an invalid filter."})
    at = ma.fields.Integer(metadata={"description": "Position in an invalid filter, from 0."})


class JsonObject(ma.Schema):
    """A JSON object; the route's description lists its keys."""

    class Meta:
        """Marshmallow's options."""

        unknown = ma.INCLUDE


def openapi(groups: Iterable[RouteBlueprint]) -> dict[str, Any]:
    """The description of all routes of these blueprints, as a JSON object."""
    # Imported on demand, for a short startup.
    from flask_smorest import Api, Blueprint  # type: ignore[import-untyped] # noqa: PLC0415

    # This app is never run.
    app = Flask(__name__, static_folder=None)
    app.config.update(API_TITLE="mindviz", API_VERSION=mindviz.__version__, OPENAPI_VERSION="3.1.0")
    api = Api(app)
    answers = answer_descriptions()
    for group in groups:
        blueprint = Blueprint(group.name, __name__, url_prefix=group.url_prefix)
        for route in group.declared:
            _describe(blueprint, route, answers, own=group.own)
        api.register_blueprint(blueprint)
    description: dict[str, Any] = api.spec.to_dict()
    for path in description["paths"].values():
        for method in {"get", "post", "put", "delete"} & path.keys():
            # flask-smorest's generic error; the routes list theirs.
            path[method]["responses"].pop("default", None)
    description["components"].pop("responses", None)
    description["components"]["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Required if the server has a token. Pages send a cookie instead.",
        }
    }
    description["security"] = [{}, {"token": []}]
    return description


def answer_descriptions() -> dict[str, str]:
    """Descriptions of responses in Markdown, by method and path (`GET /status`)."""
    text = resources.files("mindviz.backend").joinpath("answers.md").read_text("utf-8")
    _, *sections = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(sections[::2], sections[1::2], strict=True)}


def _describe(blueprint: Any, route: Route, answers: Mapping[str, str], *, own: bool) -> None:
    def view(*_: object, **__: object) -> None: ...

    view.__name__ = route.view.__name__
    view.__doc__ = route.view.__doc__
    path = re.sub(r"<(\w+)>", r"{\1}", route.path)
    decorators: list[Callable[[Any], Any]] = [
        blueprint.doc(description=answers.get(f"{route.method} {path}", "")),
        blueprint.arguments(route.arguments, location=route.location),
        *([blueprint.arguments(route.body, location="json")] if route.body else []),
        *(
            blueprint.alt_response(
                200, schema=JsonObject if kind == JSON else BYTES, content_type=kind, success=True
            )
            for kind in route.content_types
        ),
        *(blueprint.alt_response(status, schema=ErrorBody) for status in _errors(route, own=own)),
    ]
    if route.method == "GET":
        decorators.append(blueprint.alt_response(304, description="Not modified."))
    described = view
    for decorate in decorators:
        described = decorate(described)
    # flask-smorest documents 422; our parser responds with 400.
    described._apidoc["arguments"].pop("responses", None)  # type: ignore[attr-defined] # noqa: SLF001
    blueprint.route(route.path, methods=[route.method])(described)


def _errors(route: Route, *, own: bool) -> list[int]:
    errors = [400, 401, *route.statuses]
    # Objects named by the path, the query or the body may not exist.
    named = {"train_id", "experiment_id"} & route.arguments().fields.keys()
    if own and ("<" in route.path or route.method == "POST" or named):
        errors.append(404)
    if route.method != "GET":
        errors += [403, 413, 415]
    return errors
