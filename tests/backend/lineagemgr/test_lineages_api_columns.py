"""Lineages as columns: equal to the rows of a search."""

from __future__ import annotations

import math

from flask.testing import FlaskClient

from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from tests.lineage_client import OURS, search
from tests.store_fake import START, FakeStore
from tests.unpacked_columns import cells

URL = "/v1/mindviz/lineagemgr/lineage-columns"


def add_jobs(store: FakeStore, count: int) -> None:
    """Jobs, every third without lineage."""
    for number in range(count):
        job = store.add(f"./{number}")
        job.update_time = START + number
        job.append("loss", [0, 1], [1.0, number / 10])
        if number % 3:
            job.facts = LineageFacts(
                train=TrainFacts(network="Net", optimizer="Adam", learning_rate=number / 100),
                evaluation=EvaluationFacts({"acc": math.nan if number == 4 else 0.5}),
                user_defined={"seed": number, "layers": [1, math.inf]},
                session_status="success",
                session_group="sweep",
            )


def test_columns_equal_a_search(store: FakeStore, client: FlaskClient) -> None:
    add_jobs(store, 7)
    column = "scalar/loss/last"
    answer = client.get(URL, query_string={"column": [column]}).get_json()
    columns = {name: cells(packed) for name, packed in answer["columns"].items()}
    found = search(client, {"columns": [column]}, OURS)["object"]
    assert answer["train_id"] == [row["summary_dir"] for row in found]
    for at, row in enumerate(found):
        model = row["model_lineage"]
        for name in ("network", "optimizer", "learning_rate", "dataset_mark"):
            assert columns[name][at] == model[name]
        assert columns["metric/acc"][at] == model["metric"].get("acc")
        for name in ("seed", "layers"):
            assert columns[f"user_defined/{name}"][at] == model["user_defined"].get(name)
        assert columns[column][at] == row["columns"][column]
        assert columns["session_status"][at] == row["session_status"]
        assert columns["session_group"][at] == ("sweep" if row["session_status"] else None)
    assert columns["metric/acc"][7 - 1 - 4] == "NaN"


def test_empty_columns_are_omitted(store: FakeStore, client: FlaskClient) -> None:
    add_jobs(store, 3)
    answer = client.get(URL, query_string={"column": ["scalar/none/last"]}).get_json()
    assert not answer["columns"].keys() & {"loss", "model_size", "scalar/none/last"}


def test_without_jobs_there_are_no_columns(client: FlaskClient) -> None:
    assert client.get(URL).get_json() == {
        "data_version": 0,
        "total": 0,
        "matching": 0,
        "train_id": [],
        "columns": {},
    }


def test_an_invalid_column_is_rejected(client: FlaskClient) -> None:
    answer = client.get(URL, query_string={"column": ["loss"]})
    assert answer.status_code == 400
    assert "use scalar/<tag>/last" in answer.get_json()["error_msg"]


def test_the_response_follows_the_logs(store: FakeStore, client: FlaskClient) -> None:
    add_jobs(store, 2)
    first = client.get(URL)
    assert client.get(URL, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    store.add("./new").version = 1_000
    then = client.get(URL).get_json()
    assert then["train_id"][-1] in {"./new", "./0"}
    assert len(then["train_id"]) == 3
    assert then["data_version"] == first.get_json()["data_version"] + 1_000
