"""The chart's side in the kernel: answers to requests, and new points."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mindviz
from mindviz.client.logs import Logs
from mindviz.errors import StartError
from mindviz.notebook import chart as chart_module
from mindviz.notebook import live_charts
from mindviz.snapshots.scalar_parts import metadata_of
from tests.notebook.recorded_comm import PATIENCE, RecordedComm
from tests.written_logs import events, tensorboard_log, write

NAME = "events.out.tfevents.1000.host"
QUERY = {"train_id": ["./a"], "tag": ["loss/scalar"], "max_points": 1000, "format": "arrow"}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Logs]:
    module = tmp_path / "chart.js"
    module.write_text("export default {}")
    chart_module._module.cache_clear()
    monkeypatch.setattr(chart_module, "MODULE", module)
    write(tmp_path / "logs" / "a", NAME, tensorboard_log([(step, step / 8) for step in range(3)]))
    with mindviz.open(tmp_path / "logs") as opened:
        yield opened
    chart_module._module.cache_clear()


def shown(chart: chart_module.ScalarChart) -> RecordedComm:
    """The chart's connection to a page."""
    comm = RecordedComm()
    chart.comm = comm
    return comm


def facts(content: bytes) -> dict[str, Any]:
    (one,) = metadata_of(content)["series"]
    return dict(one)


def request(comm: RecordedComm, view: str, number: int = 1, **query: Any) -> None:
    queries = [QUERY | query]
    comm.tell(kind="request", view=view, part="whole", number=number, queries=queries)


def test_a_request_is_answered_to_the_view_that_made_it(logs: Logs) -> None:
    comm = shown(logs.chart("loss"))
    request(comm, "first", number=7, start_step=1)

    content, (answer,) = comm.next()
    assert content == {"view": "first", "part": "whole", "number": 7}
    assert (facts(answer)["train_id"], facts(answer)["points"]) == ("./a", 2)


def test_an_invalid_request_is_answered_with_the_reason(logs: Logs) -> None:
    comm = shown(logs.chart("loss"))
    request(comm, "first", smoothing="nonsense")

    content, buffers = comm.next()
    assert "nonsense" in content["problem"]
    assert not buffers


def test_points_are_sent_before_the_problem_of_a_later_query(logs: Logs) -> None:
    comm = shown(logs.chart("loss"))
    queries = [QUERY, QUERY | {"smoothing": "nonsense"}]
    comm.tell(kind="request", view="view", part="whole", number=1, queries=queries)

    content, (answer,) = comm.next()
    assert ("problem" in content, facts(answer)["points"]) == (False, 3)
    content, _ = comm.next()
    assert "nonsense" in content["problem"]


def test_a_problem_is_sent_once_and_then_its_end(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    comm = shown(logs.chart("loss"))
    request(comm, "view", train_id=["./b"])
    content, _ = comm.next()
    assert "./b" in content["problem"]
    comm.tell(kind="follow", view="view", visible=True)
    write(tmp_path / "logs" / "b", NAME, tensorboard_log([(0, 0.5)]))

    content, (answer,) = comm.next()
    assert ("problem" in content, facts(answer)["points"]) == (False, 1)
    content, _ = comm.next()
    assert content["problem"] == ""
    comm.tell(kind="follow", view="view", visible=False)


def test_only_new_points_reach_visible_views(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    comm = shown(logs.chart("loss"))
    for view in ("visible", "hidden"):
        request(comm, view)
        comm.next()
    comm.tell(kind="follow", view="visible", visible=True)
    with (tmp_path / "logs" / "a" / NAME).open("ab") as log:
        log.write(events([(3, 0.5)]))

    content, (answer,) = comm.next()
    assert content["view"] == "visible"
    assert (facts(answer)["points"], facts(answer)["reset"], facts(answer)["total"]) == (
        1,
        False,
        4,
    )
    comm.tell(kind="leave", view="visible")
    assert comm.sent.empty()


def test_a_chart_is_live_without_its_logs(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    chart = mindviz.open(tmp_path / "logs").chart("loss")
    gc.collect()
    comm = shown(chart)
    request(comm, "view")
    comm.next()
    comm.tell(kind="follow", view="view", visible=True)
    with (tmp_path / "logs" / "a" / NAME).open("ab") as log:
        log.write(events([(3, 0.5)]))
    assert facts(comm.next()[1][0])["points"] == 1
    chart.close()


def test_a_view_that_becomes_visible_gets_what_it_missed(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    comm = shown(logs.chart("loss"))
    request(comm, "view")
    comm.next()
    with (tmp_path / "logs" / "a" / NAME).open("ab") as log:
        log.write(events([(3, 0.5), (4, 0.5)]))
    logs.refresh()
    assert comm.sent.empty()

    comm.tell(kind="follow", view="view", visible=True)
    _, (answer,) = comm.next()
    assert facts(answer)["points"] == 2
    comm.tell(kind="follow", view="view", visible=False)


def test_reading_ends_with_the_last_chart(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 60)
    charts = [logs.chart("loss"), logs.chart("loss")]
    for chart in charts:
        shown(chart).tell(kind="follow", view="view", visible=True)
    live = live_charts.LiveCharts.of(logs._source)
    thread = live._thread
    assert thread is not None
    for chart in charts:
        assert thread.is_alive()
        chart.close()
    thread.join()


def test_reading_ends_if_a_visible_view_is_silent_and_goes_on_if_it_is_not(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_charts, "INTERVAL", 0.01)
    monkeypatch.setattr(chart_module, "MOST_UNHEARD", 2)
    chart = logs.chart("loss")
    comm = shown(chart)
    request(comm, "view")
    comm.next()
    live = live_charts.LiveCharts.of(logs._source)
    comm.tell(kind="follow", view="view", visible=True)
    if (thread := live._thread) is not None:
        thread.join(PATIENCE)
    assert live._thread is None
    with (tmp_path / "logs" / "a" / NAME).open("ab") as log:
        log.write(events([(3, 0.5)]))
    assert comm.sent.empty()

    comm.tell(kind="follow", view="view", visible=True)
    assert facts(comm.next()[1][0])["points"] == 1
    chart.close()


def test_an_unbuilt_chart_says_how_to_build_it(
    logs: Logs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart_module._module.cache_clear()
    monkeypatch.setattr(chart_module, "MODULE", tmp_path / "missing.js")
    with pytest.raises(StartError, match="make ui"):
        logs.chart("loss")
