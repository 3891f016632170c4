"""`mindviz parse-summary` writes the same as MindInsight 2.3.1. Runs with our interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def written(command: list[str], directory: str, output: Path) -> dict[str, bytes]:
    """Every file that a command writes for a job."""
    output.mkdir()
    options = ["--summary-dir", directory, "--output", str(output)]
    subprocess.run([*command, *options], check=True, cwd=CHECKOUT)
    (folder,) = output.iterdir()
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_files_are_the_same(tmp_path: Path) -> None:
    logs = str(Path(os.environ["MINDVIZ_PEER_LOGS"]) / "mindspore")
    mindinsight = Path(os.environ["MINDVIZ_PEER_PYTHON"]).parent / "mindinsight"
    theirs = written([str(mindinsight), "parse_summary"], logs, tmp_path / "theirs")
    ours = written([sys.executable, "-m", "mindviz", "parse-summary"], logs, tmp_path / "ours")
    assert len(ours) > 1
    assert ours == theirs
