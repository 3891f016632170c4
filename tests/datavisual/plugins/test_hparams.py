"""Hyperparameters of all formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindviz.datavisual.plugins.hparams import overview, series, tags, values, view
from mindviz.errors import InvalidQuery, TagNotFound
from tests.lineage_logs import (
    evaluation,
    experiment,
    session_end,
    session_start,
    training,
    write_mindspore_job,
    write_tensorboard_job,
    write_visualdl_job,
)
from tests.store_fake import FakeStore
from tests.written_logs import loaded


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    logged = [experiment("acc"), session_start({"lr": 0.5}), session_end()]
    write_tensorboard_job(directory / "tb", logged, {"acc": 0.75})
    write_visualdl_job(directory / "vdl", {"lr": 0.5}, ["acc"], {"acc": 0.25})
    write_mindspore_job(directory / "ms", training(), evaluation({"top5": 0.875}))
    return directory


def test_three_formats_have_sessions(logs: Path) -> None:
    found = overview(loaded(logs), None)
    groups = found["session_groups"]
    assert isinstance(groups, list)
    sessions = [[one["train_id"] for one in group["sessions"]] for group in groups]
    assert sessions == [["./ms"], ["./tb", "./vdl"]]
    assert groups[1]["hyper_parameters"] == {"lr": 0.5}
    assert groups[1]["metrics"] == {
        "acc": {"n": 2, "avg": 0.5, "median": 0.5, "min": 0.25, "max": 0.75}
    }
    assert groups[0]["hyper_parameters"]["optimizer"] == "Adam"
    assert groups[0]["metrics"]["top5"]["max"] == 0.875
    assert found["metrics"] == ["acc", "loss", "model_size", "top5"]


def test_a_session_is_a_blob_at_step_0(logs: Path) -> None:
    known = loaded(logs)
    assert tags(known, "./tb") == ["session"]
    seen = view(known, "./tb", "session").whole()
    assert seen.step.tolist() == [0]
    assert seen.columns["status"] == ["success"]
    assert "train_id" not in seen.columns  # an answer about one job has it next to the columns
    assert seen.columns["hyper_parameters"] == [{"lr": 0.5}]
    blob = series(known, "./tb", "session").read(0)
    assert isinstance(blob, bytes)
    assert values(known, "./tb", "session").whole().columns["data"] == [[json.loads(blob)]]


def test_missing_sessions_are_not_found() -> None:
    known = FakeStore()
    known.add("./a")
    assert tags(known, "./a") == []
    with pytest.raises(TagNotFound):
        view(known, "./a", "session")


def test_a_session_has_no_writers(logs: Path) -> None:
    with pytest.raises(InvalidQuery, match="no writer"):
        series(loaded(logs), "./tb", "session", "x")
    with pytest.raises(TagNotFound):
        series(loaded(logs), "./tb", "other")
