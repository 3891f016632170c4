"""OwnAnswers: answers of this process's application, without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from werkzeug.test import Client

from mindviz.backend.errors import ANSWERS
from mindviz.backend.services import MINDVIZ
from mindviz.errors import (
    AnswerTooLarge,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    NotFound,
    ServerBusy,
)
from mindviz.snapshots.recorder import Answered

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

_BY_CODE: Mapping[str, type[MindvizError]] = {
    ANSWERS[error].error_code: error for error in (AnswerTooLarge, LogUnreadable, ServerBusy)
}
"""Errors that share their HTTP status with others."""


class OwnAnswers:
    """Answers requests with a WSGI application; an `AnswerSource` of snapshots. Thread-safe."""

    def __init__(self, app: WSGIApplication, prefix: str = "", headers: Mapping[str, str] = {}):
        """`prefix` is the path of the page; `headers` are sent with each request."""
        self._client = Client(app, use_cookies=False)
        self._root = f"{prefix}{MINDVIZ.prefix}/"
        # Nothing else asks for the same again, so caching it would only evict other answers.
        self._headers = {"Cache-Control": "no-store", **headers}

    def answer(self, path: str, body: Mapping[str, Any] | None = None) -> Answered:
        """As `AnswerSource.answer`. Raises MindvizError for other errors."""
        data = None if body is None else json.dumps(body)
        response = self._client.open(
            self._root + path,
            method="GET" if body is None else "POST",
            data=data,
            content_type=None if body is None else "application/json",
            headers=self._headers,
            # Closes the response, which holds a part of the memory budget until then.
            buffered=True,
        )
        content = response.get_data()
        if response.status_code == 200:
            return Answered(response.content_type or "", content)
        raise _error_of(response.status_code, content)


def _error_of(status: int, content: bytes) -> MindvizError:
    try:
        answer = json.loads(content)
        code, message = str(answer["error_code"]), str(answer["error_msg"])
    except (ValueError, KeyError, TypeError):
        return MindvizError(f"HTTP status {status}.")
    if code in _BY_CODE:
        return _BY_CODE[code](message)
    if status == 404:
        return NotFound(message)
    return InvalidQuery(message) if status == 400 else MindvizError(message)
