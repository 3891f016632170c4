"""The same HTTP request for mindviz and for TensorBoard: one tag of many train jobs."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Protocol
from urllib.parse import urlencode

import orjson
from peers import patience

_FRESH = itertools.count()


class Question(Protocol):
    """One tag of many jobs."""

    def ask(self, connection: HTTPConnection) -> bytes:
        """The response's body. Raises OSError until the server responds."""

    def is_complete(self, body: bytes, points: int) -> bool:
        """Whether the response contains all jobs with all points."""


@dataclass(frozen=True, slots=True)
class MindvizQuestion:
    """`GET scalars`."""

    train_ids: Sequence[str]
    tag: str
    shape: str = "rows"
    cached: bool = False
    """Whether the response may come from mindviz's cache."""

    def ask(self, connection: HTTPConnection) -> bytes:
        """See Question."""
        query = [("train_id", train_id) for train_id in self.train_ids]
        query += [("tag", f"{self.tag}/scalar"), ("format", self.shape)]
        if not self.cached:
            # This route ignores unknown arguments, but they bypass the cache.
            query.append(("unheard-of", str(next(_FRESH))))
        connection.request("GET", f"/v1/mindviz/datavisual/scalars?{urlencode(query)}")
        return _body(connection)

    def is_complete(self, body: bytes, points: int) -> bool:
        """Whether all series have all points."""
        series = orjson.loads(body)["scalars"]
        return len(series) == len(self.train_ids) and all(s["total"] == points for s in series)


@dataclass(frozen=True, slots=True)
class TensorBoardQuestion:
    """`POST scalars_multirun`, which returns at most 1,000 points per run."""

    runs: Sequence[str]
    tag: str
    _form: str = field(init=False)

    def __post_init__(self) -> None:
        form = urlencode([("tag", self.tag), *(("runs", run) for run in self.runs)])
        object.__setattr__(self, "_form", form)

    def ask(self, connection: HTTPConnection) -> bytes:
        """See Question."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        path = "/data/plugin/scalars/scalars_multirun"
        connection.request("POST", path, self._form, headers)
        return _body(connection)

    def is_complete(self, body: bytes, points: int) -> bool:
        """Whether all runs have as many points as the sample, and the last one."""
        series = orjson.loads(body)
        return len(series) == len(self.runs) and all(
            len(rows) == min(points, 1000) and rows[-1][1] == points - 1 for rows in series.values()
        )


def _body(connection: HTTPConnection) -> bytes:
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise ConnectionError(f"Status {answer.status}: {body[:200]!r}")
    return body


def questions(
    base: Path, tag: str, shape: str = "rows", *, cached: bool = False
) -> tuple[MindvizQuestion, TensorBoardQuestion]:
    """One tag of every train job below a generated base dir."""
    runs = sorted(path.parent.relative_to(base).as_posix() for path in base.rglob("*tfevents*"))
    train_ids = ["./" + run for run in runs]
    return MindvizQuestion(train_ids, tag, shape, cached), TensorBoardQuestion(runs, tag)


def free_port() -> int:
    """An unused TCP port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def connect(port: int) -> HTTPConnection:
    """A keep-alive connection; opens with the first request."""
    return HTTPConnection("127.0.0.1", port, timeout=300)


def wait_until_complete(question: Question, port: int, points: int) -> None:
    """Poll until everything is loaded."""
    for _ in patience():
        try:
            if question.is_complete(question.ask(connect(port)), points):
                return
        except OSError:
            pass
        time.sleep(0.1)
