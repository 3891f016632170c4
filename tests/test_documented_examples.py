"""Runs the examples of the documents as a reader would, on the demo logs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import mindviz
from mindviz.backend.openapi import answer_descriptions
from mindviz.cli.demo import write_demo
from tests.served_logs import serving

ROOT = Path(__file__).resolve().parent.parent

JOB = "train_id=./mindspore/lenet_sgd"
IMAGES = "train_id=./visualdl/segmentation/augmented"
ANSWERS = {
    "/status": "",
    "/experiments": "",
    "/datavisual/train-jobs": "",
    "/datavisual/scalars": f"{JOB}&tag=train/accuracy/scalar",
    "/datavisual/image/metadata": f"{IMAGES}&tag=drawn/image",
    "/datavisual/histograms": f"{IMAGES}&tag=conv1.weight/histogram",
    "/datavisual/tensors": f"{JOB}&tag=conv1.weight/tensor&detail=stats",
    "/datavisual/landscape/intervals": JOB,
    "/datavisual/landscape/landscapes": f"{JOB}&type=final",
    "/datavisual/graphs/nodes": JOB,
    "/datavisual/graphs/nodes/names": f"{JOB}&search=conv",
    "/datavisual/scalars/formulas/lines": "text=a,b",
    "/findings": "",
    "/plugins": "",
    "/parity": "a=./visualdl/segmentation/augmented&b=./mindspore/lenet_sgd",
    "/graphs/tags": JOB,
    "/graphs/costs": JOB,
    "/graphs/plain": JOB,
    "/data/experiment": "",
    "/data/plugins": "",
    "/data/train-jobs": "",
}
"""Route -> query."""
LOGGED = {
    "plugins",
    "counts",
    "severities",
    "diverged",
    "attr",
    "input",
    "output",
    "places",
    "metric",
} | {
    "proxy_input",
    "proxy_output",
}
"""Keys of objects whose own keys depend on the logs."""


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
    output = capsys.readouterr().out.splitlines()
    assert len(output) == 2
    assert output[0] == "There is nothing at '/no/such/directory'."
    assert "'train/los'" in output[1]
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


def keys(answer: Any) -> Iterator[str]:
    """All keys of the objects in an answer that don't depend on logs."""
    if isinstance(answer, list):
        for one in answer:
            yield from keys(one)
    elif isinstance(answer, dict):
        for key, value in answer.items():
            yield key
            if key not in LOGGED or isinstance(value, list):
                yield from keys(value)
            else:
                yield from keys(list(value.values()))


@pytest.mark.parametrize("route", ANSWERS)
def test_every_key_of_an_answer_is_documented(server: str, route: str) -> None:
    with urlopen(f"{server.rstrip('/')}/v1/mindviz{route}?{ANSWERS[route]}") as response:
        found = set(keys(json.load(response)))
    described = set(re.findall(r"\w+", answer_descriptions()[f"GET {route}"]))
    assert found - described == set()


@pytest.mark.parametrize("route", ["/status", "/experiments"])
def test_every_documented_key_is_answered(server: str, route: str) -> None:
    with urlopen(f"{server.rstrip('/')}/v1/mindviz{route}") as response:
        found = set(keys(json.load(response)))
    assert set(re.findall(r'"(\w+)":', answer_descriptions()[f"GET {route}"])) == found
