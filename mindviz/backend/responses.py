"""HTTP responses: encoded bodies, cached by request and data version, with ETag and gzip.

Concurrent equal requests share one computation. A client that already has the body
(`If-None-Match`) gets 304.
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
MAX_CACHED_BODY = 16 * 1024 * 1024
"""A larger body would evict too many others."""
ENTRY_BYTES = 256
"""Memory of a cache entry besides its body: key and bookkeeping."""
GZIP_FROM_BYTES = 4096
PIECE_BYTES = 256 * 1024
"""Chunk size of streamed bodies."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A body in parts, most of them arrays that are not copied."""

    parts: Sequence[bytes | memoryview]
    nbytes: int

    @classmethod
    def of(cls, parts: Sequence[bytes | memoryview]) -> Self:
        """These parts."""
        return cls(parts, sum(memoryview(part).nbytes for part in parts))

    def joined(self) -> bytes:
        """The whole body."""
        return b"".join(self.parts)

    def stream(self) -> Iterator[bytes]:
        """The body in chunks of at most PIECE_BYTES."""
        for part in self.parts:
            view = memoryview(part).cast("B")
            for at in range(0, len(view), PIECE_BYTES):
                yield bytes(view[at : at + PIECE_BYTES])


class _MakerLeft(Exception):
    """The thread computing a body gave up because of its own request."""


_Body = TypeVar("_Body", bytes, "bytes | Pieces")


class BodyCache:
    """A thread-safe LRU cache of bodies.

    Keys must be small, as only bodies count toward `max_bytes`.
    """

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._max_bytes = max_bytes
        self.bytes = 0
        """Current size."""
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._making: dict[Hashable, tuple[Future[Any], bool]] = {}
        """Key -> the body, and whether the pool for long work computes it."""
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], _Body], *, keep: bool = True) -> _Body:
        """The body for this key. `make` runs in one thread; others wait for its result.

        Without `keep`, a new body is not cached. All waiting threads get an exception of `make`,
        except Cancelled and LongWorkAhead, which concern one request only: then another thread
        calls its own `make`.
        """
        while True:
            try:
                return self._get(key, make, keep=keep)
            except _MakerLeft:
                check()

    def _get(self, key: Hashable, make: Callable[[], _Body], *, keep: bool) -> _Body:
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
                begin_long_work()  # waiting takes as long
            with waiting() if takes_long else nullcontext():
                body: _Body = others.result()
            return body
        try:
            body = make()
        except BaseException as error:
            with self._lock:
                del self._making[key]
            left = isinstance(error, (Cancelled, LongWorkAhead))
            mine.set_exception(_MakerLeft() if left else error)
            raise
        with self._lock:
            del self._making[key]
            if keep:
                self._keep(key, body)
        mine.set_result(body)
        return body

    def _keep(self, key: Hashable, body: bytes | Pieces) -> None:
        if isinstance(body, Pieces):
            return
        if len(body) + ENTRY_BYTES > min(MAX_CACHED_BODY, self._max_bytes):
            return
        self._kept[key] = body
        self.bytes += len(body) + ENTRY_BYTES
        while self.bytes > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped) + ENTRY_BYTES


class Responses:
    """Responses to the current request: cached, validated and compressed."""

    def __init__(self, store: Store, max_memory: int = 1 << 62) -> None:
        """Bodies may take a 32nd of `max_memory` bytes."""
        self._store = store
        self._cache = BodyCache(min(MAX_CACHED_BYTES, max_memory // 32))
        # Versions restart with the process, so ETags must not outlive it.
        self._instance = secrets.token_bytes(8)

    def versions(self, train_ids: Iterable[str]) -> tuple[int, ...]:
        """Versions of these jobs; -1 for an unknown one."""
        return tuple(self._version(train_id) for train_id in train_ids)

    def _version(self, train_id: str) -> int:
        try:
            return self._store.train_job(train_id).version
        except TrainJobNotFound:
            return -1

    def cached(
        self,
        version: tuple[object, ...],
        make: Callable[[], bytes | Pieces],
        *,
        content_type: str = JSON,
        keep: bool = True,
    ) -> Response:
        """The response at this version of the data.

        Large Pieces are streamed and not cached, nor are responses to requests with
        `Cache-Control: no-store`.

        Read `version` before the data: newer data under an old version is fetched once more, old
        data under a new version would stay in caches.
        """
        tag = self._tag(content_type, version)
        if request.if_none_match.contains_weak(tag):
            return _with_etag(Response(status=304), tag)

        def joined_if_small() -> bytes | Pieces:
            body = make()
            if isinstance(body, Pieces) and body.nbytes <= MAX_CACHED_BODY:
                return body.joined()
            return body

        if keep:
            no_store = request.cache_control.no_store
            body = self._cache.get(tag, joined_if_small, keep=not no_store)
        else:
            body = joined_if_small()
        if isinstance(body, Pieces):
            return _with_etag(_streamed(body, content_type), tag)
        return _with_etag(self._encoded(body, content_type, tag), tag)

    def cached_with_headers(
        self, version: tuple[object, ...], make: Callable[[], tuple[Mapping[str, str], bytes]]
    ) -> Response:
        """As `cached`, with headers that depend on the data; `make` returns headers and body."""
        headers: dict[str, str] = {}

        def packed() -> bytes:
            headers, body = make()
            return json.dumps(dict(headers)).encode() + b"\n" + body

        def body() -> bytes:
            tag = self._tag("with headers", version)
            head, _, rest = self._cache.get(tag, packed).partition(b"\n")
            headers.update(json.loads(head))
            return rest

        response = self.cached(version, body, keep=False)
        response.headers.update(headers)
        return response

    def uncached(self, body: bytes, *, content_type: str = JSON) -> Response:
        """A response without a data version; its ETag is a digest of the body."""
        tag = blake2b(body, digest_size=12).hexdigest()
        if request.if_none_match.contains_weak(tag):
            return _with_etag(Response(status=304), tag)
        return _with_etag(self._encoded(body, content_type, tag), tag)

    def _tag(self, kind: str, version: tuple[object, ...]) -> str:
        """A digest of the current request and the data version."""
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
    """Whether gzip pays: not for images, and not on loopback, where sending is faster."""
    if content_type.startswith("image/") or not request.accept_encodings["gzip"]:
        return False
    return not is_loopback(request.remote_addr or "")


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A streamed body, compressed."""
    packer = zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
    for piece in pieces:
        packed = packer.compress(piece)
        if packed:
            yield packed
    yield packer.flush()


def is_loopback(address: str) -> bool:
    """Whether an IP address belongs to this machine."""
    return address.startswith("127.") or address in ("::1", "::ffff:127.0.0.1")


def _with_etag(response: Response, tag: str) -> Response:
    # Weak: gzip changes the bytes but not the content.
    response.set_etag(tag, weak=True)
    response.headers["Vary"] = "Accept, Accept-Encoding"
    response.headers["Cache-Control"] = "no-cache"
    return response
