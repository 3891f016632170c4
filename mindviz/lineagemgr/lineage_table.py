"""LineageTable: a snapshot of the lineages of all jobs, with access by row and column."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any
from urllib.parse import unquote

import numpy as np
import orjson

from mindviz.datavisual.analysis.lineage import FACT_FIELDS, Lineage, lineage_of, shortest
from mindviz.datavisual.series.job_lineages import JobLineages
from mindviz.datavisual.series.lineage_facts import NO_FACTS, JobLineage, LineageFacts, MetricTag
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.store import ScalarSummaries, Store
from mindviz.deadline import begin_long_work, check
from mindviz.errors import (
    AnswerTooLarge,
    DamagedValue,
    LogUnreadable,
    TagNotFound,
    TrainJobNotFound,
)
from mindviz.lineagemgr.lineage_rows import LineageRows

SCALAR_STATISTICS = ("last", "min", "max", "min_step", "max_step")
"""Statistics of scalar series, as columns `scalar/<tag>/<statistic>`."""

_AT_BEST = re.compile(r"at_(min|max):([^/]*)")
"""The value at the step of another tag's minimum or maximum; that tag is percent-encoded."""

Column = Sequence[Any]
"""A value per row; None if missing."""
_Summaries = Callable[[str], ScalarSummaries | None]
_ReadStatistic = Callable[[str, str], Mapping[str, float | int] | None]
"""As `Store.scalar_statistic`."""
_ReadScalars = Callable[[str, str], ScalarTimeSeries]
"""The points of a train_id and tag. Raises TrainJobNotFound, TagNotFound."""


_READ_AHEAD = 500
"""Jobs whose summaries are read at once."""
_FEW_JOBS = 1_000
"""Reading the lineage of more jobs is long work."""
_FEW_SERIES = 32
"""Reading the points of more series is long work."""
MAX_CELLS = 10_000_000
"""Columns x jobs per response. Every name that any job logged is a column."""


def is_statistic(name: str) -> bool:
    """Whether `scalar/<tag>/<name>` is a column."""
    return name in SCALAR_STATISTICS or _AT_BEST.fullmatch(name) is not None


def check_cells(columns: int, jobs: int) -> None:
    """Raises AnswerTooLarge if a table exceeds MAX_CELLS."""
    if columns * jobs > MAX_CELLS:
        raise AnswerTooLarge(
            f"The lineage of {jobs} train jobs with {columns} columns exceeds {MAX_CELLS} cells. "
            "Select fewer jobs."
        )


