"""Train jobs over HTTP, in both dialects."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from mindviz.backend.datavisual.train_jobs_api import local_time
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import Image
from mindviz.datavisual.store import CacheStatus, LoadStatus
from tests.store_fake import START, FakeStore

CONTRACT_KEYS = [
    "train_id",
    "relative_path",
    "create_time",
    "update_time",
    "profiler_dir",
    "profiler_type",
    "cache_status",
    "summary_files",
    "graph_files",
    "lineage_files",
    "dump_dir",
    "is_integrity",
    "plugins",
]
CONTRACT_PLUGINS = [
    "image",
    "scalar",
    "graph",
    "optimized_graph",
    "histogram",
    "tensor",
    "loss_landscape",
]


def test_the_listing_has_exactly_the_contracts_keys_under_its_prefix(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1], [0.5])
    answer = client.get("/v1/mindinsight/datavisual/train-jobs").get_json()
    assert list(answer) == ["name", "total", "train_jobs", "load_status"]
    (item,) = answer["train_jobs"]
    assert list(item) == CONTRACT_KEYS
    assert list(item["plugins"]) == CONTRACT_PLUGINS
    assert item["plugins"]["scalar"] == ["loss/scalar"]
    assert answer["name"] == "summaries"
    assert (item["train_id"], item["relative_path"]) == ("./a", "./a")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", item["update_time"])
    assert (item["profiler_dir"], item["profiler_type"], item["dump_dir"]) == (None, "", None)


def test_our_prefix_adds_times_formats_points_and_problems(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2], [0.5, 0.25])
    job.problems = (Finding(FindingKind.TRUNCATED, "a/events", 100, "It is cut off.", 1),)
    (item,) = client.get("/v1/mindviz/datavisual/train-jobs").get_json()["train_jobs"]
    assert list(item)[: len(CONTRACT_KEYS)] == CONTRACT_KEYS
    assert item["update_timestamp"] == START
    assert (item["points"], item["formats"], item["is_integrity"]) == (2, ["tensorboard"], False)
    assert item["problems"] == [
        {
            "kind": "truncated",
            "path": "a/events",
            "offset": 100,
            "detail": "It is cut off.",
            "lost_records": 1,
        }
    ]


def test_problems_are_truncated_but_counted(store: FakeStore, client: FlaskClient) -> None:
    problem = Finding(FindingKind.BAD_PAYLOAD, "a/events", 100, "It fails its checksum.", 1)
    store.add("./a").problems = (problem,) * 5000
    (item,) = client.get("/v1/mindviz/datavisual/train-jobs").get_json()["train_jobs"]
    assert (len(item["problems"]), item["problem_count"]) == (100, 5000)


def test_other_plugins_are_listed_only_in_our_dialect(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").add_values("audio", "speech", [1], [b"RIFF"])
    query = "datavisual/plugins?train_id=./a"
    ours = client.get(f"/v1/mindviz/{query}").get_json()["plugins"]
    theirs = client.get(f"/v1/mindinsight/{query}").get_json()["plugins"]
    assert ours["audio"] == ["speech/audio"]
    assert list(theirs) == CONTRACT_PLUGINS


def test_offset_is_the_number_of_a_page(store: FakeStore, client: FlaskClient, prefix: str) -> None:
    for number in range(5):
        store.add(f"./{number}").update_time = START + number
    url = f"{prefix}/datavisual/train-jobs"

    def ids(query: str) -> list[str]:
        answer = client.get(f"{url}?{query}").get_json()
        assert answer["total"] == 5
        return [item["train_id"] for item in answer["train_jobs"]]

    assert ids("limit=2") == ["./4", "./3"]
    assert ids("limit=2&offset=1") == ["./2", "./1"]
    assert ids("limit=2&offset=2") == ["./0"]
    assert ids("limit=2&offset=3") == []
    assert ids("") == ["./4", "./3", "./2", "./1", "./0"]
    assert ids("limit= 2 ") == ["./4", "./3"]  # accepted by int()


def test_train_id_is_a_filter(store: FakeStore, client: FlaskClient, prefix: str) -> None:
    store.add("./a")
    store.add("./b")
    url = f"{prefix}/datavisual/train-jobs"
    found = client.get(f"{url}?train_id=.%2Fb").get_json()
    assert [item["train_id"] for item in found["train_jobs"]] == ["./b"]
    for unknown in ("./c", ""):
        missing = client.get(f"{url}?train_id={unknown}").get_json()
        assert (missing["total"], missing["train_jobs"]) == (0, [])


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=0", "50540002"),
        ("limit=1000", "50540002"),
        ("limit=ten", "50540001"),
        ("limit=3.0", "50540001"),
        ("limit=", "50540001"),
        ("limit=" + "9" * 5000, "50540001"),
        ("offset=-1", "50540002"),
        ("offset=99999999999999999999", "50540002"),
        ("offset=%00", "50545011"),
    ],
)
def test_invalid_pages_are_rejected(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/datavisual/train-jobs?{query}")
    assert response.status_code == 400
    assert response.get_json()["error_code"] == code


def test_unknown_arguments_of_the_contract_are_ignored(client: FlaskClient, prefix: str) -> None:
    assert client.get(f"{prefix}/datavisual/train-jobs?flavour=sweet").status_code == 200


def test_load_status_follows_the_loading(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    for status in LoadStatus:
        store.load_status = status
        answer = client.get(f"{prefix}/datavisual/train-jobs").get_json()
        assert answer["load_status"] == status.value


def test_the_contract_shows_no_tags_of_a_job_that_is_not_in_cache(
    store: FakeStore, client: FlaskClient
) -> None:
    prefix = "/v1/mindinsight"
    job = store.add("./a")
    job.append("loss", [1], [0.5])
    job.cache_status = CacheStatus.NOT_IN_CACHE
    listing = client.get(f"{prefix}/datavisual/train-jobs").get_json()
    assert listing["train_jobs"][0]["plugins"]["scalar"] == []
    single = f"{prefix}/datavisual/single-job?plugin_name=scalar&train_id=./a"
    refused = client.get(single)
    assert (refused.status_code, refused.get_json()["error_code"]) == (400, "50545005")
    plugins = f"{prefix}/datavisual/plugins?train_id=./a"
    assert client.get(plugins).get_json()["plugins"]["scalar"] == []
    client.get(f"{plugins}&manual_update=TRUE")
    assert client.get(plugins).get_json()["plugins"]["scalar"] == ["loss/scalar"]
    assert client.get(single).get_json() == {
        "train_jobs": [{"id": "./a", "name": "./a", "tags": ["loss/scalar"]}]
    }


def test_our_listing_has_the_tags_of_a_job_that_is_not_in_cache(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("loss", [1], [0.5])
    job.cache_status = CacheStatus.NOT_IN_CACHE
    (item,) = client.get("/v1/mindviz/datavisual/train-jobs").get_json()["train_jobs"]
    assert item["plugins"]["scalar"] == ["loss/scalar"]
    plugins = client.get("/v1/mindviz/datavisual/plugins?train_id=./a").get_json()["plugins"]
    assert plugins["scalar"] == ["loss/scalar"]


def test_deeply_nested_bodies_are_rejected(client: FlaskClient, prefix: str) -> None:
    answer = client.post(
        f"{prefix}/datavisual/train-job-caches",
        data="[" * 200_000,
        content_type="application/json",
    )
    assert (answer.status_code, answer.get_json()["error_code"]) == (400, "50540002")


def test_caching_returns_the_status_before_and_skips_unknown_jobs(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    store.add("./a").cache_status = CacheStatus.NOT_IN_CACHE
    store.add("./b")
    body = {"train_ids": ["./a", "./b", "./nowhere", "./a"]}
    answer = client.post(f"{prefix}/datavisual/train-job-caches", json=body).get_json()
    a = {"train_id": "./a", "cache_status": "NOT_IN_CACHE"}
    b = {"train_id": "./b", "cache_status": "CACHED"}
    # The contract keeps duplicates.
    assert answer == {"cache_result": [a, b] if prefix.endswith("mindviz") else [a, b, a]}
    assert store.jobs["./a"].cache_status is CacheStatus.CACHED


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{}", "50540003"),
        ('{"train_ids": "./a"}', "50540001"),
        ('{"train_ids": [1]}', "50540001"),
        ('{"train_ids": null}', "50540003"),
        ("[]", "50540002"),
        ("null", "50540002"),
        ("{", "50540002"),
        ("\xff", "50540002"),
    ],
)
def test_invalid_bodies_are_rejected(
    client: FlaskClient, prefix: str, body: str, code: str
) -> None:
    response = client.post(
        f"{prefix}/datavisual/train-job-caches",
        data=body.encode("latin-1"),
        content_type="application/json",
    )
    assert response.status_code == 400
    assert response.get_json()["error_code"] == code


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("single-job?train_id=./a", "50540003"),
        ("single-job?plugin_name=scalar", "50540003"),
        ("single-job?plugin_name=nothing&train_id=./a", "5054500B"),
        ("single-job?plugin_name=scalar&train_id=./b", "50545005"),
        ("single-job?plugin_name=scalar&train_id=../a", "50545005"),
        ("plugins", "50540003"),
        ("plugins?train_id=./b", "50545005"),
        ("plugins?train_id=./a&manual_update=yes", "50540002"),
        ("plugins?train_id=./a&manual_update=", "50540002"),
    ],
)
def test_missing_objects_have_the_contracts_code(
    store: FakeStore, client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    store.add("./a")
    response = client.get(f"{prefix}/datavisual/{query}")
    assert response.status_code == 400
    assert response.get_json()["error_code"] == code


def test_tags_are_sorted_and_all_plugins_of_the_contract_listed(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    job = store.add("./a")
    job.append("b", [1], [1])
    job.append("a/scalar", [1], [1])
    job.add_values("image", "cat", [1], [Image(1, 1, (b"x",))])
    plugins = client.get(f"{prefix}/datavisual/plugins?train_id=./a").get_json()["plugins"]
    assert plugins["scalar"] == ["a/scalar/scalar", "b/scalar"]
    assert plugins["image"] == ["cat/image"]
    assert list(plugins)[:7] == CONTRACT_PLUGINS


@pytest.mark.parametrize("seconds", [1e300, -1e300, float("nan"), float("inf")])
def test_times_beyond_the_calendar_become_the_epoch(seconds: float) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", local_time(seconds))
