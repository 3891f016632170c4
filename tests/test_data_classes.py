"""Data classes of series: declared, or implied by the first value; and values that break them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.generic.data_provider import RequestContext, StoreProvider
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.time_series import DataClass
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as pb
from tests.provider_logs import LAYOUT, PNG, RUN_METADATA, WAV
from tests.written_logs import loaded, write

SCALAR, TENSOR, BLOBS = DataClass.SCALAR, DataClass.TENSOR, DataClass.BLOB_SEQUENCE
TAG = "x"


def log(directory: Path, number: int, values: Sequence[bytes], first_step: int = 1) -> None:
    """One value per step, in file number `file`."""
    events = [
        tensorboard.event(1000.0 * number + step, step, [value])
        for step, value in enumerate(values, first_step)
    ]
    write(directory, f"tfevents.{number}", frames(events, Framing.TFRECORD))


def steps_of(store: LogStore, plugin_name: str, data_class: DataClass) -> list[int]:
    """The steps of the plugin's only series, by the call for its class."""
    provider = StoreProvider.of(store)
    listed = provider.list_series(RequestContext(), experiment_id="", plugin_name=plugin_name)
    assert listed["./"][TAG].data_class is data_class
    calls: dict[DataClass, Callable[..., Mapping[str, Mapping[str, Any]]]] = {
        SCALAR: provider.read_scalars,
        TENSOR: provider.read_tensors,
        BLOBS: provider.read_blob_sequences,
    }
    read = calls[data_class](RequestContext(), experiment_id="", plugin_name=plugin_name)
    steps: list[int] = read["./"][TAG].step.tolist()
    return steps


def strings(texts: Sequence[bytes], shape: tuple[int, ...]) -> Callable[[str], bytes]:
    return lambda plugin: tensorboard.strings_tensor(TAG, texts, shape, plugin_name=plugin)


def numbers(array: object) -> Callable[[str], bytes]:
    return lambda plugin: tensorboard.tensor(TAG, np.asarray(array), plugin_name=plugin)


FIRST_PARTY: dict[str, tuple[DataClass, Callable[[str], bytes]]] = {
    "scalars": (SCALAR, numbers(np.float32(1))),
    "histograms": (TENSOR, numbers(np.ones((2, 3)))),
    "pr_curves": (TENSOR, numbers(np.ones((6, 4), np.float32))),
    "mesh": (TENSOR, numbers(np.ones((1, 4, 3), np.float32))),
    "text": (TENSOR, strings([b"a", b"b"], (1, 2))),
    "custom_scalars": (TENSOR, strings([LAYOUT], ())),
    "images": (BLOBS, strings([b"2", b"1", PNG], (3,))),
    "audio": (BLOBS, strings([WAV, b"label"], (1, 2))),
    "graph_keras_model": (BLOBS, strings([b"{}"], ())),
    "graph_run_metadata": (BLOBS, strings([RUN_METADATA.SerializeToString()], ())),
    "graph_run_metadata_graph": (BLOBS, strings([RUN_METADATA.SerializeToString()], ())),
}
"""Plugin -> class of its series, and a value as tensor; the metadata names the plugin."""


@pytest.mark.parametrize("plugin_name", FIRST_PARTY)
def test_the_first_value_s_metadata_counts_for_all_files_of_a_run(
    tmp_path: Path, plugin_name: str
) -> None:
    data_class, value = FIRST_PARTY[plugin_name]
    log(tmp_path, 1, [value(plugin_name), value("")])
    # Writers omit metadata after the first value, also after a restart.
    log(tmp_path, 2, [value("")], first_step=3)
    store = loaded(tmp_path)
    assert steps_of(store, plugin_name, data_class) == [1, 2, 3]
    assert store.train_job("./").problems == ()


@pytest.mark.parametrize(
    "number",
    [
        *(np.float16(0.1), np.float32(0.1), np.float64(0.1)),
        *(np.int8(-128), np.int16(-1), np.int32(-(2**31)), np.int64(2**53)),
        *(np.uint8(255), np.uint16(65535), np.uint32(2**32 - 1), np.uint64(2**53), np.bool_(True)),
    ],
    ids=lambda number: number.dtype.name,
)
def test_a_number_of_any_type_is_a_scalar_and_widened_to_float64(
    tmp_path: Path, number: np.generic
) -> None:
    log(tmp_path, 1, [tensorboard.scalar_tensor(TAG, number)] * 2)
    provider = StoreProvider.of(loaded(tmp_path))
    read = provider.read_scalars(RequestContext(), experiment_id="", plugin_name="scalars")
    value = read["./"][TAG].value
    assert value.dtype == np.float64
    assert value.tolist() == [float(number)] * 2


BROKEN: dict[str, tuple[DataClass, bytes, bytes]] = {
    "a scalar with dimensions": (SCALAR, numbers(np.float32(1))("acme"), numbers([1.0, 2.0])("")),
    "a scalar of text": (SCALAR, numbers(np.float32(1))("acme"), strings([b"1"], ())("")),
    "a blob sequence of rank 0": (BLOBS, strings([b"a"], (1,))("acme"), strings([b"a"], ())("")),
    "a blob sequence of rank 2": (
        BLOBS,
        strings([b"a"], (1,))("acme"),
        strings([b"a"], (1, 1))(""),
    ),
    "a blob sequence of numbers": (BLOBS, strings([b"a"], (1,))("acme"), numbers([1.0])("")),
}


def declared(value: bytes, data_class: DataClass) -> bytes:
    """The value with a class in its metadata."""
    message = pb.Summary.Value.FromString(value)
    message.metadata.data_class = list(DataClass).index(data_class)  # type: ignore[assignment]
    return message.SerializeToString()


@pytest.mark.parametrize("case", BROKEN)
def test_a_value_that_breaks_its_class_is_dropped_and_reported(tmp_path: Path, case: str) -> None:
    data_class, good, bad = BROKEN[case]
    first = declared(good, data_class)
    log(tmp_path, 1, [first, bad, good])
    store = loaded(tmp_path)
    assert steps_of(store, "acme", data_class) == [1, 3]
    problems = store.train_job("./").problems
    assert [(one.kind, one.lost_records) for one in problems] == [(FindingKind.BROKEN_CLASS, 1)]


def test_a_declared_class_takes_precedence_over_the_plugins(tmp_path: Path) -> None:
    log(tmp_path, 1, [declared(strings([b"a", b"b"], (2,))("text"), BLOBS)])
    assert steps_of(loaded(tmp_path), "text", BLOBS) == [1]
