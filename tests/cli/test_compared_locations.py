"""Runs of two locations, whatever their format and source."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mindviz.cli.compared_locations import (
    ComparedLocations,
    ParityOptions,
    compare_locations,
    parity_lines,
)
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.datavisual.sql.database import Database
from mindviz.errors import CannotOpen, InvalidQuery, StartError, TrainJobNotFound
from tests import parity_values
from tests.imported_logs import imported
from tests.parity_logs import WRITERS, scalars, write_tensorboard, write_visualdl
from tests.served_logs import serving
from tests.written_logs import events, tensorboard_log, write

EXACT = ParityOptions(Tolerance())
LOG = "events.out.tfevents.1.h"


def compared(a: object, b: object, options: ParityOptions = EXACT) -> ComparedLocations:
    return compare_locations(str(a), str(b), options)


def lines(a: object, b: object, options: ParityOptions = EXACT) -> list[str]:
    return list(parity_lines(compared(a, b, options)))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run per writer, with the same scalars."""
    base = tmp_path_factory.mktemp("written")
    for name, writer in WRITERS.items():
        writer(base / name, scalars())
    return base


@pytest.mark.parametrize(("a", "b"), list(combinations(WRITERS, 2)))
def test_all_writers_and_formats_are_equal(written: Path, a: str, b: str) -> None:
    result = compared(written / a, written / b)
    ((_, _, parity),) = result.runs
    assert result.equal
    assert [(tag.tag, tag.status) for tag in parity.tags] == [
        ("accuracy", "equal"),
        ("train/loss", "equal"),
    ]
    assert all(tag.series and tag.series.common_steps == 500 for tag in parity.tags)


@pytest.mark.parametrize("name", WRITERS)
def test_one_ulp_is_found_across_formats(written: Path, tmp_path: Path, name: str) -> None:
    values = scalars()
    value = values["train/loss"][321]
    values["train/loss"][321] = np.nextafter(value, np.float32(9))
    write_visualdl(tmp_path / "b", values)
    found, total = lines(written / name, tmp_path / "b")
    other = values["train/loss"][321]
    assert found.startswith(
        f"train/loss: differs from step 321 ({value!s} and {other!s}), at 1 of 500 common steps; "
    )
    assert total.startswith("different: 2 tags, 1 equal, 1 different")
    assert compared(written / name, tmp_path / "b", ParityOptions(Tolerance(rtol=1e-6))).equal


