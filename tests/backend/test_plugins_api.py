"""Plugins and any series of any of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend import plugins_api
from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.data_transform.time_series import DataClass, Histogram, Image, Tensor
from mindviz.datavisual.plugins import Plugin, SeriesView, plugins
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.experiment_fake import START, FakeExperiment
from tests.written_logs import loaded, write

PNG = b"\x89PNG\r\n\x1a\n"


def series(client: FlaskClient, plugin_name: str, **query: Any) -> Any:
    url = f"/v1/mindviz/series/{plugin_name}"
    response = client.get(url, query_string={"train_id": "./a", "tag": "t", **query})
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def test_every_registered_plugin_is_listed(client: FlaskClient) -> None:
    listed = client.get("/v1/mindviz/plugins").get_json()["plugins"]
    assert {one["name"]: (one["suffix"], one["data_class"]) for one in listed} == {
        name: (plugin.suffix, plugin.data_class) for name, plugin in plugins().items()
    }
    assert {"name": "scalar", "suffix": "/scalar", "data_class": "SCALAR"} in listed


def test_every_point_of_a_scalar_series(experiment: FakeExperiment, client: FlaskClient) -> None:
    experiment.add("./a").append("t", range(3000), [0.5] * 2999 + [float("inf")])
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
    experiment = loaded(tmp_path)
    client = create_app(Config(summary_base_dir=tmp_path), experiment).test_client()
    assert series(client, "image", train_id="./")["step"] == [0, 1]
    assert series(client, "image", train_id="./", writer="tfevents.1")["step"] == [10, 11]


def test_tags_are_as_logged_and_may_be_empty(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    experiment.add("./a").append("", [1], [1.0])
    experiment.jobs["./a"].append("loss/scalar", [2], [1.0])
    assert series(client, "scalar", tag="")["step"] == [1]
    assert series(client, "scalar", tag="loss/scalar")["step"] == [2]


def test_images_histograms_and_tensors_are_columns_too(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    job = experiment.add("./a")
    job.add_values("image", "t", [5], [Image(3, 2, (PNG,))])
    job.add_values("histogram", "t", [5], [Histogram(np.array([[0.0, 2.0, 4.0]]), nan_count=1)])
    job.add_values("tensor", "t", [5], [Tensor(np.zeros((2, 3)), "DT_FLOAT64")])
    assert (series(client, "image")["width"], series(client, "image")["height"]) == ([3], [2])
    histogram = series(client, "histogram")
    assert (histogram["buckets"], histogram["nan_count"]) == ([[[0.0, 2.0, 4.0]]], [1])
    tensor = series(client, "tensor")
    assert (tensor["dims"], tensor["data_type"]) == ([[2, 3]], ["DT_FLOAT64"])


def test_a_damaged_value_is_null_and_said_to_be_damaged(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    job = experiment.add("./a")
    job.add_values("image", "t", [5, 6], [Image(3, 2, (PNG,)), Image(3, 2, (PNG,))])
    job.damage("image", "t", 1)
    answer = series(client, "image")
    assert answer["width"] == [3, None]
    assert [(problem["row"], problem["step"]) for problem in answer["problems"]] == [(1, 6)]


def test_since_brings_new_points_and_tells_of_restarts(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    job = experiment.add("./a")
    job.append("t", range(5), [1.0] * 5)
    first = series(client, "scalar")
    job.append("t", [3], [2.0])
    new = series(client, "scalar", since=first["cursor"])
    assert (new["reset"], new["truncate_from_step"], new["step"]) == (False, 3, [3])
    job.replace("t", [0], [1.0])
    anew = series(client, "scalar", since=new["cursor"])
    assert (anew["reset"], anew["step"]) == (True, [0])


def test_since_brings_new_values_or_all_when_the_old_ones_changed(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    job = experiment.add("./a")
    image = Image(3, 2, (PNG,))
    job.add_values("image", "t", [1, 2], [image, image])
    first = series(client, "image")
    job.add_values("image", "t", [1, 2, 3], [image] * 3)
    job.damage("image", "t", 2)
    new = series(client, "image", since=first["cursor"])
    assert (new["reset"], new["step"], new["total"]) == (False, [3], 3)
    assert [problem["row"] for problem in new["problems"]] == [2]
    job.add_values("image", "t", [1, 3], [image] * 2)
    anew = series(client, "image", since=new["cursor"])
    assert (anew["reset"], anew["step"]) == (True, [1, 3])


def test_a_cursor_of_another_series_is_answered_with_everything(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    job = experiment.add("./a")
    job.append("t", [1, 2], [1.0, 2.0])
    job.append("u", [1, 2], [1.0, 2.0])
    cursor = series(client, "scalar", tag="u")["cursor"]
    assert series(client, "scalar", since=cursor)["reset"] is True


def test_a_plugin_of_another_package_is_served_like_ours(
    experiment: FakeExperiment, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(_experiment: object, _train_id: str, _tag: str, _writer: str | None) -> SeriesView:
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
    monkeypatch.setattr(plugins_api, "find_plugin", {"length": other}.__getitem__)
    experiment.add("./a")
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
        ("scalar?train_id=./a&tag=t&since=x", 400, "50540002"),
        ("scalar?train_id=./b&tag=t", 404, "50545005"),
        ("scalar?train_id=./a&tag=t/scalar", 404, "5054500E"),
        ("image?train_id=./a&tag=t", 404, "5054500D"),
        ("histogram?train_id=./a&tag=t", 404, "5054500F"),
        ("tensor?train_id=./a&tag=t", 404, "50545012"),
        ("nothing?train_id=./a&tag=t", 404, "5054500B"),
        ("..%2fscalar?train_id=./a&tag=t", 404, "50545001"),
    ],
)
def test_what_is_wrong_and_what_is_not_there(
    experiment: FakeExperiment, client: FlaskClient, query: str, status: int, code: str
) -> None:
    experiment.add("./a").append("t", [1], [1.0])
    response = client.get(f"/v1/mindviz/series/{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (status, code)


def test_more_steps_than_one_answer_may_hold_are_refused(
    experiment: FakeExperiment, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins_api, "MAX_ROWS", 2)
    experiment.add("./a").append("t", [1, 2, 3], [1.0] * 3)
    response = client.get("/v1/mindviz/series/scalar?train_id=./a&tag=t")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")
