from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.health_events import (
    MAX_PLACES,
    SeriesEvent,
    Severity,
    log_events,
    series_events,
    severity_of,
)
from mindviz.datavisual.series.findings import HARMLESS, Finding, FindingKind


def anomaly(  # noqa: PLR0917 -- as a table
    kind: AnomalyKind,
    step: int,
    end_step: int,
    begin: float = math.nan,
    end: float = math.nan,
    size: float = 1.0,
) -> Anomaly:
    return Anomaly(kind, step, end_step, begin, end, 1, size, (step - 5, end_step + 5))


def shown(events: list[SeriesEvent]) -> list[tuple[str, int, int, list[str]]]:
    return [
        (event.kind.value, event.step, event.end_step, [place.tag for place in event.places])
        for event in events
    ]


def test_anomalies_of_several_series_at_the_same_steps_are_one_event() -> None:
    events = series_events(
        [
            ("loss", anomaly(AnomalyKind.RESTART, 80, 99, size=20)),
            ("acc", anomaly(AnomalyKind.RESTART, 80, 99, size=20)),
            ("lr", anomaly(AnomalyKind.RESTART, 10, 12)),
            ("loss", anomaly(AnomalyKind.NAN, 80, 99)),
        ]
    )
    assert shown(events) == [
        ("nan", 80, 99, ["loss"]),
        ("restart", 10, 12, ["lr"]),
        ("restart", 80, 99, ["acc", "loss"]),
    ]
    assert events[2].size == (20, 20)


def test_anomalies_at_the_same_time_but_other_steps_are_one_event() -> None:
    # One logs every step, one every hundredth, one only epochs, which it counts.
    (event,) = series_events(
        [
            ("loss", anomaly(AnomalyKind.PAUSE, 950, 951, 100.0, 4000.0, size=3900)),
            ("valid", anomaly(AnomalyKind.PAUSE, 900, 1000, 50.0, 4050.0, size=4000)),
            ("epoch", anomaly(AnomalyKind.PAUSE, 9, 10, 40.0, 4060.0, size=4020)),
        ]
    )
    assert (event.step, event.end_step, event.tags, event.count) == (9, 1000, 3, 3)
    assert event.size == (3900, 4020)
    assert event.window == (4, 1005)
    assert [place.window for place in event.places] == [(4, 15), (895, 1005), (945, 956)]


def test_clocks_set_back_at_the_same_time_are_one_event() -> None:
    back = [("a", anomaly(AnomalyKind.CLOCK_BACK, 1, 2, 90.0, 40.0))]
    other = [("b", anomaly(AnomalyKind.CLOCK_BACK, 11, 12, 80.0, 60.0))]
    assert len(series_events([*back, *other])) == 1


def test_duplicate_steps_are_one_note_per_run() -> None:
    (event,) = series_events(
        [
            *(
                ("epoch", anomaly(AnomalyKind.DUPLICATE_STEPS, step, step))
                for step in range(0, 90, 10)
            ),
            ("loss", anomaly(AnomalyKind.DUPLICATE_STEPS, 500, 502, size=3)),
        ]
    )
    assert (event.severity, event.count, event.tags) == (Severity.NOTE, 10, 2)
    assert (event.step, event.end_step, event.size) == (0, 502, (3, 9))


@pytest.mark.parametrize("kind", [AnomalyKind.PAUSE, AnomalyKind.SPIKE])
def test_what_repeats_is_one_event_per_run_with_a_place_for_each(kind: AnomalyKind) -> None:
    repeated = [
        (tag, anomaly(kind, step, step + 20, size=60.0 + step))
        for step in (4440, 8900, 13340)
        for tag in ("loss", "acc")
    ]
    (event,) = series_events(repeated)
    assert (event.times, event.count, event.tags) == (3, 6, 2)
    assert (event.step, event.end_step, event.size) == (4440, 13360, (4500.0, 13400.0))
    assert [(place.tag, place.step) for place in event.places] == [
        ("acc", 4440),
        ("acc", 8900),
        ("acc", 13340),
    ]


def test_only_the_first_places_are_listed_but_all_are_counted() -> None:
    (event,) = series_events((f"t{i:04}", anomaly(AnomalyKind.NAN, 1, 1)) for i in range(1000))
    assert (event.count, event.tags, len(event.places)) == (1000, 1000, MAX_PLACES)
    assert event.places[0].tag == "t0000"


spans = st.tuples(st.integers(0, 40), st.integers(0, 4)).map(lambda span: (span[0], sum(span)))
times = st.one_of(st.just((math.nan, math.nan)), spans.map(lambda span: (span[0] / 4, span[1] / 4)))
anomaly_lists = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c"]),
        st.builds(
            lambda kind, steps, when: anomaly(kind, *steps, *when),
            st.sampled_from([AnomalyKind.NAN, AnomalyKind.GAP]),
            spans,
            times,
        ),
    ),
    max_size=8,
)


def overlap(first: Anomaly, second: Anomaly) -> bool:
    steps = first.step <= second.end_step and second.step <= first.end_step
    when = first.wall_time <= second.end_wall_time and second.wall_time <= first.end_wall_time
    return first.kind is second.kind and (steps or when)


@given(anomaly_lists)
def test_chains_of_overlaps_are_one_event(anomalies: list[tuple[str, Anomaly]]) -> None:
    reached = [{at} for at in range(len(anomalies))]
    for first in range(len(anomalies)):
        for second in range(len(anomalies)):
            if overlap(anomalies[first][1], anomalies[second][1]):
                union = reached[first] | reached[second]
                for at in union:
                    reached[at] = union
    groups = {frozenset(group) for group in map(frozenset, reached)}
    events = series_events(anomalies)
    expected = sorted(
        (
            anomalies[min(group)][1].kind.value,
            min(anomalies[at][1].step for at in group),
            max(anomalies[at][1].end_step for at in group),
            len(group),
            len({anomalies[at][0] for at in group}),
        )
        for group in groups
    )
    assert expected == sorted(
        (event.kind.value, event.step, event.end_step, event.count, event.tags) for event in events
    )
    severities = [list(Severity).index(event.severity) for event in events]
    assert severities == sorted(severities)


def test_findings_of_one_kind_in_one_file_are_one_event() -> None:
    bad = [
        Finding(FindingKind.BAD_PAYLOAD, "a/f", offset, "A record is damaged.", 1)
        for offset in range(90, 0, -3)
    ]
    other = Finding(FindingKind.BAD_PAYLOAD, "a/g", 4)
    whole = Finding(FindingKind.NOT_A_LOG, "a/f", detail="Text.")
    first, second, third = log_events([*bad, other, whole])
    assert (first.path, first.count, first.lost_records) == ("a/f", 30, 30)
    assert first.offsets == tuple(range(3, 3 + 3 * MAX_PLACES, 3))
    assert (second.path, second.offsets) == ("a/g", (4,))
    assert (third.kind, third.detail, third.offsets) == ("not_a_log", "Text.", ())


def test_harmless_findings_are_notes() -> None:
    kinds = [*FindingKind, *AnomalyKind]
    notes = {kind for kind in kinds if severity_of(kind) is Severity.NOTE}
    assert notes == HARMLESS | {AnomalyKind.STRAY, AnomalyKind.DUPLICATE_STEPS}
    assert severity_of(FindingKind.BAD_LENGTH) is severity_of(AnomalyKind.NAN) is Severity.SEVERE
    assert severity_of(FindingKind.TRUNCATED) is severity_of(AnomalyKind.PAUSE) is Severity.WARNING
