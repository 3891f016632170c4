"""Routes: a blueprint on which a route is one declaration, documented for OpenAPI.

flask-smorest wants five decorators per route and has no types; here is one that has. Bodies are
made by `encoding`, not by marshmallow, so schemas of answers only document them.
"""

from __future__ import annotations

from collections.abc import Callable

import marshmallow as ma
from flask import Response
from flask_smorest import Blueprint  # type: ignore[import-untyped]

from mindviz.backend.errors import OWN_ROUTE
from mindviz.backend.schemas import QueryParser

View = Callable[..., Response]
"""Takes the loaded arguments, then what the path names."""


class ErrorBody(ma.Schema):
    """The body of every error."""

    error_code = ma.fields.String(required=True, metadata={"description": "8 hex digits."})
    error_msg = ma.fields.String(required=True)


class JsonObject(ma.Schema):
    """A JSON object; docs/rest-api.md says what is in it."""

    class Meta:
        """Marshmallow's options."""

        unknown = ma.INCLUDE


class Routes(Blueprint):  # type: ignore[misc] # flask-smorest has no types
    """A blueprint whose arguments are parsed, and whose routes are declared, our way."""

    ARGUMENTS_PARSER = QueryParser()

    def __init__(self, name: str, prefix: str, *, own: bool = False) -> None:
        """Routes below `prefix`; `own` ones answer 404 where the contract's answer 400."""
        super().__init__(name, __name__, url_prefix=prefix)
        self._own = own

    def get(
        self,
        path: str,
        query: type[ma.Schema],
        *,
        answer: type[ma.Schema] = JsonObject,
        content_type: str | None = None,
    ) -> Callable[[View], View]:
        """A GET route whose view takes the loaded query."""
        arguments = self.arguments(query, location="query")
        return self._declared(path, "GET", arguments, answer, content_type)

    def post(
        self, path: str, body: type[ma.Schema], *, answer: type[ma.Schema] = JsonObject
    ) -> Callable[[View], View]:
        """A POST route whose view takes the loaded JSON body."""
        arguments = self.arguments(body, location="json")
        return self._declared(path, "POST", arguments, answer, None)

    def _declared(
        self,
        path: str,
        method: str,
        arguments: Callable[[View], View],
        answer: type[ma.Schema],
        content_type: str | None,
    ) -> Callable[[View], View]:
        def declare(view: View) -> View:
            setattr(view, OWN_ROUTE, self._own)
            # The view itself answers with a Response, which flask-smorest passes on as it is.
            routed = self.response(200, answer, content_type=content_type)(view)
            if method == "GET":
                routed = self.alt_response(304, description="As when last asked.")(routed)
            for status in (400, 404) if self._own else (400,):
                routed = self.alt_response(status, schema=ErrorBody)(routed)
            self.route(path, methods=[method])(arguments(routed))
            return view

        return declare
