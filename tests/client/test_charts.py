"""Arguments of charts. What charts show: tests/notebook/, tests/e2e/notebook.spec.ts."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mindviz
from mindviz.client import charts
from mindviz.client.logs import Logs
from mindviz.errors import ExtraNotInstalled, InvalidQuery, TagNotFound, TrainJobNotFound
from mindviz.notebook import chart as chart_module
from mindviz.summary.torch import SummaryWriter
from tests.written_logs import tensorboard_log, write

NAME = "events.out.tfevents.1000.host"


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Logs]:
    module = tmp_path / "chart.js"
    module.write_text("export default {}")
    chart_module._module.cache_clear()
    monkeypatch.setattr(chart_module, "MODULE", module)
    for number, name in enumerate("abc"):
        log = tensorboard_log([(0, 1.0)], start=1_000.0 + number)
        write(tmp_path / "logs" / name, NAME, log)
    with mindviz.open(tmp_path / "logs") as opened:
        yield opened
    chart_module._module.cache_clear()


def test_a_chart_has_the_runs_with_the_tag(logs: Logs) -> None:
    chart = logs.chart("loss", runs=["a", "./c"], smoothing=0.6, x="relative", log_x=True)
    assert (chart.train_ids, chart.tags, chart.all_runs) == (["./a", "./c"], ["loss"], 2)
    assert (chart.smoothing, chart.x) == ("twema:0.6", "relative")
    assert (chart.log_x, chart.log_y) == (True, False)


def test_a_runs_chart_has_that_run(logs: Logs) -> None:
    chart = logs.run("b").plot("loss", smoothing="mean:5", log_y=True)
    assert (chart.log_x, chart.log_y) == (False, True)
    assert (chart.train_ids, chart.smoothing) == (["./b"], "mean:5")


def test_of_too_many_runs_the_newest_are_shown(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "MOST_RUNS", 2)
    chart = logs.chart("loss")
    assert (chart.train_ids, chart.all_runs) == (["./b", "./c"], 3)


def test_runs_are_grouped_together_or_by_name(logs: Logs) -> None:
    assert logs.chart("loss", groups="*").groups == {"": ["./a", "./b", "./c"]}
    chart = logs.chart("loss", runs=["a", "b"], groups={"x": "a", "y": re.compile("[abc]")})
    assert chart.groups == {"x": ["./a"], "y": ["./a", "./b"]}
    assert repr(chart) == "<chart of loss, 2 runs in 2 groups>"


def test_runs_are_grouped_by_fields(tmp_path: Path, logs: Logs) -> None:
    for name, rate, seed in (("d", 0.1, 1.0), ("e", 0.02, 1.0), ("f", 0.1, 2.0)):
        with SummaryWriter(tmp_path / "logs" / name) as writer:
            writer.add_scalar("loss", 1.0, 0)
            writer.add_hparams({"rate": rate, "seed": seed}, {"loss": 1.0}, run_name=".")
    logs.refresh()
    by_rate = logs.chart("loss", groups="rate").groups
    assert list(by_rate.items()) == [
        ("0.02", ["./e"]),
        ("0.1", ["./d", "./f"]),
        ("", ["./a", "./b", "./c"]),
    ]
    both = logs.chart("loss", runs=["d", "e", "f"], groups=["rate", "seed"]).groups
    assert list(both) == ["rate 0.02, seed 1", "rate 0.1, seed 1", "rate 0.1, seed 2"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"tag": "loss", "groups": "sed"}, InvalidQuery, "No run has a field 'sed'"),
        ({"tag": "loss", "groups": {"x": "d"}}, TrainJobNotFound, "'./d'"),
        ({"tag": "los"}, LookupError, "'loss'"),
        ({"tag": "los", "runs": "a"}, TagNotFound, "'loss'"),
        ({"tag": "loss", "runs": "d"}, TrainJobNotFound, "'./d'"),
        ({"tag": "loss", "x": "epoch"}, InvalidQuery, "step, relative, wall"),
        ({"tag": "loss", "smoothing": 2}, InvalidQuery, "smoothing"),
    ],
)
def test_wrong_arguments_are_explained(
    logs: Logs, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        logs.chart(**arguments)


def test_without_the_extra_one_sentence_says_what_to_install(
    logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        charts, "find_spec", lambda name: None if name == "anywidget" else find_spec(name)
    )
    with pytest.raises(ExtraNotInstalled, match=r"pip install 'mindviz\[notebook\]'"):
        logs.run("a").plot("loss")
