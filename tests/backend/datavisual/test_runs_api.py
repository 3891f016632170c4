"""Lists of runs that are paged, sorted, filtered and grouped on the server."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.series.lineage_facts import LineageFacts
from tests.store_fake import START, FakeStore
from tests.unpacked_columns import cells

URL = "/v1/mindviz/datavisual"
COLUMNS = f"{URL}/train-job-columns"
LINEAGE = "/v1/mindviz/lineagemgr/lineage-columns"
IDS = f"{URL}/train-job-ids"
GROUPS = f"{URL}/train-job-groups"
OVERVIEW = f"{URL}/train-job-overview"
VALUES = f"{URL}/train-job-values"


@pytest.fixture
def app(store: FakeStore, tmp_path: Path) -> Flask:
    """With its own notes."""
    return create_app(Config(Path("/data/summaries"), workspace=tmp_path), store)


@pytest.fixture
def runs(store: FakeStore) -> FakeStore:
    """Twelve runs: two optimizers, three seeds, and two that logged nothing."""
    for number in range(12):
        job = store.add(f"./run_{number}")
        job.create_time = START + 10 * (number // 2)
        job.update_time = START - number
        job.append("loss", [1, 2], [0.5, number / 10])
        if number < 10:
            parameters = {"lr": 0.1 * (number % 2), "opt": ("adam", "sgd")[number % 2]}
            job.facts = LineageFacts(hyper_parameters={**parameters, "seed": number // 2 % 3})
    return store


def names(client: FlaskClient, **query: Any) -> list[int]:
    answer = client.get(IDS, query_string=query).get_json()
    return [int(train_id.rpartition("_")[2]) for train_id in answer["train_ids"]]


def note(client: FlaskClient, number: int, **changes: Any) -> None:
    answer = client.put(f"/v1/mindviz/lineagemgr/lineages?train_id=./run_{number}", json=changes)
    assert answer.status_code == 200


@pytest.mark.usefixtures("runs")
class TestIds:
    def test_newest_created_first_then_by_name(self, client: FlaskClient) -> None:
        assert names(client, limit=5) == [10, 11, 8, 9, 6]

    def test_filters_and_orders_are_the_pages(self, client: FlaskClient) -> None:
        query = {"filter": "opt = SGD and (loss > 0.2 or run_1$)"}
        assert names(client, **query) == [9, 7, 5, 3, 1]
        assert names(client, order=["seed", "-loss"], filter="lr = 0") == [6, 0, 8, 2, 4]
        # Missing values come last in both directions.
        assert names(client, order="-seed")[-2:] == names(client, order="seed")[-2:] == [10, 11]

    def test_pages_are_counted_in_rows(self, client: FlaskClient) -> None:
        every = names(client, order="name")
        assert every == list(range(12))
        pages = [names(client, order="name", offset=start, limit=5) for start in (0, 5, 10, 15)]
        assert pages == [every[:5], every[5:10], every[10:], []]
        answer = client.get(IDS, query_string={"filter": "run_1", "limit": 0}).get_json()
        assert (answer["total"], answer["matching"], answer["train_ids"]) == (12, 3, [])

    def test_given_runs_keep_their_order_and_many_fit_into_a_body(
        self, client: FlaskClient
    ) -> None:
        body = {"train_id": ["./run_3", "./gone", "./run_11", "./run_3"]}
        answer = client.post(IDS, json=body).get_json()
        assert answer["train_ids"] == ["./run_3", "./run_11"]
        sorted_ids = client.post(IDS, json={**body, "order": ["-name"]}).get_json()["train_ids"]
        assert sorted_ids == ["./run_11", "./run_3"]

    def test_selected_runs_can_be_listed_beside_those_that_match(self, client: FlaskClient) -> None:
        query = {"filter": "run_3", "also": ["./run_10", "./gone"]}
        assert names(client, **query) == [10, 3]

    def test_a_wrong_filter_names_its_place(self, client: FlaskClient) -> None:
        answer = client.get(IDS, query_string={"filter": "lr < 1 and name ~ ["})
        assert answer.status_code == 400
        body = answer.get_json()
        assert (body["reason"], body["at"]) == ("regex", 18)
        assert body["error_msg"] == "Syntax error in the filter at character 19."

    @pytest.mark.parametrize("query", [{"limit": -1}, {"order": ["a"] * 21}, {"unknown": 1}])
    def test_wrong_arguments_are_refused(self, client: FlaskClient, query: Any) -> None:
        assert client.get(IDS, query_string=query).status_code == 400


@pytest.mark.usefixtures("runs")
def test_archived_runs_are_left_out_unless_wanted(client: FlaskClient) -> None:
    note(client, 11, hidden=True)
    note(client, 2, pinned=True, remark="best")
    assert names(client, limit=3) == [2, 10, 8]
    assert names(client, limit=3, archived="true") == [2, 10, 11]
    assert names(client, filter="hidden = true") == [11]
    assert names(client, filter="remark = best") == [2]
    assert names(client, train_id="./run_11") == [11]
    overview = client.get(OVERVIEW).get_json()
    assert (overview["total"], overview["archived"], overview["pinned"]) == (12, 1, 1)


@pytest.mark.usefixtures("runs")
class TestRows:
    def test_a_page_has_only_its_rows(self, client: FlaskClient) -> None:
        every = client.get(COLUMNS).get_json()
        assert (every["total"], every["matching"]) == (12, 12)
        query = {"filter": "opt = adam", "order": "-seed", "offset": 1, "limit": 2}
        page = client.get(COLUMNS, query_string=query).get_json()
        assert (page["total"], page["matching"]) == (12, 5)
        assert page["columns"]["train_id"] == ["./run_8", "./run_2"]
        rows = every["columns"]["train_id"]
        for name, column in page["columns"].items():
            everything = cells(every["columns"][name])
            expected = [everything[rows.index(train_id)] for train_id in ("./run_8", "./run_2")]
            assert cells(column) == expected, name

    def test_the_lineage_of_a_page(self, client: FlaskClient) -> None:
        body = {"train_id": ["./run_11", "./run_3"], "column": ["scalar/loss/last"]}
        page = client.post(LINEAGE, json=body).get_json()
        assert page["train_id"] == ["./run_11", "./run_3"]
        found = {name: cells(column) for name, column in page["columns"].items()}
        assert found["user_defined/opt"] == [None, "sgd"]
        assert found["scalar/loss/last"] == [1.1, 0.3]
        assert "metric/acc" not in found

    def test_lineage_without_arguments_is_complete(self, client: FlaskClient) -> None:
        answer = client.get(LINEAGE).get_json()
        assert (answer["total"], answer["matching"], len(answer["train_id"])) == (12, 12, 12)


@pytest.mark.usefixtures("runs")
class TestGroups:
    def test_groups_have_counts_and_statistics(self, client: FlaskClient) -> None:
        query = {"by": "opt", "column": ["loss", "lr", "name"], "runs": 2, "order": "-loss"}
        answer = client.get(GROUPS, query_string=query).get_json()
        assert (answer["total"], answer["matching"], answer["group_count"]) == (12, 12, 3)
        assert answer["fields"] == ["opt"]
        keys = [(group["key"], group["count"]) for group in answer["groups"]]
        assert keys == [(None, 2), ("sgd", 5), ("adam", 5)]
        sgd = answer["groups"][1]
        assert sgd["train_ids"] == ["./run_9", "./run_7"]
        last = [0.1, 0.3, 0.5, 0.7, 0.9]
        cell = sgd["columns"]["loss"]
        assert cell["value"] is None
        assert (cell["min"], cell["max"], cell["n"]) == (0.1, 0.9, 5)
        assert cell["mean"] == pytest.approx(statistics.fmean(last))
        assert cell["std"] == pytest.approx(statistics.stdev(last))
        assert sgd["columns"]["lr"]["value"] == 0.1
        assert sgd["columns"]["name"] == {"value": None}

    def test_repetitions_are_grouped_by_all_parameters_but_the_seed(
        self, client: FlaskClient
    ) -> None:
        query = {"by": "*-seed", "filter": "opt != none"}
        answer = client.get(GROUPS, query_string=query).get_json()
        # `lr` differs as `opt` does: it is another name of the same groups.
        assert answer["fields"] == ["user_defined/lr", "user_defined/opt"]
        assert [group["values"] for group in answer["groups"]] == [[0.0, "adam"], [0.1, "sgd"]]
        group = answer["groups"][1]
        rows = names(client, by="*-seed", filter="opt != none", group=group["key"])
        assert len(rows) == group["count"] == 5
        assert all(number % 2 for number in rows)

    def test_all_runs_together(self, client: FlaskClient) -> None:
        answer = client.get(GROUPS, query_string={"by": "*", "column": "lr"}).get_json()
        (group,) = answer["groups"]
        assert (group["values"], group["count"], group["columns"]["lr"]["n"]) == ([], 12, 10)

    def test_groups_are_paged(self, client: FlaskClient) -> None:
        query = {"by": "name", "order": "name", "offset": 3, "limit": 2}
        answer = client.get(GROUPS, query_string=query).get_json()
        assert answer["group_count"] == 12
        assert [group["key"] for group in answer["groups"]] == ["run_3", "run_4"]

    def test_nothing_has_no_groups(self, client: FlaskClient) -> None:
        query = {"by": "opt", "column": "loss", "filter": "nothing"}
        answer = client.get(GROUPS, query_string=query).get_json()
        assert (answer["group_count"], answer["groups"]) == (0, [])


def test_the_overview_counts_all_runs(runs: FakeStore, client: FlaskClient) -> None:
    runs.jobs["./run_0"].update_time = time.time()
    runs.jobs["./run_1"].facts = LineageFacts(session_status="failure")
    runs.jobs["./run_2"].add_values("histogram", "weights", [1], [b""])
    runs.jobs["./run_3"].lineage_files = 2
    overview = client.get(OVERVIEW).get_json()
    assert overview["total"] == 12
    assert overview["plugins"]["scalar"] == 12
    assert overview["lineages"] == 1
    assert overview["formats"] == {"tensorboard": 12}
    files = sum(job.summary_files + job.lineage_files for job in runs.list_train_jobs())
    assert overview["files"] == {"tensorboard": files}
    assert overview["states"] == {"running": 1, "stalled": 0, "finished": 10, "failed": 1}
    assert overview["scalar_tags"] == overview["unmeasured_tags"] == {"loss": 12}
    # The field `learning_rate` repeats `lr`.
    assert overview["shown_as"] == {"learning_rate": "user_defined/lr"}
    assert overview["fields"]["user_defined/opt"] == {"kind": "text", "count": 9, "differs": True}
    assert overview["parameters"][:2] == ["dataset_mark", "user_defined/lr"]


@pytest.mark.usefixtures("runs")
def test_the_most_frequent_values_come_first(client: FlaskClient) -> None:
    answer = client.get(VALUES, query_string={"field": "seed"}).get_json()
    assert answer == {"field": "user_defined/seed", "values": ["0", "1", "2"]}


def test_runs_are_found_by_the_plugins_of_their_data(runs: FakeStore, client: FlaskClient) -> None:
    runs.jobs["./run_2"].add_values("histogram", "weights", [1], [b""])
    runs.jobs["./run_5"].add_values("image", "input", [1], [b""])
    assert names(client, plugin="histogram") == [2]
    assert names(client, plugin=["histogram", "image", "unknown"]) == [5, 2]
    assert names(client, plugin="unknown") == []


def test_the_page_knows_how_many_runs_to_list(runs: FakeStore, tmp_path: Path) -> None:
    config = Config(Path("/data/summaries"), workspace=tmp_path, most_listed=7)
    client = create_app(config, runs).test_client()
    for query in ({}, {"limit": 1}):
        assert client.get(COLUMNS, query_string=query).get_json()["most_listed"] == 7


def test_runs_with_data_of_a_plugin(runs: FakeStore, client: FlaskClient) -> None:
    runs.jobs["./run_2"].add_values("histogram", "weights", [1], [b""])
    assert names(client, plugin=["histogram", "image"]) == [2]
    answer = client.get(GROUPS, query_string={"by": "opt", "limit": 0}).get_json()
    assert (answer["fields"], answer["groups"], answer["group_count"]) == (["opt"], [], 3)


def test_changes_of_runs_are_seen(runs: FakeStore, client: FlaskClient) -> None:
    assert names(client, filter="loss > 5") == []
    runs.jobs["./run_4"].append("loss", [3], [6.0])
    assert names(client, filter="loss > 5") == [4]
