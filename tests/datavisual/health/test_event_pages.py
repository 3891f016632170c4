"""A bounded cache of events, evicted by least recently used job."""

from __future__ import annotations

from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.event_pages import EventPages, JobEvents, Marks, by_kind, marks_of
from mindviz.datavisual.health.health_events import SeriesEvent, SeriesPlace, Severity


def event(step: int, places: int = 1, kind: AnomalyKind = AnomalyKind.NAN) -> SeriesEvent:
    place = SeriesPlace("loss", step, step, (step, step))
    window = (step, step)
    return SeriesEvent(
        kind, Severity.SEVERE, places, 1, 1, step, step, (1.0, 1.0), None, window, (place,) * places
    )


def kinds(*events: SeriesEvent) -> JobEvents:
    return JobEvents(by_kind(events))


def test_events_are_grouped_by_kind_in_order() -> None:
    one, two, other = event(1), event(2), event(3, kind=AnomalyKind.RESTART)
    assert by_kind([one, other, two]) == {AnomalyKind.NAN: [one, two], AnomalyKind.RESTART: [other]}


def test_least_recently_used_jobs_are_evicted_first() -> None:
    kept = EventPages(most=12)
    for name in "abc":
        kept.keep(name, kinds(event(1), event(2)))
    assert (kept.kept, kept.get("a") is not None) == (12, True)
    kept.keep("d", kinds(event(1, places=2)))
    assert [name for name in "abcd" if kept.get(name) is not None] == ["a", "c", "d"]
    assert kept.kept == 11


def test_replaced_and_deleted_events_are_not_counted() -> None:
    kept = EventPages(most=100)
    kept.keep("a", kinds(event(1, places=20)))
    kept.keep("a", kinds(event(1)))
    assert kept.kept == 2
    kept.drop("a")
    kept.drop("never there")
    assert (kept.kept, kept.get("a")) == (0, None)


def test_a_job_with_too_many_events_is_not_cached() -> None:
    kept = EventPages(most=3)
    kept.keep("a", kinds(event(1, places=9)))
    assert (kept.kept, kept.get("a")) == (0, None)


def test_marks_are_the_places_of_each_rule_and_series() -> None:
    def anomaly(step: int, rule: str) -> Anomaly:
        return Anomaly(AnomalyKind.SPIKE, step, step, 0.0, 0.0, 1, 9.0, (step - 5, step + 5), rule)

    found = [("loss", anomaly(10, "mine")), ("loss", anomaly(30, "mine")), ("x", anomaly(7, ""))]
    assert marks_of(found) == [
        Marks(AnomalyKind.SPIKE, "mine", "loss", [(10, 5, 15), (30, 25, 35)])
    ]


def test_marks_count_as_a_share_of_an_event() -> None:
    marks = Marks(AnomalyKind.SPIKE, "spike", "loss", [(1, 0, 2)] * 40)
    kept = EventPages(most=100)
    kept.keep("a", JobEvents(by_kind([event(1)]), [marks]))
    assert kept.kept == 12
