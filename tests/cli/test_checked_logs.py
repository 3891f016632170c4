from __future__ import annotations

from mindviz.cli.checked_logs import CheckedLogs, event_lines
from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind
from mindviz.datavisual.health.health_events import series_events
from mindviz.datavisual.health.leads import Moved


def test_a_line_names_series_steps_size_and_what_moved() -> None:
    moved = (Moved("grad\n", 8, 2, 9.0), Moved("lr", 10, 0, 9.0), Moved("acc", 11, -1, 9.0))
    tags = ("loss", "nll")
    anomalies = [
        (tag, Anomaly(AnomalyKind.DIVERGENCE, 10, 20, 1.0, 2.0, 11, 1.5, (0, 30), "rising", moved))
        for tag in tags
    ]
    events = tuple(("./a", event) for event in series_events(anomalies))
    checked = CheckedLogs("/logs", 1, 22, events, ())
    assert list(event_lines(checked)) == [
        (
            "./a: severe, rising (divergence) in loss and 1 more at steps 10 to 20, "
            "rose by 1.5 times its earlier decrease; moved with grad\\n (2 steps before), "
            "lr (same step), acc (1 step after)"
        ),
        "1 run, 22 points, 1 event",
    ]


def test_every_size_can_be_printed() -> None:
    for kind in AnomalyKind:
        anomaly = Anomaly(kind, 10, 10, 1.0, 1.0, 1, 1e300)
        checked = CheckedLogs("/logs", 1, 1, (("./a", series_events([("t", anomaly)])[0]),), ())
        assert kind.value in next(event_lines(checked))
