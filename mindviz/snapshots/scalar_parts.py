"""Scalars of a snapshot: exact, or reduced until they fit."""

from __future__ import annotations

import json
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.errors import AnswerTooLarge
from mindviz.snapshots.data_file import packed_scalars
from mindviz.snapshots.recorder import UNANSWERED, Recorder, get

EXACT = 2_000_000
"""Points of a series that count as exact: the page draws no more."""
LEVELS = (EXACT, 10_000, 4_000, 1_000, 400, 100)
"""Points per series, tried in this order."""
_SERIES_PER_PART = 64

_ASIDE = 1_000
"""Points that charts show of what was set aside."""

Series = tuple[str, str]
"""train_id, tag as logged."""


@dataclass(slots=True)
class ScalarCounts:
    """How much of the series a snapshot has."""

    all: int = 0
    kept: int = 0
    reduced: int = 0
    most_points: int | None = None

    def add(self, stream: bytes, level: int) -> None:
        """Count the series of an Arrow stream."""
        facts = described(stream)
        reduced = sum(series["points"] < series["in_range"] for series in facts)
        self.kept += len(facts)
        self.reduced += reduced
        if reduced:
            self.most_points = max(level, self.most_points or 0)


def described(stream: bytes) -> Sequence[dict[str, Any]]:
    """The facts about each series in the metadata of an Arrow stream."""
    (size,) = struct.unpack_from("<i", stream, 4)
    schema = stream[8 : 8 + size]
    start = schema.index(b'{"cursor"')
    decoded = json.JSONDecoder().raw_decode(schema[start:].decode("utf-8", "replace"))[0]
    facts: Sequence[dict[str, Any]] = decoded["series"]
    return facts


def add_scalars(
    recorder: Recorder, series: Sequence[Series], room: int, smoothing: str, counts: ScalarCounts
) -> None:
    """Add these series with as many points as fit into `room` bytes, else as many as fit."""
    for level in LEVELS:
        parts = _parts(recorder, series, level, smoothing)
        fitting = _fitting(parts, room)
        if fitting.complete or level == LEVELS[-1]:
            for stream, stored in fitting.parts:
                recorder.file.add_scalars(stream, stored, smoothing)
                counts.add(stream, level)
                _add_restarts(recorder, stream)
            return


def _add_restarts(recorder: Recorder, stream: bytes) -> None:
    """Add the points that restarts or other writers set aside."""
    for series in described(stream):
        if series.get("superseded") or len(series.get("writers", ())) > 1:
            recorder.offer(
                get(
                    "datavisual/scalars/restarts",
                    ("train_id", series["train_id"]),
                    ("tag", series["tag"].removesuffix("/scalar")),
                    ("aside", _ASIDE),
                )
            )


@dataclass(slots=True)
class _Fitting:
    parts: list[tuple[bytes, bytes]]
    complete: bool


def _fitting(parts: Iterator[tuple[bytes, bytes] | None], room: int) -> _Fitting:
    """The parts until the room is used up, or one is too large to be answered."""
    kept: list[tuple[bytes, bytes]] = []
    for part in parts:
        if part is None:
            return _Fitting(kept, complete=False)
        room -= len(part[1]) + 100
        if room < 0:
            return _Fitting(kept, complete=False)
        kept.append(part)
    return _Fitting(kept, complete=True)


def _parts(
    recorder: Recorder, series: Sequence[Series], level: int, smoothing: str
) -> Iterator[tuple[bytes, bytes] | None]:
    """Streams and how they are stored; None for one that is too large to be answered."""
    # Exact series are smoothed by the page.
    smoothed = [("smoothing", smoothing)] if smoothing and level != EXACT else []
    for train_ids, tags in _rectangles(series):
        request = get(
            "datavisual/scalars",
            ("train_id", train_ids),
            ("tag", [f"{tag}/scalar" for tag in tags]),
            ("max_points", level),
            *smoothed,
            ("format", "arrow"),
        )
        try:
            stream = recorder.ask(request).body
        except AnswerTooLarge:
            yield None
            continue
        except UNANSWERED:
            continue
        yield stream, packed_scalars(stream)


def _rectangles(series: Iterable[Series]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The series as train ids x tags, in order."""
    tags_of: defaultdict[str, list[str]] = defaultdict(list)
    for train_id, tag in series:
        tags_of[train_id].append(tag)
    ids_of: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for train_id, tags in tags_of.items():
        for at in range(0, len(tags), _SERIES_PER_PART):
            ids_of[tuple(tags[at : at + _SERIES_PER_PART])].append(train_id)
    for some, train_ids in ids_of.items():
        width = max(1, _SERIES_PER_PART // len(some))
        for at in range(0, len(train_ids), width):
            yield train_ids[at : at + width], some
