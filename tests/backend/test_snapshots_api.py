"""POST /snapshot: the page's button."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.backend.webui import webui_dir
from mindviz.config import Config
from tests.snapshots.test_snapshot import Read
from tests.written_logs import loaded, tensorboard_log, write

pytestmark = pytest.mark.skipif(
    not (webui_dir() / "snapshot").is_dir(), reason="the UI is not built"
)
TOKEN = "a-token-of-many-characters"


def client(base_dir: Path, token: str = "") -> FlaskClient:
    for run in ("a", "b"):
        log = tensorboard_log([(0, 1.0), (1, 2.0)])
        write(base_dir / run, "events.out.tfevents.1.host", log)
    config = Config(base_dir, workspace=base_dir.parent / "w", auth_token=token)
    return create_app(config, loaded(base_dir)).test_client()


def save(server: FlaskClient, **body: object) -> tuple[int, bytes]:
    answer = server.post(
        "/v1/mindviz/snapshot", json=body, headers={"Authorization": f"Bearer {TOKEN}"}
    )
    return answer.status_code, answer.data


def read(html: bytes) -> Read:
    from base64 import b64decode

    text = html.decode().partition('id="mindviz-snapshot">')[2].partition("</script>")[0]
    return Read(b64decode(text))


@pytest.mark.parametrize("token", ["", TOKEN])
def test_the_answer_is_the_file_of_the_view(tmp_path: Path, token: str) -> None:
    server = client(tmp_path / "logs", token)
    status, html = save(server, link="http://host/#/scalar?runs=b")
    assert status == 200
    snapshot = read(html)
    assert snapshot.facts["view"] == "#/scalar?runs=b"
    assert snapshot.facts["series"]["kept"] == 2
    if token:
        assert server.post("/v1/mindviz/snapshot", json={"link": "#/"}).status_code == 401


def test_answers_that_the_page_shows_are_kept(tmp_path: Path) -> None:
    body = {"train_ids": ["./a", "./b"]}
    shown = [["lineagemgr/diff", body], ["datavisual/train-job-values?field=name", None]]
    server = client(tmp_path / "logs")
    status, html = save(server, link="#/compare", shown=[json.dumps(one) for one in shown])
    keys = read(html).answers
    assert status == 200
    assert [key for key in keys if "lineagemgr/diff" in key] != []
    assert [key for key in keys if "train-job-values" in key] == []


def test_a_request_for_some_steps_keeps_them_all(tmp_path: Path) -> None:
    route = "series/scalar?train_id=./a&tag=loss"
    server = client(tmp_path / "logs")
    since = json.loads(server.get(f"/v1/mindviz/{route}").data)["cursor"]
    for part in ("sample=1", f"since={since}"):
        status, html = save(server, link="#/", shown=[json.dumps([f"{route}&{part}", None])])
        (answer,) = [text for key, text in read(html).answers.items() if "series/scalar" in key]
        assert (status, json.loads(answer)["step"]) == (200, [0, 1])


@pytest.mark.parametrize(
    "shown",
    [
        ["lineagemgr/lineages/../../x", None],
        ["graphs/%2e%2e/tags?train_id=./a", None],
        ["views/x", None],
        ["datavisual/%65xport?what=scalars&format=csv", None],
        ["datavisual/train-job-caches", {"train_ids": ["./a"]}],
        ["http://other/x", None],
        ["/etc/passwd", None],
        ["data/lineage", None],
        ["snapshot", {"link": "#/"}],
        ["series/nothing?train_id=./a&tag=x", None],
    ],
)
def test_other_requests_are_not_repeated(tmp_path: Path, shown: list[object]) -> None:
    server = client(tmp_path / "logs")
    status, html = save(server, link="#/", shown=[json.dumps(shown)])
    known = read(save(server, link="#/")[1]).answers
    assert status == 200
    assert read(html).answers.keys() == known.keys()


@pytest.mark.parametrize(
    "body",
    [{}, {"link": "#/", "budget": 1000}, {"link": "#/", "shown": ["{"]}, {"link": "#/", "x": 1}],
)
def test_wrong_arguments_are_explained(tmp_path: Path, body: dict[str, object]) -> None:
    status, answer = save(client(tmp_path / "logs"), **body)
    assert status == 400
    assert json.loads(answer)["error_msg"]
