"""All train jobs as columns: equal to the listing."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from mindviz.backend import train_job_columns
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.store import CacheStatus
from tests.store_fake import START, FakeStore
from tests.unpacked_columns import cells

URL = "/v1/mindviz/datavisual/train-job-columns"
MINDINSIGHTS = {
    *("create_time", "update_time", "relative_path", "profiler_dir", "profiler_type", "dump_dir")
}
"""Keys that only the listing has, for MindInsight."""


def rows(client: FlaskClient) -> list[dict[str, Any]]:
    answer = client.get(URL).get_json()
    columns = {name: cells(column) for name, column in answer["columns"].items()}
    assert {len(column) for column in columns.values()} == {answer["total"]}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_columns_equal_the_listing(store: FakeStore, client: FlaskClient) -> None:
    for number in range(5):
        job = store.add(f"./{number}")
        job.update_time = START + number
        job.append("loss", [1, 2], [0.5, 0.25])
        job.display_name = "odd" if number % 2 else ""
    store.jobs["./3"].problems = (
        Finding(FindingKind.TRUNCATED, "3/events", 100, "It is cut off.", 1),
    )
    store.jobs["./4"].cache_status = CacheStatus.CACHING
    store.jobs["./2"].facts = LineageFacts(session_status="failure")
    listed = client.get("/v1/mindviz/datavisual/train-jobs").get_json()["train_jobs"]
    found = rows(client)
    assert [row["train_id"] for row in found] == ["./4", "./3", "./2", "./1", "./0"]
    assert [row["session_status"] for row in found] == [None, None, "failure", None, None]
    for row, item in zip(found, listed, strict=True):
        tags = row.pop("plugins")
        assert row.pop("events") is None
        assert row.items() <= item.items()
        assert item.keys() - row.keys() == {"plugins", *MINDINSIGHTS}
        assert tags == {"scalar": ["loss"]}


def test_equal_tags_are_encoded_once(store: FakeStore, client: FlaskClient) -> None:
    for number in range(4):
        store.add(f"./{number}").append("loss" if number else "accuracy", [1], [0.5])
    plugins = client.get(URL).get_json()["columns"]["plugins"]
    assert plugins["values"] == [{"scalar": ["accuracy"]}, {"scalar": ["loss"]}]
    assert plugins["codes"] == [0, 1, 1, 1]


def test_changes_appear_in_the_next_response(store: FakeStore, client: FlaskClient) -> None:
    assert rows(client) == []
    job = store.add("./a")
    job.append("loss", [1], [0.5])
    first = client.get(URL)
    status = client.get("/v1/mindviz/status").get_json()
    assert first.get_json()["data_version"] == status["data_version"] == job.version
    assert client.get(URL, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    # Neither changes the version of the job.
    job.cache_status = CacheStatus.NOT_IN_CACHE
    job.problems = (Finding(FindingKind.BAD_VALUE, "a/events", 7, "It cannot be decoded."),)
    (row,) = rows(client)
    assert (row["cache_status"], row["problem_count"]) == ("NOT_IN_CACHE", 1)


def test_each_job_shows_some_of_very_many_problems(store: FakeStore, client: FlaskClient) -> None:
    problem = Finding(FindingKind.BAD_PAYLOAD, "a/events", 100, "It fails its checksum.", 1)
    jobs = train_job_columns.MOST_PROBLEMS // 50
    for number in range(jobs):
        store.add(f"./{number}").problems = (problem,) * 300
    found = rows(client)
    assert {(len(row["problems"]), row["problem_count"]) for row in found} == {(50, 300)}
