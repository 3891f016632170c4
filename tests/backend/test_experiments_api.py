"""Several experiments in one process, with real logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from mindviz.backend.app import ExperimentApps, create_app
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.golden.write_golden import PNG
from tests.store_fake import FakeStore
from tests.written_logs import loaded, write

URL = "/v1/mindviz/experiments"


def serving(directory: Path, *names: str, prefix: str = "") -> Client:
    """Experiments of these names, each with one job of the same name."""
    base_dirs = {name: directory / f"base_{name}" for name in names}
    sources = tuple(ExperimentSource(name, base_dir) for name, base_dir in base_dirs.items())
    served = []
    for name, base_dir in base_dirs.items():
        event = tensorboard.event(1.0, 5, [tensorboard.image("i", [PNG], 3, 2)])
        log = frames([event], Framing.TFRECORD)
        write(base_dir / f"job_{name}", "tfevents.1", log)
        served.append(ServedExperiment(name, loaded(base_dir)))
    config = Config(
        base_dirs[names[0]],
        url_path_prefix=prefix,
        workspace=directory / "workspace",
        experiments=sources,
    )
    return Client(ExperimentApps(config, Experiments(served)))


def jobs(client: Client, path: str) -> list[str]:
    answer = client.get(f"{path}/v1/mindviz/datavisual/train-jobs")
    assert answer.status_code == 200
    assert answer.json is not None
    return [job["train_id"] for job in answer.json["train_jobs"]]


def listed(client: Client, path: str = "") -> list[dict[str, Any]]:
    answer = client.get(f"{path}{URL}")
    assert answer.status_code == 200
    assert answer.json is not None
    found: list[dict[str, Any]] = answer.json["experiments"]
    return found


@pytest.mark.parametrize("prefix", ["", "/lab/viz"])
def test_experiments_are_served_below_their_names_and_the_first_at_the_root(
    tmp_path: Path, prefix: str
) -> None:
    client = serving(tmp_path, "a", "b", prefix=prefix)
    assert jobs(client, prefix) == ["./job_a"]
    assert jobs(client, f"{prefix}/experiment/a") == ["./job_a"]
    assert jobs(client, f"{prefix}/experiment/b") == ["./job_b"]


@pytest.mark.parametrize("prefix", ["", "/lab/viz"])
def test_all_experiments_link_to_each_other(tmp_path: Path, prefix: str) -> None:
    client = serving(tmp_path, "a", "b", prefix=prefix)
    for here in ("", "/experiment/a", "/experiment/b"):
        for item in listed(client, prefix + here):
            page = f"{prefix}{here}/{item['url']}".replace("/experiment/a/..", "/experiment")
            page = page.replace("/experiment/b/..", "/experiment").rstrip("/")
            assert page == f"{prefix}/experiment/{item['name']}"
            assert jobs(client, page) == [f"./job_{item['name']}"]


def test_the_list_describes_each_experiment_and_marks_the_current_one(tmp_path: Path) -> None:
    client = serving(tmp_path, "a", "b")
    first, second = listed(client, "/experiment/b")
    assert second == {
        "experiment_id": "b",
        "name": "b",
        "url": "../b/",
        "shown": True,
        "summary_base_dir": str(tmp_path / "base_b"),
        "load_status": "loaded",
        "train_jobs": 1,
        "problem_count": 0,
    }
    assert (first["name"], first["shown"]) == ("a", False)
    assert [item["shown"] for item in listed(client)] == [True, False]


def test_a_single_experiment_has_the_name_of_its_base_dir() -> None:
    app = create_app(Config(Path("/data/base")), FakeStore("/data/base"))
    (item,) = app.test_client().get(URL).get_json()["experiments"]
    assert (item["experiment_id"], item["name"], item["url"]) == ("", "base", "./")


def test_a_single_unnamed_experiment_is_only_at_the_root(tmp_path: Path) -> None:
    client = serving(tmp_path, "")
    assert jobs(client, "") == ["./job_"]
    assert client.get("/experiment/v1/mindviz/status").status_code == 404


def test_the_page_of_an_experiment_ends_with_a_slash(tmp_path: Path) -> None:
    client = serving(tmp_path, "a", "b", prefix="/lab")
    answer = client.get("/lab/experiment/b")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/lab/experiment/b/")
    assert client.get("/lab/experiment/b/").status_code == 200


def test_the_error_names_an_unknown_experiment(tmp_path: Path) -> None:
    client = serving(tmp_path, "a", "b")
    for path in ("/experiment/c/v1/mindviz/status", "/experiment/b/v1/mindviz/nothing"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json is not None
        assert path in answer.json["error_msg"]


def test_the_root_serves_blobs_of_all_experiments(tmp_path: Path) -> None:
    client = serving(tmp_path, "a", "b")
    query = {"train_id": "./job_b", "tag": "i"}
    values = client.get("/experiment/b/v1/mindviz/series/image/values", query_string=query).json
    assert values is not None
    ((key,),) = values["blob_keys"]
    assert client.get(f"/data/blob/{key}").data == PNG
    assert client.get(f"/experiment/b/data/blob/{key}").data == PNG
    assert client.get(f"/experiment/a/data/blob/{key}").status_code == 404


def test_notes_belong_to_an_experiment(tmp_path: Path) -> None:
    client = serving(tmp_path, "a", "b")
    changed = client.put(
        "/experiment/a/v1/mindviz/lineagemgr/lineages",
        query_string={"train_id": "./job_a"},
        json={"remark": "the best"},
    )
    assert changed.status_code == 200, changed.json
    assert b"the best" in client.post("/v1/mindviz/lineagemgr/lineages", json={}).data
    assert (
        b"the best" not in client.post("/experiment/b/v1/mindviz/lineagemgr/lineages", json={}).data
    )
