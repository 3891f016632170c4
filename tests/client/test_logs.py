"""The same logs as tables, from a directory, databases and a server."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mindviz
from mindviz.client.logs import Logs
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.sql.database import Database
from mindviz.errors import (
    InvalidQuery,
    NotFound,
    PluginNotFound,
    TagNotFound,
    TrainJobNotFound,
)
from tests.imported_logs import imported
from tests.postgresql import postgresql
from tests.provider_logs import (
    DECLARED,
    HISTOGRAM,
    MINDSPORE,
    PNG,
    START,
    STEPS,
    TB,
    VISUALDL,
    WAV,
    value_of,
    write_provider_logs,
)
from tests.served_logs import serving
from tests.written_logs import events, tensorboard_log, write

PLACES = ("directory", "sqlite", "postgresql", "server", "narrow server")


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    write_provider_logs(directory)
    return directory


@pytest.fixture(scope="module")
def opened(base_dir: Path) -> Iterator[Callable[[str], Logs]]:
    """Opens the logs at one of the places; each is opened once."""
    known: dict[str, Logs] = {}
    with ExitStack() as stack:

        def at(place: str) -> Logs:
            if place not in known:
                known[place] = stack.enter_context(mindviz.open(location(place, base_dir, stack)))
            return known[place]

        yield at


def location(place: str, base_dir: Path, stack: ExitStack) -> str:
    if place == "directory":
        return str(base_dir)
    if place == "server":
        return stack.enter_context(serving(base_dir, prefix="/lab"))
    if place == "narrow server":
        # Few answers have more than a series or two.
        return stack.enter_context(serving(base_dir, bounds=AnswerBounds(points=20, bytes=6_000)))
    url = str(base_dir.parent / f"{base_dir.name}.db")
    if place == "postgresql":
        url = postgresql().new_database()
    database = Database(url)
    imported(database, base_dir)
    database.close()
    return url


@pytest.fixture(params=PLACES)
def logs(request: pytest.FixtureRequest, opened: Callable[[str], Logs]) -> Logs:
    return opened(request.param)


def plain(table: pd.DataFrame) -> list[Any]:
    """Everything that identifies a table, in comparable form."""
    return [(name, str(table[name].dtype), [_cell(v) for v in table[name]]) for name in table]


def _cell(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (value.dtype.name, value.shape, [_cell(one) for one in value.ravel().tolist()])
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


EVERY: list[tuple[str, dict[str, Any]]] = [
    ("train_jobs", {}),
    # A directory lists a damaged value until it is read; all of these are sound.
    ("tags", {"train_id": [TB, VISUALDL, MINDSPORE, "./"]}),
    ("scalars", {}),
    ("histograms", {}),
    ("tensors", {}),
    ("images", {}),
    ("lineage", {}),
    ("lineage", {"tag": re.compile("loss|acc")}),
    ("lineage", {"tag": ["loss", "acc"]}),
    ("tensors", {"plugin_name": "text"}),
    ("tensors", {"plugin_name": "pr_curves"}),
    ("blobs", {"plugin_name": "audio"}),
    ("blobs", {"plugin_name": "inv_blob"}),
    ("scalars", {"sample": 3, "sampling": "minmax"}),
    ("tags", {"train_id": TB, "plugin_name": ["images", "text"]}),
]
"""Method and arguments."""


@pytest.mark.parametrize("place", PLACES[1:])
@pytest.mark.parametrize(("method", "arguments"), EVERY)
def test_tables_are_equal_wherever_logs_are(
    opened: Callable[[str], Logs], place: str, method: str, arguments: dict[str, Any]
) -> None:
    expected = plain(getattr(opened("directory"), method)(**arguments))
    assert len(expected[0][2])
    assert plain(getattr(opened(place), method)(**arguments)) == expected


def test_scalars_have_a_row_per_point(logs: Logs) -> None:
    table = logs.scalars(TB, "loss")
    assert list(table.columns) == ["train_id", "tag", "step", "wall_time", "value"]
    assert table["step"].tolist() == list(STEPS)
    np.testing.assert_array_equal(table["value"], [value_of(step) for step in STEPS])
    assert table["wall_time"].tolist() == [START + step for step in STEPS]
    assert set(table["train_id"]) == {TB}
    assert (str(table["step"].dtype), str(table["value"].dtype)) == ("int64", "float64")


def test_names_are_one_several_or_all(logs: Logs) -> None:
    assert set(logs.scalars([TB, VISUALDL])["train_id"]) == {TB, VISUALDL}
    assert set(logs.scalars(tag=iter(["acc"]))["train_id"]) == {TB, VISUALDL}
    assert set(logs.scalars(tag=re.compile("^a.c$"))["tag"]) == {"acc"}
    assert set(logs.scalars(re.compile("tb"), "loss")["train_id"]) == {TB}
    assert len(logs.scalars(tag=re.compile("no such"))) == 0
    assert len(logs.scalars([])) == 0
    assert list(logs.scalars([]).columns) == ["train_id", "tag", "step", "wall_time", "value"]


def test_steps_and_samples_narrow_down(logs: Logs) -> None:
    def steps(**query: Any) -> list[int]:
        return logs.scalars(TB, "loss", **query)["step"].tolist()

    assert steps(steps=(30, 50)) == [30, 40, 50]
    assert steps(steps=(None, 20)) == [10, 20]
    assert len(steps(sample=4)) == 4
    assert {10, 50, 100} <= set(steps(sample=5, sampling="minmax"))
    assert steps(steps=(1000, None)) == []
    assert steps(steps=30) == [30]


def test_histograms_are_arrays_of_buckets(logs: Logs) -> None:
    table = logs.histograms([TB, MINDSPORE], ["h/v2", "h"])
    assert set(table["train_id"]) == {TB, MINDSPORE}
    assert {tuple(map(tuple, value.tolist())) for value in table["value"]} == {
        tuple(map(tuple, HISTOGRAM))
    }


def test_images_come_as_logged_with_their_sizes(logs: Logs) -> None:
    table = logs.images(TB, "i/v2", steps=(10, 20))
    assert table["step"].tolist() == [10, 10, 20, 20]
    assert table["index"].tolist() == [0, 1, 0, 1]
    assert table["data"].tolist() == [PNG, PNG + b"10", PNG, PNG + b"20"]
    assert set(table["width"]) == {2}
    assert set(table["height"]) == {1}


def test_blobs_are_of_any_plugin(logs: Logs) -> None:
    assert logs.blobs(TB, "a/v2", plugin_name="audio")["data"].tolist()[:2] == [WAV, WAV + b"2"]
    assert logs.blobs(DECLARED, "b", plugin_name="inv_blob")["data"].tolist()[:2] == [b"one", b""]


def test_lineage_is_a_row_per_job(logs: Logs) -> None:
    table = logs.lineage("loss").set_index("train_id")
    assert table.loc[VISUALDL, "user_defined/lr"] == 0.5
    assert table.loc["./", "scalar/loss/last"] == 8.0
    with pytest.raises(InvalidQuery, match="regular expression"):
        logs.lineage(re.compile("(?=a)"))


WRONG: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("scalars", {"train_id": "./no"}, TrainJobNotFound, "'./no'"),
    ("scalars", {"train_id": TB[2:-1]}, TrainJobNotFound, f"Did you mean {TB!r}"),
    ("scalars", {"train_id": TB, "tag": "los"}, TagNotFound, "Did you mean 'loss'"),
    ("scalars", {"tag": "los"}, NotFound, "Did you mean 'loss'"),
    ("tensors", {"plugin_name": "scalar"}, PluginNotFound, "Did you mean 'scalars'"),
    ("scalars", {"train_id": [TB, "./no"]}, TrainJobNotFound, "'./no'"),
    ("tags", {"train_id": "./no"}, TrainJobNotFound, "'./no'"),
    ("scalars", {"train_id": TB, "tag": "no"}, TagNotFound, "'no'"),
    ("scalars", {"tag": ["loss", "no"]}, NotFound, "'no'"),
    ("images", {"tag": "no"}, NotFound, "'no'"),
    ("tensors", {"plugin_name": "no"}, PluginNotFound, "'no'"),
    ("tags", {"plugin_name": "no"}, PluginNotFound, "'no'"),
    ("scalars", {"plugin_name": "images"}, InvalidQuery, "read it with `blobs`"),
    ("blobs", {"plugin_name": "text"}, InvalidQuery, "read it with `tensors`"),
    ("scalars", {"sample": -1}, InvalidQuery, "-1"),
    (
        "scalars",
        {"sample": 1, "sampling": "lttb"},
        InvalidQuery,
        "choose uniform, reservoir or minmax",
    ),
    ("scalars", {"train_id": 5}, TypeError, "not iterable"),
    ("scalars", {"train_id": [5]}, TypeError, "5 is neither a string"),
    ("scalars", {"steps": "10"}, InvalidQuery, "neither a step nor a range"),
    ("scalars", {"steps": (1, 2, 3)}, InvalidQuery, "neither a step nor a range"),
    ("lineage", {"tag": "los"}, NotFound, "'los'.*'loss'"),
]


@pytest.mark.parametrize(("method", "arguments", "kind", "message"), WRONG)
def test_errors_describe_the_problem(
    logs: Logs, method: str, arguments: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        getattr(logs, method)(**arguments)


def test_plugins_without_data_have_empty_tables(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 0.5)]))
    with mindviz.open(tmp_path) as logs:
        for table in (logs.images(), logs.tensors(), logs.histograms()):
            assert len(table) == 0
            assert list(table.columns)[:4] == ["train_id", "tag", "step", "wall_time"]


def test_a_refresh_reads_new_points(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "tfevents.1", tensorboard_log([(1, 0.5)]))
    with mindviz.open(tmp_path) as logs:
        assert repr(logs) == f"<1 run at {tmp_path}>"
        with path.open("ab") as file:
            file.write(events([(2, 0.25)]))
        write(tmp_path / "b", "tfevents.1", tensorboard_log([(1, 0.5)]))
        assert logs.scalars()["step"].tolist() == [1]
        logs.refresh()
        assert logs.scalars("a")["step"].tolist() == [1, 2]
        assert repr(logs) == f"<2 runs at {tmp_path}>"


def test_a_damaged_image_costs_no_other(base_dir: Path, tmp_path: Path) -> None:
    write_provider_logs(tmp_path)
    with mindviz.open(tmp_path) as logs:
        path = tmp_path / "tb" / "all" / "tfevents.1"
        log = bytearray(path.read_bytes())
        log[log.index(PNG + b"40") + len(PNG)] ^= 1
        path.write_bytes(bytes(log))
        table = logs.images(TB, "i/v1")
        damaged = table["data"].isna()
        assert table["step"][damaged].tolist() == [40]
        assert table["width"][damaged].tolist() == [0]
        assert len(table) == len(STEPS)


def test_tensors_over_a_bound_are_left_out(base_dir: Path) -> None:
    with mindviz.open(base_dir, max_tensor_bytes=50) as logs:
        assert len(logs.tensors(tag="m_VERTEX", plugin_name="mesh")) == 0
        assert len(logs.tensors(tag="t", plugin_name="inv_tensor")) == 3
