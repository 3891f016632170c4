from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.plugins import tensor
from mindviz.datavisual.series.time_series import Histogram, Image, Tensor
from mindviz.export import series_table
from mindviz.export.series_table import scalars_table, values_table
from mindviz.export.table import Table
from tests.exported_files import column
from tests.store_fake import START, FakeStore
from tests.written_logs import loaded, tensorboard_log, write

PNG = b"\x89PNG\r\n\x1a\n and so on"
TREES = ("./a", "trees")


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    store.add("./a")
    return store


def nothing() -> None:
    pass


def rows_of(table: Table) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    return [
        dict(zip(table.series_columns, rows.series, strict=True))
        | dict(zip(names, cells, strict=True))
        for rows in table.rows
        for cells in zip(*rows.columns, strict=True)
    ]


def values(store: FakeStore, what: str) -> list[dict[str, Any]]:
    return rows_of(values_table(store, what, [TREES], nothing))


def test_scalars_are_split_into_pieces_with_every_point(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_table, "ROWS", 4)
    store.jobs["./a"].append("loss", range(10), [float(i) for i in range(10)])
    table = scalars_table(store, [("./a", "loss")], "latest", nothing)
    pieces = list(table.rows)
    assert [len(piece) for piece in pieces] == [4, 4, 2]
    assert [float(v) for piece in pieces for v in piece.columns[2]] == list(range(10))


def test_replaced_points_are_included_on_request(store: FakeStore) -> None:
    store.jobs["./a"].append("loss", [0, 1, 2, 1], [0.0, 1.0, 2.0, 5.0])
    latest = rows_of(scalars_table(store, [("./a", "loss")], "latest", nothing))
    every = rows_of(scalars_table(store, [("./a", "loss")], "all", nothing))
    assert column(latest, "value") == [0, 5]
    assert "superseded" not in latest[0]
    assert column(every, "value") == [0, 1, 2, 5]
    assert column(every, "superseded") == [False, True, True, False]


def test_each_writer_of_a_series_is_a_series(tmp_path: Path) -> None:
    one, two = ((i, float(i)) for i in range(50)), ((i, -float(i)) for i in range(50))
    write(tmp_path, "events.out.tfevents.1000.one", tensorboard_log(one, start=1000.0))
    write(tmp_path, "events.out.tfevents.1001.two", tensorboard_log(two, start=1000.5))
    store = loaded(tmp_path)
    writers = store.read_scalars("./", "loss").writers
    assert len(writers) == 2
    found = rows_of(scalars_table(store, [("./", "loss")], "latest", nothing))
    assert len(found) == 100
    assert list(dict.fromkeys(column(found, "writer"))) == list(writers)


def test_a_single_writer_is_not_named(store: FakeStore) -> None:
    store.jobs["./a"].append("loss", [0], [1.0])
    found = rows_of(scalars_table(store, [("./a", "loss")], "latest", nothing))
    assert column(found, "writer") == [""]


def test_every_sample_of_an_image_is_a_row(store: FakeStore) -> None:
    images = [Image(3, 2, (PNG, b"what is this"))]
    store.jobs["./a"].add_values("image", "trees", [7], images)
    first, second = values(store, "images")
    assert first == {
        "train_id": "./a",
        "tag": "trees",
        "writer": "",
        "step": 7,
        "wall_time": START + 7,
        "sample": 0,
        "width": 3,
        "height": 2,
        "mimetype": "image/png",
        "size": len(PNG),
        "encoded": PNG,
        "problem": None,
    }
    assert (second["sample"], second["mimetype"]) == (1, "application/octet-stream")


def test_a_histogram_is_its_edges_and_counts(store: FakeStore) -> None:
    histograms = [Histogram(np.array([[0.0, 1.0, 4.0], [1.0, 3.0, 5.0]]), nan_count=2)]
    store.jobs["./a"].add_values("histogram", "trees", [1], histograms)
    (row,) = values(store, "histograms")
    assert [row[name].tolist() for name in ("left", "right", "count")] == [[0, 1], [1, 3], [4, 5]]
    assert row["nan_count"] == 2


