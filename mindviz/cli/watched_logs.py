"""WatchedLogs: what `mindviz watch` shows of a directory, read from its store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mindviz.cli.checked_logs import event_text
from mindviz.cli.quantities import printable
from mindviz.cli.sparkline import reduced
from mindviz.datavisual.health.health_events import (
    SeriesEvent,
    Severity,
    log_events,
    series_events,
)
from mindviz.datavisual.health.rules import Rules
from mindviz.datavisual.health.run_anomalies import GrowingRuns
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.store import BaseStatus, TrainJobInfo
from mindviz.errors import LogUnreadable, TagNotFound, TrainJobNotFound
from mindviz.expression import Expression
from mindviz.lineagemgr.run_table import ENDS

MAX_SERIES = 8
"""Series read per run; the screen may show fewer."""
MAX_VALUES = 256
"""Values kept per series."""


@dataclass(frozen=True, slots=True, eq=False)
class WatchedSeries:
    """A scalar series."""

    tag: str
    values: Float64s
    """The course: the points that count, or the means of parts of them."""
    last: float
    last_step: int


@dataclass(frozen=True, slots=True)
class WatchedEvent:
    """An anomaly, or damage in a log."""

    train_id: str
    severity: Severity
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class WatchedRun:
    """A run with its main series."""

    train_id: str
    update_time: float
    """Unix seconds."""
    version: int
    ended: bool
    """Whether the log says so."""
    tags: int
    """Scalar series; `series` may have fewer."""
    series: tuple[WatchedSeries, ...]
    events: tuple[WatchedEvent, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A moment of the logs."""

    status: BaseStatus
    runs: tuple[WatchedRun, ...]
    """Last updated first; those that were requested, of `status.train_jobs`."""
    first: int = 0
    """The place of the first of them."""

    @property
    def events(self) -> Sequence[WatchedEvent]:
        """Those of `runs`, worst first."""
        return worst_first(event for run in self.runs for event in run.events)


def worst_first(events: Iterable[WatchedEvent]) -> Sequence[WatchedEvent]:
    """Events by severity, otherwise in the same order."""
    order = list(Severity)
    return sorted(events, key=lambda event: order.index(event.severity))


class WatchedLogs:
    """Reads runs again only if they changed."""

    def __init__(self, store: LogStore, rules: Rules, tag: Expression | None = None) -> None:
        """`tag` selects series; by default, losses and accuracies come first."""
        self._store = store
        self._growing = GrowingRuns(store, rules)
        self._tag = tag
        self._known: dict[str, WatchedRun] = {}

    def look(self, runs: int | None = None, first: int = 0) -> Watched:
        """The current state, with at most this many runs, from the place `first` on."""
        status = self._store.status()
        jobs = self._store.list_train_jobs()
        first = min(first, max(0, len(jobs) - 1))
        page = jobs[first : None if runs is None else first + runs]
        found = [run for job in page if (run := self._run(job))]
        self._known = {run.train_id: run for run in found}
        return Watched(status, tuple(found), first)

    def pages(self, size: int) -> Iterator[Watched]:
        """All runs, `size` at a time."""
        first = 0
        while (watched := self.look(size, first)).runs and watched.first == first:
            yield watched
            first += size

    def _run(self, job: TrainJobInfo) -> WatchedRun | None:
        known = self._known.get(job.train_id)
        if known is not None and known.version == job.version:
            return known
        try:
            tags = self._store.scalar_summaries(job.train_id).tags
            anomalies = self._growing.anomalies(job.train_id, grows=known is not None)
        except TrainJobNotFound:  # just deleted
            return None
        except LogUnreadable:  # shown as a problem of the job
            tags, anomalies = (), []
        if self._tag is not None:
            tags = tuple(tag for tag in tags if self._tag.search(tag))
        return WatchedRun(
            train_id=job.train_id,
            update_time=job.update_time,
            version=job.version,
            ended=job.session_status in ENDS,
            tags=len(tags),
            series=tuple(self._series(job.train_id, sorted(tags, key=_rank)[:MAX_SERIES])),
            events=tuple(_events(job, series_events(anomalies))),
        )

    def _series(self, train_id: str, tags: Sequence[str]) -> Iterator[WatchedSeries]:
        for tag in tags:
            try:
                points = self._store.read_scalars(train_id, tag)
            except (TrainJobNotFound, TagNotFound, LogUnreadable):  # deleted, or a problem
                continue
            if len(points.step):
                values = reduced(points.value, MAX_VALUES)
                yield WatchedSeries(tag, values, float(points.value[-1]), int(points.step[-1]))


def _rank(tag: str) -> tuple[int, str]:
    """Losses first, then accuracies and scores, as people look for them."""
    words = _MAIN.findall(tag.lower())
    return min((_MAIN_ORDER[word] for word in words), default=len(_MAIN_ORDER)), tag


_MAIN_ORDER = {"loss": 0, "acc": 1, "score": 2, "f1": 2, "reward": 2, "perplexity": 2, "iou": 2}
_MAIN = re.compile("|".join(_MAIN_ORDER))


def _events(job: TrainJobInfo, anomalies: Iterable[SeriesEvent]) -> Iterator[WatchedEvent]:
    for problem in log_events(job.problems):
        if problem.severity is Severity.SEVERE:
            text = f"{problem.severity.value}, {problem.kind}: {printable(problem.detail, 300)}"
            yield WatchedEvent(job.train_id, problem.severity, text)
    for event in anomalies:
        if event.severity is not Severity.NOTE:
            yield WatchedEvent(job.train_id, event.severity, event_text(event))
