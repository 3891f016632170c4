"""What every request passes: hosts, sizes, encodings; and the headers of every answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.backend.request_guard import MAX_QUERY_BYTES
from mindviz.config import Config
from tests.experiment_fake import FakeExperiment

STATUS = "/v1/mindviz/status"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1:8080",
        "127.1.2.3",
        "[::1]:8080",
        "mindviz.localhost",
    ],
)
def test_names_of_this_machine_are_accepted(client: FlaskClient, host: str) -> None:
    assert client.get(STATUS, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "localhost.evil.example", "192.0.2.1", "[::2]", "[", "@"],
)
def test_a_name_that_an_attacker_may_have_bent_is_refused(client: FlaskClient, host: str) -> None:
    response = client.get(STATUS, headers={"Host": host})
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540008")
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_a_server_for_others_does_not_know_all_its_names(experiment: FakeExperiment) -> None:
    app = create_app(Config(Path("/data"), host="0.0.0.0"), experiment)
    client = app.test_client()
    assert client.get(STATUS, headers={"Host": "gpu7.example:8080"}).status_code == 200


def test_the_host_of_an_allowed_origin_is_accepted(experiment: FakeExperiment) -> None:
    config = Config(Path("/data"), cors_origins=("https://lab.example:8443",))
    client = create_app(config, experiment).test_client()
    assert client.get(STATUS, headers={"Host": "lab.example"}).status_code == 200
    assert client.get(STATUS, headers={"Host": "other.example"}).status_code == 400


def test_other_origins_may_read_only_if_configured(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    allowed = "Access-Control-Allow-Origin"
    ask = {"Origin": "https://lab.example"}
    assert allowed not in client.get(STATUS, headers=ask).headers
    config = Config(Path("/data"), cors_origins=("https://lab.example",))
    open_client = create_app(config, experiment).test_client()
    assert open_client.get(STATUS, headers=ask).headers[allowed] == "https://lab.example"
    other = open_client.get(STATUS, headers={"Origin": "https://evil.example"})
    assert allowed not in other.headers


@pytest.mark.parametrize("path", [STATUS, "/", "/nothing", "/v1/mindinsight/ui-config"])
def test_every_answer_has_the_security_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "img-src 'self' data: blob:" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "Cache-Control" in headers


@pytest.mark.parametrize("size", [MAX_QUERY_BYTES + 1, 1_000_000])
def test_a_query_that_is_too_long_is_refused(client: FlaskClient, prefix: str, size: int) -> None:
    response = client.get(f"{prefix}/datavisual/scalars?tag=" + "a" * size)
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540002")


def test_a_long_query_within_the_bound_is_answered(client: FlaskClient, prefix: str) -> None:
    query = "tag=" + "a" * (MAX_QUERY_BYTES - 4)
    assert client.get(f"{prefix}/datavisual/scalars?{query}").status_code == 200


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("tag=%00", "50545011"),
        ("%00", "50545011"),
        ("x=a%00b", "50545011"),
        ("tag=%ff", "50540009"),
        ("tag=%c3%28", "50540009"),
        ("tag=%ed%a0%80", "50540009"),
    ],
)
def test_queries_that_are_no_text_are_refused(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/datavisual/train-jobs?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_raw_bytes_in_a_query_are_checked_too(app: Flask) -> None:
    for raw, code in (("tag=\x00", "50545011"), ("tag=\xff", "50540009")):
        response = app.test_client().get(STATUS, environ_overrides={"QUERY_STRING": raw})
        assert response.get_json()["error_code"] == code
