"""Saved views over HTTP."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.lineagemgr import annotation_store
from mindviz.lineagemgr.annotations import FILE_NAME
from tests.store_fake import FakeStore

VIEWS = "/v1/mindviz/views"
ONE = f"{VIEWS}/aaaaaaaa"
BEST = {"name": "Best", "page": "scalar", "query": "runs=a~b"}


@pytest.fixture
def app(store: FakeStore, tmp_path: Path) -> Flask:
    return create_app(Config(Path("/data/summaries"), workspace=tmp_path / "workspace"), store)


def test_views_are_saved_changed_listed_and_deleted(client: FlaskClient) -> None:
    assert client.get(VIEWS).get_json() == {"views": []}
    assert client.put(ONE, json=BEST).get_json() == {"status": "success"}
    assert client.put(ONE, json={"is_default": True}).status_code == 200
    expected = {"view_id": "aaaaaaaa", **BEST, "is_default": True}
    assert client.get(VIEWS).get_json() == {"views": [expected]}
    assert client.delete(ONE).get_json() == {"status": "success"}
    assert client.get(VIEWS).get_json() == {"views": []}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "x"}, 404, "50540004"),
        (BEST | {"page": "/"}, 400, "50542081"),
        (BEST | {"owner": "me"}, 400, "50542081"),
        ([BEST], 400, "50542081"),
        (None, 400, "50542081"),
    ],
    ids=str,
)
def test_invalid_views_are_refused(
    client: FlaskClient, body: object, status: int, code: str
) -> None:
    answer = client.put(ONE, json=body)
    assert (answer.status_code, answer.get_json()["error_code"]) == (status, code)
    assert client.get(VIEWS).get_json() == {"views": []}


def test_unknown_views_cannot_be_deleted(client: FlaskClient) -> None:
    answer = client.delete(ONE)
    assert (answer.status_code, answer.get_json()["error_code"]) == (404, "50540004")


def test_pages_of_other_origins_cannot_change_views(client: FlaskClient) -> None:
    client.put(ONE, json=BEST)
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert client.put(ONE, json=BEST, headers=foreign).status_code == 403
    assert client.delete(ONE, headers=foreign).status_code == 403
    assert client.put(ONE, data="{}", content_type="text/plain").status_code == 415
    assert len(client.get(VIEWS).get_json()["views"]) == 1


def test_views_need_the_token(store: FakeStore, tmp_path: Path) -> None:
    config = Config(Path("/data"), workspace=tmp_path, auth_token="secret")
    client = create_app(config, store).test_client()
    answers = [client.get(VIEWS), client.put(ONE, json=BEST), client.delete(ONE)]
    assert [answer.status_code for answer in answers] == [401] * 3
    bearer = {"Authorization": "Bearer secret"}
    assert client.put(ONE, json=BEST, headers=bearer).status_code == 200


def test_the_contract_has_no_views(client: FlaskClient) -> None:
    assert client.get("/v1/mindinsight/views").status_code == 404


def test_a_locked_database_is_busy(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotation_store, "WAIT", 0)
    client.put(ONE, json=BEST)
    path = tmp_path / "workspace" / FILE_NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.put(ONE, json={"name": "x"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
