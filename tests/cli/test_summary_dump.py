from __future__ import annotations

import csv
from pathlib import Path

import pytest

from mindviz.cli.summary_dump import HEADER, SummaryDump, summary_files, write_dump
from mindviz.errors import StartError
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.golden.write_golden import PNG
from tests.written_logs import write

NAME = "events.out.events.summary.1700000000.0.host_MS"


def log(first_step: int = 1, steps: int = 3, tag: str = "loss") -> bytes:
    """A scalar and an image per step."""
    events = [
        mindspore.event(
            1.7e9 + step / 4,
            step,
            [mindspore.scalar(tag, 1 / step), mindspore.image("in/put", PNG, 3, 2)],
        )
        for step in range(first_step, first_step + steps)
    ]
    return frames([mindspore.version_event(1.7e9), *events], Framing.TFRECORD)


def dumped(directory: Path, output: Path) -> tuple[SummaryDump, list[list[str]]]:
    """What was counted, and the lines of the table."""
    dump = SummaryDump()
    write_dump(summary_files(directory), output, dump)
    with (output / "scalar.csv").open(newline="", encoding="utf-8") as file:
        return dump, list(csv.reader(file))


def test_scalars_and_images_are_written_in_the_order_of_the_log(tmp_path: Path) -> None:
    write(tmp_path / "job", NAME, log())
    dump, lines = dumped(tmp_path / "job", tmp_path / "out")
    assert (tmp_path / "out" / "scalar.csv").read_bytes() == (
        b"tag,step,wall_time (unit: seconds),value\r\n"
        b"loss,1,1700000000.25,1.0\r\n"
        b"loss,2,1700000000.5,0.5\r\n"
        b"loss,3,1700000000.75,0.3333333432674408\r\n"
    )
    assert lines[0] == list(HEADER)
    images = sorted((tmp_path / "out" / "image").iterdir())
    assert [path.name for path in images] == [f"in%2Fput_{step}.png" for step in (1, 2, 3)]
    assert images[0].read_bytes() == PNG
    assert (dump.scalars, dump.images, dump.problems) == (3, 3, [])


def test_all_summary_files_are_read_oldest_first(tmp_path: Path) -> None:
    job = tmp_path / "job"
    write(job, "events.out.events.summary.1700000900.0.host_MS", log(5, 1))
    write(job, "events.out.events.summary.99.0.host_MS", log(1, 1))
    write(job, NAME, log(3, 1))
    write(job, NAME.replace("_MS", "_lineage"), b"no summary")
    write(job, NAME.replace("_MS", "_explain"), b"no summary")
    (job / "events.out.events.summary.5.directory").mkdir()
    _, lines = dumped(job, tmp_path / "out")
    assert [line[1] for line in lines[1:]] == ["1", "3", "5"]


def test_the_output_is_private(tmp_path: Path) -> None:
    write(tmp_path / "job", NAME, log())
    dumped(tmp_path / "job", tmp_path / "deep" / "out")
    found = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "deep" / "out").rglob("*")}
    assert {mode for path, mode in found.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in found.items() if path.is_dir()} == {0o700}


def test_damage_is_reported_and_loses_only_damaged_records(tmp_path: Path) -> None:
    job, whole = tmp_path / "job", log(1, 3)
    size = len(log(1, 2)) - len(log(1, 1))  # of a record
    flipped = bytearray(whole)
    flipped[len(whole) - size - 10] ^= 1  # within the payload of the last but one record
    write(job, "a.summary.1.host_MS", bytes(flipped))
    broken_length = bytearray(log(4, 2))
    broken_length[len(broken_length) - size] ^= 1
    write(job, "b.summary.2.host_MS", bytes(broken_length))
    write(job, "c.summary.3.host_MS", log(6, 2)[:-3])
    write(job, "d.summary.4.host_MS", log(8, 1))
    dump, lines = dumped(job, tmp_path / "out")
    assert [line[1] for line in lines[1:]] == ["1", "3", "4", "6", "8"]
    first, second, third = dump.problems
    assert first == "a.summary.1.host_MS: skipped 1 damaged record."
    assert second.startswith("b.summary.2.host_MS is damaged at byte ")
    assert third.startswith("c.summary.3.host_MS ends within a record")


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    write(tmp_path / "job", NAME, b"")
    dump, lines = dumped(tmp_path / "job", tmp_path / "out")
    assert (len(lines), dump.problems) == (1, [])


def test_formulas_in_tags_are_inert(tmp_path: Path) -> None:
    write(tmp_path / "job", NAME, log(steps=1, tag="=1+1"))
    _, lines = dumped(tmp_path / "job", tmp_path / "out")
    assert lines[1][0] == "'=1+1"


def test_all_tags_become_valid_file_names(tmp_path: Path) -> None:
    tags: list[str | bytes] = ["..", "a/../../b", "\u635f\u5931", "x" * 999, "x" * 998, b"\xff"]
    values = [mindspore.image(tag, PNG, 3, 2) for tag in tags]
    content = frames([mindspore.event(1e9, 7, values)], Framing.TFRECORD)
    write(tmp_path / "job", NAME, content)
    dump, _ = dumped(tmp_path / "job", tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").rglob("*.png")}
    assert dump.images == len(names) == len(tags)
    assert {".._7.png", "a%2F..%2F..%2Fb_7.png", "%E6%8D%9F%E5%A4%B1_7.png"} <= names


def test_negative_steps_are_kept(tmp_path: Path) -> None:
    values = [mindspore.image("i", PNG, 3, 2), mindspore.scalar("s", 1.0)]
    write(tmp_path / "job", NAME, frames([mindspore.event(1e9, -1, values)], Framing.TFRECORD))
    _, lines = dumped(tmp_path / "job", tmp_path / "out")
    assert lines[1][1] == "-1"
    assert (tmp_path / "out" / "image" / "i_-1.png").exists()


def test_an_existing_output_is_not_changed(tmp_path: Path) -> None:
    write(tmp_path / "job", NAME, log())
    (tmp_path / "out" / "image").mkdir(parents=True)
    with pytest.raises(StartError, match=r"Cannot write .*: File exists"):
        dumped(tmp_path / "job", tmp_path / "out")


def test_an_unreadable_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="Cannot read"):
        summary_files(tmp_path / "missing")
