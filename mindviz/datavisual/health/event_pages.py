"""EventPages: a cache of the events of train jobs, bounded over all of them."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.health_events import Kind, LogEvent, SeriesEvent

MOST_KEPT = 100_000
"""Events plus their places and a quarter of the marks, over all train jobs: about 60 MB."""
_MARKS_PER_EVENT = 4

Event = TypeVar("Event", LogEvent, SeriesEvent)


def by_kind(events: Iterable[Event]) -> dict[Kind, list[Event]]:
    """Events by kind, both in order of appearance."""
    kinds: defaultdict[Kind, list[Event]] = defaultdict(list)
    for event in events:
        kinds[event.kind].append(event)
    return dict(kinds)


@dataclass(frozen=True, slots=True)
class Marks:
    """Every place in a series where a rule has found something."""

    kind: AnomalyKind
    rule: str
    tag: str
    places: Sequence[tuple[int, int, int]]
    """Step, and first and last step of its window; by step."""


def marks_of(anomalies: Iterable[tuple[str, Anomaly]]) -> list[Marks]:
    """The marks of what rules found; `anomalies` are ordered by step within each tag."""
    places: defaultdict[tuple[AnomalyKind, str, str], list[tuple[int, int, int]]]
    places = defaultdict(list)
    for tag, anomaly in anomalies:
        if anomaly.rule:
            places[anomaly.kind, anomaly.rule, tag].append((anomaly.step, *anomaly.window))
    return [Marks(*names, of_rule) for names, of_rule in places.items()]


@dataclass(frozen=True, slots=True)
class JobEvents:
    """What is cached of a train job."""

    kinds: Mapping[Kind, Sequence[SeriesEvent]]
    marks: Sequence[Marks] = ()

    @property
    def cost(self) -> int:
        """In units of an event."""
        events = sum(1 + len(event.places) for events in self.kinds.values() for event in events)
        return events + sum(len(mark.places) for mark in self.marks) // _MARKS_PER_EVENT


class EventPages:
    """Series events by train job, evicted least recently used first. Thread-safe."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, JobEvents] = OrderedDict()
        self._costs: dict[str, int] = {}
        self.kept = 0
        """Cost of the events now cached."""

    def keep(self, train_id: str, events: JobEvents) -> None:
        """Replace the train job's events; evicts others if necessary."""
        cost = events.cost
        with self._lock:
            self._drop(train_id)
            self._jobs[train_id] = events
            self._costs[train_id] = cost
            self.kept += cost
            while self.kept > self._most:
                self._drop(next(iter(self._jobs)))

    def get(self, train_id: str) -> JobEvents | None:
        """None if evicted."""
        with self._lock:
            if train_id in self._jobs:
                self._jobs.move_to_end(train_id)
            return self._jobs.get(train_id)

    def drop(self, train_id: str) -> None:
        """Remove the events of a deleted train job."""
        with self._lock:
            self._drop(train_id)

    def _drop(self, train_id: str) -> None:
        self._jobs.pop(train_id, None)
        self.kept -= self._costs.pop(train_id, 0)
