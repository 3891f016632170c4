"""docs/notebooks.md: its code runs on the demo logs, and shows what it says."""

from __future__ import annotations

import ast
import re
import time
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from mindviz.cli.demo import write_demo
from mindviz.notebook import chart as chart_module
from mindviz.notebook import magic

DOCUMENT = (Path(__file__).resolve().parents[1] / "docs" / "notebooks.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?ms)^```python\n(.*?)^```\n\n(.*?)(?=^## |^```python|\Z)", DOCUMENT)
MARKUP = re.compile(r"<[^>]*>")


def value_of(code: str, names: dict[str, Any]) -> Any:
    """The value of the last line."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(statements, []), "docs", "exec"), names)
    return eval(compile(ast.Expression(last.value), "docs", "eval"), names)


def table_of(markdown: str) -> list[list[str]]:
    """The first table, without the line below its head."""
    lines = re.findall(r"(?m)^\|.*\|$", markdown)
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in rows if set(row) != {"---"}]


def rows_of(html: str) -> list[list[str]]:
    return [
        [unescape(MARKUP.sub("", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", html)
    ]


def test_examples_show_what_is_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "chart.js"
    module.write_text("export default {}")
    chart_module._module.cache_clear()
    monkeypatch.setattr(chart_module, "MODULE", module)
    monkeypatch.chdir(tmp_path)
    write_demo(Path("trainings"), now=time.time())
    names: dict[str, Any] = {}
    tables = charts = 0
    for code, text in EXAMPLES:
        value = value_of(code, names)
        if isinstance(value, chart_module.ScalarChart):
            charts += 1
            assert f"```text\n{value!r}\n```" in text
        else:
            tables += 1
            html = value._repr_html_()
            *rows, cut = table_of(text)
            assert cut == ["..."]
            assert rows_of(html)[: len(rows)] == rows
            for left_out in re.findall(r"<p>(Not shown: .*?)</p>", html):
                assert left_out in text
    chart_module._module.cache_clear()
    names["logs"].close()
    assert (tables, charts) == (2, 3)


def test_the_magics_usage_is_documented() -> None:
    for line in magic.USAGE.splitlines()[1:]:
        assert line in DOCUMENT
