"""Tables of runs as HTML: what they show, leave out, and escape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest

import mindviz
from mindviz.client.html_tables import LONGEST, MOST_RUNS
from mindviz.client.logs import Logs
from mindviz.datavisual.sql.database import Database
from tests.imported_logs import imported
from tests.served_logs import serving
from tests.written_logs import tensorboard_log, write

NAME = "events.out.tfevents.1000.host"
TAG = re.compile(r"<[^>]*>")


def write_run(directory: Path, points: int = 3, tag: str = "loss") -> None:
    log = tensorboard_log([(step, step / 8) for step in range(points)], tag=tag)
    write(directory, NAME, log)


def rows_of(html: str) -> list[list[str]]:
    """The texts of the cells."""
    return [
        [unescape(TAG.sub("", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", html)
    ]


@contextmanager
def opened(base_dir: Path, place: str) -> Iterator[Logs]:
    if place == "server":
        with serving(base_dir) as url, mindviz.open(url) as logs:
            yield logs
        return
    if place == "database":
        url = str(base_dir.parent / "logs.db")
        database = Database(url)
        imported(database, base_dir)
        database.close()
        with mindviz.open(url) as logs:
            yield logs
        return
    with mindviz.open(base_dir) as logs:
        yield logs


@pytest.mark.parametrize("place", ["directory", "database", "server"])
def test_logs_show_state_steps_and_last_values_of_each_run(tmp_path: Path, place: str) -> None:
    base_dir = tmp_path / "logs"
    write_run(base_dir / "a", points=3)
    write_run(base_dir / "b", points=1001, tag="val/acc")
    with opened(base_dir, place) as logs:
        head, *rows = rows_of(logs._repr_html_())

    assert head == ["run", "state", "steps", "problems", "loss", "val/acc"]
    assert sorted([name, steps, *values] for name, _, steps, _, *values in rows) == [
        ["a", "2", "0.25", ""],
        ["b", "1,000", "", "125"],
    ]


def test_logs_say_how_many_runs_and_scalars_are_left_out(tmp_path: Path) -> None:
    for number in range(MOST_RUNS + 2):
        write_run(tmp_path / f"run{number}", tag=f"loss{number}")
    with mindviz.open(tmp_path) as logs:
        html = logs._repr_html_()

    assert f"The newest {MOST_RUNS} of {MOST_RUNS + 2} runs at" in html
    assert f"Not shown: {MOST_RUNS - 4} more scalar series." in html
    assert len(rows_of(html)) == 1 + MOST_RUNS


def test_html_in_names_is_text(tmp_path: Path) -> None:
    hostile = "<script>alert(1)<&amp;>\"' onload=x"
    write_run(tmp_path / hostile.replace("/", ""), tag=hostile)
    with mindviz.open(tmp_path) as logs:
        (train_id,) = logs.train_jobs()["train_id"]
        tables = [logs._repr_html_(), logs.run(train_id)._repr_html_()]

    for html in tables:
        assert "<script" not in html
        assert "&quot;&#x27; onload=x" in html
        assert any("alert(1)" in cell for row in rows_of(html) for cell in row)


def test_long_names_are_cut_and_complete_in_the_title(tmp_path: Path) -> None:
    name = f"first{'-' * 100}last"
    write_run(tmp_path / name)
    with mindviz.open(tmp_path) as logs:
        html = logs._repr_html_()

    _, (shown, *_) = rows_of(html)
    assert len(shown) == LONGEST
    assert shown.startswith("first-")
    assert shown.endswith("-last")
    assert f'title="{name}"' in html
