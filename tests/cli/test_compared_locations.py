"""Runs of two locations, whatever their format and source."""

from __future__ import annotations

import math
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
    database = Database(f"sqlite:///{tmp_path / 'logs.db'}")
    imported(database, written)
    database.close()
    one = ParityOptions(Tolerance(), run_b="visualdl")
    assert compared(written / "mindspore", tmp_path / "logs.db", one).equal
    with serving(written) as url:
        assert compared(written / "recorder", url, one).equal
        assert compared(url, tmp_path / "logs.db").equal


def test_missing_steps_and_non_finite_values_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a", LOG, tensorboard_log([(0, 1.0), (10, 1.0), (20, 1.0), (30, math.nan)]))
    write(tmp_path / "b", LOG, tensorboard_log([(0, 1.0), (30, 2.0), (35, 2.0)]))
    assert lines(tmp_path / "a", tmp_path / "b")[0] == (
        "loss: differs from step 30 (nan and 2.0), at 1 of 2 common steps; "
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
