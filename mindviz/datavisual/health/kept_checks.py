"""KeptChecks: the anomalies of runs that have not changed since they were checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.event_pages import by_kind
from mindviz.datavisual.health.health_events import Kind, SeriesEvent, series_events
from mindviz.datavisual.health.leads import Moved
from mindviz.datavisual.health.rules import Rules
from mindviz.datavisual.store import Store

MAX_EVENTS = 1_000
"""Series events listed per train job, the worst; all are counted."""
MOST_KEPT = 10_000
"""Anomalies of a run; more are found again."""
_REVISION = 3
"""To be incremented when what is found or kept changes between releases."""

Anomalies = Sequence[tuple[str, Anomaly]]
"""Tags and anomalies, by tag and step."""


class CheckCounts(NamedTuple):
    """How many anomalies and events a run has."""

    anomalies: Mapping[Kind, int]
    events: Sequence[tuple[Kind, int]]
    """Those listed, in listing order."""
    unlisted: int

    @classmethod
    def of(cls, anomalies: Anomalies, events: Sequence[SeriesEvent]) -> CheckCounts:
        """The counts of these anomalies, which make these events."""
        if not anomalies:
            return NO_ANOMALIES
        listed = by_kind(events[:MAX_EVENTS])
        return cls(
            Counter(anomaly.kind for _, anomaly in anomalies),
            [(kind, len(of_kind)) for kind, of_kind in listed.items()],
            max(0, len(events) - MAX_EVENTS),
        )


NO_ANOMALIES = CheckCounts({}, (), 0)


class KeptChecks:
    """The anomalies that a store keeps of runs, found by these rules. Thread-safe."""

    def __init__(self, store: Store, rules: Rules) -> None:
        self._store = store
        self._results = store.kept_results
        self._table = None if self._results is None else self._results.table(_key(rules))

    def counts(self, train_id: str) -> CheckCounts | None:
        """Of a run; None if they are not known for what it has now."""
        if self._table is None or (content := self._content(train_id)) is None:
            return None
        summary = self._table.find(train_id, content)
        return None if summary is None else _counts(summary)

    def anomalies(self, train_id: str, evaluate: Callable[[], Anomalies]) -> Anomalies:
        """Those of a run; what `evaluate` finds is kept, if the run does not change meanwhile."""
        before = self._state(train_id)
        if self._table is None or before is None:
            return evaluate()
        content, _ = before
        known = self._known(train_id, content)
        if known is not None:
            return known
        found = evaluate()
        if len(found) <= MOST_KEPT and self._state(train_id) == before:
            counts = CheckCounts.of(found, series_events(found))
            details = [_listed(tag, anomaly) for tag, anomaly in found] or None
            self._table.add(train_id, content, _summary(counts), details)
        return found

    def save(self, *, now: bool = False) -> None:
        """As in `ResultTable`."""
        if self._table is not None:
            self._table.save(now=now)

    def _content(self, train_id: str) -> bytes | None:
        return None if self._results is None else self._results.content(train_id)

    def _state(self, train_id: str) -> tuple[bytes, int] | None:
        content, versions = self._content(train_id), self._store.versions_of([train_id])
        return None if content is None or not versions else (content, versions[0].version)

    def _known(self, train_id: str, content: bytes) -> Anomalies | None:
        assert self._table is not None
        summary = self._table.find(train_id, content)
        if summary is None:
            return None
        if not _counts(summary).anomalies:
            return []
        listed = self._table.read(train_id, content)
        return None if listed is None else [_anomaly(fields) for fields in listed]


def _key(rules: Rules) -> str:
    listed = [
        [rule.name, rule.kind, sorted(rule.parameters.items()), rule.tags, rule.exclude]
        for rule in rules.all
    ]
    return json.dumps([_REVISION, listed, sorted(rules.silent)])


def _summary(counts: CheckCounts) -> list[Any]:
    return [list(counts.anomalies.items()), list(counts.events), counts.unlisted]


def _counts(summary: Sequence[Any]) -> CheckCounts:
    anomalies, events, unlisted = summary
    if not anomalies:
        return NO_ANOMALIES
    return CheckCounts(
        {AnomalyKind(kind): count for kind, count in anomalies},
        [(AnomalyKind(kind), count) for kind, count in events],
        unlisted,
    )


def _listed(tag: str, found: Anomaly) -> list[Any]:
    return [
        tag,
        found.kind,
        found.step,
        found.end_step,
        found.wall_time,
        found.end_wall_time,
        found.count,
        found.size,
        found.window,
        found.rule,
        [(moved.tag, moved.step, moved.lead, moved.size) for moved in found.moved],
    ]


def _anomaly(listed: Sequence[Any]) -> tuple[str, Anomaly]:
    tag, kind, *numbers, (first, last), rule, moved = listed
    step, end_step, time, end_time, count, size = numbers
    return tag, Anomaly(
        AnomalyKind(kind),
        step,
        end_step,
        time,
        end_time,
        count,
        size,
        (first, last),
        rule,
        tuple(Moved(*one) for one in moved),
    )
