"""Routes: declared in their modules as path, schema and view, and served by `RouteBlueprint`.

A view takes the services, the loaded arguments and the names in the path. It returns a response, or
the body: encoded, or a value that `to_json` encodes. Its docstring describes the route in
`openapi.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar
from urllib.parse import unquote

import marshmallow as ma
from flask import Blueprint, Response, request
from werkzeug.routing import PathConverter, Rule

from mindviz.backend.encoding import to_json
from mindviz.backend.errors import BadArgument, Reason
from mindviz.backend.json_text import decode_json
from mindviz.backend.responses import JSON, Pieces
from mindviz.backend.schemas import QueryParser
from mindviz.backend.services import Services
from mindviz.deadline import begin_long_work

View = Callable[..., Any]
Version = Callable[..., tuple[object, ...]]
"""(services, arguments, names in the path) -> version of the data in the response."""
_View = TypeVar("_View", bound=View)


@dataclass(frozen=True, slots=True)
class Route:
    """One declared route."""

    method: str
    path: str
    """Below the prefix, in Flask's notation."""
    arguments: type[ma.Schema]
    """Of the query, or of the JSON body of a POST without `body`."""
    view: View
    body: type[ma.Schema] | None = None
    """Describes the body if the view reads it with `json_body`."""
    version: Version | None = None
    """If given, the body is cached by request and version."""
    content_types: tuple[str, ...] = (JSON,)
    """Of successful responses; the first one is the default."""
    statuses: tuple[int, ...] = ()
    """Of errors that only this route has."""
    long: bool = False
    """Run the view in the pool for long work. A view that is often cached calls `begin_long_work`
    instead."""

    @property
    def location(self) -> str:
        """The location of the arguments in terms of webargs."""
        return "json" if self.method == "POST" and self.body is None else "query"


class Routes:
    """The routes that a module declares."""

    def __init__(self) -> None:
        self.declared: list[Route] = []

    def get(
        self, path: str, arguments: type[ma.Schema], **options: Any
    ) -> Callable[[_View], _View]:
        """Declare a GET route; `options` are fields of `Route`."""
        return self._declare("GET", path, arguments, options)

    def post(
        self, path: str, arguments: type[ma.Schema], **options: Any
    ) -> Callable[[_View], _View]:
        """Declare a POST route."""
        return self._declare("POST", path, arguments, options)

    def put(
        self, path: str, arguments: type[ma.Schema], **options: Any
    ) -> Callable[[_View], _View]:
        """Declare a PUT route."""
        return self._declare("PUT", path, arguments, options)

    def delete(
        self, path: str, arguments: type[ma.Schema], **options: Any
    ) -> Callable[[_View], _View]:
        """Declare a DELETE route."""
        return self._declare("DELETE", path, arguments, options)

    def _declare(
        self, method: str, path: str, arguments: type[ma.Schema], options: dict[str, Any]
    ) -> Callable[[_View], _View]:
        def declare(view: _View) -> _View:
            self.declared.append(Route(method, path, arguments, view, **options))
            return view

        return declare


def job_version(services: Services, query: dict[str, str]) -> tuple[object, ...]:
    """The version of the train job that the query names."""
    return services.responses.versions([query["train_id"]])


def jobs_version(services: Services, query: dict[str, list[str]]) -> tuple[object, ...]:
    """The versions of all train jobs that the query names."""
    return services.responses.versions(query["train_id"])


def store_version(services: Services, _query: object, **_names: str) -> tuple[object, ...]:
    """The version of all data."""
    return (services.store.version,)


def json_body() -> Any:
    """The request's decoded body, regardless of its content type; None if empty.

    Raises BadArgument.
    """
    data = request.get_data()
    if not data.strip():
        return None
    try:
        return decode_json(data, lone_surrogates=False)
    except ValueError as error:
        raise BadArgument(Reason.VALUE, f"The body is not JSON: {error}.") from None


class PluginName(PathConverter):
    """The name of a plugin, which may contain slashes.

    Clients may encode a name twice to distinguish it from a route's suffix such as `/blob`: after
    the server's decoding, it contains no slash.
    """

    def to_python(self, value: str) -> str:
        """The name in logs."""
        return unquote(value)


class MatchedRule(Rule):
    """A rule that matches URLs and compiles the code that builds them only when it is used.

    No code of ours builds URLs by endpoint, and compiling for that took half of `create_app`.
    """

    def _compile_builder(
        self,
        append_unknown: bool = True,  # noqa: FBT001, FBT002 -- werkzeug's signature
    ) -> Callable[..., tuple[str, str]]:
        compile_now = super()._compile_builder

        def build(rule: Rule, **values: str) -> tuple[str, str]:
            return compile_now(append_unknown)(rule, **values)

        return build


class RouteBlueprint(Blueprint):
    """Serves declared routes below a prefix."""

    def __init__(
        self,
        name: str,
        prefix: str,
        services: Services,
        routes: Iterable[Route],
        *,
        own: bool = False,
        strict_slashes: bool = False,
    ) -> None:
        """`own` routes report missing objects as 404, the contract's as 400.

        With `strict_slashes`, paths with a trailing slash are not found.
        """
        super().__init__(name, __name__, url_prefix=prefix)
        self.own = own
        self.declared = list(routes)
        self._services = services
        self._parser = QueryParser()
        self.record(lambda state: state.app.url_map.converters.update(plugin_name=PluginName))
        for route in self.declared:
            self.add_url_rule(
                route.path.replace("<plugin_name>", "<plugin_name:plugin_name>"),
                endpoint=f"{route.method}-{route.view.__name__}",
                view_func=self._view_function(route),
                methods=[route.method],
                strict_slashes=strict_slashes,
            )

    def _view_function(self, route: Route) -> Callable[..., Response]:
        services = self._services
        schema = _schema(route.arguments)
        content_type = route.content_types[0]

        def respond(**names: Any) -> Response:
            arguments = self._parser.parse(schema, request, location=route.location)
            if route.long:
                begin_long_work()
            if route.version is not None:
                version = route.version(services, arguments, **names)
                return services.responses.cached(
                    version,
                    lambda: _encoded(route.view(services, arguments, **names)),
                    content_type=content_type,
                )
            answer = route.view(services, arguments, **names)
            if isinstance(answer, Response):
                return answer
            return services.responses.uncached(_encoded(answer), content_type=content_type)

        return respond


@cache
def _schema(arguments: type[ma.Schema]) -> ma.Schema:
    """One instance for all apps: making one copies each of its fields."""
    return arguments()


def _encoded(answer: Any) -> bytes:
    if isinstance(answer, Response | Pieces):
        raise TypeError("A view whose route has a version must return a whole body.")
    return answer if isinstance(answer, bytes) else to_json(answer)
