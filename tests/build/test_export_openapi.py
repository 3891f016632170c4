from __future__ import annotations

import json
from pathlib import Path

import export_openapi
import pytest


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of openapi.json in a project without generated files."""
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(export_openapi, "ROOT", tmp_path)
    return tmp_path / "docs" / "openapi.json"


def test_export_writes_the_description(copy: Path) -> None:
    assert export_openapi.main([]) == 0
    description = json.loads(copy.read_text("utf-8"))
    assert "/v1/mindviz/status" in description["paths"]
    assert description["info"]["title"] == "mindviz"


def test_the_reference_has_arguments_bodies_answers_and_statuses(copy: Path) -> None:
    assert export_openapi.main([]) == 0
    text = copy.with_name("rest-reference.md").read_text("utf-8")
    _, _, route = text.partition("## GET /datavisual/train-jobs\n")
    route, *_ = route.partition("\n## ")
    assert "*Contract.* " in route
    assert "| `limit` | integer, 1 to 999, default `10` | Jobs per page. |" in route
    assert '"load_status": "init"' in route
    _, _, route = text.partition("## POST /data/scalars\n")
    route, *_ = route.partition("\n## ")
    assert "| `plugin_name` | required, string |" in route
    assert "Content types: `application/zip`." in route
    assert "Also answers 404." in route


def test_check_finds_out_of_date_files(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export_openapi.main(["--check"]) == 1
    export_openapi.main([])
    assert export_openapi.main(["--check"]) == 0
    copy.write_text(copy.read_text("utf-8").replace("/v1/mindviz/status", "/v1/mindviz/state"))
    capsys.readouterr()
    assert export_openapi.main(["--check"]) == 1
    message = capsys.readouterr().err
    assert '-  "/v1/mindviz/state": {' in message
    assert '+  "/v1/mindviz/status": {' in message
    assert "make openapi" in message
