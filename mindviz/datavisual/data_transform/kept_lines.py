"""KeptLines: long lines of scalars, put together once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from mindviz.datavisual.data_transform.lodgers import Drop
from mindviz.datavisual.data_transform.series_lines import Line, ScalarLine
from mindviz.datavisual.data_transform.train_job_snapshot import TrainJobSnapshot
from mindviz.errors import TrainJobNotFound

LONG = 1_000_000
"""Points. A shorter line is put together in less time than an answer takes otherwise."""

_Place = tuple[str, Line]


class KeptLines:
    """Lines of at least `LONG` points, as they are at the newest version asked for. Thread-safe.

    A file of that many points lies in several batches. Whoever zooms asks for one window after
    another, and each answer begins with the whole line: to put 10 million points together and to
    find out which of them count takes longer than the rest of the answer.
    """

    def __init__(self, lodge: Callable[[str, Hashable, int, Drop], None]) -> None:
        """`lodge` as `Experiment.lodge`: what is kept counts in the budget of memory."""
        self._lodge = lodge
        self._lock = threading.Lock()
        self._kept: dict[_Place, tuple[int, ScalarLine]] = {}

    def line(self, train_id: str, snapshot: TrainJobSnapshot, line: Line) -> ScalarLine:
        """All points of a line of a train job's snapshot, whose columns are in memory."""
        place = train_id, line
        with self._lock:
            kept = self._kept.get(place)
        if kept is not None and kept[0] == snapshot.version:
            return kept[1]
        points = snapshot.scalar_line(line)
        if len(points.step) >= LONG:
            self._keep(place, (snapshot.version, points))
        return points

    def _keep(self, place: _Place, kept: tuple[int, ScalarLine]) -> None:
        def forget() -> None:
            with self._lock:
                if self._kept.get(place) is kept:
                    del self._kept[place]

        with self._lock:
            self._kept[place] = kept
        try:
            self._lodge(place[0], ("line", place), _nbytes(kept[1]), forget)
        except TrainJobNotFound:  # gone meanwhile
            forget()


def _nbytes(points: ScalarLine) -> int:
    """Bytes of what is not the columns' own memory; the indices of what counts come later."""
    columns = (points.step, points.wall_time, points.value)
    copies = sum(column.nbytes for column in columns if column.base is None)
    return copies + 8 * len(points.step)