class LineageTable:
    """Immutable; columns are computed on first use."""

    def __init__(
        self,
        rows: LineageRows,
        summaries: _Summaries,
        read_scalars: _ReadScalars,
        read_statistic: _ReadStatistic = lambda _tag, _statistic: None,
        *,
        marks: Mapping[str, str | None] | None = None,
    ) -> None:
        """`rows` are sorted by last update, newest first.

        `marks` are the `dataset_marks` among more rows.
        """
        self.rows = rows
        self._summaries = summaries
        self._read_scalars = read_scalars
        self._read_statistic = read_statistic
        self._marks = marks
        self._columns: dict[str, Column] = {}

    def __len__(self) -> int:
        """Number of jobs."""
        return len(self.rows)

    @cached_property
    def _by_id(self) -> Mapping[str, int]:
        return {train_id: index for index, train_id in enumerate(self.rows.train_ids)}

    def find(self, train_id: str) -> int | None:
        """The row of a job, if it exists."""
        return self._by_id.get(train_id)

    def index_of(self, train_id: str) -> int:
        """The row of a job. Raises TrainJobNotFound."""
        try:
            return self._by_id[train_id]
        except KeyError:
            raise TrainJobNotFound(train_id, self._by_id) from None

    def column(self, name: str) -> Column:
        """One field of all rows; also `metric/<name>` and `scalar/<tag>/<statistic>`."""
        # Without a lock: two threads may compute the same column, with equal results.
        column = self._columns.get(name)
        if column is None:
            check()
            column = self._columns[name] = self._compute(name)
        return column

    def _compute(self, name: str) -> Column:
        kind, slash, rest = name.partition("/")  # names may be empty: `metric/`
        if slash and kind in ("metric", "user_defined"):
            return self._logged_cells(lambda row: getattr(row, kind).get(rest))
        if slash and kind == "scalar":
            tag, _, statistic = rest.rpartition("/")
            if at_best := _AT_BEST.fullmatch(statistic):
                return self._at_best(tag, unquote(at_best[2]), f"{at_best[1]}_step")
            return self._statistic_of_all(tag, statistic)
        if name == "dataset_mark" and self._marks is not None:
            return list(map(self._marks.get, self.rows.train_ids))
        if name == "dataset_mark":
            return dataset_marks(self.rows)
        fact = attrgetter(name)
        return self._logged_cells(fact) if name in FACT_FIELDS else list(map(fact, self.rows))

    def _logged_cells(self, fact: Callable[[Lineage], Any]) -> Column:
        """A fact of all rows; without any, the same list as for others: 100,000 rows are 0.8 MB."""
        if not self.rows.logged:
            return self._missing
        cells = [None] * len(self.rows)
        for index, row in self.rows.logged.items():
            cells[index] = fact(row)
        return cells

    @cached_property
    def _missing(self) -> Column:
        return [None] * len(self.rows)

    def _statistic_of_all(self, tag: str, statistic: str) -> Column:
        known = self._read_statistic(tag, statistic)
        if known is None:
            return self.scalars([tag], range(len(self.rows)), [statistic])[0]
        values = list(map(known.get, self.rows.train_ids))
        if statistic.endswith("_step"):
            return values
        present = iter(shortest([value for value in values if value is not None]))
        return [None if value is None else next(present) for value in values]

    def _at_best(self, tag: str, other: str, step_of: str) -> Column:
        """The last value of `tag` up to the step where `other` is best."""
        if len(self.rows) > _FEW_SERIES:
            begin_long_work()
        values = [
            self._value_at_best(train_id, tag, other, step_of) for train_id in self.rows.train_ids
        ]
        present = iter(shortest([value for value in values if value is not None]))
        return [None if value is None else next(present) for value in values]

    def _value_at_best(self, train_id: str, tag: str, other: str, step_of: str) -> float | None:
        check()
        summaries = self._summaries(train_id)
        if summaries is None or summaries.index_of(tag) < 0:
            return None
        index = summaries.index_of(other)
        if index < 0 or np.isnan(summaries.stats.min[index]):
            return None
        try:
            points = self._read_scalars(train_id, tag)
        except (TrainJobNotFound, TagNotFound):  # deleted meanwhile
            return None
        except (LogUnreadable, DamagedValue):  # the page of the series reports it
            return None
        step = getattr(summaries.stats, step_of)[index]
        place = int(np.searchsorted(points.step, step, side="right")) - 1
        return None if place < 0 else float(points.value[place])

    def scalars(
        self, tags: Sequence[str], rows: Sequence[int], statistics: Sequence[str]
    ) -> list[list[float | int | None]]:
        """The columns of all statistics of each tag, tag by tag, for some rows.

        They are not kept: there may be 100,000 of them.
        """
        places = {tag: place for place, tag in enumerate(tags)}
        at: list[int] = []
        statistics_of: list[list[Any]] = [[] for _ in statistics]
        for number, row in enumerate(rows):
            check()
            summaries = self._summaries(self.rows.train_ids[row])
            pairs = [] if summaries is None else _common(places, summaries)
            if summaries is not None and pairs:
                at += (place * len(rows) + number for place, _ in pairs)
                indices = [index for _, index in pairs]
                for values, statistic in zip(statistics_of, statistics, strict=True):
                    values.extend(getattr(summaries.stats, statistic).take(indices).tolist())
        cells = np.full((len(statistics), len(tags) * len(rows)), None, dtype=object)
        for column, values in zip(cells, statistics_of, strict=True):
            column[at] = shortest(values) if values and isinstance(values[0], float) else values
        by_tag = cells.reshape(len(statistics), len(tags), len(rows)).swapaxes(0, 1)
        columns: list[list[float | int | None]] = by_tag.reshape(-1, len(rows)).tolist()
        return columns


def _common(places: Mapping[str, int], summaries: ScalarSummaries) -> list[tuple[int, int]]:
    """The place of each tag that the job has, and its index in the summaries."""
    if len(summaries.tags) < len(places):
        return [(places[tag], index) for index, tag in enumerate(summaries.tags) if tag in places]
    places_in = ((place, summaries.index_of(tag)) for tag, place in places.items())
    return [(place, index) for place, index in places_in if index >= 0]


