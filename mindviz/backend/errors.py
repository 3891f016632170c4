"""Maps error classes to HTTP statuses and error codes.

The contract's routes use its statuses (400 for most errors), our own routes 404 for missing objects
and 400 for invalid requests. The codes are equal. The body is
`{"error_code": "<8 hex digits>", "error_msg": "<one line>"}`; for invalid filters, it also has the
`reason` and the position, `at`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

import orjson
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from mindviz import errors
from mindviz.datavisual.plugins import NO_SUCH_TAG, plugin_of_key
from mindviz.errors import (
    AnnotationsBusy,
    InvalidFilter,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    NotFound,
    ServerBusy,
    StepNotFound,
    TagNotFound,
    release_frames,
)

_logger = logging.getLogger(__name__)

UNKNOWN = "50540000"
API_NOT_FOUND = "50545001"
METHOD_NOT_ALLOWED = "50545002"
PERMISSION = "50540008"
INVALID_VALUE = "50540002"


class Reason(StrEnum):
    """Why an argument is invalid; the value is the error code."""

    TYPE = "50540001"
    VALUE = INVALID_VALUE
    MISSING = "50540003"
    ENCODING = "50540009"
    NULL_BYTE = "50545011"


class BadArgument(InvalidQuery):
    """An argument of a request is missing, or has a wrong type or value."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ImageNotFound(StepNotFound):
    """The image series has no image at this step."""


class SeriesNotFound(NotFound):
    """None of the requested series exists; 404 on all routes."""


class ForbiddenHost(MindvizError):
    """The request's Host header is not a name of this server."""


class ForbiddenOrigin(MindvizError):
    """A page of another origin sends a request that only our own pages may send."""


class UnsupportedBody(InvalidQuery):
    """The body has another content type than JSON."""

    def __init__(self, content_type: str) -> None:
        super().__init__(
            f"The body must have the content type application/json, not {content_type!r}."
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The status and code of an error class."""

    error_code: str
    contract_status: int
    own_status: int


ANSWERS: dict[type[MindvizError], Answer] = {
    errors.InvalidQuery: Answer(INVALID_VALUE, 400, 400),
    errors.InvalidLineageQuery: Answer("50542218", 400, 400),
    errors.InvalidAnnotation: Answer("50542081", 400, 400),
    errors.AnswerTooLarge: Answer("50545013", 400, 400),
    errors.TensorTooLarge: Answer("50545016", 400, 400),
    ForbiddenHost: Answer(PERMISSION, 400, 400),
    ForbiddenOrigin: Answer(PERMISSION, 400, 403),
    errors.TokenRequired: Answer(PERMISSION, 401, 401),
    UnsupportedBody: Answer(INVALID_VALUE, 415, 415),
    errors.NotFound: Answer("50540004", 400, 404),
    errors.TrainJobNotFound: Answer("50545005", 400, 404),
    errors.PluginNotFound: Answer("5054500B", 400, 404),
    errors.TagNotFound: Answer(NO_SUCH_TAG, 400, 404),
    errors.GraphNodeNotFound: Answer("50545009", 400, 404),
    errors.StepNotFound: Answer("50545014", 400, 404),
    SeriesNotFound: Answer(NO_SUCH_TAG, 404, 404),
    ImageNotFound: Answer("5054500D", 400, 404),
    errors.AnnotationsUnavailable: Answer(PERMISSION, 400, 400),
    errors.AnnotationsBusy: Answer("5054501A", 503, 503),
    errors.DatabaseUnavailable: Answer("50545018", 503, 503),
    errors.DamagedValue: Answer("50545015", 400, 404),
    errors.LogUnreadable: Answer("5054501B", 503, 503),
    errors.TooManyExports: Answer("50545019", 429, 429),
    errors.ServerBusy: Answer("5054501A", 503, 503),
    errors.Cancelled: Answer("5054501A", 503, 503),
    errors.MindvizError: Answer(UNKNOWN, 500, 500),
}
"""Other classes have the entry of their nearest base class."""


def error_response(
    error_code: str, message: str, status: int, place: Mapping[str, str | int] | None = None
) -> Response:
    """The error body, the same for every route; `place` is added to it."""
    # Messages may quote lone surrogates from the request.
    line = " ".join(message.split()).encode("utf-8", "replace").decode()
    text = orjson.dumps({"error_code": error_code, "error_msg": line, **(place or {})})
    return Response(text, status, content_type="application/json")


def answer_for(error: MindvizError) -> Answer:
    """The entry for this error, with a more specific code if it has one."""
    row = next(ANSWERS[base] for base in type(error).__mro__ if base in ANSWERS)
    if isinstance(error, BadArgument):
        return Answer(error.reason.value, row.contract_status, row.own_status)
    if isinstance(error, TagNotFound) and not isinstance(error, LogUnreadable):
        plugin = plugin_of_key(error.plugin_name)
        if plugin is not None:
            return replace(row, error_code=plugin.error_code)
    return row


def register_error_handlers(app: Flask) -> None:
    """Report all errors of the app in our format."""
    app.register_error_handler(MindvizError, _releasing(_on_mindviz_error))
    app.register_error_handler(HTTPException, _releasing(_on_http_exception))
    app.register_error_handler(PermissionError, _releasing(_on_permission_error))
    app.register_error_handler(Exception, _releasing(_on_unexpected))


_Error = TypeVar("_Error", bound=Exception)


def _releasing(handle: Callable[[_Error], Response]) -> Callable[[_Error], Response]:
    """The handler, followed by the release of the failed request's data."""

    def handle_and_release(error: _Error) -> Response:
        try:
            return handle(error)
        finally:
            release_frames(error)

    return handle_and_release


def _on_mindviz_error(error: MindvizError) -> Response:
    answer = answer_for(error)
    blueprint = current_app.blueprints.get(request.blueprint or "")
    own = getattr(blueprint, "own", False)  # see RouteBlueprint
    status = answer.own_status if own else answer.contract_status
    place: dict[str, str | int] = {}
    if isinstance(error, InvalidFilter):
        place = {"reason": error.reason, "at": error.at}
    response = error_response(answer.error_code, str(error), status, place)
    if isinstance(error, ServerBusy | LogUnreadable | AnnotationsBusy):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _on_http_exception(error: HTTPException) -> Response:
    status = error.code or 500
    path = request.script_root + request.path
    if status == 404:
        return error_response(API_NOT_FOUND, f"Nothing found at {path}.", 404)
    if status == 405:
        message = f"{request.method} is not allowed on {path}."
        return _with_header(error, "Allow", error_response(METHOD_NOT_ALLOWED, message, 405))
    if status < 500:
        response = error_response(INVALID_VALUE, error.description or error.name, status)
        return _with_header(error, "Content-Range", response) if status == 416 else response
    return error_response(UNKNOWN, "System error.", status)


def _with_header(error: HTTPException, name: str, response: Response) -> Response:
    """The response with the error's header, which HTTP requires."""
    response.headers[name] = ", ".join(value for key, value in error.get_headers() if key == name)
    return response


def _on_permission_error(error: PermissionError) -> Response:
    _logger.warning("not permitted: %s", error)
    return error_response(PERMISSION, "A file could not be opened: not permitted.", 400)


def _on_unexpected(error: Exception) -> Response:
    _logger.error("unexpected error at %s %s", request.method, request.path, exc_info=error)
    return error_response(UNKNOWN, "System error.", 500)
