"""LogHealth: what is wrong with all runs, the worst first, as far as it is known by now.

What is wrong in logs is known once they are read. What is odd in series takes a look at each of
their points: a thread of its own does that, once for each version of a job, and only for jobs that
somebody asks about. Nobody waits for it: a page says how far it has come.

Of each job it is kept how much of what is wrong, which is enough to find the events of any page;
the events themselves are made again where they are looked at and had to go.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mindviz.datavisual.health.event_pages import EventPages, by_kind
from mindviz.datavisual.health.health_events import (
    Kind,
    LogEvent,
    SeriesEvent,
    Severity,
    log_events,
    series_events,
    severity_of,
)
from mindviz.datavisual.health.series_health import Sign, signs
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.store import Store, TrainJobInfo
from mindviz.errors import (
    DatabaseUnavailable,
    LogUnreadable,
    TagNotFound,
    TagUnreadable,
    TrainJobNotFound,
)

_LOGGER = logging.getLogger(__name__)

MAX_EVENTS = 1_000
"""Kept of the series of one job, the worst first; all are counted."""
_PATIENCE = 20
"""A job that grows is looked into again after this many times as long as it took."""
_WAIT = 0.2
"""Seconds that a question waits for the jobs it asks about: a few are looked into in less."""

_ERROR_PATIENCE = 60.0
"""Seconds until a job that could not be looked into is looked into again."""

HealthEvent = LogEvent | SeriesEvent


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Part of what is wrong, and how much it is in all."""

    jobs: int
    """Train jobs that were asked about."""
    looked_into: int
    """Of `jobs`, those whose series have been looked into."""
    outdated: int
    """Of `looked_into`, those that have new points since."""
    counts: Mapping[Kind, int]
    """Findings and signs by kind, of all of these jobs."""
    total: int
    """Events of the kinds asked for, on all pages."""
    total_count: int
    """Findings and signs that they stand for."""
    unlisted: int
    """Events beyond those of `total`: of each job the worst `MAX_EVENTS` are listed."""
    events: Sequence[tuple[str | None, HealthEvent]]
    """With the train_id of the job concerned; None for the base dir itself."""

    @property
    def severities(self) -> Mapping[Severity, int]:
        """As `counts`, by severity, the worst first."""
        sums = Counter(dict.fromkeys(Severity, 0))
        for kind, count in self.counts.items():
            sums[severity_of(kind)] += count
        return sums


@dataclass(frozen=True, slots=True)
class _Known:
    """How much is wrong with a job, as of something that changes with it."""

    origin: object
    counts: Mapping[Kind, int]
    """Findings or signs."""
    listed: Mapping[Severity, Sequence[tuple[Kind, int]]]
    """Events of each kind, in the order they are listed."""
    unlisted: int = 0
    good_until: float = 0.0
    """Monotonic seconds until which nobody looks again."""


def _listed(
    kinds: Mapping[Kind, Sequence[HealthEvent]],
) -> Mapping[Severity, Sequence[tuple[Kind, int]]]:
    listed: dict[Severity, list[tuple[Kind, int]]] = {}
    for kind, events in kinds.items():
        listed.setdefault(severity_of(kind), []).append((kind, len(events)))
    return listed


_NOTHING = _Known(None, {}, {})


@dataclass(frozen=True, slots=True)
class _Source:
    """Where events of a page come from: the logs of a job or of the base dir, or its series."""

    train_id: str | None
    known: _Known
    problems: tuple[Finding, ...] | None
    """None: the job's series are meant."""


