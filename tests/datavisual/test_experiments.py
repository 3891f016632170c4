from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.errors import ExperimentNotFound
from tests.written_logs import loaded


def served(base_dir: Path, experiment_id: str) -> ServedExperiment:
    return ServedExperiment(experiment_id, loaded(base_dir))


def test_experiments_keep_their_order_and_are_found_by_id(tmp_path: Path) -> None:
    experiments = Experiments([served(tmp_path, name) for name in ("a", "b")])
    assert [one.experiment_id for one in experiments] == ["a", "b"]
    assert experiments.find("") is experiments.first
    assert experiments.find("b").experiment_id == "b"
    with pytest.raises(ExperimentNotFound, match="'c'"):
        experiments.find("c")


def test_the_first_experiment_may_be_replaced(tmp_path: Path) -> None:
    experiments = Experiments([served(tmp_path, name) for name in ("", "b")])
    experiments.begin_with(served(tmp_path, "a"))
    assert [one.experiment_id for one in experiments] == ["a", "b"]
    assert experiments.find("").experiment_id == "a"
