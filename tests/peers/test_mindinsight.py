"""MindInsight 2.3.1 reads our MindSpore encoder's output. Runs on the old Python it needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def mindinsight(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import os

    os.environ["MINDINSIGHT_WORKSPACE"] = str(tmp_path_factory.mktemp("workspace"))
    from mindinsight.datavisual.data_transform.data_manager import DataManager

    manager = DataManager(os.environ["MINDVIZ_PEER_LOGS"])
    for thread in manager.start_load_data(reload_interval=0):
        thread.join()
    return manager


def series(manager: Any, tag: str) -> Any:
    return manager.list_tensors("./mindspore", tag)


def test_all_series_are_found(mindinsight: Any) -> None:
    found = {
        plugin: mindinsight.get_train_job_by_plugin("./mindspore", plugin)["tags"]
        for plugin in ("scalar", "image", "histogram", "tensor")
    }
    assert {plugin: sorted(tags) for plugin, tags in found.items()} == {
        "scalar": ["loss/scalar", "损失 loss/scalar"],
        "image": ["input/image"],
        "histogram": ["weights/histogram"],
        "tensor": ["tensor/tensor"],
    }


def test_scalars_are_equal(mindinsight: Any, expected: Any) -> None:
    for tag, points in expected["mindspore"]["scalar"].items():
        seen = [[p.step, p.wall_time, p.value] for p in series(mindinsight, tag + "/scalar")]
        np.testing.assert_array_equal(seen, points)


def test_images_are_equal(mindinsight: Any, expected: Any) -> None:
    images = series(mindinsight, "input/image")
    assert images
    for image in images:
        assert image.value.encoded_image.hex() == expected["png"]
        assert [image.value.width, image.value.height] == expected["size"]


def test_histograms_are_equal(mindinsight: Any, expected: Any) -> None:
    histograms = series(mindinsight, "weights/histogram")
    assert histograms
    edges = np.asarray(expected["edges"])
    rows = np.stack([edges[:-1], np.diff(edges), expected["counts"]], axis=1)
    for histogram in histograms:
        buckets = histogram.value.histogram._original_buckets
        np.testing.assert_array_equal([bucket.as_tuple() for bucket in buckets], rows)


def test_tensors_are_equal(mindinsight: Any, expected: Any) -> None:
    tensors = series(mindinsight, "tensor/tensor")
    assert tensors
    for tensor in tensors:
        assert list(tensor.value.dims) == [2, 3]
        assert tensor.value.tensor_value.tolist() == expected["tensor"]
