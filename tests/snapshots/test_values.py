"""Values other than scalars."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindviz.cli.demo import write_demo
from mindviz.deadline import allow, doing
from mindviz.summary import SummaryRecord
from tests.e2e.written_kinds import add_kinds
from tests.snapshots.test_snapshot import PATIENCE, Ending, Read, decoded, own, saved


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base_dir = tmp_path_factory.mktemp("values") / "logs"
    for run in ("a", "b"):
        with SummaryRecord(str(base_dir / run)) as record:
            for step in (1, 5, 9):
                add_kinds(record, step, 0, prefix="x/")
                record.record(step)
    return base_dir


def steps_of(read: Read, route: str, run: str) -> list[str]:
    """The steps of the files of a route that a snapshot has, in order."""
    keys = [json.loads(key) for key in read.answers]
    queries = [dict(query) for path, query, _ in keys if path == route]
    return [query["step"] for query in queries if query["train_id"] == run]


def test_values_that_there_is_no_time_for_are_counted(logs: Path) -> None:
    with doing(allow(PATIENCE)) as work:
        made = saved(Ending(own(logs), work, "series/", answers=3))
    routes = [json.loads(key)[0] for key in decoded(made).answers]
    assert sum(route.startswith("series/") for route in routes) == 3
    assert made.facts.out_of_time
    assert made.facts.left_out > 10
    assert not made.missing


def test_the_newest_step_of_every_series_comes_before_other_steps(logs: Path) -> None:
    read = decoded(saved(own(logs)))
    assert steps_of(read, "series/image/blob", "./a") == ["9", "5", "1"]
    routes = [json.loads(key)[0] for key in read.answers]
    assert set(routes) >= {
        "series/image",
        "series/histogram",
        "series/text",
        "series/tensor",
        "datavisual/tensors",
        "datavisual/image/single-image",
    }
    assert read.facts["left_out"] == 0


def test_landscapes_of_all_intervals_are_kept(tmp_path: Path) -> None:
    write_demo(tmp_path / "logs", now=1_700_000_000)
    read = decoded(saved(own(tmp_path / "logs"), "#/landscape?runs=mindspore/lenet_sgd"))
    keys = [json.loads(key) for key in read.answers]
    (listed,) = [
        answer
        for key, answer in read.answers.items()
        if json.loads(key)[:2] == [
            "datavisual/landscape/intervals", [["train_id", "./mindspore/lenet_sgd"]]
        ]
    ]  # fmt: skip
    kept = [dict(query) for route, query, _ in keys if route == "datavisual/landscape/landscapes"]
    of_run = [one for one in kept if one["train_id"] == "./mindspore/lenet_sgd"]
    intervals = [one["id"] for one in json.loads(listed)["intervals"]]
    assert [one.get("interval_id") for one in of_run] == [*intervals, None]


def test_the_step_of_the_view_comes_first(logs: Path) -> None:
    read = decoded(saved(own(logs), "#/image?runs=b&step=4"))
    assert steps_of(read, "series/image/blob", "./b")[0] == "5"


def test_values_that_do_not_fit_are_counted(logs: Path) -> None:
    whole = saved(own(logs))
    small = saved(own(logs), "", whole.size // 2)
    assert small.size <= whole.size // 2
    assert small.facts.left_out > 0
    assert small.facts.series.kept == whole.facts.series.kept
