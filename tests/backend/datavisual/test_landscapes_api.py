"""Loss landscapes over HTTP, from logs on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.landscape_logs import NAME, X, Y, final, interval, log, surface
from tests.lineage_logs import lineage_event
from tests.written_logs import loaded, write

INTERVALS = "datavisual/landscape/intervals"
LANDSCAPES = "datavisual/landscape/landscapes"


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    base_dir = tmp_path / "logs"
    write(base_dir / "a", NAME, log(interval([10, 19], 1.0), final(2.0), interval([1, 9])))
    train = proto.TrainLineage(
        hyper_parameters=proto.TrainLineage.HyperParameters(optimizer="Adam", learning_rate=0.01),
        algorithm=proto.TrainLineage.Algorithm(network="LeNet5", loss=0.125),
    )
    lineage = frames([lineage_event(1.7e9, train)], Framing.TFRECORD)
    write(base_dir / "a", NAME.replace("_MS", "_lineage"), lineage)
    write(base_dir / "b", NAME, log(interval([1, 9], 5.0)))
    app = create_app(Config(base_dir, workspace=tmp_path / "workspace"), loaded(base_dir))
    return app.test_client()


def ids(client: FlaskClient, prefix: str, train_id: str) -> list[str]:
    answer = client.get(f"{prefix}/{INTERVALS}?train_id={train_id}").get_json()
    return [item["id"] for item in answer["intervals"]]


def test_intervals_have_equal_ids_in_all_jobs(client: FlaskClient, prefix: str) -> None:
    answer = client.get(f"{prefix}/{INTERVALS}?train_id=./a").get_json()
    assert [item["value"] for item in answer["intervals"]] == [[1, 9], [10, 19]]
    assert ids(client, prefix, "./a")[0] == ids(client, prefix, "./b")[0]
    assert ("problems" in answer) == (prefix == "/v1/mindviz")


def test_the_landscape_of_an_interval_is_compared_between_jobs(
    client: FlaskClient, prefix: str
) -> None:
    interval_id = ids(client, prefix, "./a")[0]
    query = f"train_id=./a&train_id=./b&interval_id={interval_id}"
    first, second = client.get(f"{prefix}/{LANDSCAPES}?{query}").get_json()["landscapes"]
    assert (first["train_id"], second["train_id"]) == ("./a", "./b")
    assert first["points"] == {
        "x": X.tolist(),
        "y": Y.tolist(),
        "z": surface()[2].tolist(),
    }
    assert first["path"] == {"x": [-1, 1], "y": [-1, 1], "z": [1, 1], "intervals": [1, 9]}
    assert first["convergence_point"] == [0, 0, 0]
    assert first["metadata"] == {
        "decomposition": "PCA",
        "unit": "step",
        "step_per_epoch": 1,
        "network": "LeNet5",
        "optimizer": "Adam",
        "learning_rate": "1.000000e-02",
        "loss": "1.250000e-01",
        "metric": {},
    }
    assert second["path"]["z"] == [6, 6]
    assert second["metadata"]["network"] is None
    assert second["metadata"]["loss"] is None


def test_the_landscape_around_the_result_has_no_path(client: FlaskClient, prefix: str) -> None:
    (item,) = client.get(f"{prefix}/{LANDSCAPES}?train_id=./a&type=final").get_json()["landscapes"]
    assert "path" not in item
    assert item["convergence_point"] == [0.25, -0.5, 2]
    assert item["metadata"]["unit"] == "epoch"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("train_id=./a&interval_id=12345", "50545017"),
        ("train_id=./a&interval_id=not+a+number", "50545017"),
        ("train_id=./a", "50545017"),
        ("train_id=./a&type=middle", "50545017"),
        ("train_id=./b&type=final", "50545017"),
        ("train_id=./c&type=final", "50545005"),
        ("train_id=./c&interval_id=1", "50545005"),
        ("train_id=a&type=final", "50540002"),
        ("train_id=&type=final", "50540002"),
        ("train_id=./a&type=", "50545017"),
    ],
)
def test_missing_landscapes_are_reported_per_job(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/{LANDSCAPES}?{query}&train_id=./a")
    assert response.status_code == 200
    train_id = query.partition("&")[0].partition("=")[2]
    first, *_ = response.get_json()["landscapes"]
    assert first == {"error_code": code, "train_id": train_id}


def test_a_damaged_job_does_not_affect_others(client: FlaskClient, prefix: str) -> None:
    query = "train_id=./gone&train_id=./a&train_id=./a&type=final"
    answer = client.get(f"{prefix}/{LANDSCAPES}?{query}").get_json()["landscapes"]
    is_wrong = ["error_code" in item for item in answer]
    assert is_wrong == ([True, False] if prefix.endswith("mindviz") else [True, False, False])


@pytest.mark.parametrize(
    ("query", "code"), [("", "50540003"), ("train_id=", "50540003"), ("train_id=./c", "50545005")]
)
def test_intervals_of_an_unknown_job_are_an_error(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/{INTERVALS}?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_too_many_jobs_are_rejected(client: FlaskClient, prefix: str) -> None:
    query = "&".join(f"train_id=./{i}" for i in range(101))
    response = client.get(f"{prefix}/{LANDSCAPES}?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")


def test_no_jobs_have_no_landscapes(client: FlaskClient, prefix: str) -> None:
    assert client.get(f"{prefix}/{LANDSCAPES}").get_json() == {"landscapes": []}


def test_damage_is_reported_and_nan_is_null(tmp_path: Path) -> None:
    damaged = b"\x0a\x01t\x52\x03\x0a\x01\x08"
    base_dir = tmp_path / "logs"
    write(base_dir, NAME, log(interval([1, 2], float("nan"), "t"), damaged))
    config = Config(base_dir, workspace=tmp_path / "workspace")
    client = create_app(config, loaded(base_dir)).test_client()
    answer = client.get(f"/v1/mindviz/{INTERVALS}?train_id=./").get_json()
    (problem,) = answer["problems"]
    assert (problem["tag"], problem["step"]) == ("t", 1)
    interval_id = answer["intervals"][0]["id"]
    landscapes = client.get(
        f"/v1/mindviz/{LANDSCAPES}?train_id=./&interval_id={interval_id}"
    ).get_json()
    assert landscapes["landscapes"][0]["path"]["z"] == [None, None]
