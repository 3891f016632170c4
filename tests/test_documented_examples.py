"""Runs the examples of the documents as a reader would, on the demo logs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

import mindviz
from mindviz.cli.demo import write_demo
from tests.served_logs import serving

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "trainings"
    write_demo(folder, now=1_700_000_000)
    return folder


@pytest.fixture(scope="module")
def server(demo: Path) -> Iterator[str]:
    with serving(demo) as url:
        yield url


def blocks(document: str) -> list[str]:
    """The Python blocks of a document."""
    text = (ROOT / document).read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def requests() -> list[str]:
    """Requests to a server on port 8080 with curl."""
    found = set()
    for document in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        found |= set(
            re.findall(r"^curl .*'localhost:8080/([^']+)'", document.read_text(), re.MULTILINE)
        )
    return sorted(found)


def test_the_python_page_runs_from_top_to_bottom(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(demo.parent)
    names: dict[str, object] = {}
    for cell in blocks("docs/python-api.md"):
        for statement in ast.parse(cell).body:
            if isinstance(statement, ast.Expr):
                value = eval(ast.unparse(statement), names)
                # A cell shows a non-empty table, or text.
                assert value is None or len(value if hasattr(value, "columns") else repr(value))
            else:
                exec(ast.unparse(statement), names)
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert said[0] == "There is nothing at '/no/such/directory'."
    assert "'train/los'" in said[1]
    for name in ("scalars", "one", "smooth", "histograms", "tensors", "images", "lineage"):
        assert len(names[name])  # type: ignore[arg-type]
    names["logs"].close()  # type: ignore[attr-defined]


def test_the_first_recordings_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recorded = [block for block in blocks("docs/recording.md") if "SummaryRecord(" in block]
    for block in recorded[:2]:
        exec(block, {})
    with mindviz.open("logs") as logs:
        assert logs.train_jobs()["train_id"].tolist() == ["./run1", "./run2"]
        assert len(logs.scalars("run1", "loss")) == 1000


def test_the_recording_of_the_readme_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks("README.md"):
        if "SummaryRecord(" in block:
            exec(block, {})
    with mindviz.open("logs") as logs:
        assert len(logs.scalars("run1", "loss"))


@pytest.mark.parametrize("request_", requests())
def test_requests_of_the_documents_are_answered(server: str, request_: str) -> None:
    with urlopen(server + request_) as answer:
        body = answer.read()
    assert answer.status == 200
    assert b"loss" in body or b"train_jobs" in body
