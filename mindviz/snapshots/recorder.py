"""Recorder: asks a server's routes, and keeps the answers in a data file while they fit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from mindviz.deadline import check, is_over
from mindviz.errors import (
    AnswerTooLarge,
    DamagedValue,
    InvalidQuery,
    LogUnreadable,
    NotFound,
    ServerBusy,
)
from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.data_file import DataFile

JSON = "application/json"
UNANSWERED = (AnswerTooLarge, DamagedValue, InvalidQuery, LogUnreadable, NotFound)
"""Errors of one request that do not concern the others."""


_LEAST_ROOM = 500
"""Bytes of the budget below which recording stops."""


class Answered(NamedTuple):
    """The body of an answer, unpacked."""

    content_type: str
    body: bytes


class AnswerSource(Protocol):
    """Answers of a server, over HTTP or of this process."""

    def answer(self, path: str, body: Mapping[str, Any] | None = None) -> Answered:
        """To a GET of a path below `v1/mindviz/`, or a POST with a body.

        Raises AnswerTooLarge, DamagedValue, InvalidQuery, LogUnreadable, NotFound.
        """
        ...


class Recorder:
    """Keeps answers up to a number of bytes."""

    def __init__(self, source: AnswerSource, limit: int) -> None:
        self._source = source
        self.limit = limit
        self.file = DataFile()
        self.left_out = 0
        """Answers that did not fit, or for which no time was left."""
        self.out_of_time = False
        """Whether something was left out because the deadline has passed."""

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return self.limit - self.file.size

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """End the `with` block and note it if the deadline passes."""
        try:
            yield
        except ServerBusy:
            if not is_over():
                raise
            self.out_of_time = True

    def ask(self, request: PageRequest) -> Answered:
        """The answer, which is not kept. Raises as `AnswerSource.answer`."""
        check()
        return self._source.answer(request.path, request.body)

    def keep(self, request: PageRequest) -> Any:
        """Keep the answer, decoded if it is JSON; it may exceed the limit."""
        content_type, body = self.ask(request)
        if request.key not in self.file:
            self.file.add_answer(request.key, content_type, body)
        return json.loads(body) if content_type.startswith(JSON) else None

    def keep_value(self, request: PageRequest, value: object) -> None:
        """Keep a value as the answer to a request."""
        self.file.add_answer(request.key, JSON, json.dumps(value).encode())

    def offer(self, *requests: PageRequest) -> Any:
        """Keep the answer to the first request that has one which fits; returns it, if it is JSON.

        Returns None if none fits, or there is none.
        """
        too_large = False
        if self.out_of_time or (self.room < _LEAST_ROOM and requests[0].key not in self.file):
            self.left_out += 1
            return None
        for request in requests:
            answer: Answered | None = None
            try:
                with self.in_time():
                    answer = self.ask(request)
            except AnswerTooLarge:
                too_large = True
                continue
            except UNANSWERED:
                continue
            if answer is None:
                too_large = True
                break
            content_type, body = answer
            is_known = request.key in self.file
            if not is_known:
                self.file.add_answer(request.key, content_type, body)
            if is_known or self.room >= 0:
                return json.loads(body) if content_type.startswith(JSON) else True
            self.file.drop_last()
            too_large = True
        self.left_out += too_large
        return None


def get(route: str, *pairs: tuple[str, object]) -> PageRequest:
    """A GET request; a sequence repeats its parameter."""
    query: list[tuple[str, str]] = []
    for name, value in pairs:
        many = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        query += [(name, str(item)) for item in many]
    return PageRequest(route, query)


def post(route: str, body: Mapping[str, Any]) -> PageRequest:
    """A POST request."""
    return PageRequest(route, (), body)
