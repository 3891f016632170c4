"""Series of all plugins: columns, values, blobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend import series_api
from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.plugins import Plugin, SeriesView
from mindviz.datavisual.series import selection, series_view
from mindviz.datavisual.series.series_view import Column
from mindviz.datavisual.series.time_series import (
    Audio,
    DataClass,
    Histogram,
    Image,
    Tensor,
)
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.sounds import wav
from tests.store_fake import START, FakeStore
from tests.written_logs import loaded, write

PNG = b"\x89PNG\r\n\x1a\n"


def series(client: FlaskClient, plugin_name: str, **query: Any) -> Any:
    url = f"/v1/mindviz/series/{plugin_name}"
    response = client.get(url, query_string={"train_id": "./a", "tag": "t", **query})
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def test_every_point_of_a_scalar_series(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("t", range(3000), [0.5] * 2999 + [float("inf")])
    answer = series(client, "scalar")
    assert answer["step"] == list(range(3000))
    assert answer["wall_time"][-1] == START + 2999
    assert answer["value"][-2:] == [0.5, None]
    assert answer["non_finite"] == [[2999, "Infinity"]]
    assert (answer["total"], answer["data_class"], answer["tag"]) == (3000, "SCALAR", "t")
    assert "reset" not in answer


def test_each_writer_s_values_are_served(tmp_path: Path) -> None:
    for number, start in enumerate((1.0, 1.5)):
        records = [
            tensorboard.event(start + i, 10 * number + i, [tensorboard.image("t", [PNG], 1, 1)])
            for i in range(2)
        ]
        write(tmp_path, f"tfevents.{number}", frames(records, Framing.TFRECORD))
    store = loaded(tmp_path)
    client = create_app(Config(summary_base_dir=tmp_path), store).test_client()
    assert series(client, "image", train_id="./")["step"] == [0, 1]
    assert series(client, "image", train_id="./", writer="tfevents.1")["step"] == [10, 11]


def test_tags_are_as_logged_and_may_be_empty(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("", [1], [1.0])
    store.jobs["./a"].append("loss/scalar", [2], [1.0])
    assert series(client, "scalar", tag="")["step"] == [1]
    assert series(client, "scalar", tag="loss/scalar")["step"] == [2]


def test_images_histograms_and_tensors_are_columns(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.add_values("image", "t", [5], [Image(3, 2, (PNG,))])
    job.add_values("histogram", "t", [5], [Histogram(np.array([[0.0, 2.0, 4.0]]), nan_count=1)])
    job.add_values("tensor", "t", [5], [Tensor(np.zeros((2, 3)), "DT_FLOAT64")])
    assert (series(client, "image")["width"], series(client, "image")["height"]) == ([3], [2])
    histogram = series(client, "histogram")
    assert (histogram["buckets"], histogram["nan_count"]) == ([[[0.0, 2.0, 4.0]]], [1])
    tensor = series(client, "tensor")
    assert (tensor["dims"], tensor["data_type"]) == ([[2, 3]], ["DT_FLOAT64"])


def test_a_damaged_value_is_null_and_reported(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.add_values("image", "t", [5, 6], [Image(3, 2, (PNG,)), Image(3, 2, (PNG,))])
    job.damage("image", "t", 1)
    answer = series(client, "image")
    assert answer["width"] == [3, None]
    assert [(problem["row"], problem["step"]) for problem in answer["problems"]] == [(1, 6)]


def test_since_returns_new_points_and_reports_restarts(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("t", range(5), [1.0] * 5)
    first = series(client, "scalar")
    job.append("t", [3], [2.0])
    new = series(client, "scalar", since=first["cursor"])
    assert (new["reset"], new["truncate_from_step"], new["step"]) == (False, 3, [3])
    job.replace("t", [0], [1.0])
    restarted = series(client, "scalar", since=new["cursor"])
    assert (restarted["reset"], restarted["step"]) == (True, [0])


def test_since_returns_new_values_or_all_if_old_ones_changed(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    image = Image(3, 2, (PNG,))
    job.add_values("image", "t", [1, 2], [image, image])
    first = series(client, "image")
    job.add_values("image", "t", [1, 2, 3], [image] * 3)
    job.damage("image", "t", 2)
    new = series(client, "image", since=first["cursor"])
    assert (new["reset"], new["step"], new["total"]) == (False, [3], 3)
    assert [problem["row"] for problem in new["problems"]] == [0]
    job.add_values("image", "t", [1, 3], [image] * 2)
    restarted = series(client, "image", since=new["cursor"])
    assert (restarted["reset"], restarted["step"]) == (True, [1, 3])


def test_a_cursor_of_another_series_returns_everything(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("t", [1, 2], [1.0, 2.0])
    job.append("u", [1, 2], [1.0, 2.0])
    cursor = series(client, "scalar", tag="u")["cursor"]
    assert series(client, "scalar", since=cursor)["reset"] is True


def test_plugins_of_other_packages_are_served(
    store: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(_store: object, _train_id: str, _tag: str, _writer: str | None = None) -> SeriesView:
        return SeriesView(
            step=np.array([1, 2]),
            wall_time=np.array([1.0, np.nan]),
            columns={
                "value": np.array([np.nan, 1.0], dtype=np.float32),
                "name": ["ü", None],
                "every_other": np.arange(4)[::2],
            },
            epoch="e",
            details={"unit": "m"},
        )

    other = Plugin("length", "/length", DataClass.SCALAR, view)
    monkeypatch.setattr(series_api, "plugin_for", lambda *_: other)
    store.add("./a")
    answer = series(client, "length")
    assert (answer["value"], answer["non_finite"]) == ([None, 1.0], [[0, "NaN"]])
    assert (answer["name"], answer["every_other"]) == (["ü", None], [0, 2])
    assert (answer["wall_time"], answer["details"]) == ([1.0, None], {"unit": "m"})


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("scalar", 400, "50540003"),
        ("scalar?train_id=./a", 400, "50540003"),
        ("scalar?tag=t", 400, "50540003"),
        ("scalar?train_id=&tag=t", 400, "50540003"),
        ("scalar?train_id=./a&tag=t&max_points=5", 400, "50540002"),
        ("scalar?train_id=./a&tag=t&most_recent=-1", 400, "50540002"),
        ("scalar?train_id=./a&tag=t&sample=-1", 400, "50540002"),
        ("scalar?train_id=./a&tag=t&sample=1&sampling=best", 400, "50540002"),
        ("image?train_id=./a&tag=i&sample=1&sampling=minmax", 400, "50540002"),
        ("scalar/values?train_id=./a&tag=t&values=pixels", 400, "50540002"),
        ("scalar/values?train_id=./a&tag=t&format=rows", 400, "50540002"),
        ("image/values?train_id=./b&tag=i", 404, "50545005"),
        ("nothing/tags", 404, "5054500B"),
        ("nothing/overview", 404, "5054500B"),
        ("nothing/blob?train_id=./a&tag=t&step=1", 404, "5054500B"),
        ("scalar/blob?train_id=./a&tag=t&step=1", 404, "5054500E"),
        ("image/blob?train_id=./a&tag=i&step=2", 404, "50545014"),
        ("image/blob?train_id=./a&tag=i&step=1&index=1", 404, "50545014"),
        ("image/blob?train_id=./a&tag=i", 400, "50540003"),
        ("scalar?train_id=./a&tag=t&since=x", 400, "50540002"),
        ("scalar?train_id=./b&tag=t", 404, "50545005"),
        ("scalar?train_id=./a&tag=t/scalar", 404, "5054500E"),
        ("image?train_id=./a&tag=t", 404, "5054500D"),
        ("histogram?train_id=./a&tag=t", 404, "5054500F"),
        ("tensor?train_id=./a&tag=t", 404, "50545012"),
        ("nothing?train_id=./a&tag=t", 404, "5054500B"),
        ("..%2fscalar?train_id=./a&tag=t", 404, "5054500B"),
    ],
)
def test_invalid_requests_and_missing_objects(
    store: FakeStore, client: FlaskClient, query: str, status: int, code: str
) -> None:
    job = store.add("./a")
    job.append("t", [1], [1.0])
    job.add_values("image", "i", [1, 3], [Image(3, 2, (PNG,))] * 2)
    response = client.get(f"/v1/mindviz/series/{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (status, code)


def test_too_many_steps_are_rejected(
    store: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "MAX_ROWS", 2)
    store.add("./a").append("t", [1, 2, 3], [1.0] * 3)
    response = client.get("/v1/mindviz/series/scalar?train_id=./a&tag=t")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")


def values(client: FlaskClient, plugin_name: str, **query: Any) -> Any:
    return series(client, f"{plugin_name}/values", **query)


def test_values_are_columns_with_type_size_and_tag(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("t", [1, 2], [0.5, float("nan")])
    job.add_values("tensor", "t", [1], [Tensor(np.arange(6.0).reshape(2, 3), "DT_FLOAT64")])
    answer = values(client, "scalar")
    assert (answer["type"], answer["size"], answer["tag"]) == ("scalar", [], "t")
    assert (answer["step"], answer["data"]) == ([1, 2], [0.5, None])
    assert answer["non_finite"] == [[1, "NaN"]]
    answer = values(client, "tensor")
    assert (answer["type"], answer["size"]) == ("DT_FLOAT64", [2, 3])
    assert answer["data"] == [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]


def test_steps_that_differ_from_the_series_have_their_own_type_and_size(
    store: FakeStore, client: FlaskClient
) -> None:
    tensors = [Tensor(np.zeros(2), "DT_FLOAT64"), Tensor(np.zeros(3), "DT_FLOAT32")]
    store.add("./a").add_values("tensor", "t", [1, 2], tensors)
    answer = values(client, "tensor")
    assert (answer["type"], answer["types"]) == ("DT_FLOAT32", ["DT_FLOAT64", "DT_FLOAT32"])
    assert (answer["size"], answer["sizes"]) == ([3], [[2], [3]])
    items, _ = values(client, "tensor", format="unified")
    assert (items[0]["type"], items[0]["size"]) == ("DT_FLOAT64", [2])
    assert "type" not in items[1]


WAV = wav(np.array([0, 16384, -32768], np.int16), 8000)


def test_a_plugin_without_values_returns_its_view(
    store: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(_store: object, _train_id: str, _tag: str, _writer: str | None = None) -> SeriesView:
        columns: dict[str, Column] = {"low": np.array([1, 2]), "high": [3, None]}
        return SeriesView(np.array([1, 2]), np.array([1.0, 2.0]), "e", columns, {1: "damaged"})

    other = Plugin("range", "/range", DataClass.TENSOR, view)
    monkeypatch.setattr(series_api, "plugin_for", lambda *_: other)
    store.add("./a")
    assert values(client, "range")["data"] == [{"low": 1, "high": 3}, None]
    assert len(values(client, "range", format="unified")[0]) == 1


def test_ranges_of_steps_the_most_recent_ones_and_samples(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("t", range(100), [float(i == 50) for i in range(100)])
    assert series(client, "scalar", start_step=97)["step"] == [97, 98, 99]
    assert series(client, "scalar", end_step=1)["step"] == [0, 1]
    assert series(client, "scalar", end_step=9, most_recent=2)["step"] == [8, 9]
    for sampling in ("uniform", "reservoir", "minmax"):
        sampled = series(client, "scalar", sample=8, sampling=sampling)
        assert len(sampled["step"]) <= 8
        assert sampled["step"][-1] == 99
        assert sampled["total"] == 100
    assert 50 in sampled["step"]


def test_a_sample_restarts_if_too_many_points_are_new(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("t", range(10), [1.0] * 10)
    first = series(client, "scalar", sample=4)
    job.append("t", [10, 11], [1.0] * 2)
    new = series(client, "scalar", sample=4, since=first["cursor"])
    assert (new["reset"], new["step"]) == (False, [10, 11])
    job.append("t", range(12, 30), [1.0] * 18)
    restarted = series(client, "scalar", sample=4, since=new["cursor"])
    assert (restarted["reset"], len(restarted["step"]), restarted["step"][-1]) == (True, 4, 29)


def test_an_increment_reads_only_new_steps(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    tensors = [Tensor(np.array([0.0, 0.1 * i]), "DT_FLOAT64") for i in (5, 6, 3)]
    job.add_values("tensor", "t", [1, 2], tensors[:2])
    first = values(client, "histogram")
    job.add_values("tensor", "t", [1, 2, 3], tensors)
    job.damage("tensor", "t", 0)  # not checked again
    new = values(client, "histogram", since=first["cursor"])
    assert (new["reset"], new["step"], new["problems"]) == (False, [3], [])
    assert new["details"]["edges"] == first["details"]["edges"]


def test_histograms_reset_if_a_step_exceeds_their_edges(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    tensors = [Tensor(np.array([0.0, top]), "DT_FLOAT64") for top in (1.0, 100.0)]
    job.add_values("tensor", "t", [1], tensors[:1])
    first = values(client, "histogram")
    job.add_values("tensor", "t", [1, 2], tensors)
    restarted = values(client, "histogram", since=first["cursor"])
    assert (restarted["reset"], restarted["step"]) == (True, [1, 2])
    assert restarted["details"]["edges"] != first["details"]["edges"]


def test_the_tags_of_a_plugin_by_job(store: FakeStore, client: FlaskClient) -> None:
    tensor = Tensor(np.ones((1, 2, 3), np.float32), "DT_FLOAT32")
    job = store.add("./a")
    job.add_values("mesh", "m_VERTEX", [1], [tensor])
    job.add_values("mesh", "m_FACE", [1], [tensor])
    job.add_values("invented", "x", [1], [tensor])
    store.add("./b")
    for name, tags in (("mesh", ["m"]), ("invented", ["x"])):
        answer = client.get(f"/v1/mindviz/series/{name}/tags").get_json()
        assert answer == {
            "plugin_name": name,
            "train_jobs": [{"train_id": "./a", "tags": tags}],
        }
    answer = client.get("/v1/mindviz/series/mesh/tags?train_id=./b&train_id=./c").get_json()
    assert answer["train_jobs"] == []


def test_series_of_undeclared_plugins_are_shown_by_their_class(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.add_values("invented", "t", [1], [Tensor(np.zeros((2, 2)), "DT_FLOAT64")])
    assert series(client, "invented")["dims"] == [[2, 2]]
    assert values(client, "invented")["data"] == [[0.0] * 4]
    job.add_values("acme/blobs", "t", [1], [b"12345"])
    assert series(client, "acme/blobs")["bytes"] == [[5]]
    (listed,) = client.get("/v1/mindviz/series/acme%2Fblobs/tags").get_json()["train_jobs"]
    assert listed["tags"] == ["t"]


def test_a_blob_has_a_type_and_ranges(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.add_values("audio", "t", [1], [Audio((b"none", WAV))])
    query = {"train_id": "./a", "tag": "t", "step": 1, "index": 1}
    url = "/v1/mindviz/series/audio/blob"
    whole = client.get(url, query_string=query)
    assert (whole.data, whole.content_type) == (WAV, "audio/wav")
    missing = client.get(url, query_string=query | {"index": 7}).get_json()["error_msg"]
    assert missing == "Tag 't' has no value of index 7 at step 1."
    part = client.get(url, query_string=query, headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.data) == (206, WAV[4:8])
    assert part.headers["Content-Range"] == f"bytes 4-7/{len(WAV)}"
    beyond = client.get(url, query_string=query, headers={"Range": "bytes=9999-"})
    assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, f"bytes */{len(WAV)}")


def test_too_large_responses_are_rejected(
    store: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 30)
    tensors = [Tensor(np.zeros(12), "DT_FLOAT64")] * 2
    store.add("./a").add_values("tensor", "t", [1, 2], tensors)
    assert values(client, "tensor", most_recent=1)["step"] == [2]
    refused = client.get("/v1/mindviz/series/tensor/values?train_id=./a&tag=t")
    assert (refused.status_code, refused.get_json()["error_code"]) == (400, "50545013")
