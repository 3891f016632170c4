"""Health events: the incidents of a run, deduplicated over findings and series.

A crash shows in every series of a run, but at different steps: one series logs every step, another
every hundredth, a third counts epochs. A bad disk damages thousands of records of one file.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.leads import Moved, ranked
from mindviz.datavisual.series.findings import HARMLESS, Finding, FindingKind

MAX_PLACES = 20
"""Places listed per event, the first ones."""


class Severity(StrEnum):
    """How serious an event is, worst first."""

    SEVERE = "severe"
    """Data is lost, or training diverged."""
    WARNING = "warning"
    """Unusual, but no data is lost."""
    NOTE = "note"
    """For information."""


Kind = FindingKind | AnomalyKind

DIVERGENCE = (AnomalyKind.NAN, AnomalyKind.INFINITY, AnomalyKind.DIVERGENCE)
"""Kinds of values after which a training is usually lost."""

_SEVERE: frozenset[Kind] = frozenset(
    {
        FindingKind.BAD_LENGTH,
        FindingKind.BAD_PAYLOAD,
        FindingKind.BAD_RECORD,
        FindingKind.BAD_VALUE,
        FindingKind.BROKEN_CLASS,
        FindingKind.CLASS_MISMATCH,
        FindingKind.UNREADABLE,
        *DIVERGENCE,
    }
)


_HABITS = frozenset({AnomalyKind.DUPLICATE_STEPS})
"""How a program logs, not what happened to it: one event per run. Hugging Face's Trainer writes
some tags twice at every evaluation."""

_REPEATED = frozenset(
    {
        AnomalyKind.PAUSE,
        AnomalyKind.SPIKE,
        AnomalyKind.PLATEAU,
        AnomalyKind.THROUGHPUT,
        AnomalyKind.GRADIENT_CHANGE,
        AnomalyKind.THRESHOLD,
    }
)
"""Incidents that are one event per run and rule: a training can pause at every evaluation, and
rewards of reinforcement learning spike all the time."""


def severity_of(kind: Kind) -> Severity:
    """The severity of a kind of event."""
    if kind in _SEVERE:
        return Severity.SEVERE
    is_note = kind in HARMLESS or kind in _HABITS or kind is AnomalyKind.STRAY
    return Severity.NOTE if is_note else Severity.WARNING


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """Where an event appears in a series."""

    tag: str
    step: int
    end_step: int
    window: tuple[int, int]
    """See `Anomaly.window`."""


@dataclass(frozen=True, slots=True)
class SeriesEvent:
    """An incident in the scalars of a run: anomalies of one kind at the same steps or times."""

    kind: AnomalyKind
    severity: Severity
    count: int
    """Anomalies in this event."""
    times: int
    """How often it happened; a kind that repeats is one event per run."""
    tags: int
    """Series affected."""
    step: int
    end_step: int
    """Last step over all anomalies; `step` is the first."""
    size: tuple[float, float]
    """Smallest and largest size of the anomalies; of duplicate steps, per series."""
    wall_time: float | None
    """Unix seconds of the first anomaly; None if not logged."""
    window: tuple[int, int]
    """First and last step of a chart that shows all anomalies."""
    places: tuple[SeriesPlace, ...]
    """Sorted by step and tag, at most `MAX_PLACES`; if it repeats, the first of each time."""
    rule: str = ""
    """The rule that found it; empty for how the series was logged."""
    moved: tuple[Moved, ...] = ()
    """Other series that moved with it, the first to move first."""


@dataclass(frozen=True, slots=True)
class LogEvent:
    """Findings of one kind in one file or directory."""

    kind: FindingKind
    severity: Severity
    count: int
    """Findings in this event."""
    path: str
    """Relative to the base dir, `/` separated."""
    detail: str
    """Detail of the first finding."""
    lost_records: int
    """Sum over the findings."""
    offsets: tuple[int, ...]
    """Byte offsets, ascending, at most `MAX_PLACES`; empty if the whole file is affected."""


def log_events(findings: Iterable[Finding]) -> list[LogEvent]:
    """Group findings by kind and path, in order of first appearance."""
    together: defaultdict[tuple[FindingKind, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        together[finding.kind, finding.path].append(finding)
    return [
        LogEvent(
            kind,
            severity_of(kind),
            len(group),
            path,
            group[0].detail,
            sum(finding.lost_records for finding in group),
            tuple(
                sorted({finding.offset for finding in group if finding.offset is not None})[
                    :MAX_PLACES
                ]
            ),
        )
        for (kind, path), group in together.items()
    ]


def series_events(anomalies: Iterable[tuple[str, Anomaly]]) -> list[SeriesEvent]:
    """Group (tag, anomaly) pairs of a run into events, worst first.

    Anomalies of a kind and rule whose steps or times overlap, directly or in a chain, are one
    incident: it hits all series of a run at the same time. Incidents of kinds that repeat are one
    event, all others are an event each.
    """
    kinds: defaultdict[tuple[AnomalyKind, str], list[tuple[str, Anomaly]]] = defaultdict(list)
    for tag, anomaly in anomalies:
        kinds[anomaly.kind, anomaly.rule].append((tag, anomaly))
    events = [
        _event(kind, incidents)
        for (kind, _), pairs in kinds.items()
        for incidents in _incidents(kind, pairs)
    ]
    order = list(Severity)
    return sorted(events, key=lambda event: (order.index(event.severity), event.kind, event.step))


def _incidents(
    kind: AnomalyKind, pairs: list[tuple[str, Anomaly]]
) -> Iterable[list[list[tuple[str, Anomaly]]]]:
    """The incidents of each event."""
    if kind in _HABITS:
        return [[pairs]]
    incidents = list(_overlapping(pairs))
    return [incidents] if kind in _REPEATED else [[incident] for incident in incidents]


def _position(pair: tuple[str, Anomaly]) -> tuple[int, str]:
    return pair[1].step, pair[0]


def _event(kind: AnomalyKind, incidents: list[list[tuple[str, Anomaly]]]) -> SeriesEvent:
    together = sorted(chain.from_iterable(incidents), key=_position)
    firsts = sorted((min(incident, key=_position) for incident in incidents), key=_position)
    anomalies = [anomaly for _, anomaly in together]
    windows = [anomaly.window for anomaly in anomalies]
    times = [anomaly.wall_time for anomaly in anomalies if math.isfinite(anomaly.wall_time)]
    tags = {tag for tag, _ in together}
    moved: dict[str, Moved] = {}
    for anomaly in anomalies:
        for one in anomaly.moved:
            if one.tag not in tags and (one.tag not in moved or one.lead > moved[one.tag].lead):
                moved[one.tag] = one
    sizes = _sums(together) if kind in _HABITS else [anomaly.size for anomaly in anomalies]
    return SeriesEvent(
        kind,
        severity_of(kind),
        len(anomalies),
        len(incidents),
        len(tags),
        anomalies[0].step,
        max(anomaly.end_step for anomaly in anomalies),
        (min(sizes), max(sizes)),
        min(times, default=None),
        (min(first for first, _ in windows), max(last for _, last in windows)),
        tuple(
            SeriesPlace(tag, anomaly.step, anomaly.end_step, anomaly.window)
            for tag, anomaly in (together if len(incidents) == 1 else firsts)[:MAX_PLACES]
        ),
        anomalies[0].rule,
        ranked(moved.values()),
    )


def _sums(pairs: Iterable[tuple[str, Anomaly]]) -> Collection[float]:
    """Sizes, added per series."""
    sums: defaultdict[str, float] = defaultdict(float)
    for tag, anomaly in pairs:
        sums[tag] += anomaly.size
    return sums.values()


def _overlapping(anomalies: Sequence[tuple[str, Anomaly]]) -> Iterator[list[tuple[str, Anomaly]]]:
    """Connected components under overlap of steps or of times."""
    if len(anomalies) == 1:
        yield list(anomalies)
        return
    group = list(range(len(anomalies)))

    def first_of(at: int) -> int:
        while group[at] != at:
            group[at] = at = group[group[at]]
        return at

    for span in (_steps, _times):
        for first, second in _touching([span(anomaly) for _, anomaly in anomalies]):
            group[first_of(first)] = first_of(second)
    groups: defaultdict[int, list[tuple[str, Anomaly]]] = defaultdict(list)
    for at, anomaly in enumerate(anomalies):
        groups[first_of(at)].append(anomaly)
    yield from groups.values()


_Span = tuple[float, float]


def _steps(anomaly: Anomaly) -> _Span:
    return anomaly.step, anomaly.end_step


def _times(anomaly: Anomaly) -> _Span:
    first, last = anomaly.wall_time, anomaly.end_wall_time
    return min(first, last), max(first, last)


def _touching(spans: Sequence[_Span]) -> Iterator[tuple[int, int]]:
    """Pairs that connect all overlapping spans; NaN spans overlap nothing."""
    known = [at for at, (first, last) in enumerate(spans) if first <= last]
    farthest: int | None = None
    for at in sorted(known, key=lambda at: spans[at]):
        if farthest is not None and spans[at][0] <= spans[farthest][1]:
            yield at, farthest
        if farthest is None or spans[at][1] >= spans[farthest][1]:
            farthest = at
