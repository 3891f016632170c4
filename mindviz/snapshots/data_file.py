"""The data of a snapshot: a header and packed answers. `snapshot_file.ts` of the page reads it."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import orjson

from mindviz.answer_memory import claim, unclaim
from mindviz.snapshots.packed_words import packed

MAGIC = b"mindvizS"
FORMAT = 1
_PLAIN_TYPES = ("image/", "audio/", "video/")
"""Already compressed, or shown by elements that need the bytes at once."""
_HEADER_SHARE = 0.3
"""Compressed size of header entries, at most, by their size."""


class DataFile:
    """Collects answers; packs each when it is added, and claims its memory."""

    def __init__(self) -> None:
        self._parts: list[tuple[dict[str, Any], bytes]] = []
        self._size = 0
        self._header = 0
        self._keys: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    @property
    def size(self) -> int:
        """Estimated size of the file in bytes."""
        return self._size + int(self._header * _HEADER_SHARE) + 1000

    def add_answer(self, key: str, content_type: str, body: bytes) -> int:
        """Add a recorded answer; returns the size it takes."""
        if content_type.startswith(_PLAIN_TYPES):
            return self._add({"kind": "answer", "key": key, "type": content_type}, "plain", body)
        part = {"kind": "answer", "key": key, "type": content_type}
        return self._add(part, "gzip", packed(body))

    def add_scalars(self, stored: bytes, length: int, smoothing: str) -> None:
        """Add the `packed_words` of an Arrow stream of scalars; the caller claims their memory."""
        part = {"kind": "scalars", "key": "", "type": "", "length": length}
        self._count(part | {"smoothing": smoothing, "packing": "words"}, stored)

    def drop_scalars(self) -> None:
        """Remove all scalars."""
        parts, self._parts = self._parts, []
        self._size = self._header = 0
        for part, body in parts:
            if part["kind"] != "scalars":
                self._count(part, body)

    def _add(self, part: dict[str, Any], packing: str, body: bytes) -> int:
        before = self.size
        claim(len(body))
        self._count({**part, "packing": packing}, body)
        self._keys.add(part["key"])
        return self.size - before

    def _count(self, part: dict[str, Any], body: bytes) -> None:
        self._parts.append(({**part, "size": len(body)}, body))
        self._size += len(body)
        self._header += len(part["key"]) + 120

    def drop_last(self) -> None:
        """Remove what was added last."""
        part, body = self._parts.pop()
        unclaim(len(body))
        self._size -= len(body)
        self._header -= len(part["key"]) + 120
        self._keys.discard(part["key"])

    def pieces(self, facts: Mapping[str, Any]) -> Sequence[bytes]:
        """The whole file, as its header and parts, which are not copied."""
        sizes = (len(body) for _, body in self._parts)
        starts = accumulate(sizes, initial=0)
        parts = [
            {**part, "start": start} for (part, _), start in zip(self._parts, starts, strict=False)
        ]
        # Tags may hold lone surrogates, which orjson refuses.
        header = packed(_json({"format": FORMAT, "facts": facts, "parts": parts}))
        bodies = (body for _, body in self._parts)
        return [MAGIC + struct.pack("<I", len(header)) + header, *bodies]


def _json(value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        import json  # noqa: PLC0415 -- for lone surrogates only

        return json.dumps(value).encode()
