"""Encoded answers: kept as bytes by (question, snapshot version), made once however many ask.

An answer that is asked for again while the data is the same is served from here, or, if the client
has it already (`If-None-Match`), not at all.
"""

from __future__ import annotations

import gzip
import json
import secrets
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Self, TypeVar

from flask import Response, request

from mindviz.datavisual.store import Store
from mindviz.deadline import LongWorkAhead, begin_long_work, check, is_long_work, waiting
from mindviz.errors import Cancelled, TrainJobNotFound

JSON = "application/json"
MAX_CACHED_BYTES = 64 * 1024 * 1024
MAX_CACHED_ANSWER = 16 * 1024 * 1024
"""A larger answer would push out too much of the rest."""
ENTRY_BYTES = 256
"""Of a small answer most is not the answer: its key and its place among the others."""
GZIP_FROM_BYTES = 4096
PIECE_BYTES = 256 * 1024
"""Of a body that is sent piece by piece."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A body that was not put together: most of it are arrays that others hold, too."""

    parts: Sequence[bytes | memoryview]
    nbytes: int

    @classmethod
    def of(cls, parts: Sequence[bytes | memoryview]) -> Self:
        """These parts."""
        return cls(parts, sum(memoryview(part).nbytes for part in parts))

    def joined(self) -> bytes:
        """All of it in one piece."""
        return b"".join(self.parts)

    def stream(self) -> Iterator[bytes]:
        """All of it in pieces that a server can buffer."""
        for part in self.parts:
            view = memoryview(part).cast("B")
            for at in range(0, len(view), PIECE_BYTES):
                yield bytes(view[at : at + PIECE_BYTES])


class _MakerLeft(Exception):
    """The one who was making an answer stopped, for a reason of its own."""


_Body = TypeVar("_Body", bytes, "bytes | Pieces")


class AnswerCache:
    """Bytes by key, at most `max_bytes` of them, least recently used out first. Thread-safe.

    Keys are small: a query of 64 KiB may have an answer of a few bytes.
    """

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._max_bytes = max_bytes
        self.bytes = 0
        """Held now."""
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._making: dict[Hashable, tuple[Future[Any], bool]] = {}
        """Key -> the answer, and whether it is made in the pool for long work."""
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], _Body]) -> _Body:
        """The answer for this key; `make` runs once, others who ask meanwhile wait for it.

        An exception of `make` reaches all who wait and is not kept. If the client of the one that
        makes it disconnects, or it must move to the pool for long work, another one makes it.
        """
        while True:
            try:
                return self._get(key, make)
            except _MakerLeft:
                check()

    def _get(self, key: Hashable, make: Callable[[], _Body]) -> _Body:
        with self._lock:
            kept: _Body | None = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
            making = self._making.get(key)
            if making is None:
                mine: Future[_Body] = Future()
                self._making[key] = mine, is_long_work()
        if making is not None:
            others, takes_long = making
            if takes_long:
                begin_long_work()  # waiting for it takes as long
            with waiting() if takes_long else nullcontext():
                made: _Body = others.result()
            return made
        try:
            answer = make()
        except BaseException as error:
            with self._lock:
                del self._making[key]
            left = isinstance(error, (Cancelled, LongWorkAhead))
            mine.set_exception(_MakerLeft() if left else error)
            raise
        with self._lock:
            del self._making[key]
            self._keep(key, answer)
        mine.set_result(answer)
        return answer

    def _keep(self, key: Hashable, answer: bytes | Pieces) -> None:
        if isinstance(answer, Pieces):
            return
        if len(answer) + ENTRY_BYTES > min(MAX_CACHED_ANSWER, self._max_bytes):
            return
        self._kept[key] = answer
        self.bytes += len(answer) + ENTRY_BYTES
        while self.bytes > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped) + ENTRY_BYTES