def test_a_tensor_has_shape_and_types(store: FakeStore) -> None:
    tensors = [Tensor(np.arange(6, dtype=np.int16).reshape(2, 3), "DT_INT16")]
    store.jobs["./a"].add_values("tensor", "trees", [1], tensors)
    (row,) = values(store, "tensors")
    assert row["shape"].tolist() == [2, 3]
    assert (row["data_type"], row["dtype"]) == ("DT_INT16", "<i2")
    assert row["data"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_strings_of_a_tensor_become_text(store: FakeStore) -> None:
    strings = np.array([b"oak", b"\xff", "fir"], object)
    store.jobs["./a"].add_values("tensor", "trees", [1], [Tensor(strings, "DT_STRING")])
    (row,) = values(store, "tensors")
    assert row["data"].tolist() == ["oak", "\N{REPLACEMENT CHARACTER}", "fir"]
    assert row["data"].dtype.str == row["dtype"] == "<U3"


def test_strings_that_take_too_much_memory_are_a_problem(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor, "MAX_TEXT_BYTES", 100)
    unequal = np.array([b"x" * 200, *[b"y"] * 20], object)
    claimed = np.broadcast_to(np.array(b"x" * 20, object), (100,))
    alike = np.array([b"x" * 20, b"y" * 19], object)
    tensors = [Tensor(strings, "DT_STRING") for strings in (unequal, claimed, alike)]
    store.jobs["./a"].add_values("tensor", "trees", [1, 2, 3], tensors)
    rows = values(store, "tensors")
    assert ["differ too much" in (row["problem"] or "") for row in rows] == [True, True, False]


def test_a_tensor_that_only_claims_to_be_large_is_a_problem(store: FakeStore) -> None:
    claimed = np.broadcast_to(np.float32(1), (1 << 30, 1 << 20))
    store.jobs["./a"].add_values("tensor", "trees", [1], [Tensor(claimed, "DT_FLOAT32")])
    (row,) = values(store, "tensors")
    assert row["data"] is None
    assert "claims" in row["problem"]


def test_tensors_of_an_export_share_their_limit(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_table, "MAX_BROADCAST_ELEMENTS", 100)
    claimed = Tensor(np.broadcast_to(np.float32(1), (40,)), "DT_FLOAT32")
    held = Tensor(np.zeros(200, np.float32), "DT_FLOAT32")
    tensors = [claimed, claimed, held, claimed]
    store.jobs["./a"].add_values("tensor", "trees", range(4), tensors)
    rows = values(store, "tensors")
    assert ["claims" in (row["problem"] or "") for row in rows] == [False, False, False, True]


@pytest.mark.parametrize(
    ("what", "plugin_name", "value"),
    [
        ("images", "image", Image(1, 1, (PNG,))),
        ("histograms", "histogram", Histogram(np.zeros((1, 3)))),
        ("tensors", "tensor", Tensor(np.zeros(2), "DT_FLOAT64")),
    ],
)
def test_damaged_values_are_reported_and_the_rest_is_exported(
    store: FakeStore, what: str, plugin_name: str, value: Any
) -> None:
    job = store.jobs["./a"]
    job.add_values(plugin_name, "trees", [0, 1, 2, 3], [value, value, b"another kind", value])
    job.damage(plugin_name, "trees", 1)
    found = values(store, what)
    assert column(found, "step") == [0, 1, 2, 3]
    assert column(found, "problem") == [
        None,
        "The record fails its checksum.",
        f"The value is not {'a' if plugin_name[0] != 'i' else 'an'} {plugin_name}.",
        None,
    ]


def test_a_step_without_images_is_a_problem(store: FakeStore) -> None:
    store.jobs["./a"].add_values("image", "trees", [0], [Image(1, 1, ())])
    assert column(values(store, "images"), "problem") == ["The value contains no image."]


def test_removed_data_is_omitted_and_counted(store: FakeStore) -> None:
    wanted = [("./a", "one"), ("./gone", "one"), ("./a", "two")]
    store.jobs["./a"].append("two", [0], [1.0])
    count = []
    table = scalars_table(store, wanted, "latest", lambda: count.append(1))
    assert column(rows_of(table), "tag") == ["two"]
    assert len(count) == 3


def test_reading_is_lazy(store: FakeStore) -> None:
    for tag in ("one", "two"):
        store.jobs["./a"].append(tag, [0], [1.0])
    rows: Iterable[Any] = scalars_table(
        store, [("./a", "one"), ("./a", "two")], "latest", nothing
    ).rows
    assert store.reads == 0
    next(iter(rows))
    assert store.reads == 1
