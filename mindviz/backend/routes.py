"""Routes: a blueprint on which a route is one declaration: path, query schema, view.

`openapi` describes what is declared here with flask-smorest, when somebody asks for it. Its own
blueprints do both at once; describing 20 routes takes 80 ms that every start would pay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import unquote

import marshmallow as ma
from flask import Blueprint, Response, request
from werkzeug.routing import PathConverter

from mindviz.backend.errors import OWN_ROUTE, BadArgument, Reason
from mindviz.backend.json_text import decode_json
from mindviz.backend.schemas import QueryParser
from mindviz.deadline import begin_long_work

View = Callable[..., Response]
"""Takes the loaded arguments, then by name what the path holds."""
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class AnswerBound:
    """What one answer may take, as a function of the bytes of all logs: tests hold routes to it.

    Memory has one bound for all routes: docs/decisions/bounds-of-answers.md.
    """

    base_bytes: int = 4 << 20
    """Of an answer about nothing."""
    per_log_byte: float = 32.0
    """Bytes of the answer per byte of all logs: JSON writes names, keys and decimal digits."""
    most_bytes: int = 256 << 20
    """However large the logs are: more is refused, but not of answers sent while they are made."""
    base_seconds: float = 2.0
    seconds_per_megabyte: float = 10.0
    """Of logs: ten microseconds per byte, which a point or a series of 25 bytes may take."""

    def answer_bytes(self, log_bytes: int) -> int:
        """The most bytes of an answer about logs of this size."""
        return min(self.most_bytes, self.base_bytes + int(self.per_log_byte * log_bytes))

    def cpu_seconds(self, log_bytes: int) -> float:
        """The most CPU time of an answer about logs of this size, on a core of 2.5 GHz."""
        return self.base_seconds + self.seconds_per_megabyte * log_bytes / 1e6


LINEAR = AnswerBound()


@dataclass(frozen=True, slots=True)
class Route:
    """One route as declared."""

    path: str
    """Below the prefix, in Flask's notation."""
    method: str
    arguments: type[ma.Schema]
    """Of the query, or of the JSON body of a POST."""
    body: type[ma.Schema] | None
    """Describes a body that the view reads by `json_body`; None if it reads none."""
    content_types: tuple[str, ...]
    """Of the answer when all is well."""
    view: View
    statuses: tuple[int, ...] = ()
    """Of errors that only this route has."""
    long: bool = False
    """Whether an answer may take more than 50 ms: the view runs in the pool for long work."""
    bound: AnswerBound = LINEAR


def location_of(route: Route) -> str:
    """Where the route's arguments are, in webargs' words."""
    return "json" if route.method == "POST" and route.body is None else "query"


def json_body() -> Any:
    """The request's body, decoded, whatever content type it claims; None if there is none.

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
    """The name of a plugin, which logs choose as they like: with slashes, too.

    Behind a name may stand words that another name ends in. So a name may be percent-encoded twice:
    what the server that takes the request decodes, as HTTP has it, has no slashes then.
    """

    def to_python(self, value: str) -> str:
        """The name as the log has it."""
        return unquote(value)


class Routes(Blueprint):
    """A blueprint whose arguments are parsed, and whose routes are declared, our way."""

    def __init__(
        self, name: str, prefix: str, *, own: bool = False, strict_slashes: bool = False
    ) -> None:
        """Routes below `prefix`; `own` ones answer 404 where the contract's answer 400.

        `strict_slashes`: a path with a slash at its end is not found.
        """
        super().__init__(name, __name__, url_prefix=prefix)
        self.own = own
        self._strict_slashes = strict_slashes
        self.declared: list[Route] = []
        self._parser = QueryParser()
        self.record(lambda state: state.app.url_map.converters.update(plugin_name=PluginName))

    def get(  # type: ignore[override] # Flask's own has no schemas and is not used
        self,
        path: str,
        query: type[ma.Schema],
        *,
        content_types: tuple[str, ...] = (JSON,),
        statuses: tuple[int, ...] = (),
        long: bool = False,
        bound: AnswerBound = LINEAR,
    ) -> Callable[[View], View]:
        """A GET route whose view takes the loaded query.

        `long`: the view runs in the pool for long work. Where answers are often cached, call
        `deadline.begin_long_work()` in the function that makes one instead.
        """
        return lambda view: self._declare(
            Route(path, "GET", query, None, content_types, view, statuses, long, bound)
        )

    def post(  # type: ignore[override] # as `get`
        self,
        path: str,
        body: type[ma.Schema],
        *,
        content_types: tuple[str, ...] = (JSON,),
        long: bool = False,
        bound: AnswerBound = LINEAR,
    ) -> Callable[[View], View]:
        """A POST route whose view takes the loaded JSON body; `long` as for `get`."""
        return lambda view: self._declare(
            Route(path, "POST", body, None, content_types, view, long=long, bound=bound)
        )

    def with_body(
        self,
        path: str,
        query: type[ma.Schema],
        *,
        body: type[ma.Schema],
        method: str = "POST",
        long: bool = False,
        bound: AnswerBound = LINEAR,
    ) -> Callable[[View], View]:
        """A route whose view takes the loaded query and reads the JSON body itself."""
        return lambda view: self._declare(
            Route(path, method, query, body, (JSON,), view, long=long, bound=bound)
        )

    def _declare(self, route: Route) -> View:
        schema = route.arguments()
        location = location_of(route)

        @wraps(route.view)
        def answer(**names: Any) -> Response:
            arguments = self._parser.parse(schema, request, location=location)
            if route.long:
                begin_long_work()
            return route.view(arguments, **names)

        setattr(answer, OWN_ROUTE, self.own)
        self.declared.append(route)
        rule = route.path.replace("<plugin_name>", "<plugin_name:plugin_name>")
        self.add_url_rule(
            rule,
            view_func=answer,
            methods=[route.method],
            strict_slashes=self._strict_slashes,
        )
        return route.view
