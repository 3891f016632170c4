"""Scalars of a snapshot: exact, or reduced until they fit."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from mindviz.answer_memory import claim, unclaim
from mindviz.errors import AnswerTooLarge
from mindviz.snapshots.packed_words import packed_words
from mindviz.snapshots.recorder import UNANSWERED, Answered, Recorder, get

EXACT = 2_000_000
"""Points of a series that count as exact: the page draws no more."""
LEVELS = (EXACT, 40_000, 20_000, 10_000, 4_000, 2_000, 1_000, 400, 100)
"""Points per series, tried in this order."""
_SERIES_PER_PART = 64
_FIRST_SERIES = 4
"""Series of the first part, whose size is unknown."""
_STREAM_SIZE = 4_000_000
"""Bytes of a part before it is packed, about: they are in memory several times."""
_PART_SIZE = 100
"""Bytes of a part's entry in the header."""
_FILLED = 0.95
"""Share of the remaining room; sizes of header entries are estimates."""
_LEAST_GAIN = 0.2
"""Additional room, relative to a set's size, with which more points may fit."""

_SUFFIX = "/scalar"
"""Of tags in answers."""
_ASIDE = 1_000
"""Points that charts show of what was set aside."""

Series = tuple[str, str]
"""train_id, tag as logged."""
SeriesFacts = Mapping[str, Any]
"""Facts about a series in an Arrow stream."""


@dataclass(slots=True)
class ScalarCounts:
    """How much of the series a snapshot has."""

    all: int = 0
    kept: int = 0
    reduced: int = 0
    most_points: int | None = None

    def add(self, facts: Sequence[SeriesFacts], level: int) -> None:
        """Count these series."""
        reduced = sum(map(is_reduced, facts))
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


def described(stream: bytes) -> Sequence[SeriesFacts]:
    """The facts about each series of an Arrow stream."""
    facts: Sequence[SeriesFacts] = metadata_of(stream)["series"]
    return facts


def is_reduced(facts: SeriesFacts) -> bool:
    """Whether only some points of a series are in its stream."""
    return bool(facts["points"] < facts["in_range"])


