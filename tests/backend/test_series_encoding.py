from __future__ import annotations

import io
from typing import Any

import numpy as np
import orjson
import pytest
from flask.testing import FlaskClient
from PIL import Image as Pillow
from werkzeug.test import TestResponse

from mindviz.backend.series_encoding import (
    columns_json,
    folded_json,
    unified_json,
    values_json,
)
from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.series.selection import SelectedRows
from mindviz.datavisual.series.series_view import Column, Rows
from mindviz.datavisual.series.time_series import (
    Audio,
    ChartLayout,
    DataClass,
    Embedding,
    Image,
    LayoutCategory,
    LayoutChart,
    LoggedGraph,
    Tensor,
    Value,
)
from tests.sounds import wav
from tests.store_fake import START, FakeStore


def read_of(columns: dict[str, Column], rows: int = 2, **rest: Any) -> SelectedRows:
    step, wall_time = np.arange(rows) + 3, np.arange(0.5, rows)
    return SelectedRows(step, wall_time, Rows(columns, **rest), 9, False, 3, ("e", 9))


def test_columns_follow_the_head() -> None:
    read = read_of({"a": [1, None]}, problems={1: "damaged"}, details={"unit": "m"})
    assert orjson.loads(columns_json({"tag": "t"}, read, with_since=True)) == {
        "tag": "t",
        "total": 9,
        "reset": False,
        "truncate_from_step": 3,
        "step": [3, 4],
        "wall_time": [0.5, 1.5],
        "a": [1, None],
        "problems": [{"row": 1, "step": 4, "detail": "damaged"}],
        "details": {"unit": "m"},
    }
    assert "reset" not in orjson.loads(columns_json({}, read, with_since=False))


def test_type_and_size_are_those_of_the_newest_undamaged_step() -> None:
    columns: dict[str, Column] = {
        "data": [[1], [2, 3], None],
        "type": ["L", "RGB", None],
        "size": [[1], [2], None],
    }
    answer = orjson.loads(values_json({}, "image", read_of(columns, 3), with_since=False))
    assert (answer["type"], answer["size"]) == ("RGB", [2])
    assert (answer["types"], answer["sizes"]) == (["L", "RGB", None], [[1], [2], None])


@pytest.mark.parametrize(
    ("data", "size"),
    [
        ([0.5, 1.0], []),
        (["a", "b"], []),
        ([[1, 2], [3, 4, 5]], [3]),
        ([np.ones((2, 3))] * 2, [2, 3]),
    ],
)
def test_without_a_size_it_is_that_of_the_data(data: Column, size: list[int]) -> None:
    answer = orjson.loads(values_json({}, "x", read_of({"data": data}), with_since=False))
    assert (answer["type"], answer["size"]) == ("x", size)


def test_the_unified_form_omits_damaged_steps() -> None:
    read = read_of({"data": [None, 2.5]}, problems={0: "damaged"})
    assert orjson.loads(unified_json("t", "x", read)) == [
        [{"step_id": 4, "unix_time": 1.5, "data": 2.5}],
        [{"type": "x", "size": [], "tag": "t"}],
    ]


def test_blob_keys_replace_data() -> None:
    read = read_of({"blob_keys": [["k1", "k2"], ["k3"]], "size": [[4, 2], [4, 2]]})
    items, meta = orjson.loads(unified_json("t", "image", read))
    assert [item["data"] for item in items] == [["k1", "k2"], ["k3"]]
    assert meta == [{"type": "image", "size": [4, 2], "tag": "t"}]


def test_a_non_finite_scalar_is_null_in_all_forms() -> None:
    read = read_of({"data": np.array([np.nan, 1.0])})
    assert orjson.loads(folded_json(DataClass.SCALAR, read)) == [[0.5, None], [1.5, 1.0]]
    answer = orjson.loads(values_json({}, "scalar", read, with_since=False))
    assert (answer["data"], answer["non_finite"]) == ([None, 1.0], [[0, "NaN"]])


