"""Events within bounds, by the job that was looked at least lately."""

from __future__ import annotations

from mindviz.datavisual.health.event_pages import EventPages, by_kind
from mindviz.datavisual.health.health_events import Kind, SeriesEvent, SeriesPlace, Severity
from mindviz.datavisual.health.series_health import SignKind


def event(step: int, places: int = 1, kind: SignKind = SignKind.NAN) -> SeriesEvent:
    place = SeriesPlace("loss", step, step, (step, step))
    window = (step, step)
    return SeriesEvent(
        kind, Severity.SEVERE, places, 1, step, step, (1.0, 1.0), window, (place,) * places
    )


def kinds(*events: SeriesEvent) -> dict[Kind, list[SeriesEvent]]:
    return by_kind(events)


def test_events_stand_by_kind_in_the_order_they_came() -> None:
    one, two, other = event(1), event(2), event(3, kind=SignKind.RESTART)
    assert by_kind([one, other, two]) == {SignKind.NAN: [one, two], SignKind.RESTART: [other]}


def test_those_of_jobs_looked_at_least_lately_go_first() -> None:
    kept = EventPages(most=12)
    for name in "abc":
        kept.keep(name, kinds(event(1), event(2)))
    assert (kept.kept, kept.get("a") is not None) == (12, True)
    kept.keep("d", kinds(event(1, places=2)))
    assert [name for name in "abcd" if kept.get(name) is not None] == ["a", "c", "d"]
    assert kept.kept == 11


def test_what_replaces_others_and_what_is_gone_counts_no_more() -> None:
    kept = EventPages(most=100)
    kept.keep("a", kinds(event(1, places=20)))
    kept.keep("a", kinds(event(1)))
    assert kept.kept == 2
    kept.drop("a")
    kept.drop("never there")
    assert (kept.kept, kept.get("a")) == (0, None)


def test_a_job_with_more_events_than_there_is_room_for_is_not_kept() -> None:
    kept = EventPages(most=3)
    kept.keep("a", kinds(event(1, places=9)))
    assert (kept.kept, kept.get("a")) == (0, None)
