"""Loading in this process: everything is read, and who waits at a terminal sees how far it is."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from mindviz.cli.loading import load_all, progress
from mindviz.cli.progress import Load
from mindviz.config import Config
from mindviz.datavisual.logs.log_store import LogStore
from tests.written_logs import tensorboard_log, write


def test_everything_is_loaded_when_it_returns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "a", "events.out.tfevents.1.host", tensorboard_log([(0, 1.0), (1, 2.0)]))
    store = LogStore(Config(tmp_path, inotify=False))
    load_all(store)
    assert store.status().points == 2
    assert capsys.readouterr().err == ""


def test_only_a_terminal_gets_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    def poll() -> Load:
        return Load(1, 1, 1)

    assert isinstance(progress(poll), nullcontext)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert not isinstance(progress(poll), nullcontext)