def test_an_empty_series_has_no_size() -> None:
    read = read_of({"data": []}, 0)
    assert orjson.loads(unified_json("t", "x", read)) == [
        [],
        [{"type": "x", "size": [], "tag": "t"}],
    ]
    assert orjson.loads(folded_json(DataClass.TENSOR, read)) == {"values": []}


def encoded(array: Any) -> bytes:
    written = io.BytesIO()
    Pillow.fromarray(np.asarray(array, np.uint8)).save(written, "PNG")
    return written.getvalue()


WAV = wav(np.array([0, 16384, -32768], np.int16), 8000)
COUNTS = np.array([[8, 4, 0], [6, 2, 0], [0, 4, 6], [0, 4, 8], [0.5, 0.6, 0], [1, 0.5, 0]])
LOGGED_FOR = {"histogram": "tensor", "audio_labels": "audio"}
"""Plugin -> plugin of the logged series; histograms can be computed from raw tensors."""
UNIFIED: dict[str, tuple[Value, dict[str, str], Any, Any]] = {
    "image": (
        Image(2, 1, (encoded([[[255, 0, 0], [0, 0, 51]]]),)),
        {"values": "pixels"},
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.2],
        {"type": "RGB", "size": [2, 1]},
    ),
    "audio": (
        Audio((WAV,)),
        {"values": "samples"},
        [0.0, 0.5, -1.0],
        {"type": "audio", "size": [3]},
    ),
    "text": (
        Tensor(np.array(b"some *text*", object), "DT_STRING"),
        {},
        "some *text*",
        {"type": "text", "size": []},
    ),
    "histogram": (
        Tensor(np.array([0.0, 0.0, 1.0, 15.0]), "DT_FLOAT64"),
        {},
        [2.0, *[0.0] * 3, 1.0, *[0.0] * 55, 1.0, *[0.0] * 3],
        {"type": "histogram", "size": [64]},
    ),
    "tensor": (
        Tensor(np.array([[1, 2]], np.int32), "DT_INT32"),
        {},
        [1, 2],
        {"type": "DT_INT32", "size": [1, 2]},
    ),
    "pr_curve": (
        Tensor(COUNTS, "DT_FLOAT64"),
        {},
        COUNTS.ravel().tolist(),
        {"type": "pr_curve", "size": [6, 3]},
    ),
    "embedding": (
        Embedding(np.array([[1, 2], [3, 4]], np.float32)),
        {},
        [1.0, 2.0, 3.0, 4.0],
        {"type": "embedding", "size": [2, 2]},
    ),
    "roc_curve": (
        Tensor(COUNTS, "DT_FLOAT64"),
        {},
        [*COUNTS[:4].ravel().tolist(), 1.0, 0.5, 0.0, 1.0, 1 / 3, 0.0],
        {"type": "roc_curve", "size": [6, 3]},
    ),
    "audio_labels": (Audio((WAV,), ("*a*",)), {}, ["*a*"], {"type": "audio_labels", "size": [1]}),
    "custom_scalars": (
        ChartLayout((LayoutCategory("c", (LayoutChart("l", ("a",)),)),), b""),
        {},
        [
            {
                "title": "c",
                "closed": False,
                "charts": [{"title": "l", "kind": "multiline", "expressions": ["a"]}],
            }
        ],
        {"type": "custom_scalars", "size": [1]},
    ),
    "graph": (
        LoggedGraph(
            "visualdl",
            {"nodes": [{"name": "/a/x"}, {"name": "/y", "input_nodes": ["/a/x"]}], "vars": []},
        ),
        {},
        {
            "nodes": [{"name": "x", "group": "a"}, {"name": "y", "group": ""}],
            "edges": [{"from": 0, "to": 1, "type": "data"}],
        },
        {"type": "graph", "size": []},
    ),
    "invented": (
        Tensor(np.array([[1, 2]], np.int32), "DT_INT32"),
        {},
        [1, 2],
        {"type": "DT_INT32", "size": [1, 2]},
    ),
}
"""Plugin -> a value, the query, its data and metadata."""


