from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.data_transform.time_series import Audio, Histogram, Image, Tensor, Value
from mindviz.datavisual.declared_plugin import blobs_of, content_type_of, plugin_for
from mindviz.datavisual.plugins import find_plugin
from mindviz.errors import DamagedValue, PluginNotFound, TagNotFound
from tests.experiment_fake import FakeExperiment
from tests.golden.write_golden import PNG
from tests.sounds import SILENCE


@pytest.fixture
def experiment() -> FakeExperiment:
    experiment = FakeExperiment()
    job = experiment.add("./a")
    job.add_values("matrices", "t", [1], [Tensor(np.eye(2), "DT_FLOAT64")])
    job.add_values("files", "t", [1, 2], [b"12", b"345"])
    return experiment


def test_a_plugin_that_is_there_is_taken(experiment: FakeExperiment) -> None:
    assert plugin_for(experiment, "image", "./a", "t") is find_plugin("image")


def test_series_of_other_plugins_are_shown_by_what_they_are_made_of(
    experiment: FakeExperiment,
) -> None:
    matrices = plugin_for(experiment, "matrices", "./a", "t")
    assert matrices.view(experiment, "./a", "t", None).whole().columns["dims"] == [[2, 2]]
    data = matrices.values[""](experiment, "./a", "t", None).whole().columns["data"]
    assert np.asarray(data[0]).tolist() == [1, 0, 0, 1]
    files = plugin_for(experiment, "files", "./a", "t")
    seen = files.view(experiment, "./a", "t", None).whole()
    assert (seen.columns["bytes"], seen.columns["size"]) == ([[2], [3]], [[1], [1]])


def test_what_no_job_has_is_no_plugin(experiment: FakeExperiment) -> None:
    with pytest.raises(PluginNotFound):
        plugin_for(experiment, "nothing", "./a", "t")
    with pytest.raises(TagNotFound):
        plugin_for(experiment, "files", "./a", "u").view(experiment, "./a", "u", None)


@pytest.mark.parametrize(
    ("value", "blobs"),
    [
        (Image(1, 1, (PNG, PNG)), (PNG, PNG)),
        (Audio((SILENCE,)), (SILENCE,)),
        (b"x", (b"x",)),
        (Tensor(np.array([b"a", b"b"], object), "DT_STRING"), (b"a", b"b")),
        (Tensor(np.array(b"a", object), "DT_STRING"), (b"a",)),
    ],
    ids=["image", "audio", "bytes", "strings", "string"],
)
def test_the_blobs_of_a_value(value: Value, blobs: tuple[bytes, ...]) -> None:
    assert blobs_of(value) == blobs


@pytest.mark.parametrize(
    "value",
    [Histogram(np.empty((0, 3))), Tensor(np.zeros(2), "DT_FLOAT64")],
    ids=["histogram", "numbers"],
)
def test_numbers_are_no_blobs(value: Value) -> None:
    with pytest.raises(DamagedValue):
        blobs_of(value)


def test_a_blob_is_known_by_its_first_bytes() -> None:
    assert content_type_of(PNG) == "image/png"
    assert content_type_of(SILENCE) == "audio/wav"
    assert content_type_of(b"<html>") == "application/octet-stream"
