"""ScalarPieces: the scalars of many series, collected to be stored together."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindviz.datavisual.logs.snapshots.series_lines import ScalarLine
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.columns import Float64s, Int64s, SeriesStats
from mindviz.datavisual.sql.records import Piece, ScalarRows, SeriesRecord


class ScalarPieces:
    """Collects the scalars of many series, to be stored together."""

    def __init__(self, snapshot: TrainJobSnapshot) -> None:
        self._snapshot = snapshot
        self.points = 0
        self.replaced: list[SeriesRecord] = []
        self._clear()

    def _clear(self) -> None:
        self.points = 0
        self.replaced = []
        self._series: list[SeriesRecord] = []
        self._columns: list[tuple[Int64s, Float64s, Float64s]] = []
        self._superseded: list[tuple[Any, ...]] = []
        self._summaries: list[tuple[Any, ...]] = []

    def add(self, record: SeriesRecord, step: Int64s, wall_time: Float64s, value: Float64s) -> None:
        """Add a series and those of its points that are to be stored."""
        self._series.append(record)
        self._columns.append((step, wall_time, value))
        self.points += len(step)

    def add_superseded(self, tag_id: int, points: ScalarLine) -> None:
        """Add those points of a series that a later one replaced."""
        if len(points.counting) == len(points.step):
            return
        rows = np.flatnonzero(points.superseded)
        columns = (rows, points.step[rows], points.wall_time[rows], points.value[rows])
        self._superseded += [
            (tag_id, *row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def add_summary(self, tag_id: int, tag: str) -> None:
        """Add what the job's summaries say of a series, if they do."""
        summaries = self._snapshot.summaries
        index = summaries.index_of(tag)
        if index >= 0:
            stats = [getattr(summaries.stats, n)[index] for n in SeriesStats.__dataclass_fields__]
            row = [value.item() for value in stats]
            self._summaries.append((tag_id, summaries.total[index], *row))

    def taken(self, share: float) -> Piece:
        """All that was collected; nothing is left."""
        scalars = None
        if self.points:
            step, wall_time, value = (
                np.concatenate(parts) for parts in zip(*self._columns, strict=True)
            )
            lengths = [len(columns[0]) for columns in self._columns]
            tag_id = np.repeat([record.tag_id for record in self._series], lengths)
            scalars = ScalarRows(tag_id, step, wall_time, value)
        piece = Piece(
            series=tuple(self._series),
            replaced=tuple(self.replaced),
            scalars=scalars,
            superseded=tuple(self._superseded),
            summaries=tuple(self._summaries),
            share=share,
        )
        self._clear()
        return piece
