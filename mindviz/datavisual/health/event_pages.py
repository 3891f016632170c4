"""EventPages: pagination cache of series events, bounded over all train jobs."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from mindviz.datavisual.health.health_events import Kind, LogEvent, SeriesEvent

MOST_KEPT = 100_000
"""Events plus their places, over all train jobs: about 60 MB."""

Event = TypeVar("Event", LogEvent, SeriesEvent)


def by_kind(events: Iterable[Event]) -> dict[Kind, list[Event]]:
    """Events by kind, both in order of appearance."""
    kinds: defaultdict[Kind, list[Event]] = defaultdict(list)
    for event in events:
        kinds[event.kind].append(event)
    return dict(kinds)


class EventPages:
    """Series events by train job and kind, evicted least recently used first. Thread-safe."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Mapping[Kind, Sequence[SeriesEvent]]] = OrderedDict()
        self._costs: dict[str, int] = {}
        self.kept = 0
        """Events plus places now cached."""

    def keep(self, train_id: str, kinds: Mapping[Kind, Sequence[SeriesEvent]]) -> None:
        """Replace the train job's events; evicts others if necessary."""
        cost = sum(1 + len(event.places) for events in kinds.values() for event in events)
        with self._lock:
            self._drop(train_id)
            self._jobs[train_id] = kinds
            self._costs[train_id] = cost
            self.kept += cost
            while self.kept > self._most:
                self._drop(next(iter(self._jobs)))

    def get(self, train_id: str) -> Mapping[Kind, Sequence[SeriesEvent]] | None:
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
