from __future__ import annotations

import json
from pathlib import Path

import export_openapi
import pytest


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that is not there yet, in a project of its own."""
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(export_openapi, "ROOT", tmp_path)
    monkeypatch.setattr(export_openapi, "COPY", tmp_path / "docs" / "openapi.json")
    return tmp_path / "docs" / "openapi.json"


def test_the_description_is_written_without_a_server(copy: Path) -> None:
    assert export_openapi.main([]) == 0
    description = json.loads(copy.read_text("utf-8"))
    assert "/v1/mindviz/status" in description["paths"]
    assert description["info"]["title"] == "mindviz"


def test_a_copy_that_is_not_what_is_served_is_told_from_one_that_is(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export_openapi.main(["--check"]) == 1
    export_openapi.main([])
    assert export_openapi.main(["--check"]) == 0
    copy.write_text(copy.read_text("utf-8").replace("/v1/mindviz/status", "/v1/mindviz/state"))
    capsys.readouterr()
    assert export_openapi.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert '-  "/v1/mindviz/state": {' in told
    assert '+  "/v1/mindviz/status": {' in told
    assert "make openapi" in told
