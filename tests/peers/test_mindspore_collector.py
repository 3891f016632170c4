"""Our SummaryCollector and MindSpore's: one training, collected by each of them."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.peers.collected_logs import CollectedLog, run_example

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    Read = Callable[[Path], LogStore]

SCRIPT = Path(__file__).with_name("mindspore_training.py")


def train(whose: str, directory: Path, mode: str) -> str:
    """Run the training in a separate process; its output."""
    done = subprocess.run(
        [sys.executable, SCRIPT, whose, directory, mode],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module", params=["graph", "pynative", "fit"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of each of the two."""
    directory = tmp_path_factory.mktemp(request.param)
    for whose in ("theirs", "ours"):
        (directory / f"{whose}.txt").write_text(train(whose, directory / whose, request.param))
    return directory


def is_of(mode: str, written: Path) -> bool:
    """Whether a training in this mode wrote the logs."""
    return written.name.startswith(mode)


@pytest.fixture
def theirs(written: Path, read: Read) -> CollectedLog:
    return CollectedLog(read(written / "theirs"))


@pytest.fixture
def ours(written: Path, read: Read) -> CollectedLog:
    return CollectedLog(read(written / "ours"))


def test_scalars_are_equal(ours: CollectedLog, theirs: CollectedLog) -> None:
    assert theirs.tags("scalar") == ["loss/auto", "mean"]
    for tag in theirs.tags("scalar"):
        assert ours.scalars(tag) == theirs.scalars(tag)
        assert list(ours.scalars(tag)) == [1, 5, 10]


def test_histograms_are_equal(ours: CollectedLog, theirs: CollectedLog) -> None:
    expected = ["conv.bias/auto", "conv.weight/auto", "dense.bias/auto", "features"]
    assert ours.tags("histogram") == theirs.tags("histogram") == expected
    for tag in expected:
        mine, its = ours.values("histogram", tag), theirs.values("histogram", tag)
        assert list(mine) == list(its) == [1, 5, 10]
        for step, histogram in mine.items():
            np.testing.assert_allclose(histogram.buckets, its[step].buckets, rtol=1e-6)


def test_input_images_are_equal(ours: CollectedLog, theirs: CollectedLog) -> None:
    from PIL import Image

    assert ours.tags("image") == theirs.tags("image") == ["input_data/auto"]
    mine, its = (log.values("image", "input_data/auto") for log in (ours, theirs))
    assert list(mine) == list(its) == [1, 5, 10]
    for step, image in mine.items():
        pictures = [Image.open(io.BytesIO(one.encoded[0])) for one in (image, its[step])]
        mine_drawn, its_drawn = (np.asarray(one.convert("RGB"), np.int16) for one in pictures)
        assert np.abs(mine_drawn - its_drawn).max() <= 1  # we round, MindSpore cuts off


def test_tensors_are_equal(ours: CollectedLog, theirs: CollectedLog) -> None:
    mine, its = (log.values("tensor", "first") for log in (ours, theirs))
    assert list(mine) == list(its) == [1, 5, 10]
    for step, tensor in mine.items():
        np.testing.assert_array_equal(tensor.data, its[step].data)


def test_lineage_is_equal(written: Path, ours: CollectedLog, theirs: CollectedLog) -> None:
    mine, its = ours.facts(), theirs.facts()
    assert mine.train is not None
    assert mine.train.optimizer == "Momentum"
    assert mine.evaluation is not None
    assert mine.evaluation.test_dataset_count == 24
    assert mine.user_defined == {"fold": 1, "rate": 0.5}
    if is_of("fit", written):  # where MindSpore's own misses the evaluations
        assert its.evaluation is None
        mine = replace(mine, evaluation=None)
    assert mine == its


def test_metrics_of_fit_are_collected(written: Path, ours: CollectedLog) -> None:
    measured = ["accuracy/auto", "eval_loss/auto"]
    assert (set(measured) <= set(ours.tags("scalar"))) == is_of("fit", written)
    if is_of("fit", written):
        assert [list(ours.scalars(tag)) for tag in measured] == [[6, 12]] * 2


def test_graphs_have_the_same_nodes(
    written: Path, ours: CollectedLog, theirs: CollectedLog
) -> None:
    if is_of("pynative", written):
        assert ours.tags("graph") == theirs.tags("graph") == []
        assert "Cannot collect the graph: " in (written / "ours.txt").read_text()
        return
    mine, its = ours.operators(), theirs.operators()
    assert len(mine) == len(its) > 20
    assert sorted(node.type for node in mine) == sorted(node.type for node in its)


def test_landscapes_are_ours_alone(written: Path, ours: CollectedLog) -> None:
    found = ours.landscapes()
    assert set(found) == {"landscape_[1, 3]", "landscape_[10, 12]", "landscape_[12]"}
    for one in found.values():
        assert one.points.z.shape == (4, 4)
        assert np.isfinite(one.points.z).all()
        assert np.ptp(one.points.z) > 0
    output = (written / "ours.txt").read_text()
    if "loss:" in output:  # the training's data are the evaluation's
        loss = float(output.rpartition("loss: ")[2].split()[0])
        assert found["landscape_[12]"].convergence_point[2] == pytest.approx(loss, rel=1e-3)


def test_only_a_missing_graph_is_reported(written: Path) -> None:
    lines = (written / "ours.txt").read_text().splitlines()
    reported = [line for line in lines if "Cannot collect" in line]
    assert len(reported) == int(is_of("pynative", written))


def test_a_collector_does_not_change_the_training(written: Path) -> None:
    output = [(written / f"{whose}.txt").read_text() for whose in ("ours", "theirs")]
    losses = {text.rpartition("loss: ")[2].split()[0] for text in output if "loss: " in text}
    assert len(losses) == int(not is_of("fit", written))


def test_invalid_options_are_refused_at_once(tmp_path: Path) -> None:
    from mindviz.errors import InvalidValue
    from mindviz.summary.adapters.mindspore import SummaryCollector

    with pytest.raises(InvalidValue, match="collect_freq is 0"):
        SummaryCollector(tmp_path, 0)


def test_the_documented_example_works(tmp_path: Path, read: Any) -> None:
    run_example("MindSpore", tmp_path)
    log = CollectedLog(read(tmp_path / "logs" / "run1"))
    assert list(log.scalars("loss/auto")) == [1, 10, 20]
    assert log.facts().evaluation is not None
    assert log.operators() != []
