"""Lines: which parts of a series continue each other, and which were written concurrently."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from mindviz.datavisual.logs.snapshots.catalog import CatalogEntry, SeriesRef
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot, SegmentSpan
from mindviz.datavisual.logs.snapshots.lazy_attribute import lazy_attribute
from mindviz.datavisual.logs.snapshots.step_order import (
    FROM_FIRST_STEP,
    counting_points,
    counting_points_of_segments,
)
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s


@dataclass(frozen=True, slots=True)
class Part:
    """One segment of one file, restricted to a series."""

    ref: SeriesRef
    segment: int


@dataclass(frozen=True, slots=True)
class Line:
    """What one writer and its restarts wrote of a series, oldest part first."""

    writer: str
    parts: tuple[Part, ...]


def lines_of(files: Sequence[FileSnapshot], entry: CatalogEntry) -> tuple[Line, ...]:
    """The writers of a series: one line, unless several wrote concurrently.

    Parts with disjoint times continue each other, and so do the files of one recording and
    TensorBoard's hparams sessions. A part that overlaps the end of every line opens a new one. The
    line that began first is the default.
    """
    spans = [
        (span, ref) for ref in entry.refs for span in files[ref.file].segments_with(ref.series)
    ]
    if len(spans) == 1:  # usual; a job may have a million series
        span, ref = spans[0]
        return (Line(files[ref.file].found.name, (Part(ref, span.segment),)),)
    spans = _oldest_first(files, spans)
    lines: list[list[Part]] = []
    ends: list[float] = []
    for span, ref in spans:
        part = Part(ref, span.segment)
        if lines and files[ref.file].is_hparams_session:
            lines[0].append(part)
            continue
        for index, end in enumerate(ends):
            # NaN is no evidence of an overlap.
            if not span.first_wall_time < end or _same_recording(files, lines[index][-1].ref, ref):
                lines[index].append(part)
                ends[index] = float(np.fmax(end, span.last_wall_time))
                break
        else:
            lines.append([part])
            ends.append(span.last_wall_time)
    writers = _distinct([files[parts[0].ref.file].found.name for parts in lines])
    return tuple(Line(writer, tuple(parts)) for writer, parts in zip(writers, lines, strict=True))


_PART = re.compile(r"\.part(\d+)(?=[^.]*$)")
_MOST_NAMES = 20_000
"""Of files, whose parts of the name are known: a run may have thousands, each with all series."""
_KIND = re.compile(r"\.out\.(?:events\.summary|tfevents)\.(?=\d)")


@lru_cache(_MOST_NAMES)
def recording_of(name: str) -> str:
    """The common part of the names of files that one recording of `mindviz.summary` wrote.

    It writes MindSpore's format, TensorBoard's for other data, and several parts of either. Files
    of other writers are separate recordings.
    """
    return _PART.sub("", _KIND.sub(".out.", name, count=1))


def _same_recording(files: Sequence[FileSnapshot], *refs: SeriesRef) -> bool:
    names = [files[ref.file].found.name for ref in refs]
    return names[0] != names[1] and recording_of(names[0]) == recording_of(names[1])


def _oldest_first(
    files: Sequence[FileSnapshot], spans: Iterable[tuple[SegmentSpan, SeriesRef]]
) -> list[tuple[SegmentSpan, SeriesRef]]:
    """By time; but the parts of a recording keep their order.

    A large value is written later than scalars of its step, possibly into the next part, which then
    has older times than the one before it.
    """
    ages: dict[str, float] = {}
    keyed = []
    numbered = [(_part_number(files[ref.file].found.name), span, ref) for span, ref in spans]
    for number, span, ref in sorted(numbered, key=lambda item: item[0]):
        file = files[ref.file].found
        time = -math.inf if math.isnan(span.first_wall_time) else span.first_wall_time
        if number > 1:
            time = max(time, ages.get(recording_of(file.name), time))
        ages[recording_of(file.name)] = time
        keyed.append(((time, number, file.path, span.segment), span, ref))
    return [(span, ref) for _, span, ref in sorted(keyed, key=lambda item: item[0])]


@lru_cache(_MOST_NAMES)
def _part_number(name: str) -> int:
    match = _PART.search(name)
    return int(match[1]) if match else 1


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with `#2`, `#3` ... appended to repeated ones."""
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return distinct


def declared_restarts(files: Sequence[FileSnapshot], line: Line) -> tuple[int | None, ...]:
    """For each part, the step of a restart that its log declares, or None."""
    return tuple(
        files[part.ref.file].restart_step
        if part.segment == 0
        else FROM_FIRST_STEP
        if files[part.ref.file].found.format.segments_are_restarts
        else None
        for part in line.parts
    )


def epoch_of(files: Sequence[FileSnapshot], line: Line, sizes: Sequence[int]) -> str:
    """A token that changes unless all new data was appended to the line's last part."""
    digest = blake2b(digest_size=8)
    for part, size in zip(line.parts, [*sizes[:-1], -1], strict=True):
        digest.update(f"{files[part.ref.file].fingerprint}/{part.segment}/{size};".encode())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class ScalarLine:
    """All points of a line in writing order, and which of them count."""

    step: Int64s
    wall_time: Float64s
    value: Float64s
    part_sizes: tuple[int, ...]
    epoch: str
    declared: tuple[int | None, ...] = ()
    """See `declared_restarts`; empty for a single part."""

    @staticmethod
    def of(files: Sequence[FileSnapshot], line: Line) -> ScalarLine:
        """All points of a line."""
        parts = [files[part.ref.file].scalars(part.ref.series, part.segment) for part in line.parts]
        if len(parts) == 1:
            step, wall_time, value = parts[0]
            sizes: tuple[int, ...] = (len(step),)
            return ScalarLine(step, wall_time, value, sizes, epoch_of(files, line, sizes))
        sizes = tuple(len(step) for step, _, _ in parts)
        step, wall_time, value = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        epoch = epoch_of(files, line, sizes)
        return ScalarLine(step, wall_time, value, sizes, epoch, declared_restarts(files, line))

    @lazy_attribute
    def counting(self) -> Int64s:
        """Indices of the points that count, by strictly increasing step."""
        return self.counting_of_first(len(self.step))

    def counting_of_first(self, total: int) -> Int64s:
        """`counting` when only the first `total` points existed."""
        if len(self.part_sizes) == 1:
            return counting_points(self.step[:total])
        ends = np.minimum(np.cumsum(self.part_sizes), total).tolist()
        return counting_points_of_segments(
            [self.step[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)], self.declared
        )

    def uncopied(self, rows: Int64s) -> slice | Int64s:
        """The same rows; a slice if they are all, because it does not copy millions of points."""
        count = len(rows)
        in_order = count == len(self.step) and (count < 2 or bool((rows[1:] > rows[:-1]).all()))
        return slice(None) if in_order else rows

    @property
    def superseded(self) -> Bools:
        """True for each point that does not count: replaced by a later one, or stray."""
        marks = np.ones(len(self.step), dtype=np.bool_)
        marks[self.counting] = False
        return marks
