from __future__ import annotations

import itertools
import math
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import number, snapshot


class ForeignTensor:
    """Looks like a framework's tensor; numpy can't read it while it is `held`."""

    def __init__(self, array: np.ndarray[Any, Any], **held: Any) -> None:
        self.array = array
        self.requires_grad = held.get("requires_grad", False)
        self.device = SimpleNamespace(type=held.get("device", "cpu"))
        self.dtype = held.get("dtype", array.dtype)

    def __array__(self, dtype: object = None, *, copy: bool | None = None) -> Any:
        if self.requires_grad or self.device.type != "cpu" or "bfloat16" in str(self.dtype):
            raise TypeError("not from here")
        return self.array

    def detach(self) -> ForeignTensor:
        return ForeignTensor(self.array, device=self.device.type, dtype=self.dtype)

    def cpu(self) -> ForeignTensor:
        return ForeignTensor(self.array.copy(), dtype=self.dtype)

    def float(self) -> ForeignTensor:
        return ForeignTensor(self.array.astype(np.float32))


class OnlyDlpack:
    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class PaddleLike:
    """Its bfloat16 arrives in numpy as bit patterns."""

    dtype = "paddle.bfloat16"

    def __array__(self, dtype: object = None, *, copy: bool | None = None) -> Any:
        return np.array([0x3F80, 0xC000], np.uint16)


PAIR = np.array([1.0, -2.0])

PAIRS: dict[str, object] = {
    "numpy": PAIR,
    "list": [1, -2],
    "tuple": (1.0, -2.0),
    "tensor": ForeignTensor(PAIR),
    "with a gradient": ForeignTensor(PAIR, requires_grad=True),
    "on a device": ForeignTensor(PAIR, device="cuda"),
    "on a device with a gradient": ForeignTensor(PAIR, device="cuda", requires_grad=True),
    "bfloat16": ForeignTensor(PAIR, dtype="torch.bfloat16", requires_grad=True),
    "bfloat16 on a device": ForeignTensor(PAIR, dtype="torch.bfloat16", device="cuda"),
    "numpy's view of bfloat16": PAIR.astype(ml_dtypes.bfloat16),
    "numpy's view of float8": PAIR.astype(ml_dtypes.float8_e4m3fn),
    "DLPack": OnlyDlpack(PAIR),
    "bits": PaddleLike(),
}


@pytest.mark.parametrize("value", PAIRS.values(), ids=PAIRS)
def test_tensors_of_every_framework_become_arrays(value: object) -> None:
    assert snapshot(value, "it").tolist() == [1.0, -2.0]


@pytest.mark.parametrize(
    "hold",
    [
        lambda array: array,
        ForeignTensor,
        lambda array: ForeignTensor(array, requires_grad=True),
        OnlyDlpack,
    ],
    ids=["numpy", "tensor", "gradient", "dlpack"],
)
def test_later_changes_of_a_tensor_do_not_reach_its_snapshot(hold: Any) -> None:
    array = np.arange(6.0)
    taken = snapshot(hold(array), "it")
    array += 1
    assert taken.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,)])
def test_empty_arrays_keep_their_shape(shape: tuple[int, ...]) -> None:
    assert snapshot(np.zeros(shape), "it").shape == shape


@pytest.mark.parametrize(
    "value", ["text", None, object(), np.array(["a"]), np.array([1j]), {}], ids=itertools.count()
)
def test_the_error_for_an_invalid_array_names_it(value: object) -> None:
    with pytest.raises(InvalidValue, match="tensor 'w'"):
        snapshot(value, "tensor 'w'")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3.0),
        (True, 1.0),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        (np.float16(0.5), 0.5),
        (np.int64(7), 7.0),
        (np.bool_(True), 1.0),
        (np.array(2.5), 2.5),
        (np.array([[4, 5]]), 4.0),
        (ForeignTensor(np.array(1.5), requires_grad=True, device="cuda"), 1.5),
        (ForeignTensor(np.array(1.5), dtype="torch.bfloat16"), 1.5),
    ],
    ids=itertools.count(),
)
def test_a_scalar_is_a_number_or_the_first_element_of_an_array(
    value: object, expected: float
) -> None:
    assert number(value, "it") == expected


def test_nan_is_accepted() -> None:
    assert math.isnan(number(np.float32("nan"), "it"))


@pytest.mark.parametrize(
    "value",
    ["1.0", None, 1j, np.complex64(1), np.zeros(0), [], object()],
    ids=itertools.count(),
)
def test_the_error_for_an_invalid_number_names_it(value: object) -> None:
    with pytest.raises(InvalidValue, match="scalar 'loss'"):
        number(value, "scalar 'loss'")
