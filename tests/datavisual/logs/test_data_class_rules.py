from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mindviz.datavisual.logs.data_class_rules import admits_numbers, check_blobs, check_tensor
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import BrokenDataClass

STRINGS = np.array([b"a"], object)


def tensors_of(plugin_name: str) -> SummaryMetadata:
    return SummaryMetadata(plugin_name, data_class=DataClass.TENSOR)


@pytest.mark.parametrize(
    ("plugin_name", "good", "bad"),
    [
        ("histograms", np.zeros((0, 3)), np.zeros((3, 2))),
        ("histograms", np.zeros((5, 3), np.float32), np.zeros((5, 3), np.int64)),
        ("histograms", np.zeros((5, 3)), np.zeros((1, 5, 3))),
        ("pr_curves", np.zeros((6, 0)), np.zeros((5, 6))),
        ("roc_curves", np.zeros((6, 9)), np.zeros(6)),
        ("mesh", np.zeros((1, 4, 3)), np.zeros((4, 3))),
        ("mesh", np.zeros((1, 4, 3), np.uint8), np.zeros((1, 4, 2), np.uint8)),
        ("embedding", np.zeros((4, 9), np.float32), STRINGS),
        ("text", STRINGS, np.zeros(1)),
        ("custom_scalars", STRINGS.reshape(()), np.zeros(())),
    ],
)
def test_plugins_have_shapes(
    plugin_name: str,
    good: NDArray[Any],
    bad: NDArray[Any],
) -> None:
    check_tensor(tensors_of(plugin_name), good)
    with pytest.raises(BrokenDataClass, match=f"no value of a TENSOR series of .*{plugin_name}"):
        check_tensor(tensors_of(plugin_name), bad)


@pytest.mark.parametrize("tensor", [np.zeros(()), np.zeros((2, 3, 4), np.int8), STRINGS])
def test_tensors_of_unknown_plugins_are_of_any_shape(
    tensor: NDArray[Any],
) -> None:
    check_tensor(tensors_of("invented"), tensor)
    check_tensor(SummaryMetadata("invented", data_class=DataClass.UNKNOWN), tensor)
    for data_class in (DataClass.SCALAR, DataClass.BLOB_SEQUENCE):
        with pytest.raises(BrokenDataClass):
            check_tensor(SummaryMetadata("invented", data_class=data_class), tensor)


def test_numbers_are_scalars_or_tensors_of_no_shape() -> None:
    assert admits_numbers(SummaryMetadata("invented", data_class=DataClass.SCALAR))
    assert admits_numbers(tensors_of("invented"))
    assert not admits_numbers(tensors_of("histograms"))
    assert not admits_numbers(tensors_of("text"))
    assert not admits_numbers(SummaryMetadata("invented", data_class=DataClass.BLOB_SEQUENCE))


def test_images_begin_with_their_size() -> None:
    images = SummaryMetadata("images", data_class=DataClass.BLOB_SEQUENCE)
    check_blobs(images, [b"12", b"3"])
    for heads in ([], [b"12"], [b"12", b"x"], [b"\x89PNG", b"3"]):
        with pytest.raises(BrokenDataClass):
            check_blobs(images, heads)
    check_blobs(SummaryMetadata("invented", data_class=DataClass.BLOB_SEQUENCE), [])
