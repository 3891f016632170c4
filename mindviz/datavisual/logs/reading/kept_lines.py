"""KeptLines: long lines of scalars, put together once."""

from __future__ import annotations

from mindviz.datavisual.derived_cache import ChargeCache, DerivedCache
from mindviz.datavisual.logs.snapshots.catalog import CatalogEntry
from mindviz.datavisual.logs.snapshots.series_lines import Line, ScalarLine
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.generic_series import ScalarPoints

LONG = 1_000_000
"""Points. A shorter line is put together in less time than an answer takes otherwise."""

_Place = tuple[str, Line]


class KeptLines:
    """Lines of at least `LONG` points, at the newest version requested. Thread-safe.

    A file of that many points consists of several batches. Zooming requests one window after
    another, each computed from the whole line: joining 10 million points and finding those that
    count takes longer than the rest of the response.
    """

    def __init__(self, charge_cache: ChargeCache) -> None:
        """`charge_cache` as `Store.charge_cache`: charges the memory budget."""
        self._kept: DerivedCache[_Place, ScalarLine] = DerivedCache("line", charge_cache)

    def line(self, train_id: str, snapshot: TrainJobSnapshot, line: Line) -> ScalarLine:
        """All points of a line of a train job's snapshot, whose columns are in memory."""
        place = train_id, line
        kept = self._kept.find(place, snapshot.version)
        if kept is not None:
            return kept
        points = snapshot.scalar_line(line)
        if len(points.step) >= LONG:
            self._kept.keep(train_id, place, snapshot.version, points, _nbytes(points))
        return points

    def points(
        self, train_id: str, snapshot: TrainJobSnapshot, entry: CatalogEntry
    ) -> ScalarPoints:
        """The points of a series that count."""
        ref = entry.refs[0]
        if snapshot.files[ref.file].totals.count[ref.series] < LONG:
            return snapshot.counting_points(entry)
        line = self.line(train_id, snapshot, snapshot.lines(entry)[0])
        rows = line.uncopied(line.counting)
        return ScalarPoints(line.step[rows], line.wall_time[rows], line.value[rows])


def _nbytes(points: ScalarLine) -> int:
    """Bytes of what is not the columns' own memory; the indices of what counts come later."""
    columns = (points.step, points.wall_time, points.value)
    copies = sum(column.nbytes for column in columns if column.base is None)
    return copies + 8 * len(points.step)
