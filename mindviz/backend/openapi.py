"""The OpenAPI description of what is declared on `Routes`, made by flask-smorest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import Any

import marshmallow as ma
from flask import Flask

import mindviz
from mindviz.backend.routes import JSON, Route, Routes, location_of

BYTES = {"type": "string", "format": "binary"}


class ErrorBody(ma.Schema):
    """The body of every error."""

    error_code = ma.fields.String(required=True, metadata={"description": "8 hex digits."})
    error_msg = ma.fields.String(required=True)


class JsonObject(ma.Schema):
    """A JSON object; the route's description has its keys."""

    class Meta:
        """Marshmallow's options."""

        unknown = ma.INCLUDE


def openapi(groups: Iterable[Routes]) -> dict[str, Any]:
    """The description of all routes of these groups, as a JSON object."""
    # Rarely requested, and slow to import.
    from flask_smorest import Api, Blueprint  # type: ignore[import-untyped] # noqa: PLC0415

    # An app that is only described, never run.
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
        for method in {"get", "post", "put"} & path.keys():
            # flask-smorest's own error, for every status there is: we name ours.
            path[method]["responses"].pop("default", None)
    description["components"].pop("responses", None)
    description["components"]["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "If the server requires a token. Logged-in pages send a cookie.",
        }
    }
    description["security"] = [{}, {"token": []}]
    return description


def answer_descriptions() -> dict[str, str]:
    """What each route answers in Markdown, by method and path (`GET /status`)."""
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
        blueprint.arguments(route.arguments, location=location_of(route)),
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
    # webargs would answer 422; our parser answers 400.
    described._apidoc["arguments"].pop("responses", None)  # type: ignore[attr-defined] # noqa: SLF001
    blueprint.route(route.path, methods=[route.method])(described)


def _errors(route: Route, *, own: bool) -> list[int]:
    errors = [400, 401, *route.statuses]
    # The path, the query or the body may name something that does not exist.
    asked = route.arguments().fields
    names = (
        "<" in route.path or route.method == "POST" or {"train_id", "experiment_id"} & asked.keys()
    )
    if own and names:
        errors.append(404)
    if route.method != "GET":
        errors += [403, 413, 415]
    return errors