class Answers:
    """Answers requests with cached, validated and, where it helps, compressed bytes."""

    def __init__(self, experiment: Store) -> None:
        self._experiment = experiment
        self._cache = AnswerCache()
        # Versions count from the start of the process: a tag must not outlive it.
        self._instance = secrets.token_bytes(8)

    def versions(self, train_ids: Iterable[str]) -> tuple[int, ...]:
        """Versions of these jobs; -1 for one that is not there."""
        return tuple(self._version(train_id) for train_id in train_ids)

    def _version(self, train_id: str) -> int:
        try:
            return self._experiment.train_job(train_id).version
        except TrainJobNotFound:
            return -1

    def answer(
        self,
        version: tuple[object, ...],
        make: Callable[[], bytes | Pieces],
        *,
        content_type: str = JSON,
        keep: bool = True,
    ) -> Response:
        """The answer to the current request at this version of the data.

        Large pieces are sent one by one; small ones are put together and kept as any answer.

        `version` has to be read before the data is: what is newer than its label is only fetched
        once more, what is older would stay.
        """
        tag = self._tag(content_type, version)
        if request.if_none_match.contains_weak(tag):
            return _labelled(Response(status=304), tag)

        def joined_if_small() -> bytes | Pieces:
            made = make()
            if isinstance(made, Pieces) and made.nbytes <= MAX_CACHED_ANSWER:
                return made.joined()
            return made

        body = self._cache.get(tag, joined_if_small) if keep else joined_if_small()
        if isinstance(body, Pieces):
            return _labelled(_streamed(body, content_type), tag)
        return _labelled(self._encoded(body, content_type, tag), tag)

    def answer_with_headers(
        self, version: tuple[object, ...], make: Callable[[], tuple[Mapping[str, str], bytes]]
    ) -> Response:
        """As `answer`, of JSON whose form leaves no room for what stands in the headers."""
        headers: dict[str, str] = {}

        def packed() -> bytes:
            found, body = make()
            return json.dumps(dict(found)).encode() + b"\n" + body

        def body() -> bytes:
            tag = self._tag("with headers", version)
            head, _, rest = self._cache.get(tag, packed).partition(b"\n")
            headers.update(json.loads(head))
            return rest

        response = self.answer(version, body, keep=False)
        response.headers.update(headers)
        return response

    def answer_uncached(self, body: bytes, *, content_type: str = JSON) -> Response:
        """An answer that no version speaks for; its tag is a digest of its bytes."""
        tag = blake2b(body, digest_size=12).hexdigest()
        if request.if_none_match.contains_weak(tag):
            return _labelled(Response(status=304), tag)
        return _labelled(self._encoded(body, content_type, tag), tag)

    def _tag(self, kind: str, version: tuple[object, ...]) -> str:
        """A digest of the current request and what it is answered from."""
        question = (request.path, request.query_string, kind, version)
        digest = blake2b(repr(question).encode(), key=self._instance, digest_size=12)
        return digest.hexdigest()

    def _encoded(self, body: bytes, content_type: str, tag: str) -> Response:
        if len(body) < GZIP_FROM_BYTES or not may_compress(content_type):
            return Response(body, content_type=content_type)
        packed = self._cache.get((tag, "gzip"), lambda: gzip.compress(body, 1))
        response = Response(packed, content_type=content_type)
        response.headers["Content-Encoding"] = "gzip"
        return response


def _streamed(body: Pieces, content_type: str) -> Response:
    if may_compress(content_type):
        response = Response(gzipped(body.stream()), content_type=content_type)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = Response(body.stream(), content_type=content_type)
        response.headers["Content-Length"] = str(body.nbytes)
    return response


def may_compress(content_type: str) -> bool:
    """Whether gzip is worth it: not for what is compressed, nor within one machine.

    Measured: gzip takes longer for 3 MB of rows than the loopback does for their 3 MB.
    """
    if content_type.startswith("image/") or not request.accept_encodings["gzip"]:
        return False
    return not is_loopback(request.remote_addr or "")


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A body that is made piece by piece, compressed on the way."""
    packer = zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
    for piece in pieces:
        packed = packer.compress(piece)
        if packed:
            yield packed
    yield packer.flush()


def is_loopback(address: str) -> bool:
    """Whether an IP address is this very machine."""
    return address.startswith("127.") or address in ("::1", "::ffff:127.0.0.1")


def _labelled(response: Response, tag: str) -> Response:
    # Weak: compressed or not, it is the same answer.
    response.set_etag(tag, weak=True)
    response.headers["Vary"] = "Accept, Accept-Encoding"
    response.headers["Cache-Control"] = "no-cache"
    return response
