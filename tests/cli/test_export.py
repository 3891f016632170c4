"""`mindviz export` as its user sees it: files, the standard output, and one line of complaint."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mindviz.cli import cli
from mindviz.cli import export as command
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.export import exports
from mindviz.lineagemgr.annotations import WorkspaceAnnotations
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.exported_files import column, csv_rows, json_rows, npz_arrays, npz_texts, parquet_rows
from tests.golden.write_golden import PNG
from tests.log_directories import as_ordinary_user
from tests.written_logs import tensorboard_log, write

NAME = "events.out.tfevents.1700000000.host"


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    for i, name in enumerate(("one", "two", "deep/three")):
        points = [(step, step + i / 10) for step in range(3)]
        write(folder / name, NAME, tensorboard_log(points, tag=f"loss/{name[:3]}"))
    return folder


def run(base_dir: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["export", str(base_dir), *options], catch_exceptions=False)


def exported(base_dir: Path, *options: str) -> bytes:
    result = run(base_dir, *options)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout_bytes


def test_all_jobs_are_written_to_stdout(base_dir: Path) -> None:
    rows = csv_rows(exported(base_dir, "--format", "csv", "--what", "scalars"))
    assert list(dict.fromkeys(column(rows, "train_id"))) == ["./deep/three", "./one", "./two"]
    assert column(rows, "step") == ["0", "1", "2"] * 3


def test_regular_expressions_select_jobs_and_tags(base_dir: Path) -> None:
    what = ("--format", "json", "--what", "scalars")
    rows = json_rows(exported(base_dir, *what, "--train-id", "^./(one|two)$", "--tag", "/t"))
    assert {row["train_id"] for row in rows} == {"./two"}


def test_a_file_is_written_atomically(base_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.npz"
    file.write_bytes(b"what was there before")
    result = run(base_dir, "--format", "npz", "--what", "scalars", "--output", str(file))
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr.startswith("Exported 3 series (")
    assert str(file) in result.stderr
    assert npz_texts(npz_arrays(file.read_bytes()), "train_id") == [
        "./deep/three",
        "./one",
        "./two",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "out.npz"]
    mask = os.umask(0)
    os.umask(mask)
    assert file.stat().st_mode & 0o777 == 0o666 & ~mask


def test_lineage_counts_jobs(base_dir: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "out.parquet"
    result = run(base_dir, "--format", "parquet", "--what", "lineage", "--output", str(file))
    assert result.stderr.startswith("Exported 3 runs (")
    assert len(parquet_rows(file.read_bytes())) == 3


def test_points_replaced_by_restarts_can_be_exported(tmp_path: Path) -> None:
    write(tmp_path, NAME, tensorboard_log([(0, 0.0), (1, 1.0), (2, 2.0), (1, 5.0), (2, 6.0)]))
    what = ("--format", "csv", "--what", "scalars")
    assert len(csv_rows(exported(tmp_path, *what))) == 3
    rows = csv_rows(exported(tmp_path, *what, "--restarts", "all"))
    assert column(rows, "superseded") == ["false", "true", "true", "false", "false"]


def test_images_are_files_next_to_a_csv(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    events = [tensorboard.event(1.0, 4, [tensorboard.image("i", [PNG], 1, 1)])]
    write(folder / "one", NAME, frames(events, Framing.TFRECORD))
    what = ("--format", "csv", "--what", "images")
    (row,) = csv_rows(exported(folder, *what))
    assert "file" not in row
    options = (*what, "--output", str(tmp_path / "found.csv"))
    assert run(folder, *options).exit_code == 0
    (row,) = csv_rows((tmp_path / "found.csv").read_bytes())
    assert row["file"] == "found_files/0/4_0.png"
    assert (tmp_path / row["file"]).read_bytes() == PNG
    again = run(folder, *options)
    assert again.exit_code == 2
    assert "found_files" in again.stderr
    assert (tmp_path / row["file"]).read_bytes() == PNG


def test_lineage_includes_notes_from_the_workspace(base_dir: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./two", {"notes": "again, with more data"})
    annotations.close()
    what = ("--format", "csv", "--what", "lineage", "--workspace", str(workspace))
    assert column(csv_rows(exported(base_dir, *what)), "notes") == ["", "", "again, with more data"]


def test_depth_can_be_limited(base_dir: Path) -> None:
    rows = csv_rows(exported(base_dir, "--format", "csv", "--what", "scalars", "--max-depth", "1"))
    assert "./deep/three" not in column(rows, "train_id")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--what", "scalars"), "--format"),
        (("--format", "csv"), "--what"),
        (("--format", "xlsx", "--what", "scalars"), "xlsx"),
        (("--format", "csv", "--what", "tensors"), "CSV cannot store tensors"),
        (("--format", "npz", "--what", "lineage"), "Cannot export lineage as npz"),
        (("--format", "csv", "--what", "scalars", "--tag", "["), "no regular expression"),
        (("--format", "csv", "--what", "scalars", "--tag", "nothing"), "with a matching tag"),
        (("--format", "csv", "--what", "images"), "There are no images in 3 runs"),
        (("--format", "csv", "--what", "scalars", "--train-id", "x"), "None of the 3 train_ids"),
        (("--format", "csv", "--what", "images", "--restarts", "all"), "applies to scalars only"),
        (("--format", "csv", "--what", "scalars", "--output", "/dev/null/x"), "Cannot write"),
    ],
)
def test_user_errors_are_one_line(base_dir: Path, options: tuple[str, ...], message: str) -> None:
    result = run(base_dir, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("mindviz: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_a_missing_directory_is_an_error_before_loading(tmp_path: Path) -> None:
    result = run(tmp_path / "missing", "--format", "csv", "--what", "scalars")
    assert (result.exit_code, "does not exist" in result.stderr) == (2, True)


def test_missing_pyarrow_is_an_error_before_loading(
    base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(LogStore, "load_once", lambda self: pytest.fail("loaded"))
    result = run(base_dir, "--format", "parquet", "--what", "scalars")
    assert "pip install 'mindviz[export]'" in result.stderr


def test_a_failed_export_leaves_no_file(base_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "in_the_way.csv").mkdir()
    options = ("--format", "csv", "--what", "scalars", "--output")
    result = run(base_dir, *options, str(folder / "in_the_way.csv"))
    assert (result.exit_code, "Cannot write" in result.stderr) == (2, True)
    assert [path.name for path in folder.iterdir()] == ["in_the_way.csv"]
    folder.chmod(0o500)
    with as_ordinary_user():
        result = run(base_dir, *options, str(folder / "out.csv"))
    assert (result.exit_code, "Permission denied" in result.stderr) == (2, True)


def test_a_terminal_gets_text_and_a_progress_bar_but_no_binary_data(base_dir: Path) -> None:
    def at_a_terminal(output_format: str) -> bytes:
        mine, theirs = pty.openpty()
        options = ["--format", output_format, "--what", "scalars"]
        done = subprocess.run(
            [sys.executable, "-m", "mindviz", "export", str(base_dir), *options],
            stdout=theirs,
            stderr=theirs,
            check=False,
        )
        os.close(theirs)
        output = os.read(mine, 1 << 16)
        os.close(mine)
        assert done.returncode == (0 if output_format == "csv" else 2)
        return output

    assert b"./one,loss/one,,0," in at_a_terminal("csv")
    assert b"Cannot print npz to a terminal: add --output FILE." in at_a_terminal("npz")


def test_a_closed_pipe_causes_no_traceback(base_dir: Path) -> None:
    options = ["--format", "csv", "--what", "scalars"]
    with subprocess.Popen(
        [sys.executable, "-m", "mindviz", "export", str(base_dir), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_the_choices_are_complete() -> None:
    assert command.FORMATS == exports.FORMATS