def series_of(facts: SeriesFacts) -> Series:
    """The series that these facts are about."""
    return facts["train_id"], facts["tag"].removesuffix(_SUFFIX)


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
            counts.add(one.facts, one.level)
        return counts

    @property
    def facts(self) -> Sequence[SeriesFacts]:
        """About the series that are kept, in the order of their sets."""
        return [facts for one in self._sets for facts in one.facts]

    @property
    def missing(self) -> Sequence[Series]:
        """The series that are not kept."""
        kept = set(map(series_of, self.facts))
        return [series for one in self._sets for series in one.series if series not in kept]

    def add(self, series: Sequence[Series], room: int) -> None:
        """Add a set with as many points as fit into `room` bytes, else as many series as fit."""
        added = self._largest(series, room, LEVELS)
        self._sets.append(added)
        self._write(added)

    def fill(self) -> None:
        """Use the room that other answers left: replace reduced sets by larger ones."""
        for number, one in enumerate(self._sets):
            if self._recorder.out_of_time:
                return
            room = int(self._recorder.room * _FILLED)
            if one.is_exact or room < _LEAST_GAIN * one.size:
                continue
            levels = LEVELS[: LEVELS.index(one.level)] if one.complete else LEVELS
            larger = self._largest(one.series, one.size + room, levels)
            if larger.complete or len(larger.facts) > len(one.facts):
                self._sets[number] = larger
                self._recorder.file.drop_scalars()
                for kept in self._sets:
                    self._write(kept)
                larger = one
            _forget(larger.parts)

    def _largest(self, series: Sequence[Series], room: int, levels: Sequence[int]) -> _Set:
        found: _Fitting | None = None
        for level in levels:
            if found is not None:
                _forget(found.parts)
                found = None  # frees the memory of its parts
            found = _fitting(_parts(self._recorder, series, level, self._smoothing), room)
            if found.complete or self._recorder.out_of_time:
                break
        assert found is not None
        return _Set(series, level, found.parts, found.complete)

    def _write(self, one: _Set) -> None:
        for part in one.parts:
            self._recorder.file.add_scalars(part.stored, part.length, self._smoothing)
        _add_restarts(self._recorder, one.facts)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stream as it is stored."""

    facts: Sequence[SeriesFacts]
    length: int
    """Bytes before it was packed."""
    stored: bytes


@dataclass(frozen=True, slots=True)
class _Set:
    series: Sequence[Series]
    level: int
    parts: Sequence[_Part]
    complete: bool

    @property
    def is_exact(self) -> bool:
        return self.complete and self.level == EXACT

    @property
    def size(self) -> int:
        return sum(len(part.stored) + _PART_SIZE for part in self.parts)

    @property
    def facts(self) -> Sequence[SeriesFacts]:
        return [facts for part in self.parts for facts in part.facts]


def _add_restarts(recorder: Recorder, facts: Sequence[SeriesFacts]) -> None:
    """Add the points that restarts or other writers set aside."""
    for series in facts:
        if series.get("superseded") or len(series.get("writers", ())) > 1:
            request = get(
                "datavisual/scalars/restarts",
                ("train_id", series["train_id"]),
                ("tag", series_of(series)[1]),
                ("aside", _ASIDE),
            )
            if request.key not in recorder.file:
                recorder.offer(request)


@dataclass(slots=True)
class _Fitting:
    parts: list[_Part]
    complete: bool


def _fitting(parts: Iterator[_Part | None], room: int) -> _Fitting:
    """The parts until the room or the time is used up, or one is too large to be answered."""
    kept: list[_Part] = []
    for part in parts:
        if part is None:
            return _Fitting(kept, complete=False)
        room -= len(part.stored) + _PART_SIZE
        if room < 0:
            return _Fitting(kept, complete=False)
        claim(len(part.stored))
        kept.append(part)
    return _Fitting(kept, complete=True)


def _forget(parts: Sequence[_Part]) -> None:
    unclaim(sum(len(part.stored) for part in parts))


def _parts(
    recorder: Recorder, series: Sequence[Series], level: int, smoothing: str
) -> Iterator[_Part | None]:
    """The parts of a set; None for one that is too large to be answered, or has no time."""
    # Exact series are smoothed by the page.
    smoothed = [("smoothing", smoothing)] if smoothing and level != EXACT else []
    rectangles = Rectangles(series)
    for train_ids, tags in rectangles:
        request = get(
            "datavisual/scalars",
            ("train_id", train_ids),
            ("tag", [f"{tag}{_SUFFIX}" for tag in tags]),
            ("max_points", level),
            *smoothed,
            ("format", "arrow"),
        )
        answer: Answered | None = None
        try:
            with recorder.in_time():
                answer = recorder.ask(request)
        except AnswerTooLarge:
            yield None
            continue
        except UNANSWERED:
            continue
        if answer is None:
            yield None
            return
        stream = answer.body
        rectangles.fit(len(stream), len(train_ids) * len(tags))
        yield _Part(described(stream), len(stream), packed_words(stream))


class Rectangles:
    """Iterates over series as train ids x tags; how many at once follows from their size."""

    def __init__(self, series: Iterable[Series]) -> None:
        self._series = series
        self._at_once = _FIRST_SERIES

    def fit(self, nbytes: int, series: int) -> None:
        """The stream of the last rectangle, of so many series, had this size."""
        wanted = _STREAM_SIZE * series // max(1, nbytes)
        # Later series may be longer.
        self._at_once = max(1, min(wanted, 4 * self._at_once, _SERIES_PER_PART))

    def __iter__(self) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        tags_of: defaultdict[str, list[str]] = defaultdict(list)
        for train_id, tag in self._series:
            tags_of[train_id].append(tag)
        ids_of: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for train_id, tags in tags_of.items():
            ids_of[tuple(tags)].append(train_id)
        for some, train_ids in ids_of.items():
            row = column = 0
            while row < len(train_ids):
                if column == 0 and self._at_once >= len(some):
                    end = row + self._at_once // len(some)
                    yield train_ids[row:end], some
                    row = end
                else:
                    end = column + self._at_once
                    yield [train_ids[row]], some[column:end]
                    row, column = (row, end) if end < len(some) else (row + 1, 0)
