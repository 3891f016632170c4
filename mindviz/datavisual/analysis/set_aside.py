"""What a chart draws faintly behind a scalar line: the points that do not count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from mindviz.datavisual.health.series_health import strays
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.store import Store

MAX_PIECES = 500
"""Of one series; the longest."""
_LEAST = 4
"""Points that a reduced piece keeps at least."""


class Reason(StrEnum):
    """Why points do not count."""

    REPLACED = "replaced"
    """A restart or the same step wrote them again."""
    STRAY = "stray"
    """Their writer did not go on."""
    WRITER = "writer"
    """Another file was written at the same time."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Points that were written one after the other, by strictly increasing step."""

    reason: Reason
    count: int
    """How many there are; the columns may hold fewer."""
    step: Int64s
    wall_time: Float64s
    value: Float64s
    writer: str | None = None
    """The file, of another writer's."""


def pieces_of(
    experiment: Store, train_id: str, tag: str, written: ScalarTimeSeries, max_points: int
) -> list[Piece]:
    """All points of a series but its line's, about `max_points` of them; the longest pieces first.

    `written` has all points of the line. Raises TrainJobNotFound, TagNotFound.
    """
    found = list(_apart(written))
    for writer in written.writers[1:]:
        other = experiment.read_scalars(train_id, tag, writer=writer)
        rows = np.arange(len(other.step))
        found.append(replace(_piece(Reason.WRITER, other, rows), writer=writer))
    found.sort(key=lambda piece: -piece.count)
    total = sum(piece.count for piece in found)
    return [
        _reduced(piece, max(_LEAST, max_points * piece.count // total))
        for piece in found[:MAX_PIECES]
    ]


def _apart(written: ScalarTimeSeries) -> Iterator[Piece]:
    if not written.superseded.any():
        return
    stray = strays(written)
    replaced = np.flatnonzero(written.superseded & ~stray)
    yield from _split(Reason.REPLACED, written, replaced, replaced[1:] > replaced[:-1] + 1)
    # Strays between points of the line belong together: a second counter, such as validation.
    rows = np.flatnonzero(stray)
    yield from _split(Reason.STRAY, written, rows, np.zeros(max(0, len(rows) - 1), np.bool_))


def _split(
    reason: Reason, written: ScalarTimeSeries, rows: Int64s, breaks: Bools
) -> Iterator[Piece]:
    step = written.step[rows]
    ends = np.flatnonzero(breaks | (step[1:] <= step[:-1])) + 1
    for part in np.split(rows, ends):
        if len(part):
            yield _piece(reason, written, part)


def _piece(reason: Reason, series: ScalarTimeSeries, rows: Int64s) -> Piece:
    step, wall_time, value = series.step[rows], series.wall_time[rows], series.value[rows]
    return Piece(reason, len(rows), step, wall_time, value)


def _reduced(piece: Piece, max_points: int) -> Piece:
    kept = minmax(piece.value, max_points)
    return replace(
        piece, step=piece.step[kept], wall_time=piece.wall_time[kept], value=piece.value[kept]
    )
