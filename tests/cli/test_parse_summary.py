"""`mindviz parse-summary` as its user sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from tests.golden.write_golden import WRITTEN
from tests.written_logs import write

NAME = "events.out.events.summary.1700000000.0.golden_MS"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    write(tmp_path / "job", NAME, WRITTEN[f"mindspore/{NAME}"]())
    return tmp_path / "job"


@pytest.mark.parametrize("name", ["parse-summary", "parse_summary"])
def test_both_command_names_write_a_new_folder(job: Path, tmp_path: Path, name: str) -> None:
    output = tmp_path / "output"
    options = ["--summary-dir", str(job), "--output", str(output)]
    result = CliRunner().invoke(cli, [name, *options], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    (folder,) = output.iterdir()
    assert re.fullmatch(r"output_\d{8}_\d{6}_\d{6}", folder.name)
    assert {path.name for path in folder.iterdir()} == {"scalar.csv", "image"}
    assert str(folder) in result.stdout
    lines = (folder / "scalar.csv").read_text("utf-8").splitlines()
    assert f"{len(lines) - 1} scalars" in result.stdout


def test_the_default_is_the_current_directory(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(job)
    result = CliRunner().invoke(cli, ["parse-summary"], catch_exceptions=False)
    assert result.exit_code == 0
    assert len(list(job.glob("output_*/scalar.csv"))) == 1


def test_damage_is_reported_without_an_error(job: Path, tmp_path: Path) -> None:
    content = (job / NAME).read_bytes()
    (job / NAME).write_bytes(content[:-1])
    options = ["--summary-dir", str(job), "--output", str(tmp_path / "output")]
    result = CliRunner().invoke(cli, ["parse-summary", *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"mindviz: {NAME} ends within a record")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--summary-dir", "empty"], "No MindSpore summary files found in"),
        (["--summary-dir", "missing"], "does not exist"),
        (["--summary-dir", f"job/{NAME}"], "is a file"),
        (["--summary-dir", "job", "--output", f"job/{NAME}"], "Cannot write"),
    ],
)
def test_user_errors_are_one_line(
    job: Path, tmp_path: Path, options: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["parse-summary", *options], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
