"""A run of open logs."""

from __future__ import annotations

from pathlib import Path

import pytest

import mindviz
from mindviz.errors import TrainJobNotFound
from tests.written_logs import tensorboard_log, write


def test_a_run_shows_its_series(tmp_path: Path) -> None:
    log = tensorboard_log([(step, step / 8) for step in range(3)])
    write(tmp_path / "a", "events.out.tfevents.1000.host", log)
    with mindviz.open(tmp_path) as logs:
        run = logs.run("a")
        assert repr(run) == f"<run ./a at {tmp_path}>"
        cells = ["scalar", "loss", "0.25", "2", "0", "0", "0.25", "2"]
        html = run._repr_html_()
    for cell in cells:
        assert f">{cell}</td>" in html


def test_an_unknown_run_names_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "lenet", "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    with mindviz.open(tmp_path) as logs, pytest.raises(TrainJobNotFound, match=r"'\./lenet'"):
        logs.run("lenett")
