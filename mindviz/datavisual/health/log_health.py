"""LogHealth: problems of all runs, worst first.

Findings in log files are known after loading. Anomalies in series require a pass over all points:
a background thread makes it once per version of a train job, on request. Answers don't wait for it;
they say how many train jobs are analyzed.

Counts per train job are kept, which is enough to locate any page of events. The events themselves
are cached and recomputed after eviction.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mindviz.datavisual.health.event_order import (
    NOTHING_KNOWN,
    EventSource,
    HealthEvent,
    KnownEvents,
    SeverityCounts,
    cut,
    listed_kinds,
)
from mindviz.datavisual.health.event_pages import (
    EventPages,
    JobEvents,
    Marks,
    by_kind,
    marks_of,
)
from mindviz.datavisual.health.health_events import (
    DIVERGENCE,
    Kind,
    SeriesEvent,
    Severity,
    log_events,
    series_events,
    severity_of,
)
from mindviz.datavisual.health.kept_checks import MAX_EVENTS, Anomalies, CheckCounts
from mindviz.datavisual.health.rules import Rules, default_rules
from mindviz.datavisual.health.run_anomalies import GrowingRuns, run_anomalies
from mindviz.datavisual.run_listing import JobVersion
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.store import Store
from mindviz.deadline import let_requests_pass, waiting
from mindviz.errors import DatabaseUnavailable, LogUnreadable, TrainJobNotFound

_LOGGER = logging.getLogger(__name__)

_PAUSE_FACTOR = 20
"""A growing train job is analyzed again after this many times the duration of the analysis."""
_WAIT = 0.2
"""Seconds that a request waits for analysis: enough for a few train jobs."""

_RETRY_AFTER = 60.0
"""Seconds until a failed analysis is retried."""


@dataclass(frozen=True, slots=True)
class HealthPage:
    """One page of events, and totals."""

    jobs: int
    """Train jobs selected."""
    looked_into: int
    """How many of `jobs` are analyzed."""
    outdated: int
    """How many of `looked_into` have new points since."""
    unchecked: int
    """Train jobs that were not selected because there are too many."""
    counts: Mapping[Kind, int]
    """Events by kind, over all selected jobs."""
    diverged: Mapping[str, Sequence[Kind]]
    """The selected jobs with NaN or infinite values or a diverged loss, and which of these."""
    total: int
    """Matching events on all pages."""
    total_count: int
    """Findings and anomalies in these events."""
    unlisted: int
    """Events not listed because their job has more than `MAX_EVENTS`."""
    events: Sequence[tuple[str | None, HealthEvent]]
    """Pairs of train_id and event; train_id is None for the base dir."""

    @property
    def severities(self) -> Mapping[Severity, int]:
        """`counts` by severity, worst first."""
        sums = Counter(dict.fromkeys(Severity, 0))
        for kind, count in self.counts.items():
            sums[severity_of(kind)] += count
        return sums


class LogHealth:
    """Problems of the train jobs of a store. Thread-safe."""

    def __init__(self, store: Store, rules: Rules | None = None) -> None:
        """`rules` default to all with their default parameters."""
        self._store = store
        self.rules = default_rules() if rules is None else rules
        self._growing = GrowingRuns(store, self.rules)
        """Of the background thread."""
        self._checks = self._growing.checks
        self._lock = threading.Lock()
        self._queue: list[str] = []
        """Train jobs to analyze, next one last."""
        self._running = False
        self._idle = threading.Event()
        self._unchecked = 0
        self._of_logs: dict[str | None, KnownEvents] = {}
        self._of_series: dict[str, KnownEvents] = {}
        self._pages = EventPages()
        self.on_events: Callable[[str, Sequence[SeriesEvent]], None] | None = None
        """Called with a train job's events after each analysis, in its thread."""

    def page(
        self,
        train_ids: Collection[str] = (),
        *,
        without: Collection[str] = (),
        kinds: Collection[str] = (),
        severities: Collection[str] = (),
        offset: int = 0,
        limit: int = 100,
        wait: float = _WAIT,
    ) -> HealthPage:
        """Events from `offset` on, worst first, ties by last update of the job.

        Selects `train_ids`, or all jobs except `without` plus the base dir; unknown ids are
        ignored. Empty `kinds` and `severities` match all. Waits up to `wait` seconds for analysis.
        """
        selected = self._selected(frozenset(train_ids), frozenset(without))
        self._request(self._due(selected), wait)
        sources = [] if train_ids else [self._of_base_dir()]
        looked_into = outdated = 0
        for job in selected:
            if job.problems:
                sources.append(self._of_log(job))
            known = self._of_series.get(job.train_id)
            if known is not None:
                looked_into += 1
                outdated += known.origin != job.version
                if known.counts:
                    sources.append(EventSource(job.train_id, known, in_series=True))
        counts, findings = _totals(sources)
        shown_kinds = {
            kind
            for kind in counts
            if (not kinds or kind in kinds) and (not severities or severity_of(kind) in severities)
        }
        return HealthPage(
            jobs=len(selected),
            looked_into=looked_into,
            outdated=outdated,
            unchecked=0 if train_ids else self._unchecked,
            counts=counts,
            diverged={
                source.train_id: kinds
                for source in sources
                if source.train_id is not None
                and (kinds := [kind for kind in DIVERGENCE if source.known.counts.get(kind)])
            },
            total=sum(counts[kind] for kind in shown_kinds),
            total_count=sum(findings.get(kind, 0) for kind in shown_kinds),
            unlisted=sum(source.known.unlisted for source in sources),
            events=[
                (source.train_id, event)
                for source, kind, part in cut(sources, shown_kinds, offset, limit)
                for event in self._events(source).get(kind, ())[part]
            ],
        )

    def anomalies(self, train_id: str) -> Anomalies:
        """The anomalies in a run's series, evaluated now unless they are kept.

        Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable.
        """
        return self._checks.anomalies(
            train_id, lambda: run_anomalies(self._store, train_id, self.rules)
        )

    def check(self) -> int:
        """Have all jobs with new points analyzed in the background; returns their number."""
        due = self._due(self._store.job_versions())
        self._request(due, 0.0)
        return len(due)

    def run_events(self) -> Mapping[str, SeverityCounts]:
        """train_id -> number of events in its series, of all analyzed jobs."""
        return {train_id: known.severities for train_id, known in self._of_series.copy().items()}

    def _events(self, source: EventSource) -> Mapping[Kind, Sequence[HealthEvent]]:
        """Events by kind; those of log files, and evicted ones, are recomputed."""
        if not source.in_series:
            return by_kind(log_events(self._problems(source.train_id)))
        assert source.train_id is not None
        return self._job_events(source.train_id).kinds

    def marks(
        self, train_ids: Iterable[str], kinds: Collection[str] = ()
    ) -> dict[str, list[Marks]]:
        """Where rules found something in these jobs, as far as analyzed."""
        found = {}
        for train_id in train_ids:
            known = self._of_series.get(train_id, NOTHING_KNOWN)
            if any(not kinds or kind in kinds for kind in known.counts):
                found[train_id] = [
                    marks
                    for marks in self._job_events(train_id).marks
                    if not kinds or marks.kind in kinds
                ]
        return found

    def _job_events(self, train_id: str) -> JobEvents:
        """The events in a job's series; evicted ones are recomputed."""
        kept = self._pages.get(train_id)
        if kept is None:
            try:
                signs = self._signs(lambda: self.anomalies(train_id), train_id)
            except (TrainJobNotFound, LogUnreadable):
                return JobEvents({})
            kept = _job_events(signs, series_events(signs))
            self._pages.keep(train_id, kept)
        return kept

    def _selected(self, train_ids: frozenset[str], without: frozenset[str]) -> list[JobVersion]:
        if train_ids:
            jobs = self._store.versions_of(train_ids)
            return [job for job in jobs if job.train_id not in without]
        jobs = self._store.job_versions()
        self._unchecked = max(0, self._store.status().train_jobs - len(jobs))
        there = {job.train_id for job in jobs}
        for train_id in self._of_logs.keys() - there - {None}:
            self._of_logs.pop(train_id, None)
        for gone in self._of_series.keys() - there:
            self._of_series.pop(gone, None)
            self._pages.drop(gone)
        return [job for job in jobs if job.train_id not in without]

    def _of_base_dir(self) -> EventSource:
        problems = self._store.status().problems
        return self._of_files(None, problems, problems)

    def _of_log(self, job: JobVersion) -> EventSource:
        known = self._of_logs.get(job.train_id, NOTHING_KNOWN)
        if known.origin == job:
            return EventSource(job.train_id, known, in_series=False)
        return self._of_files(job.train_id, job, self._problems(job.train_id))

    def _of_files(
        self, train_id: str | None, origin: object, problems: Sequence[Finding]
    ) -> EventSource:
        known = self._of_logs.get(train_id, NOTHING_KNOWN)
        if known.origin != origin:
            events = Counter(event.kind for event in log_events(problems))
            listed = listed_kinds(events.items())
            known = KnownEvents(origin, Counter(problem.kind for problem in problems), listed)
            self._of_logs[train_id] = known
        return EventSource(train_id, known, in_series=False)

    def _problems(self, train_id: str | None) -> Sequence[Finding]:
        if train_id is None:
            return self._store.status().problems
        try:
            return self._store.train_job(train_id).problems
        except TrainJobNotFound:  # just deleted
            return ()

    def _due(self, jobs: Sequence[JobVersion]) -> list[JobVersion]:
        now, of_series = time.monotonic(), self._of_series
        return [
            job
            for job in jobs
            if (known := of_series.get(job.train_id, NOTHING_KNOWN)).origin != job.version
            and known.good_until < now
        ]

    def _request(self, jobs: Sequence[JobVersion], wait: float) -> None:
        """Queue these jobs first; return when they are analyzed, or after `wait` seconds."""
        if not jobs:
            return
        requested = {job.train_id: None for job in jobs}
        with self._lock:
            others = [train_id for train_id in self._queue if train_id not in requested]
            self._queue = [*others, *reversed(requested)]
            self._idle.clear()
            if not self._running:
                thread = threading.Thread(target=self._run, name="mindviz-health", daemon=True)
                thread.start()  # blocks on the lock; if it cannot start, the next request retries
                self._running = True
        with waiting():
            self._idle.wait(wait)

    def _run(self) -> None:
        while (train_id := self._next()) is not None:
            let_requests_pass()
            try:
                self._analyze(train_id)
            except (TrainJobNotFound, LogUnreadable):
                continue  # deleted, or retried at the next request
            except DatabaseUnavailable:
                with self._lock:  # the status reports it; the next request retries
                    self._queue.clear()
            except Exception:  # an error in one job must not stop the thread
                _LOGGER.exception("Analyzing %s failed", train_id)
                known = self._of_series.get(train_id, NOTHING_KNOWN)
                retry_at = time.monotonic() + _RETRY_AFTER
                self._of_series[train_id] = replace(known, good_until=retry_at)

    def _analyze(self, train_id: str) -> None:
        """Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable."""
        started = time.monotonic()
        found = self._store.versions_of([train_id])
        if not found:
            raise TrainJobNotFound(train_id)
        version = found[0].version
        if self._of_series.get(train_id, NOTHING_KNOWN).origin == version:
            return
        counts, events = self._checks.counts(train_id), None
        if counts is None or self.on_events is not None:
            grows = train_id in self._of_series
            signs = self._signs(lambda: self._growing.anomalies(train_id, grows=grows), train_id)
            events = series_events(signs)
            counts = CheckCounts.of(signs, events)
            self._pages.keep(train_id, _job_events(signs, events))
        if not events:
            self._pages.drop(train_id)
        ended = time.monotonic()
        good_until = ended + _PAUSE_FACTOR * (ended - started)
        self._of_series[train_id] = _known(version, counts, good_until)
        if self.on_events is not None:
            self.on_events(train_id, events or ())

    def _signs(self, evaluate: Callable[[], Anomalies], train_id: str) -> Anomalies:
        """The anomalies of a job.

        Raises TrainJobNotFound, DatabaseUnavailable, LogUnreadable.
        """
        try:
            return evaluate()
        except (TrainJobNotFound, DatabaseUnavailable, LogUnreadable):
            raise
        except Exception:  # continue with the other jobs
            _LOGGER.exception("Analyzing the series of %s failed", train_id)
            return []

    def _next(self) -> str | None:
        if not self._queue:
            try:
                self._checks.save()
            except Exception:  # the thread must survive
                _LOGGER.exception("Keeping what was found failed")
        with self._lock:
            if self._queue:
                return self._queue.pop()
            self._running = False
            self._idle.set()
            return None


