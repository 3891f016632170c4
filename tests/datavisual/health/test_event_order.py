from __future__ import annotations

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.event_order import (
    EventSource,
    KnownEvents,
    cut,
    listed_kinds,
    worst_first,
)
from mindviz.datavisual.health.health_events import Severity

SPIKE, NAN, STRAY = AnomalyKind.SPIKE, AnomalyKind.NAN, AnomalyKind.STRAY


def source(train_id: str, **listed: list[tuple[AnomalyKind, int]]) -> EventSource:
    by_severity = {Severity(name): counts for name, counts in listed.items()}
    return EventSource(train_id, KnownEvents(None, {}, by_severity), in_series=True)


SOURCES = [source("a", warning=[(SPIKE, 3)], note=[(STRAY, 1)]), source("b", severe=[(NAN, 2)])]


def test_kinds_are_counted_by_severity() -> None:
    listed = listed_kinds([(NAN, 2), (SPIKE, 3), (STRAY, 1)])
    assert listed == {"severe": [(NAN, 2)], "warning": [(SPIKE, 3)], "note": [(STRAY, 1)]}


def test_severity_comes_before_the_order_of_sources() -> None:
    order = [(of.train_id, kind, n) for of, kind, n in worst_first(SOURCES, {NAN, SPIKE, STRAY})]
    assert order == [("b", NAN, 2), ("a", SPIKE, 3), ("a", STRAY, 1)]
    assert [kind for _, kind, _ in worst_first(SOURCES, {STRAY})] == [STRAY]


def test_a_page_is_cut_across_sources() -> None:
    parts = list(cut(SOURCES, {NAN, SPIKE, STRAY}, 1, 3))
    assert [(of.train_id, kind, part) for of, kind, part in parts] == [
        ("b", NAN, slice(1, 4)),
        ("a", SPIKE, slice(0, 2)),
    ]
