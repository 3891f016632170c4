"""`mindviz inspect` as its user sees it: exit codes and JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from mindviz.wire.encode import frames
from mindviz.wire.encode_tensorboard import event, image_v1, scalar, version_event
from mindviz.wire.encode_visualdl import meta
from mindviz.wire.encode_visualdl import scalar as visualdl_scalar
from mindviz.wire.framing import Framing
from tests.mindviz_process import run

NASTY_TAG = "\x1b[31m" + "x" * 10_000 + "\n\u202eend"

PROBLEM = {
    "kind": str,
    "path": str,
    "offset": (int, type(None)),
    "detail": str,
    "lost_records": int,
}
TAG = {
    "tag": str,
    "points": int,
    "first_step": (int, type(None)),
    "last_step": (int, type(None)),
}
FILE = {
    "path": str,
    "format": str,
    "kind": str,
    "bytes": int,
    "records": int,
    "problems": [PROBLEM],
}
TRAIN_JOB = {
    "train_id": str,
    "display_name": str,
    "formats": [str],
    "bytes": int,
    "records": int,
    "points": int,
    "files": [FILE],
    "plugins": {"": [TAG]},
    "problems": [PROBLEM],
}
INSPECTION = {
    "mindviz_version": str,
    "summary_base_dir": str,
    "load_seconds": float,
    "peak_rss_bytes": int,
    "scanner": str,
    "checksum": str,
    "files": int,
    "bytes": int,
    "records": int,
    "points": int,
    "problem_count": int,
    "problems": [PROBLEM],
    "train_jobs": [TRAIN_JOB],
}


def assert_shape(value: Any, shape: Any, where: str = "") -> None:
    """Exactly the keys and types of `shape`; the key "" means all keys of a mapping."""
    if isinstance(shape, list):
        assert isinstance(value, list), where
        for item in value:
            assert_shape(item, shape[0], f"{where}[]")
    elif isinstance(shape, dict) and "" in shape:
        for key, item in value.items():
            assert_shape(item, shape[""], f"{where}.{key}")
    elif isinstance(shape, dict):
        assert value.keys() == shape.keys(), where
        for key, item in value.items():
            assert_shape(item, shape[key], f"{where}.{key}")
    else:
        assert isinstance(value, shape), where


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    """Three formats' worth of trouble: two logs, a pointer instead of a log, bytes in a name."""
    tensorboard = [version_event(1e9), event(1e9, 7, [scalar(NASTY_TAG, 1.0), scalar("", 2.0)])]
    tensorboard.append(event(1e9, 8, [image_v1("img", b"", 1, 1)]))
    (tmp_path / "events.out.tfevents.1.host").write_bytes(frames(tensorboard, Framing.TFRECORD))
    job = tmp_path / "vdl"
    job.mkdir()
    visualdl = [meta(1e9, "a label"), visualdl_scalar(1e9, 1, "loss", 0.5)]
    (job / "vdlrecords.1.log").write_bytes(frames(visualdl, Framing.LENGTH_PREFIXED) + b"\x07")
    (job / "vdlrecords.2.log").write_text("version https://git-lfs.github.com/spec/v1\n")
    odd = tmp_path / os.fsdecode(b"odd\xff\x1b[2J")
    odd.mkdir()
    (odd / "events.out.tfevents.2.host").write_bytes(frames(tensorboard, Framing.TFRECORD))
    return tmp_path


def inspect(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["inspect", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_the_json_has_the_documented_keys_and_types(base_dir: Path) -> None:
    answer = json.loads(inspect("--json", str(base_dir)))
    assert_shape(answer, INSPECTION)
    assert answer["checksum"] == "always"
    root, *_ = answer["train_jobs"]
    assert root["train_id"] == "./"
    assert root["plugins"]["scalar"] == [
        {"tag": "", "points": 1, "first_step": 7, "last_step": 7},
        {"tag": NASTY_TAG, "points": 1, "first_step": 7, "last_step": 7},
    ]
    vdl = next(job for job in answer["train_jobs"] if job["train_id"] == "./vdl")
    assert vdl["display_name"] == "a label"
    assert vdl["problems"] or any(file["problems"] for file in vdl["files"])


def test_json_is_ascii_and_has_no_nan(base_dir: Path) -> None:
    text = inspect("--json", str(base_dir))
    assert text.isascii()
    json.loads(text, parse_constant=pytest.fail)


@pytest.mark.parametrize("option", ["--details", "--no-native"])
def test_escape_sequences_do_not_reach_the_terminal(base_dir: Path, option: str) -> None:
    text = inspect(str(base_dir), option)
    assert [character for character in text if not character.isprintable()] == ["\n"] * text.count(
        "\n"
    )
    assert max(map(len, text.splitlines())) < 1000
    assert "(untagged)" in text
    assert "problem" in text


def test_a_directory_that_is_missing_or_a_file_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path, reason in ((tmp_path / "missing", "does not exist"), (file, "is a file")):
        result = CliRunner().invoke(cli, ["inspect", str(path)])
        assert result.exit_code == 2
        assert reason in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_closed_pipe_causes_no_traceback(base_dir: Path) -> None:
    command = [sys.executable, "-m", "mindviz", "inspect", "--json", str(base_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_an_uncompiled_scanner_is_noted(base_dir: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    name = "mindviz.datavisual.logs.scanner._scan"
    (hidden / "sitecustomize.py").write_text(f"import sys\nsys.modules[{name!r}] = None\n")
    env = {"PYTHONPATH": str(hidden)}
    note = "The scanner is not compiled: logs load 40 to 200 times slower."
    assert note in run("inspect", str(base_dir), env=env).stdout.splitlines()[-1]
    assert note not in run("inspect", str(base_dir), "--no-native", env=env).stdout