class LogHealth:
    """The health of an experiment's jobs. Every method may be called from any thread."""

    def __init__(self, experiment: Store) -> None:
        self._experiment = experiment
        self._lock = threading.Lock()
        self._queue: list[str] = []
        """Jobs to look into, the next one last."""
        self._looking = False
        self._idle = threading.Event()
        self._of_logs: dict[str | None, _Known] = {}
        self._of_series: dict[str, _Known] = {}
        self._kept = EventPages()

    def page(
        self,
        train_ids: Collection[str] = (),
        *,
        without: Collection[str] = (),
        kinds: Collection[str] = (),
        severities: Collection[str] = (),
        offset: int = 0,
        limit: int = 100,
    ) -> HealthPage:
        """Events from number `offset` on: the worst first, of equal ones the job updated last.

        Of these train jobs, or of all but those `without` and of the base dir; unknown ones are
        left out. Of these kinds and severities, or of all.
        """
        asked = self._asked(frozenset(train_ids), frozenset(without))
        self._look_into([info for info in asked if self._is_due(info)])
        sources = [] if train_ids else [self._of_log(None, self._experiment.status().problems)]
        looked_into = outdated = 0
        for info in asked:
            if info.problems:
                sources.append(self._of_log(info.train_id, info.problems))
            known = self._of_series.get(info.train_id)
            if known is not None:
                looked_into += 1
                outdated += known.origin != info.version
                if known.counts:
                    sources.append(_Source(info.train_id, known, None))
        counts: dict[Kind, int] = {}
        for source in sources:
            for kind, count in source.known.counts.items():
                counts[kind] = counts.get(kind, 0) + count
        wanted = {
            kind
            for kind in counts
            if (not kinds or kind in kinds) and (not severities or severity_of(kind) in severities)
        }
        return HealthPage(
            jobs=len(asked),
            looked_into=looked_into,
            outdated=outdated,
            counts=counts,
            total=sum(count for _, _, count in _worst_first(sources, wanted)),
            total_count=sum(counts[kind] for kind in wanted),
            unlisted=sum(source.known.unlisted for source in sources),
            events=[
                (source.train_id, event)
                for source, kind, part in _cut(sources, wanted, offset, limit)
                for event in self._events(source).get(kind, ())[part]
            ],
        )

    def _events(self, source: _Source) -> Mapping[Kind, Sequence[HealthEvent]]:
        """Made again where they are of logs, or had to go."""
        if source.problems is not None:
            return by_kind(log_events(source.problems))
        assert source.train_id is not None
        kept = self._kept.get(source.train_id)
        if kept is None:
            try:
                _, events = self._detect_events(source.train_id)
            except (TrainJobNotFound, LogUnreadable):
                return {}
            kept = by_kind(events[:MAX_EVENTS])
            self._kept.keep(source.train_id, kept)
        return kept

    def _asked(self, train_ids: frozenset[str], without: frozenset[str]) -> list[TrainJobInfo]:
        infos = list(self._experiment.list_train_jobs())
        there = {info.train_id for info in infos}
        for train_id in self._of_logs.keys() - there - {None}:
            self._of_logs.pop(train_id, None)
        for gone in self._of_series.keys() - there:
            self._of_series.pop(gone, None)
            self._kept.drop(gone)
        return [
            info
            for info in infos
            if (not train_ids or info.train_id in train_ids) and info.train_id not in without
        ]

    def _of_log(self, train_id: str | None, problems: tuple[Finding, ...]) -> _Source:
        known = self._of_logs.get(train_id, _NOTHING)
        if known.origin is not problems and known.origin != problems:
            listed = _listed(by_kind(log_events(problems)))
            known = _Known(problems, Counter(one.kind for one in problems), listed)
            self._of_logs[train_id] = known
        return _Source(train_id, known, problems)

    # Series -------------------------------------------------------------------------------------

    def _is_due(self, info: TrainJobInfo) -> bool:
        known = self._of_series.get(info.train_id, _NOTHING)
        return known.origin != info.version and known.good_until < time.monotonic()

    def _look_into(self, jobs: Sequence[TrainJobInfo]) -> None:
        """Have these looked into before others; return when they are, or soon."""
        if not jobs:
            return
        wanted = {info.train_id: None for info in jobs}
        with self._lock:
            others = [train_id for train_id in self._queue if train_id not in wanted]
            self._queue = [*others, *reversed(wanted)]
            self._idle.clear()
            if not self._looking:
                thread = threading.Thread(target=self._look, name="mindviz-health", daemon=True)
                thread.start()  # it waits for the lock; if it cannot start, the next question tries
                self._looking = True
        self._idle.wait(_WAIT)

    def _look(self) -> None:
        while (train_id := self._next()) is not None:
            try:
                self._look_into_job(train_id)
            except (TrainJobNotFound, LogUnreadable):
                continue  # gone, or looked into when somebody asks again
            except DatabaseUnavailable:
                with self._lock:  # the status says so; the next question starts again
                    self._queue.clear()
            except Exception:  # an error in one job must not end the thread
                _LOGGER.exception("Looking into %s failed", train_id)
                known = self._of_series.get(train_id, _NOTHING)
                retry_at = time.monotonic() + _ERROR_PATIENCE
                self._of_series[train_id] = replace(known, good_until=retry_at)

    def _look_into_job(self, train_id: str) -> None:
        """Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable."""
        started = time.monotonic()
        version = self._experiment.train_job(train_id).version
        if self._of_series.get(train_id, _NOTHING).origin == version:
            return
        counts, events = self._detect_events(train_id)
        ended = time.monotonic()
        kinds = by_kind(events[:MAX_EVENTS])
        self._kept.keep(train_id, kinds)
        self._of_series[train_id] = _Known(
            version,
            counts,
            _listed(kinds),
            max(0, len(events) - MAX_EVENTS),
            ended + _PATIENCE * (ended - started),
        )

    def _detect_events(self, train_id: str) -> tuple[Mapping[Kind, int], list[SeriesEvent]]:
        """Signs in a job's series, counted by kind, and the events they indicate, the worst first.

        Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable.
        """
        try:
            found = list(_signs(self._experiment, train_id))
            return Counter(sign.kind for _, sign in found), series_events(found)
        except (TrainJobNotFound, DatabaseUnavailable, LogUnreadable):
            raise
        except Exception:  # the other jobs are looked into
            _LOGGER.exception("Looking into the series of %s failed", train_id)
            return {}, []

    def _next(self) -> str | None:
        with self._lock:
            if self._queue:
                return self._queue.pop()
            self._looking = False
            self._idle.set()
            return None


def _signs(experiment: Store, train_id: str) -> Iterator[tuple[str, Sign]]:
    for tag in experiment.list_tags(train_id).get("scalar", ()):
        try:
            written = experiment.read_scalars(train_id, tag, restarts="all")
        except TagUnreadable:
            raise
        except TagNotFound:  # gone meanwhile
            continue
        for sign in signs(written):
            yield tag, sign


def _worst_first(
    sources: Sequence[_Source], wanted: Collection[Kind]
) -> Iterator[tuple[_Source, Kind, int]]:
    """How many events there are of which kind, in the order they are listed."""
    for severity in Severity:
        for source in sources:
            for kind, count in source.known.listed.get(severity, ()):
                if kind in wanted:
                    yield source, kind, count


def _cut(
    sources: Sequence[_Source], wanted: Collection[Kind], offset: int, limit: int
) -> Iterator[tuple[_Source, Kind, slice]]:
    """Where the events of a page are."""
    left = limit
    for source, kind, count in _worst_first(sources, wanted):
        if left <= 0:
            return
        if offset >= count:
            offset -= count
            continue
        yield source, kind, slice(offset, offset + left)
        left -= min(count - offset, left)
        offset = 0
