"""Inspection: its numbers are those of the files, as another reader counts them."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from mindviz.cli.inspection import Inspection, inspect_logs, peak_rss_bytes
from mindviz.config import Config
from mindviz.wire.encode import frames
from mindviz.wire.encode_tensorboard import event, image_v1, scalar, version_event
from mindviz.wire.framing import Framing
from tests.function_calls import calls_of
from tests.provider_logs import write_provider_logs
from tests.tiny_reader import records, scalars
from tests.written_logs import loaded

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT.parent / "shared" / "samples"


def inspected(base_dir: Path, *, native: bool = True) -> Inspection:
    config = Config(base_dir, reload_interval=0, checksum="always", inotify=False)
    return inspect_logs(config, native=native)


def assert_equal_to_files(inspection: Inspection, base_dir: Path) -> None:
    for job in inspection.train_jobs:
        counted: dict[str, list[int]] = defaultdict(list)
        for file in job.files:
            path = base_dir / file.path
            assert file.bytes == path.stat().st_size
            if file.kind != "graph":
                assert file.records == sum(1 for _ in records(path))
            if file.kind == "summary":
                for point in scalars(path):
                    counted[point.tag].append(point.step)
        shown = {tag.tag: tag for tag in job.plugins.get("scalar", ())}
        # Rank-0 tensors and VisualDL's sub-tags are scalars to mindviz, not to the tiny reader.
        assert counted.keys() <= shown.keys()
        for tag, steps in counted.items():
            assert shown[tag].points == len(steps), (job.train_id, tag)
            ends = (shown[tag].first_step, shown[tag].last_step)
            if steps == sorted(set(steps)):
                assert ends == (steps[0], steps[-1])
            else:
                # A restart may have superseded the largest, never all.
                assert set(ends) <= set(steps)


@pytest.mark.parametrize("folder", ["mindspore", "tensorboard", "visualdl", "visualdl_edge"])
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample logs are not here")
def test_sample_logs_are_counted_as_the_tiny_reader_counts_them(folder: str) -> None:
    inspection = inspected(SAMPLES / folder)
    assert inspection.train_jobs
    assert_equal_to_files(inspection, SAMPLES / folder)


def golden_folders() -> list[Path]:
    return [path for path in sorted((ROOT / "tests" / "golden").glob("*/*")) if path.is_dir()]


@pytest.mark.parametrize(
    "folder", golden_folders(), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_golden_logs_are_counted_as_the_tiny_reader_counts_them(folder: Path) -> None:
    assert_equal_to_files(inspected(folder), folder)


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    """Two train jobs; the second one is damaged in its third record and cut off at its end."""
    for name in ("a", "b"):
        payloads = [version_event(1e9)]
        payloads += [
            event(1e9 + step, step, [scalar("loss", 1 / step), scalar("acc", step)])
            for step in range(1, 11)
        ]
        payloads.append(event(1e9, 5, [image_v1("input", b"no png", 1, 1)]))
        data = bytearray(frames(payloads, Framing.TFRECORD))
        if name == "b":
            second = len(frames(payloads[:2], Framing.TFRECORD))
            data[second + 20] ^= 1
            del data[-3:]
        (tmp_path / name).mkdir()
        (tmp_path / name / f"events.out.tfevents.1.{name}").write_bytes(data)
    return tmp_path


@pytest.mark.parametrize("native", [True, False])
def test_totals_equal_the_sums(base_dir: Path, *, native: bool) -> None:
    inspection = inspected(base_dir, native=native)
    a, b = inspection.train_jobs
    assert (a.train_id, b.train_id) == ("./a", "./b")
    assert {name: len(tags) for name, tags in a.plugins.items()} == {"scalar": 2, "image": 1}
    assert (a.records, a.points) == (12, 21)
    assert b.points == 18
    assert inspection.points == 39
    assert inspection.records == a.records + b.records
    assert inspection.bytes == a.bytes + b.bytes
    assert inspection.files == 2
    assert inspection.problem_count == len(b.all_problems) == 2
    assert not a.all_problems
    if not native:
        assert inspection.scanner == "python"


def test_problems_have_a_path_and_an_offset(base_dir: Path) -> None:
    damaged = (base_dir / "b" / "events.out.tfevents.1.b").stat().st_size
    (file,) = inspected(base_dir).train_jobs[1].files
    by_kind = {str(problem.kind): problem for problem in file.problems}
    assert by_kind.keys() == {"bad_payload", "truncated"}
    assert {problem.path for problem in file.problems} == {"b/events.out.tfevents.1.b"}
    starts = [0]
    for record in records(base_dir / "b" / "events.out.tfevents.1.b"):
        starts.append(starts[-1] + len(record) + 16)
    assert by_kind["bad_payload"].offset == starts[2]
    assert by_kind["truncated"].offset == starts[-1] < damaged


def test_all_interfaces_count_the_same_problems(tmp_path: Path) -> None:
    write_provider_logs(tmp_path)
    inspection = inspected(tmp_path)
    assert inspection.problem_count > 0
    store = loaded(tmp_path)
    assert store.status().problem_count == inspection.problem_count
    listed = {job.train_id: len(job.problems) for job in store.list_train_jobs()}
    assert listed == {job.train_id: len(job.all_problems) for job in inspection.train_jobs}


def test_an_empty_directory_has_no_jobs(tmp_path: Path) -> None:
    inspection = inspected(tmp_path)
    assert (inspection.train_jobs, inspection.points, inspection.problem_count) == ((), 0, 0)


def test_peak_memory_is_this_processs() -> None:
    peak = peak_rss_bytes()
    assert 10_000_000 < peak < 10_000_000_000
    block = bytearray(50_000_000)
    for page in range(0, len(block), 4096):
        block[page] = 1
    assert peak_rss_bytes() >= peak


def test_peak_memory_is_known_without_proc(tmp_path: Path) -> None:
    assert peak_rss_bytes(tmp_path / "missing") > 10_000_000


def test_inspecting_loads_no_web_framework(tmp_path: Path) -> None:
    program = (
        "import sys; from click.testing import CliRunner; from mindviz.cli import cli\n"
        f"result = CliRunner().invoke(cli, ['inspect', '--json', {str(tmp_path)!r}])\n"
        "assert result.exit_code == 0, result.output\n"
        "print(sorted({'flask', 'granian', 'marshmallow', 'rich'} & sys.modules.keys()))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert output == b"[]\n"


def test_the_garbage_collector_is_left_as_it_was(tmp_path: Path) -> None:
    for enabled in (False, True):
        gc.enable() if enabled else gc.disable()
        inspected(tmp_path)
        assert gc.isenabled() == enabled


def test_the_work_for_one_more_tag_is_bounded(tmp_path: Path) -> None:
    """It was 102 calls of functions: 88 s for a million tags."""

    def calls_for(count: int) -> int:
        directory = tmp_path / str(count)
        directory.mkdir()
        events = [event(1.7e9, 0, [scalar(f"tag{i}", 0.5)]) for i in range(count)]
        data = frames(events, Framing.TFRECORD)
        (directory / "events.out.tfevents.1700000000.host").write_bytes(data)
        return calls_of(lambda: inspected(directory).as_json())

    assert (calls_for(600) - calls_for(100)) / 500 < 45
