"""`mindviz snapshot`."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.backend.webui import webui_dir
from mindviz.cli import cli
from mindviz.cli.demo import write_demo
from tests.written_logs import tensorboard_log, write

DOCS = Path(__file__).resolve().parents[2] / "docs/snapshots.md"
needs_page = pytest.mark.skipif(
    not (webui_dir() / "snapshot").is_dir(), reason="the UI is not built"
)


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["snapshot", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "runs"
    write_demo(folder, now=time.time())
    return folder


@needs_page
def test_a_database_is_saved_like_its_directory(demo: Path, tmp_path: Path) -> None:
    logs, db = demo / "mindspore", tmp_path / "logs.db"
    options = ["--workspace", tmp_path / "work"]
    CliRunner().invoke(cli, ["import", str(logs), "--db", f"sqlite:///{db}"])
    outputs = [
        run(location, "-o", tmp_path / "saved.html", *options)
        for location in (logs, f"sqlite:///{db}", db)
    ]
    assert [code for code, _ in outputs] == [0, 0, 0]
    summaries = {output.partition("\n")[2] for _, output in outputs}
    assert len(summaries) == 1
    assert "2 of 2 runs" in summaries.pop()


def test_a_database_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    code, output = run(f"sqlite:///{tmp_path}/nothing.db", "-o", tmp_path / "saved.html")
    assert code != 0
    assert "nothing.db" in output


@needs_page
def test_the_documented_command_prints_what_is_documented(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    example = re.search(
        r"(?ms)^\$ mindviz snapshot runs -o report\.html\n(.*?)^```", DOCS.read_text("utf-8")
    )
    assert example is not None
    monkeypatch.chdir(demo.parent)
    code, output = run("runs", "-o", tmp_path / "report.html", "--workspace", tmp_path / "work")
    size = r"\([0-9.]+ MB\)"
    assert code == 0
    assert re.sub(size, "", output) == re.sub(size, "", example[1]).replace(
        "report.html", str(tmp_path / "report.html")
    )
    html = (tmp_path / "report.html").read_text("utf-8")
    assert html.count("<script") == 4
    assert "report.html" not in html


@needs_page
def test_a_budget_that_is_too_small_names_a_sufficient_one(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.html"
    code, output = run(demo, "-o", file, "--budget", "1MB")
    assert code == 2
    match = re.search(r"too small: .* Use at least --budget (\d+MB)", output)
    assert match is not None
    assert not file.exists()
    assert run(demo, "-o", file, "--budget", match[1])[0] == 0
    assert file.stat().st_size <= int(match[1][:-2]) * 1_000_000


@needs_page
def test_reduced_and_missing_series_are_named(demo: Path, tmp_path: Path) -> None:
    code, output = run(demo, "-o", tmp_path / "x.html", "--budget", "1880KB", "--no-cache")
    assert code == 0
    match = re.search(r"(\d+) of (\d+) scalar series, (\d+) of them reduced", output)
    assert match is not None
    kept, every, reduced = map(int, match.groups())
    parts = re.split(r"(?m)^(Reduced|Missing):\n", output)
    listed = dict(zip(parts[1::2], parts[2::2], strict=True))
    for head, count in (("Reduced", reduced), ("Missing", every - kept)):
        lines = re.findall(r"(?m)^  (.*)$", listed.get(head, ""))
        rest = re.findall(r"and ([\d,]+) more", lines.pop()) if count > 10 else ["0"]
        assert len(lines) + int(rest[0].replace(",", "")) == count
    assert re.search(r"(?m)^  \S+ \S+: [\d,]+ of [\d,]+ points$", listed["Reduced"])


@needs_page
def test_a_folder_has_the_page_and_the_data(demo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    code, output = run(demo, "--folder", folder)
    assert (code, output.splitlines()[1]) == (
        0,
        "9 of 9 runs, 60 of 60 scalar series, all exact.",
    )
    assert {path.name for path in folder.iterdir()} >= {"index.html", "assets", "snapshot.bin"}
    code, output = run(demo, "--folder", folder)
    assert code == 2
    assert "is not empty" in output


def test_wrong_locations_are_explained(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello")
    for location, message in [
        (tmp_path / "empty", "There are no runs"),
        (tmp_path / "missing", "does not exist"),
        (tmp_path / "notes.txt", "is a file"),
        ("http://127.0.0.1:1/", "No mindviz server found"),
        ("ftp://host/x", "Logs cannot be read from ftp://"),
        ("http://", "names no host"),
    ]:
        code, output = run(location, "-o", tmp_path / "x.html")
        assert (code, message in output) == (2, True), output
    assert not (tmp_path / "x.html").exists()


def test_output_and_folder_exclude_each_other(demo: Path, tmp_path: Path) -> None:
    code, output = run(demo, "-o", tmp_path / "x.html", "--folder", tmp_path / "y")
    assert code == 2
    assert "exclude each other" in output


@needs_page
def test_what_only_the_page_can_save_is_counted(demo: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.html"
    charts = '#/scalar?charts="train/loss" - "validation/loss"~"train/loss"'
    _, printed = run(demo, "-o", output, "--view", charts, "--no-cache")
    assert "Left out: 2 charts of formulas. Save snapshot on the page includes what" in printed
    write(tmp_path / "logs", "events.out.tfevents.1.h", tensorboard_log([(1, 0.5)]))
    _, printed = run(tmp_path / "logs", "-o", output, "--view", "#/sweep", "--no-cache")
    assert "Left out: the importance of parameters, as no run logs a metric." in printed
    _, printed = run(demo, "-o", output, "--view", "#/sweep", "--no-cache")
    assert "importance" not in printed
