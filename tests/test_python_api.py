"""docs/python-api.md as a notebook: its code runs, from top to bottom, on what it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mindviz.cli.demo import write_demo

PAGE = Path(__file__).resolve().parent.parent / "docs" / "python-api.md"


def test_the_code_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo(tmp_path / "trainings", now=1_700_000_000)
    monkeypatch.chdir(tmp_path)
    cells = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for cell in cells:
        code = ast.parse(cell)
        for statement in code.body:
            if isinstance(statement, ast.Expr):
                value = eval(ast.unparse(statement), names)
                # What a cell shows is a table with something in it, or says what it is.
                assert value is None or len(value if hasattr(value, "columns") else repr(value))
            else:
                exec(ast.unparse(statement), names)
    assert capsys.readouterr().out.splitlines() == [
        "There is nothing at '/no/such/directory'.",
        "No train job that was asked has scalars data with tag 'los'.",
    ]
    for name in ("scalars", "one", "smooth", "histograms", "tensors", "images", "lineage"):
        assert len(names[name])  # type: ignore[arg-type]
    names["logs"].close()  # type: ignore[attr-defined]
