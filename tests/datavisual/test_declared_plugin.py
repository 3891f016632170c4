from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.declared_plugin import (
    blobs_of,
    content_type_of,
    plugin_for,
    tags_of,
)
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.plugins import find_plugin
from mindviz.datavisual.series.time_series import (
    Audio,
    DataClass,
    Histogram,
    Image,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue, PluginNotFound, TagNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.golden.write_golden import PNG
from tests.proto import tensorboard_pb2 as proto
from tests.sounds import SILENCE
from tests.store_fake import FakeStore
from tests.written_logs import loaded, write


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    job.add_values("matrices", "t", [1], [Tensor(np.eye(2), "DT_FLOAT64")])
    job.add_values("files", "t", [1, 2], [b"12", b"345"])
    return store


def test_a_registered_plugin_is_preferred(store: FakeStore) -> None:
    assert plugin_for(store, "image", "./a", "t") is find_plugin("image")


def test_series_of_unknown_plugins_are_shown_by_data_class(
    store: FakeStore,
) -> None:
    matrices = plugin_for(store, "matrices", "./a", "t")
    shown = matrices.view(store, "./a", "t", None).whole().columns
    assert (shown["dims"], shown["values"]) == ([[2, 2]], [[1, 0, 0, 1]])
    data = matrices.values[""](store, "./a", "t", None).whole().columns["data"]
    assert np.asarray(data[0]).tolist() == [1, 0, 0, 1]
    files = plugin_for(store, "files", "./a", "t")
    seen = files.view(store, "./a", "t", None).whole()
    assert (seen.columns["bytes"], seen.columns["size"]) == ([[2], [3]], [[1], [1]])


@pytest.mark.parametrize(
    ("array", "shown"),
    [
        (np.array([np.nan, np.inf, -np.inf, 2]), ["NaN", "Infinity", "-Infinity", 2]),
        (np.array([True, False]), [True, False]),
        (np.array([1 + 2j]), ["(1+2j)"]),
        (np.array([b"a", b"\xff" * 300], object), ["a", "\ufffd" * 200]),
        (np.broadcast_to(np.float32(3), (1 << 40,)), [3.0] * 100),
        (np.array(7), [7]),
    ],
    ids=["non-finite", "booleans", "complex", "strings", "huge", "scalar"],
)
def test_the_first_elements_of_an_unknown_plugins_tensor_are_shown(
    array: np.ndarray[Any, Any], shown: list[object]
) -> None:
    store = FakeStore()
    store.add("./a").add_values("mine", "t", [1], [Tensor(array, "DT_ANY")])
    view = plugin_for(store, "mine", "./a", "t").view(store, "./a", "t", None)
    assert view.whole().columns["values"] == [shown]


def test_a_name_without_series_is_not_a_plugin(store: FakeStore) -> None:
    with pytest.raises(PluginNotFound):
        plugin_for(store, "nothing", "./a", "t")
    with pytest.raises(TagNotFound):
        plugin_for(store, "files", "./a", "u").view(store, "./a", "u", None)


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


def test_a_blob_is_recognized_by_its_first_bytes() -> None:
    assert content_type_of(PNG) == "image/png"
    assert content_type_of(SILENCE) == "audio/wav"
    assert content_type_of(b"<html>") == "application/octet-stream"


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> LogStore:
    """A log of an unknown plugin, with a series of each data class that it declares."""
    directory = tmp_path_factory.mktemp("logs")
    classes = {
        "s": (np.float32(0.5), proto.DATA_CLASS_SCALAR),
        "t": (np.arange(2), proto.DATA_CLASS_TENSOR),
        "t0": (np.float64(0.25), proto.DATA_CLASS_TENSOR),
    }
    values = [
        tensorboard.tensor(tag, np.asarray(value), plugin_name="acme", data_class=data_class)
        for tag, (value, data_class) in classes.items()
    ]
    blobs = tensorboard.strings_tensor(
        "b", [b"1", b"23"], (2,), plugin_name="acme", data_class=proto.DATA_CLASS_BLOB_SEQUENCE
    )
    events = [tensorboard.event(float(step), step, [*values, blobs]) for step in (1, 2)]
    write(directory, "tfevents.1", frames(events, Framing.TFRECORD))
    return loaded(directory)


@pytest.mark.parametrize(
    ("tag", "data_class", "column", "shown"),
    [
        ("s", DataClass.SCALAR, "value", 0.5),
        ("t", DataClass.TENSOR, "dims", [2]),
        ("t0", DataClass.TENSOR, "value", 0.25),
        ("b", DataClass.BLOB_SEQUENCE, "bytes", [1, 2]),
    ],
)
def test_an_invented_plugin_of_each_class_is_listed_read_and_shown(
    invented: LogStore, tag: str, data_class: DataClass, column: str, shown: Any
) -> None:
    assert tags_of(invented, "acme", "./") == ["b", "s", "t", "t0"]
    plugin = plugin_for(invented, "acme", "./", tag)
    assert plugin.data_class is data_class
    seen = plugin.view(invented, "./", tag, None).whole()
    assert list(seen.columns[column]) == [shown, shown]
    client = create_app(Config(Path("/logs")), invented).test_client()
    base = "/v1/mindviz/series/acme"
    (listed,) = client.get(f"{base}/tags").get_json()["train_jobs"]
    assert listed == {"train_id": "./", "tags": ["b", "s", "t", "t0"]}
    answer = client.get(base, query_string={"train_id": "./", "tag": tag}).get_json()
    assert (answer["data_class"], answer["step"], answer[column]) == (
        data_class,
        [1, 2],
        [shown, shown],
    )
    query = {"train_id": "./", "tag": tag, "format": "folded"}
    folded = client.get(f"{base}/values", query_string=query).get_json()
    if data_class is DataClass.SCALAR:
        assert folded == [[1.0, shown], [2.0, shown]]
    else:
        assert [step for _, step, _ in folded["values"]] == [1, 2]