def values(client: FlaskClient, plugin_name: str, **query: Any) -> TestResponse:
    url = f"/v1/mindviz/series/{plugin_name}/values"
    response = client.get(url, query_string={"train_id": "./a", "tag": "t", **query})
    assert response.status_code == 200, response.get_json()
    return response


def near(data: Any) -> Any:
    numbers = isinstance(data, list) and all(isinstance(one, int | float) for one in data)
    return pytest.approx(data) if numbers else data


@pytest.mark.parametrize("plugin_name", UNIFIED)
def test_the_unified_form_equals_the_design(
    store: FakeStore, client: FlaskClient, plugin_name: str
) -> None:
    value, query, data, meta = UNIFIED[plugin_name]
    job = store.add("./a")
    job.add_values(LOGGED_FOR.get(plugin_name, plugin_name), "t", [12], [value])
    response = values(client, plugin_name, format="unified", **query)
    items, meta_after = response.get_json()
    ((item),) = items
    assert meta_after == [{**meta, "tag": "t"}]
    assert {**item, "data": None} == {"step_id": 12, "unix_time": START + 12, "data": None}
    assert item["data"] == near(data)
    # Increments contain only new rows.
    job.add_values(LOGGED_FOR.get(plugin_name, plugin_name), "t", [12, 13], [value, value])
    again = values(
        client, plugin_name, format="unified", since=response.headers["Mindviz-Cursor"], **query
    )
    assert [one["step_id"] for one in again.get_json()[0]] == [13]
    assert again.headers["Mindviz-Reset"] == "false"
    folded = values(client, plugin_name, format="folded", **query).get_json()
    assert [row[:2] for row in folded["values"]] == [[START + 12, 12], [START + 13, 13]]
    assert folded["values"][0][2] == near(data)


def test_the_unified_form_of_scalars_and_meshes(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("t", [7], [0.5])
    assert values(client, "scalar", format="unified").get_json() == [
        [{"step_id": 7, "unix_time": START, "data": 0.5}],
        [{"type": "scalar", "size": [], "tag": "t"}],
    ]
    job.add_values("mesh", "m_VERTEX", [7], [Tensor(np.ones((1, 2, 3), np.float32), "DT_FLOAT32")])
    assert values(client, "mesh", tag="m", format="unified").get_json() == [
        [{"step_id": 7, "unix_time": START + 7, "data": [1.0] * 6}],
        [{"type": "mesh", "size": [1, 2, 3], "tag": "m"}],
    ]


def test_folded_scalars_are_pairs_and_folded_histograms_triples_with_edges(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("t", [7, 8], [0.5, 0.25])
    assert values(client, "scalar", format="folded").get_json() == [[START, 0.5], [START + 1, 0.25]]
    job.add_values("tensor", "h", [3], [Tensor(np.array([0.0, 1.0]), "DT_FLOAT64")])
    folded = values(client, "histogram", tag="h", format="folded").get_json()
    ((unix_time, step_id, counts),) = folded["values"]
    assert (unix_time, step_id, sum(counts)) == (START + 3, 3, 2.0)
    assert len(folded["edges"]) == len(counts) + 1


@pytest.mark.parametrize(
    ("plugin_name", "tag", "data"),
    [("hparams", "session", {"lr": 0.5}), ("run_facts", "hyper_parameters", {"lr": 0.5})],
)
def test_a_property_of_a_job_is_one_value_at_step_0(
    store: FakeStore, client: FlaskClient, plugin_name: str, tag: str, data: Any
) -> None:
    store.add("./a").facts = LineageFacts(hyper_parameters=data)
    ((item,), meta_after) = values(client, plugin_name, tag=tag, format="unified").get_json()
    assert (item["step_id"], item["unix_time"]) == (0, START)
    (fact,) = item["data"]
    assert fact.get("hyper_parameters", fact) == data
    assert meta_after == [{"type": plugin_name, "size": [1], "tag": tag}]
    blob = client.get(
        f"/v1/mindviz/series/{plugin_name}/blob",
        query_string={"train_id": "./a", "tag": tag, "step": 0},
    )
    assert orjson.loads(blob.data) == fact
