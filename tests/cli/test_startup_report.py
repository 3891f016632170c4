"""What a starting mindviz says, from the first line to the totals."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mindviz.cli.startup_report import StartupReport
from mindviz.config import Config
from mindviz.datavisual.series.findings import NO_BASE_DIR
from tests.mindviz_process import PATIENCE, wait_until
from tests.status_server import answering

LOADED = {
    "load_status": "loaded",
    "scanner": "native",
    "train_jobs": 40,
    "points": 4_000_000,
    "files": 40,
    "bytes": 214_000_000,
    "bytes_read": 214_000_000,
    "problem_count": 0,
}


def announced(config: Config, capsys: pytest.CaptureFixture[str], *notes: str) -> str:
    StartupReport(config, notes, time.monotonic()).run()
    return capsys.readouterr().out


def test_it_prints_page_logs_notes_and_totals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with answering(200, json.dumps(LOADED).encode(), "/prefix") as config:
        lines = announced(config, capsys, "Take note.").splitlines()
    assert lines[0].startswith("mindviz ")
    assert lines[1] == f"  Page  http://127.0.0.1:{config.port}/prefix/"
    assert lines[2] == "  Logs  logs"
    assert lines[3] == "  Note  Take note."
    assert lines[4].startswith("40 runs, 4,000,000 scalar points from 214 MB in 40 files,")
    assert "problem" not in lines[4]


def test_it_notes_an_uncompiled_scanner(capsys: pytest.CaptureFixture[str]) -> None:
    for scanner, said in (("native", False), ("python", True)):
        with answering(200, json.dumps(LOADED | {"scanner": scanner}).encode()) as config:
            assert ("Note  The scanner is not compiled" in announced(config, capsys)) is said


def test_it_counts_problems(capsys: pytest.CaptureFixture[str]) -> None:
    status = LOADED | {"problem_count": 3}
    with answering(200, json.dumps(status).encode()) as config:
        assert "3 problems: run `mindviz inspect`" in announced(config, capsys)


def test_it_waits_until_everything_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    loading = LOADED | {"load_status": "loading", "train_jobs": 7, "bytes_read": 5}
    answers = [loading, loading, LOADED]

    def answer() -> bytes:
        return json.dumps(answers.pop(0) if len(answers) > 1 else answers[0]).encode()

    with answering(200, answer) as config:
        said = announced(config, capsys)
    assert answers == [LOADED]
    assert "40 runs" in said
    assert "7 runs" not in said


def test_without_train_jobs_a_note_says_that_new_ones_will_appear(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = LOADED | {"train_jobs": 0}
    with answering(200, json.dumps(status).encode()) as config:
        assert "No runs yet" in announced(config, capsys)


def unreadable(*paths: str) -> dict[str, object]:
    detail = "It cannot be read: Permission denied."
    return {
        "problems": [
            {"kind": "unreadable", "path": path, "detail": detail, "offset": None} for path in paths
        ]
    }


def test_a_missing_base_dir_is_only_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    problem = {"kind": "unreadable", "path": "./", "detail": NO_BASE_DIR, "offset": None}
    status = LOADED | {"train_jobs": 0, "problems": [problem]}
    with answering(200, json.dumps(status).encode()) as config:
        last = announced(config, capsys).splitlines()[-1]
    assert last == "No runs yet: new ones appear automatically."


def test_it_lists_unreadable_directories_without_train_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = LOADED | {"train_jobs": 0} | unreadable("runs/private")
    with answering(200, json.dumps(status).encode()) as config:
        assert announced(config, capsys).endswith(
            "No runs yet, and 1 directory cannot be read:\n"
            "  runs/private: It cannot be read: Permission denied.\n"
        )


def test_it_lists_unreadable_directories_with_train_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = LOADED | unreadable(*(f"run{number}" for number in range(7)))
    with answering(200, json.dumps(status).encode()) as config:
        lines = announced(config, capsys).splitlines()
    assert lines[-7] == "Train jobs may be missing: 7 directories cannot be read:"
    assert lines[-2] == "  run4: It cannot be read: Permission denied."
    assert lines[-1] == "  ... and 2 more"


def test_it_stops_with_the_server() -> None:
    with answering(404, b"") as config:
        pass
    report = StartupReport(config, [], time.monotonic())
    teller = threading.Thread(target=report.run)
    teller.start()
    report.stop()
    teller.join(PATIENCE)
    assert not teller.is_alive()


def test_escape_sequences_in_paths_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(200, json.dumps(LOADED).encode()) as config:
        nasty = Config(Path("logs\x1b[2J\n"), port=config.port)
        assert "logs\\x1b[2J\\n" in announced(nasty, capsys)


def test_a_terminal_gets_a_panel_and_a_progress_bar() -> None:
    loading = LOADED | {"load_status": "loading", "train_jobs": 7, "bytes_read": 5}
    seen = threading.Event()

    def answer() -> bytes:
        return json.dumps(LOADED if seen.is_set() else loading).encode()

    program = (
        "import pathlib, sys, time\n"
        "from mindviz.cli.startup_report import StartupReport\n"
        "from mindviz.config import Config\n"
        "config = Config(pathlib.Path('logs'), port=int(sys.argv[1]))\n"
        "StartupReport(config, [], time.monotonic()).run()\n"
    )
    with answering(200, answer) as config:
        ours, theirs = pty.openpty()
        output = bytearray()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        command = [sys.executable, "-c", program, str(config.port)]
        with subprocess.Popen(command, stdout=theirs, env=environment) as process:
            os.close(theirs)

            def read() -> None:
                try:
                    while chunk := os.read(ours, 4096):
                        output.extend(chunk)
                except OSError:
                    pass  # the other end of the terminal was closed

            reader = threading.Thread(target=read)
            reader.start()
            wait_until(lambda: "Loading 7 runs" in output.decode(), "the bar")
            seen.set()
            assert process.wait(PATIENCE) == 0
            reader.join(PATIENCE)
            os.close(ours)
    text = output.decode()
    assert f"http://127.0.0.1:{config.port}/" in text
    assert "\N{BOX DRAWINGS LIGHT ARC DOWN AND RIGHT}" in text
    assert "40 runs" in text
