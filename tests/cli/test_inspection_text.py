"""An inspection as text: in full for a few runs, a line each for many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mindviz.cli.inspection import InspectedTag, InspectedTrainJob, Inspection
from mindviz.cli.inspection_text import FEW_TRAIN_JOBS, print_inspection
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.store import LogFileInfo
from tests.function_calls import calls_of

CUT_OFF = Finding(FindingKind.TRUNCATED, "run/events.1", 1504, "The record is cut off.", 1)


def train_job(
    train_id: str = "./run", tags: int = 2, problems: tuple[Finding, ...] = (CUT_OFF,)
) -> InspectedTrainJob:
    return InspectedTrainJob(
        train_id=train_id,
        display_name="",
        formats=("tensorboard",),
        bytes=2_000_000,
        records=1_001,
        points=1_000 * tags,
        files=(LogFileInfo("run/events.1", "tensorboard", "summary", 2_000_000, 1_001, problems),),
        plugins={
            "scalar": tuple(InspectedTag(f"tag{i}", 1_000, 1, 1_000) for i in range(tags)),
            "image": (InspectedTag("img", 0, None, None),),
        },
        problems=(),
    )


def inspection(*jobs: InspectedTrainJob) -> Inspection:
    return Inspection(
        mindviz_version="0",
        summary_base_dir="/logs",
        load_seconds=0.125,
        peak_rss_bytes=50_000_000,
        scanner="native",
        checksum="always",
        files=len(jobs),
        bytes=2_000_000 * len(jobs),
        records=1_001 * len(jobs),
        points=2_000 * len(jobs),
        problem_count=sum(len(job.all_problems) for job in jobs),
        problems=(),
        train_jobs=jobs,
    )


def printed(
    what: Inspection, capsys: pytest.CaptureFixture[str], *, details: bool = False
) -> list[str]:
    print_inspection(what, details=details)
    return capsys.readouterr().out.splitlines()


def test_a_few_train_jobs_are_shown_as_tables(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(inspection(train_job()), capsys)
    text = "\n".join(lines)
    assert "./run" in lines[0]
    assert "2,000,000" in text
    assert any(line.split()[:5] == ["scalar", "1,000", "1", "to", "1,000"] for line in lines)
    assert "tag0, tag1" in text
    assert "Problems of run/events.1" in text
    assert "truncated  at byte 1,504  The record is cut off." in text
    assert "1 run, 1 file, 2.0 MB, 1,001 records, 2,000 points, 1 problem" in text
    assert "0.12 s" in text
    assert "native" in text


def test_long_lists_of_tags_are_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(inspection(train_job(tags=10_000)), capsys)
    assert len(lines) < 20
    assert any("and 9,994 tags more" in line for line in lines)


def test_many_train_jobs_get_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [train_job(f"./run{i}", problems=()) for i in range(FEW_TRAIN_JOBS + 1)]
    jobs[3] = replace(train_job("./run3"))
    lines = printed(inspection(*jobs), capsys)
    assert sum("./run" in line for line in lines) == len(jobs)
    assert any("at byte 1,504" in line for line in lines)
    assert any("--details" in line for line in lines)


def uneven(tags: int) -> InspectedTrainJob:
    """Tags of a job that all have another number of points."""
    each = tuple(InspectedTag(f"tag{i}", i + 1, 1, i + 1) for i in range(tags))
    return replace(train_job(problems=()), plugins={"scalar": each})


def test_long_lists_of_groups_are_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(inspection(uneven(20_000)), capsys)
    assert sum(" tag" in line and " to " in line for line in lines) == 50
    assert any("and 19,950 more tags (see --details or --json)" in line for line in lines)
    assert not any("more" in line for line in printed(inspection(uneven(50)), capsys))


def test_details_lists_each_tag_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(inspection(uneven(2_000)), capsys, details=True)
    assert lines[3].split() == ["plugin", "points", "steps", "tag"]
    assert lines[4].split() == ["scalar", "1", "1", "to", "1", "tag0"]
    assert lines[2_003].split() == ["scalar", "2,000", "1", "to", "2,000", "tag1999"]
    assert all(line == line.rstrip() for line in lines[3:2_004])


def test_the_work_for_one_more_tag_with_details_is_bounded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def calls_for(tags: int) -> int:
        what = inspection(uneven(tags))
        return calls_of(lambda: printed(what, capsys, details=True))

    assert (calls_for(600) - calls_for(100)) / 500 < 45


def test_details_shows_tables_of_many_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [train_job(f"./run{i}") for i in range(FEW_TRAIN_JOBS + 1)]
    lines = printed(inspection(*jobs), capsys, details=True)
    assert sum(line.endswith(" tag1") for line in lines) == len(jobs)


def test_thousands_of_problems_are_counted_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [train_job(f"./run{i}", problems=(CUT_OFF,) * 100) for i in range(30)]
    lines = printed(inspection(*jobs), capsys)
    assert sum("at byte" in line for line in lines) == 20
    assert any("2,980 more" in line for line in lines)


def test_an_empty_directory_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(inspection(), capsys)[0] == "No runs found."


def test_output_to_a_pipe_has_no_colors(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in "".join(printed(inspection(train_job()), capsys))
