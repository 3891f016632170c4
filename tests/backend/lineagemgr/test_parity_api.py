"""The comparison of two runs over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.cli.compared_locations import ParityOptions, compare_locations
from mindviz.config import Config
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.imported_logs import imported
from tests.parity_logs import scalars, write_mindspore, write_visualdl
from tests.written_logs import loaded, tensorboard_log, write

URL = "/v1/mindviz/parity"


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base_dir = tmp_path_factory.mktemp("parity") / "logs"
    values = scalars(100)
    write_mindspore(base_dir / "a", values)
    values["loss"] = values.pop("train/loss")
    values["accuracy"][50] = 7
    write_visualdl(base_dir / "b", values)
    return base_dir


@pytest.fixture(scope="module", params=["directory", "database"])
def client(
    base_dir: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FlaskClient]:
    workspace = tmp_path_factory.mktemp("workspace")
    config = Config(base_dir, workspace=workspace)
    if request.param == "directory":
        yield create_app(config, loaded(base_dir)).test_client()
        return
    database = Database(f"sqlite:///{workspace / 'logs.db'}")
    imported(database, base_dir)
    store = SqlStore(database, "e")
    store.refresh()
    yield create_app(config, store).test_client()
    database.close()


def answer(client: FlaskClient, **query: Any) -> Any:
    return client.get(URL, query_string={"a": "./a", "b": "./b"} | query).get_json()


def test_it_equals_the_answer_of_the_command(client: FlaskClient, base_dir: Path) -> None:
    rules = ["train/*=*", "accuracy="]
    for lines in (rules, rules[:1], []):
        options = ParityOptions(Tolerance(), [("--map", lines)])
        compared = compare_locations(str(base_dir / "a"), str(base_dir / "b"), options)
        (run,) = json.loads(json.dumps(compared.as_json()))["runs"]
        del run["train_id_a"], run["train_id_b"]
        assert answer(client, map=lines) == {"total": len(run["tags"]), **run}


def test_the_different_step_is_named(client: FlaskClient) -> None:
    found = answer(client)
    assert [tag["tag"] for tag in found["tags"]] == ["accuracy", "train/loss", "loss"]
    assert found["tags"][0]["series"]["first"]["step"] == 50
    assert found["tags"][0]["series"]["first"]["b"] == 7
    assert not found["equal"]


def test_tolerances_apply(client: FlaskClient) -> None:
    query = {"atol": 10, "map": "train/*=*"}
    assert answer(client, **query)["equal"] is True


def test_tags_are_paged(client: FlaskClient) -> None:
    found = answer(client, offset=1, limit=1)
    assert found["total"] == 3
    assert found["counts"] == {
        "different": 1,
        "only_a": 1,
        "only_b": 1,
        "not_compared": 0,
        "equal": 0,
    }
    assert [tag["tag"] for tag in found["tags"]] == ["train/loss"]


def test_damage_is_reported(tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    log = bytearray(tensorboard_log([(1, 1.0), (2, 2.0)]))
    log[-10] ^= 1
    for name in "ab":
        write(base_dir / name, "tfevents.1", bytes(log))
    config = Config(base_dir, workspace=tmp_path / "workspace")
    found = answer(create_app(config, loaded(base_dir)).test_client())
    assert not found["equal"]
    assert [len(found["lost_data"][side]) for side in "ab"] == [1, 1]


@pytest.mark.parametrize(
    ("query", "status", "complaint"),
    [
        ({"a": "./c"}, 404, "no run './c'"),
        ({"rtol": -1}, 400, "rtol must be"),
        ({"atol": "x"}, 400, "'atol' must be a finite number"),
        ({"map": "x"}, 400, "rule 1, 'x': expected NAME=NEW_NAME"),
        ({"map": "accuracy=loss"}, 200, ""),
        ({"map": "accuracy=train/loss"}, 400, "the same name"),
        ({"plugin_name": "mesh"}, 400, "Series of 'mesh' cannot be compared"),
        ({"limit": 10_001}, 400, "limit"),
        ({"c": 1}, 400, "unknown"),
    ],
)
def test_errors_name_their_cause(
    client: FlaskClient, query: dict[str, Any], status: int, complaint: str
) -> None:
    response = client.get(URL, query_string={"a": "./a", "b": "./b"} | query)
    assert response.status_code == status
    assert complaint in response.get_json().get("error_msg", "")
