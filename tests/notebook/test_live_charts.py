"""Reading for visible charts."""

from __future__ import annotations

import gc
import threading
from pathlib import Path
from weakref import ref

import pytest

from mindviz.client.opening import open_source
from mindviz.notebook import live_charts
from mindviz.notebook.live_charts import LiveCharts
from tests.written_logs import tensorboard_log, write


class RecordedChart:
    """Records that it was to send new points."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def send_new_points(self) -> None:
        self.event.set()


def test_charts_of_a_source_share_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    write(tmp_path, "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    source = open_source(str(tmp_path))
    live = LiveCharts.of(source)
    assert LiveCharts.of(source) is live
    charts = [RecordedChart(), RecordedChart()]
    for chart in charts:
        live.follow(chart)
    for chart in charts:
        assert chart.event.wait(60)
        live.forget(chart)
    source.close()


class FailingChart(RecordedChart):
    """Fails each time."""

    def send_new_points(self) -> None:
        super().send_new_points()
        raise RuntimeError("no page")


def test_a_chart_that_fails_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    write(tmp_path, "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    source = open_source(str(tmp_path))
    live = LiveCharts.of(source)
    failing, other = FailingChart(), RecordedChart()
    live.follow(failing)
    assert failing.event.wait(60)
    live.follow(other)
    assert other.event.wait(60)
    live.forget(other)
    source.close()
    assert [record.getMessage() for record in caplog.records] == ["Sending new points failed"]


def test_sources_are_freed(tmp_path: Path) -> None:
    write(tmp_path, "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    source = open_source(str(tmp_path))
    LiveCharts.of(source)
    source.close()
    known = ref(source)
    del source
    gc.collect()
    assert known() is None
