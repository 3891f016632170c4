"""Scalars of a snapshot: exact, or reduced until they fit."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from mindviz.errors import AnswerTooLarge
from mindviz.snapshots.data_file import packed_scalars
from mindviz.snapshots.recorder import UNANSWERED, Recorder, get

EXACT = 2_000_000
"""Points of a series that count as exact: the page draws no more."""
LEVELS = (EXACT, 40_000, 20_000, 10_000, 4_000, 2_000, 1_000, 400, 100)
"""Points per series, tried in this order."""
_SERIES_PER_PART = 64
_PART_SIZE = 100
"""Bytes of a part's entry in the header."""
_FILLED = 0.95
"""Share of the remaining room; sizes of header entries are estimates."""
_LEAST_GAIN = 0.2
"""Additional room, relative to a set's size, with which more points may fit."""

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


def metadata_of(stream: bytes) -> dict[str, Any]:
    """The metadata of an Arrow stream of scalars, without reading the rest."""
    start = stream.index(b'{"cursor":')
    (length,) = struct.unpack_from("<I", stream, start - 4)
    about: dict[str, Any] = orjson.loads(stream[start : start + length])
    return about


def described(stream: bytes) -> Sequence[dict[str, Any]]:
    """The facts about each series of an Arrow stream."""
    facts: Sequence[dict[str, Any]] = metadata_of(stream)["series"]
    return facts


class Scalars:
    """The scalars of a snapshot, in sets of series with the same reduction."""

    def __init__(self, recorder: Recorder, smoothing: str) -> None:
        self._recorder = recorder
        self._smoothing = smoothing
        self._sets: list[_Set] = []

    @property
    def counts(self) -> ScalarCounts:
        """Of all sets."""
        counts = ScalarCounts(all=sum(len(one.series) for one in self._sets))
        for one in self._sets:
            for stream, _ in one.parts:
                counts.add(stream, one.level)
        return counts

    def add(self, series: Sequence[Series], room: int) -> None:
        """Add a set with as many points as fit into `room` bytes, else as many series as fit."""
        added = self._largest(series, room, LEVELS)
        self._sets.append(added)
        self._write(added)

    def fill(self) -> None:
        """Use the room that other answers left: replace reduced sets by larger ones."""
        for number, one in enumerate(self._sets):
            room = int(self._recorder.room * _FILLED)
            if one.is_exact or room < _LEAST_GAIN * one.size:
                continue
            levels = LEVELS[: LEVELS.index(one.level)] if one.complete else LEVELS
            larger = self._largest(one.series, one.size + room, levels)
            if larger.complete or len(larger.parts) > len(one.parts):
                self._sets[number] = larger
                self._recorder.file.drop_scalars()
                for kept in self._sets:
                    self._write(kept)

    def _largest(self, series: Sequence[Series], room: int, levels: Sequence[int]) -> _Set:
        for level in levels:
            found = _fitting(_parts(self._recorder, series, level, self._smoothing), room)
            if found.complete:
                break
        return _Set(series, level, found.parts, found.complete)

    def _write(self, one: _Set) -> None:
        for stream, stored in one.parts:
            self._recorder.file.add_scalars(stream, stored, self._smoothing)
        for stream, _ in one.parts:
            _add_restarts(self._recorder, stream)


@dataclass(frozen=True, slots=True)
class _Set:
    series: Sequence[Series]
    level: int
    parts: Sequence[tuple[bytes, bytes]]
    complete: bool

    @property
    def is_exact(self) -> bool:
        return self.complete and self.level == EXACT

    @property
    def size(self) -> int:
        return sum(len(stored) + _PART_SIZE for _, stored in self.parts)


def _add_restarts(recorder: Recorder, stream: bytes) -> None:
    """Add the points that restarts or other writers set aside."""
    for series in described(stream):
        if series.get("superseded") or len(series.get("writers", ())) > 1:
            request = get(
                "datavisual/scalars/restarts",
                ("train_id", series["train_id"]),
                ("tag", series["tag"].removesuffix("/scalar")),
                ("aside", _ASIDE),
            )
            if request.key not in recorder.file:
                recorder.offer(request)


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
        room -= len(part[1]) + _PART_SIZE
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