@pytest.fixture(scope="module")
def written_values(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run per writer, with the same values."""
    base = tmp_path_factory.mktemp("values")
    for name, (writer, _) in parity_values.WRITERS.items():
        writer(base / name, parity_values.steps())
    return base


VALUES = [
    (a, b, plugin)
    for a, b in combinations(parity_values.WRITERS, 2)
    for plugin in parity_values.common_plugins(a, b)
]
TORCH_TEXT = [("--map", ["text = text/text_summary"])]
"""torch adds a part to the tags of texts."""


@pytest.mark.parametrize(("a", "b", "plugin"), VALUES)
def test_all_writers_and_formats_have_equal_values(
    written_values: Path, a: str, b: str, plugin: str
) -> None:
    rules = TORCH_TEXT if b == "summary_writer" else []
    options = ParityOptions(Tolerance(), rules, only=[plugin])
    result = compared(written_values / a, written_values / b, options)
    ((_, _, parity),) = result.runs
    assert result.equal
    ((tag, common),) = [(tag, tag.series and tag.series.common_steps) for tag in parity.tags]
    assert (tag.plugin_name, tag.tag, common) == (plugin, plugin, parity_values.STEPS)


@pytest.mark.parametrize(
    ("name", "plugin"),
    [(name, plugin) for name, (_, has) in parity_values.WRITERS.items() for plugin in has.split()],
)
def test_one_changed_element_is_found_across_formats(
    written_values: Path, tmp_path: Path, name: str, plugin: str
) -> None:
    other = "tensors"
    logged = parity_values.changed(parity_values.steps(), plugin)
    parity_values.WRITERS[name][0](tmp_path / "b", logged)
    rules = TORCH_TEXT if name == "summary_writer" else []
    options = ParityOptions(Tolerance(), rules, only=[plugin])
    ((_, _, parity),) = compared(written_values / other, tmp_path / "b", options).runs
    (tag,) = parity.tags
    assert tag.series is not None
    assert tag.series.different_steps == 1
    assert tag.series.first is not None
    assert tag.series.first.step == parity_values.CHANGED
    assert list(tag.series.first.index) == parity_values.LAST[plugin]


@pytest.mark.parametrize("source", ["database", "server"])
def test_values_in_databases_and_servers_equal_those_in_logs(
    written_values: Path, tmp_path: Path, source: str
) -> None:
    """Also of a run with a changed element of every kind."""
    logged = parity_values.steps()
    for plugin in parity_values.LAST:
        logged = parity_values.changed(logged, plugin)
    parity_values.write_visualdl(tmp_path / "logs" / "visualdl", logged)
    parity_values.write_tensors(tmp_path / "logs" / "tensors", logged)
    with stored(source, tmp_path / "logs", tmp_path) as location:
        assert compared(tmp_path / "logs", location).equal
        expected = compared(written_values, tmp_path / "logs")
        for (_, _, parity), (_, _, other) in zip(
            compared(written_values, location).runs, expected.runs, strict=True
        ):
            assert parity.tags == other.tags
            assert not parity.equal


@contextmanager
def stored(source: str, logs: Path, directory: Path) -> Iterator[str]:
    if source == "server":
        with serving(logs) as url:
            yield url
        return
    database = Database(f"sqlite:///{directory / 'logs.db'}")
    imported(database, logs)
    database.close()
    yield str(directory / "logs.db")


def test_values_are_described_by_kind(written_values: Path, tmp_path: Path) -> None:
    logged = parity_values.steps()
    for plugin in parity_values.LAST:
        logged = parity_values.changed(logged, plugin)
    parity_values.write_tensors(tmp_path / "b", logged)
    before, after = parity_values.steps()[4], logged[4]
    sounds = [np.float32(one.samples[-1] / 2**15) for one in (before, after)]
    counts = [one.counts[-1] for one in (before, after)]
    weights = [one.tensor[-1, -1] for one in (before, after)]
    printed = lines(written_values / "tensors", tmp_path / "b")
    starts = [line.partition(", at 1 of 6")[0] for line in printed[:5]]
    assert starts[0].endswith(
        f" from step 4 in element [0, 39, 0] ({sounds[0]!s} and {sounds[1]!s})"
    )
    assert starts[1].endswith(f" from step 4 in element [7, 2] ({counts[0]} and {counts[1]})")
    assert starts[2].startswith("image image: differs from step 4 in element [0, 4, 6, 2] (0.")
    assert starts[3].endswith(f" from step 4 in element [2, 3] ({weights[0]!s} and {weights[1]!s})")
    assert starts[4] == (
        "text text: differs from step 4 in element [0] (…4: ☃ naïve and …4: ☃ naïve!)"
    )
    assert printed[5] == "different: 5 tags, 5 different"


def test_damaged_values_are_lost_data(written_values: Path, tmp_path: Path) -> None:
    path = next((written_values / "visualdl").iterdir())
    log = bytearray(path.read_bytes())
    log[log.rindex(b"RIFF") + 50] ^= 1  # VisualDL has no checksums
    write(tmp_path / "a", path.name, bytes(log))
    (difference, _) = lines(tmp_path / "a", written_values / "visualdl")
    assert difference.startswith("audio audio: differs from step 5 in element [0, ")
    path = next((written_values / "tensors").iterdir())
    log = bytearray(path.read_bytes())
    log[log.index(b"**step** 3")] ^= 1
    write(tmp_path / "b", path.name, bytes(log))
    assert lines(tmp_path / "b", written_values / "tensors")[0].startswith("A is damaged: ")


def test_replaced_points_do_not_count(tmp_path: Path) -> None:
    clean = [(step, float(step)) for step in range(100)]
    restarted = [(step, step + 0.5 * (step >= 60)) for step in range(80)]
    write(tmp_path / "a", LOG, tensorboard_log(clean))
    write(tmp_path / "b", LOG, tensorboard_log(restarted) + events(clean[60:], start=2_000.0))
    repeated = [(step, -1.0) for step in range(100) for _ in range(2)]
    repeated[1::2] = clean
    write(tmp_path / "c", LOG, tensorboard_log(repeated))
    assert compared(tmp_path / "a", tmp_path / "b").equal
    assert compared(tmp_path / "a", tmp_path / "c").equal


def test_directories_of_runs_are_compared_run_by_run(tmp_path: Path) -> None:
    for side in "ab":
        write(tmp_path / side / "one", LOG, tensorboard_log([(1, 0.5)]))
        write(tmp_path / side / "two", LOG, tensorboard_log([(1, 0.5 + (side == "b"))]))
        write(tmp_path / side / f"of {side}", LOG, tensorboard_log([(1, 0.5)]))
    *runs, total = lines(tmp_path / "a", tmp_path / "b")
    assert [line.partition(" (")[0] for line in runs] == [
        "./of a: only in A",
        "./of b: only in B",
        "./two: loss: differs from step 1",
    ]
    assert total == "different: 2 runs, 2 tags, 1 equal, 1 different"
    options = ParityOptions(Tolerance(), run_a="of a", run_b="./one")
    assert compared(tmp_path / "a", tmp_path / "b", options).equal


def test_databases_and_servers_are_locations(written: Path, tmp_path: Path) -> None:
    one = ParityOptions(Tolerance(), run_b="visualdl")
    with stored("database", written, tmp_path) as file, stored("server", written, tmp_path) as url:
        assert compared(written / "mindspore", file, one).equal
        assert compared(written / "recorder", url, one).equal
        assert compared(url, file).equal


def test_missing_steps_and_non_finite_values_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a", LOG, tensorboard_log([(0, 1.0), (10, 1.0), (20, 1.0), (30, math.nan)]))
    write(tmp_path / "b", LOG, tensorboard_log([(0, 1.0), (30, 2.0), (35, 2.0)]))
    assert lines(tmp_path / "a", tmp_path / "b")[0] == (
        "loss: differs from step 30 (NaN and 2), at 1 of 2 common steps; "
        "NaN or infinite at 1 of these; A lacks 1 step (35); B lacks 2 steps (10 to 20)"
    )


def test_a_damaged_log_is_compared_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    log = tensorboard_log([(step, 1.0) for step in range(10)])
    damaged = bytearray(log)
    damaged[-10] ^= 1
    write(tmp_path / "a", LOG, log)
    write(tmp_path / "b", LOG, bytes(damaged))
    first, second, total = lines(tmp_path / "a", tmp_path / "b")
    assert first.startswith(f"B is damaged: {LOG}: ")
    assert second == "loss: equal at 9 common steps; B lacks 1 step (9)"
    assert total == "different: 1 tag, 1 different"
    with serving(tmp_path / "b") as url:
        assert lines(tmp_path / "a", url) == [first, second, total]


def test_names_from_logs_are_printed_safely(tmp_path: Path) -> None:
    tag = "a\x1b[31m\u202eb"
    write(tmp_path / "a", LOG, tensorboard_log([(0, 1.0)], tag=tag))
    write(tmp_path / "b", LOG, tensorboard_log([(0, 2.0)], tag=tag))
    assert all(line.isprintable() for line in lines(tmp_path / "a", tmp_path / "b"))


def test_unknown_runs_are_suggested(written: Path) -> None:
    with pytest.raises(TrainJobNotFound, match=r"'./visual'.* Did you mean './visualdl'"):
        compared(written, written / "visualdl", ParityOptions(Tolerance(), run_a="visual"))


def test_runs_must_be_selected_if_paths_differ(written: Path) -> None:
    with pytest.raises(
        StartError, match=r"--run-a and --run-b: A has ./mindspore, .* and 1 more; "
    ):
        compared(written, written / "visualdl")


def test_nothing_to_compare_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "a", LOG, tensorboard_log([]))
    with pytest.raises((StartError, CannotOpen)):
        compared(tmp_path / "a", tmp_path / "a")


def test_errors_in_rules_are_reported_before_reading() -> None:
    options = ParityOptions(Tolerance(), rules=[("port.txt, line", ["a=b", "c"])])
    with pytest.raises(InvalidQuery, match=r"port.txt, line 2, 'c': expected"):
        compared("/no/such/a", "/no/such/b", options)


def test_tags_only_one_run_has_are_listed(tmp_path: Path) -> None:
    write_tensorboard(tmp_path / "a", {"x": np.ones(1, "f4"), "y": np.ones(1, "f4")})
    write_tensorboard(tmp_path / "b", {"x": np.ones(1, "f4"), "z": np.ones(1, "f4")})
    assert lines(tmp_path / "a", tmp_path / "b") == [
        "y: only in A",
        "z: only in B",
        "different: 3 tags, 1 equal, 1 only in A, 1 only in B",
    ]
    rules = [("--map", ["y=z"]), ("--map", ["*q=r"])]
    assert lines(tmp_path / "a", tmp_path / "b", ParityOptions(Tolerance(), rules)) == [
        "rule '*q=r' matches nothing",
        "equal: 2 tags, 2 equal",
    ]