def _totals(sources: Sequence[EventSource]) -> tuple[dict[Kind, int], dict[Kind, int]]:
    """Numbers of events and of findings by kind."""
    # Plain loops: Counter.update takes most of the time of a page of 10,000 runs.
    events: dict[Kind, int] = {}
    findings: dict[Kind, int] = {}
    for source in sources:
        for kind, count in source.known.counts.items():
            findings[kind] = findings.get(kind, 0) + count
        for listed in source.known.listed.values():
            for kind, count in listed:
                events[kind] = events.get(kind, 0) + count
    return events, findings


def _job_events(signs: Anomalies, events: Sequence[SeriesEvent]) -> JobEvents:
    return JobEvents(by_kind(events[:MAX_EVENTS]), marks_of(signs))


def _known(version: int, counts: CheckCounts, good_until: float) -> KnownEvents:
    if not counts.anomalies:  # most runs: 100,000 empty ones take 30 MB
        return replace(NOTHING_KNOWN, origin=version, good_until=good_until)
    listed = listed_kinds(counts.events)
    severe, warnings, notes = (
        sum(count for _, count in listed.get(severity, ())) for severity in Severity
    )
    return KnownEvents(
        version, counts.anomalies, listed, counts.unlisted, good_until, (severe, warnings, notes)
    )