def dataset_marks(rows: LineageRows) -> list[str | None]:
    """A number, as a string, per distinct dataset graph; jobs without a graph share one.

    Numbers start from 2, in the order of train_ids, so that they are stable across restarts; 1 is
    reserved by the contract. None for jobs without lineage.
    """
    marks: dict[bytes, str] = {}
    texts: dict[int, bytes] = {}
    mark_of: dict[str, str] = {}
    for row in sorted(rows.logged.values(), key=lambda row: row.summary_dir):
        graph = row.dataset_graph
        text = texts.get(id(graph))
        if text is None:
            # Equal graphs are usually the same object: see `lineage_message`.
            text = b"" if graph is None else orjson.dumps(graph, option=orjson.OPT_SORT_KEYS)
            texts[id(graph)] = text
        mark_of[row.summary_dir] = marks.setdefault(text, str(len(marks) + 2))
    return list(map(mark_of.get, rows.train_ids))


class Lineages:
    """The current table of an experiment's jobs. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._version: int | None = None
        self._table = self._table_of(LineageRows(JobLineages.of(()), {}))
        self._known: dict[str, Lineage] = {}
        """Lineages with facts."""
        self._metric_tags: tuple[MetricTag, ...] = ()

    def table(self) -> LineageTable:
        """The current table; only changed jobs are read again."""
        with self._lock:
            version = self._store.version
            if version != self._version:
                self._table = self._read()
                self._version = version
            return self._table

    def of(
        self,
        jobs: Sequence[JobLineage],
        tags: Sequence[MetricTag],
        marks: Mapping[str, str | None],
    ) -> LineageTable:
        """The table of some jobs, given the metric tags and data set numbers among all of them."""
        columns = JobLineages.of(jobs)
        logged = columns.logged
        facts = {job.train_id: job.facts for job in logged.values()}
        places = {job.train_id: place for place, job in enumerate(jobs)}
        read: int | None = None

        def summaries(train_id: str) -> ScalarSummaries | None:
            nonlocal read
            part = places[train_id] // _READ_AHEAD if train_id in places else None
            if part is not None and part != read:
                start, read = part * _READ_AHEAD, part
                ids = [job.train_id for job in jobs[start : start + _READ_AHEAD]]
                self._store.read_summaries_ahead(ids)
            return self._summaries(train_id)

        rows = {
            row: lineage_of(job, self._metrics(job, tags, facts, summaries))
            for row, job in logged.items()
        }
        return LineageTable(
            LineageRows(columns, rows), summaries, self._store.read_scalars, marks=marks
        )

    def _read(self) -> LineageTable:
        if len(self._store.list_train_ids()) - len(self._table) > _FEW_JOBS:
            begin_long_work()
        jobs = JobLineages.of(self._store.list_lineages())
        logged = jobs.logged
        tags = tuple(dict.fromkeys(tag for job in logged.values() for tag in job.facts.metric_tags))
        # A new metric tag invalidates all rows, because any job may have its series.
        known = self._known if tags == self._metric_tags else {}
        # Metrics of a group are series of another job, which the row's version does not cover.
        groups = {tag.group for tag in tags if tag.group}
        facts = {job.train_id: job.facts for job in logged.values()}
        rows: dict[int, Lineage] = {}
        for index, job in logged.items():
            row = known.get(job.train_id)
            if row is None or row.version != job.version or groups:
                row = lineage_of(job, self._metrics(job, tags, facts, self._summaries))
            rows[index] = row
        self._known = {row.summary_dir: row for row in rows.values()}
        self._metric_tags = tags
        return self._table_of(LineageRows(jobs, rows))

    def _table_of(self, rows: LineageRows) -> LineageTable:
        store = self._store
        return LineageTable(rows, self._summaries, store.read_scalars, store.scalar_statistic)

    def _metrics(
        self,
        job: JobLineage,
        tags: Iterable[MetricTag],
        facts: Mapping[str, LineageFacts],
        summaries_of: _Summaries,
    ) -> dict[str, float]:
        """The latest scalars for the metric tags of all jobs, for a job with a session.

        Source: TensorBoard's HParams; its issue 5596 is why the tags of all jobs apply.
        """
        if not (job.facts.hyper_parameters or job.facts.metric_tags):
            return {}
        metrics: dict[str, float] = {}
        known: dict[str, ScalarSummaries | None] = {}
        for tag in tags:
            train_id = tag.train_id_from(job.train_id)
            if train_id not in known:
                known[train_id] = summaries_of(train_id)
            summaries = known[train_id]
            if summaries is not None:
                metric = summaries.metric(tag.tag, facts.get(train_id, NO_FACTS))
                if metric is not None:
                    metrics[tag.name] = metric.value
        return dict(zip(metrics, shortest(list(metrics.values())), strict=True))

    def _summaries(self, train_id: str) -> ScalarSummaries | None:
        try:
            return self._store.scalar_summaries(train_id)
        except TrainJobNotFound:  # deleted meanwhile
            return None
