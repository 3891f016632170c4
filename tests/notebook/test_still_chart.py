"""The picture of a chart in a notebook without a kernel."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree as ET

import nbconvert
import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import mindviz
from mindviz.client.logs import Logs
from mindviz.client.series_selection import CONTEXT, EXPERIMENT_ID
from mindviz.notebook import chart as chart_module
from mindviz.notebook.still_chart import MOST_LINES, MOST_POINTS, ChartTraits, still_chart
from tests.written_logs import tensorboard_log, write

NAME = "events.out.tfevents.1000.host"
SVG = "{http://www.w3.org/2000/svg}"


def opened(directory: Path, runs: dict[str, list[float]]) -> Logs:
    for run, values in runs.items():
        write(directory / run, NAME, tensorboard_log(list(enumerate(values))))
    return mindviz.open(directory)


def picture(
    logs: Logs, *, log_y: bool = False, groups: dict[str, list[str]] | None = None
) -> ET.Element:
    provider = logs._source.provider
    runs = provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID)
    train_ids = sorted(run.train_id for run in runs)
    chart = ChartTraits(
        train_ids, ["loss"], "", "step", log_x=False, log_y=log_y, groups=groups or {}
    )
    return ET.fromstring(still_chart(provider, chart))


def texts(svg: ET.Element) -> list[str]:
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


def lines(svg: ET.Element) -> list[list[tuple[float, float]]]:
    return [
        [
            (float(x), float(y))
            for x, y in (pair.split(",") for pair in line.attrib["points"].split())
        ]
        for line in svg.iter(f"{SVG}polyline")
    ]


def pair_of(text: str) -> list[str]:
    return text.split(",")


def test_groups_are_drawn_as_the_means_of_their_runs(tmp_path: Path) -> None:
    runs = {"a": [0.0, 0.0, 4.0], "b": [2.0, 4.0, 4.0], "c": [0.0, 3.0, 4.0]}
    logs = opened(tmp_path, runs)
    svg = picture(logs, groups={"seeds": ["./a", "./b"], "": ["./c"]})
    (first, second) = lines(svg)
    assert [x for x, _ in first] == [x for x, _ in second]
    low, high = second[0][1], second[2][1]  # of 0 and 4
    assert [(y - low) / (high - low) * 4 for _, y in first] == pytest.approx([1, 2, 4], abs=0.05)
    assert "seeds" in texts(svg)


def test_lines_are_drawn_from_left_to_right_and_named(tmp_path: Path) -> None:
    with opened(tmp_path, {"a": [1.0, 3.0, 2.0], "b": [2.0, 2.0]}) as logs:
        svg = picture(logs)
    first, second = lines(svg)
    assert [x for x, _ in first] == sorted({x for x, _ in first})
    assert first[0][1] > first[2][1] > first[1][1]  # down is positive
    assert second[0][1] == second[1][1] == first[2][1]
    assert texts(svg) == ["3", "1", "0", "2", "loss", "a", "b"]


def test_values_that_cannot_be_drawn_are_left_out(tmp_path: Path) -> None:
    with opened(tmp_path, {"a": [np.nan, 0.0, 10.0, 1000.0, np.inf]}) as logs:
        assert len(lines(picture(logs))[0]) == 3
        (line,) = lines(picture(logs, log_y=True))
        assert len(line) == 2
    with opened(tmp_path / "none", {"a": [np.nan]}) as logs:
        assert texts(picture(logs)) == ["No points"]


def test_long_series_keep_their_extremes_and_many_are_counted(tmp_path: Path) -> None:
    values = np.zeros(5000)
    values[4321] = 1
    runs = {f"run{number:02}": [0.0] for number in range(MOST_LINES + 2)}
    with opened(tmp_path, {"a": values.tolist(), **runs}) as logs:
        svg = picture(logs)
    drawn = lines(svg)
    assert len(drawn) == MOST_LINES
    assert len(drawn[0]) <= MOST_POINTS
    assert min(y for _, y in drawn[0]) < min(y for _, y in drawn[1])
    assert texts(svg)[-1] == "3 more lines"


def test_names_of_logs_are_text(tmp_path: Path) -> None:
    with opened(tmp_path, {"<b>&\x07": [1.0]}) as logs:
        assert texts(picture(logs))[-1].startswith("<b>&")


def test_a_saved_notebook_shows_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "chart.js"
    module.write_text("export default {}")
    chart_module._module.cache_clear()
    monkeypatch.setattr(chart_module, "MODULE", module)
    InteractiveShell.instance()
    with opened(tmp_path / "logs", {"a": [1.0, 2.0]}) as logs, capture_output() as captured:
        chart = logs.chart("loss")
        chart._ipython_display_()
    chart_module._module.cache_clear()
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": one.data}
        for one in captured.outputs
    ]
    cell = {
        "cell_type": "code",
        "metadata": {},
        "source": "",
        "execution_count": 1,
        "outputs": outputs,
    }
    notebook = nbformat.from_dict(  # type: ignore[no-untyped-call]
        {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}
    )
    exporter = nbconvert.HTMLExporter()  # type: ignore[no-untyped-call]
    page, _ = exporter.from_notebook_node(notebook)
    match = re.search(rf'<img [^>]*class="{chart.still}"[^>]*base64,([^"]*)"', page)
    assert match is not None
    assert texts(ET.fromstring(b64decode(match[1])))[-1] == "a"
