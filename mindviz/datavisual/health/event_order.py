"""The order in which events of many train jobs are listed, from their counts alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mindviz.datavisual.health.health_events import (
    Kind,
    LogEvent,
    SeriesEvent,
    Severity,
    severity_of,
)

HealthEvent = LogEvent | SeriesEvent
SeverityCounts = tuple[int, int, int]
"""Events that are severe, warnings and notes."""


@dataclass(frozen=True, slots=True)
class KnownEvents:
    """Counts of a train job's problems, and the state they were computed from."""

    origin: object
    counts: Mapping[Kind, int]
    """Findings or anomalies."""
    listed: Mapping[Severity, Sequence[tuple[Kind, int]]]
    """Number of events per kind, in listing order."""
    unlisted: int = 0
    good_until: float = 0.0
    """Monotonic time until which the analysis is not repeated."""
    severities: SeverityCounts = (0, 0, 0)
    """Number of listed events."""


def listed_kinds(
    kinds: Iterable[tuple[Kind, int]],
) -> Mapping[Severity, Sequence[tuple[Kind, int]]]:
    """Kinds with numbers of events, by severity."""
    listed: dict[Severity, list[tuple[Kind, int]]] = {}
    for kind, count in kinds:
        listed.setdefault(severity_of(kind), []).append((kind, count))
    return listed


NOTHING_KNOWN = KnownEvents(None, {}, {})


@dataclass(frozen=True, slots=True)
class EventSource:
    """Origin of events: the files or the series of a train job, or the base dir."""

    train_id: str | None
    known: KnownEvents
    in_series: bool
    """Whether the events are in the series of the job."""


def worst_first(
    sources: Sequence[EventSource], shown_kinds: Collection[Kind]
) -> Iterator[tuple[EventSource, Kind, int]]:
    """Sources, kinds and numbers of events in listing order."""
    for severity in Severity:
        for source in sources:
            for kind, count in source.known.listed.get(severity, ()):
                if kind in shown_kinds:
                    yield source, kind, count


def cut(
    sources: Sequence[EventSource], shown_kinds: Collection[Kind], offset: int, limit: int
) -> Iterator[tuple[EventSource, Kind, slice]]:
    """Sources, kinds and which of their events are on a page."""
    left = limit
    for source, kind, count in worst_first(sources, shown_kinds):
        if left <= 0:
            return
        if offset >= count:
            offset -= count
            continue
        yield source, kind, slice(offset, offset + left)
        left -= min(count - offset, left)
        offset = 0
