"""Checks of all requests: hosts, sizes, encodings; and headers of all responses."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.backend.request_guard import MAX_QUERY_BYTES
from mindviz.config import Config
from tests.store_fake import FakeStore

STATUS = "/v1/mindviz/status"

TOKEN = "a-token-of-some-length"


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
def test_foreign_host_names_are_rejected(client: FlaskClient, host: str) -> None:
    response = client.get(STATUS, headers={"Host": host})
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540008")
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_a_public_server_accepts_all_host_names(store: FakeStore) -> None:
    app = create_app(Config(Path("/data"), host="0.0.0.0"), store)
    client = app.test_client()
    assert client.get(STATUS, headers={"Host": "gpu7.example:8080"}).status_code == 200


def test_a_server_with_a_token_accepts_all_host_names(store: FakeStore) -> None:
    config = Config(Path("/logs"), auth_token=TOKEN)
    client = create_app(config, store).test_client()
    headers = {"Host": "hub.example", "Authorization": f"Bearer {TOKEN}"}
    assert client.get(STATUS, headers=headers).status_code == 200
    assert client.get(STATUS, headers={"Host": "hub.example"}).status_code == 401


def test_the_host_of_an_allowed_origin_is_accepted(store: FakeStore) -> None:
    config = Config(Path("/data"), cors_origins=("https://lab.example:8443",))
    client = create_app(config, store).test_client()
    assert client.get(STATUS, headers={"Host": "lab.example"}).status_code == 200
    assert client.get(STATUS, headers={"Host": "other.example"}).status_code == 400


def test_other_origins_may_read_only_if_configured(store: FakeStore, client: FlaskClient) -> None:
    allowed = "Access-Control-Allow-Origin"
    ask = {"Origin": "https://lab.example"}
    assert allowed not in client.get(STATUS, headers=ask).headers
    config = Config(Path("/data"), cors_origins=("https://lab.example",))
    open_client = create_app(config, store).test_client()
    assert open_client.get(STATUS, headers=ask).headers[allowed] == "https://lab.example"
    other = open_client.get(STATUS, headers={"Origin": "https://evil.example"})
    assert allowed not in other.headers


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "http://localhost:3000"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"},
]
OWN: list[dict[str, str]] = [
    {},
    {"Origin": "http://localhost"},
    {"Origin": "HTTP://LocalHost"},
    {"Origin": "http://localhost:8080", "Host": "localhost:8080"},
    {"Origin": "https://lab.example", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "http://gpu7", "X-Forwarded-Host": "gpu7"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("kind", ["application/json", "text/plain", None])
def test_pages_of_other_origins_cannot_send_anything(
    client: FlaskClient, prefix: str, headers: dict[str, str], kind: str | None
) -> None:
    for method, path in (
        ("POST", f"{prefix}/lineagemgr/lineages"),
        ("PUT", f"{prefix}/lineagemgr/lineages?train_id=./a"),
        ("POST", "/v1/mindviz/data/series"),
        ("POST", "/nothing"),
    ):
        answer = client.open(path, method=method, headers=headers, data=b"{}", content_type=kind)
        own = path.startswith("/v1/mindviz/data")
        assert answer.status_code == (403 if own else 400), path
        assert answer.get_json()["error_code"] == "50540008"
        assert "--cors-origin" in answer.get_json()["error_msg"]


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_our_own_page_and_other_programs_can_send_requests(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    answer = client.post("/v1/mindviz/lineagemgr/lineages", headers=headers, json={})
    assert answer.status_code == 200


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_pages_of_an_allowed_origin_can_send_requests(
    store: FakeStore, headers: dict[str, str]
) -> None:
    config = Config(Path("/data"), cors_origins=("https://lab.example",))
    client = create_app(config, store).test_client()
    path = "/v1/mindviz/lineagemgr/lineages"
    allowed = headers | {"Origin": "https://lab.example"}
    assert client.post(path, headers=allowed, json={}).status_code == 200
    assert client.post(path, headers=headers, json={}).status_code == 400


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_get_requests_of_other_origins_are_left_to_browsers(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    answer = client.get(STATUS, headers=headers)
    assert answer.status_code == 200
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None]
)
def test_bodies_of_own_routes_must_have_a_json_type(client: FlaskClient, kind: str | None) -> None:
    theirs = client.post("/v1/mindinsight/lineagemgr/lineages", data=b"{}", content_type=kind)
    assert theirs.status_code == 200  # MindInsight ignores it
    for path in ("lineagemgr/lineages", "data/series", "data/nothing"):
        ours = client.post(f"/v1/mindviz/{path}", data=b"{}", content_type=kind)
        assert (ours.status_code, ours.get_json()["error_code"]) == (415, "50540002")
        assert "application/json" in ours.get_json()["error_msg"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/x.y+json"])
def test_all_json_types_are_accepted(client: FlaskClient, kind: str) -> None:
    answer = client.post("/v1/mindviz/lineagemgr/lineages", data=b"{}", content_type=kind)
    assert answer.status_code == 200


def test_frame_ancestors_can_be_configured(store: FakeStore) -> None:
    for named, said in (((), "'self'"), (("https://a.example:*",), "'self' https://a.example:*")):
        config = Config(Path("/data"), frame_ancestors=named)
        headers = create_app(config, store).test_client().get("/").headers
        policy = headers["Content-Security-Policy"]
        assert policy.endswith(f"; frame-ancestors {said}")
        assert "X-Frame-Options" not in headers  # only our own origin is allowed


@pytest.mark.parametrize("path", [STATUS, "/", "/nothing", "/v1/mindinsight/ui-config"])
def test_all_responses_have_the_security_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "img-src 'self' data: blob:" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'self' http://localhost:* http://127.0.0.1:* " in policy
    assert "Cache-Control" in headers


@pytest.mark.parametrize("size", [MAX_QUERY_BYTES + 1, 1_000_000])
def test_a_too_long_query_is_rejected(client: FlaskClient, prefix: str, size: int) -> None:
    response = client.get(f"{prefix}/datavisual/scalars?tag=" + "a" * size)
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540002")


def test_a_long_query_within_the_limit_is_accepted(client: FlaskClient, prefix: str) -> None:
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
def test_invalid_text_in_queries_is_rejected(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/datavisual/train-jobs?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_raw_bytes_in_a_query_are_checked_too(app: Flask) -> None:
    for raw, code in (("tag=\x00", "50545011"), ("tag=\xff", "50540009")):
        response = app.test_client().get(STATUS, environ_overrides={"QUERY_STRING": raw})
        assert response.get_json()["error_code"] == code
