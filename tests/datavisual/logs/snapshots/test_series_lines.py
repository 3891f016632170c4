from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.logs.snapshots.catalog import Catalog
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.logs.snapshots.series_lines import (
    Line,
    ScalarLine,
    lines_of,
    recording_of,
)
from tests.written_logs import events, snapshot_of, tensorboard_log, write


def lines(files: list[FileSnapshot]) -> tuple[Line, ...]:
    return lines_of(files, Catalog.of(files).entries["scalar"]["loss"])


def test_files_that_follow_each_other_are_one_line(tmp_path: Path) -> None:
    files = [
        snapshot_of(write(tmp_path, name, tensorboard_log([(1, 1.0), (2, 2.0)], start=start)))
        for name, start in [("tfevents.a", 300.0), ("tfevents.b", 100.0), ("tfevents.c", 200.0)]
    ]
    (line,) = lines(files)
    assert line.writer == "tfevents.b"
    assert [part.ref.file for part in line.parts] == [1, 2, 0]


def test_files_that_overlap_are_several_lines_even_if_their_points_do_not(tmp_path: Path) -> None:
    # Each rank logs `loss` once, at different times, but both were running all the time.
    other = events([(1, 0.0), (2, 0.0)], tag="other", start=100.0)
    files = [
        snapshot_of(write(tmp_path, "tfevents.a", other + events([(1, 1.0)], start=102.0))),
        snapshot_of(write(tmp_path, "tfevents.b", other + events([(1, 1.0)], start=103.0))),
    ]
    assert [line.writer for line in lines(files)] == ["tfevents.a", "tfevents.b"]


def test_a_restarted_rank_continues_a_free_line(tmp_path: Path) -> None:
    files = [
        snapshot_of(write(tmp_path, name, tensorboard_log([(1, 1.0), (2, 2.0)], start=start)))
        for name, start in [("tfevents.a", 100.0), ("tfevents.b", 100.5), ("tfevents.c", 200.0)]
    ]
    first, second = lines(files)
    assert [part.ref.file for part in first.parts] == [0, 2]
    assert [part.ref.file for part in second.parts] == [1]


def test_the_epoch_stays_while_the_last_part_grows_and_changes_otherwise(tmp_path: Path) -> None:
    def epoch(first: int, second: int) -> str:
        files = [
            snapshot_of(
                write(tmp_path, name, tensorboard_log([(s, 1.0) for s in range(size)], start=start))
            )
            for name, size, start in [("tfevents.a", first, 100.0), ("tfevents.b", second, 900.0)]
        ]
        return ScalarLine.of(files, lines(files)[0]).epoch

    assert epoch(5, 5) == epoch(5, 9)
    assert epoch(5, 5) != epoch(6, 5)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=3))
def test_every_point_either_counts_or_is_marked(tmp_path: Path, parts: list[list[int]]) -> None:
    for path in tmp_path.iterdir():
        path.unlink()
    files = [
        snapshot_of(
            write(
                tmp_path,
                f"tfevents.{number}",
                tensorboard_log([(step, 0.0) for step in steps], start=1_000.0 * (number + 1)),
            )
        )
        for number, steps in enumerate(parts)
    ]
    points = ScalarLine.of(files, lines(files)[0])
    assert len(points.step) == sum(map(len, parts))
    assert sorted(points.counting.tolist()) == [
        i for i, gone in enumerate(points.superseded.tolist()) if not gone
    ]
    for total in range(1, len(points.step) + 1):
        assert points.counting_of_first(total).max() < total


@pytest.mark.parametrize("start_of_second", [99.0, 100.0, 101.0, 500.0])
def test_files_of_one_recording_are_one_line_at_any_times(
    tmp_path: Path, start_of_second: float
) -> None:
    # Large values are written late, with older times than the scalars before them.
    names = ["events.out.tfevents.7.0.host_MS", "events.out.tfevents.7.0.host.part2_MS"]
    files = [
        snapshot_of(write(tmp_path, name, tensorboard_log([(step, 1.0)] * 3, start=start)))
        for name, step, start in [(names[1], 2, start_of_second), (names[0], 1, 100.0)]
    ]
    (line,) = lines(files)
    assert [part.ref.file for part in line.parts] == [1, 0]


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("events.out.events.summary.17.0.host_MS", True),
        ("events.out.events.summary.17.0.host.part2_MS", True),
        ("events.out.tfevents.17.0.host_MS", True),
        ("events.out.tfevents.17.0.host.part31_MS", True),
        ("events.out.tfevents.17.1.host_MS", False),
        ("events.out.tfevents.17.0.host.4711_MS", False),
        ("events.out.tfevents.18.0.host_MS", False),
        ("other.out.tfevents.17.0.host_MS", False),
        ("vdlrecords.17.log", False),
    ],
)
def test_a_recording_is_recognized_by_its_file_names(name: str, *, same: bool) -> None:
    assert (recording_of(name) == recording_of("events.out.events.summary.17.0.host_MS")) is same
