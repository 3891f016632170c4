"""Exporting: logs to files, from process start to exit.

    python benchmarks/export.py [--repeats N]

`mindviz export` of 200,000 scalars and a script with TensorBoard's EventAccumulator, the usual way
there; `mindviz parse-summary` of 100,000 scalars and MindInsight's.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from comparison import Row, median, progress, report, spread, turn_by_turn
from generated_logs import log_directory, warm
from peers import CHECKOUT, ENVIRONMENT, peer_python, workspace

OURS = (sys.executable, "-m", "mindviz")
FORMATS = ("csv", "json", "npz")


def seconds(logs: Path, command: Callable[[Path], Sequence[str | Path]]) -> float:
    """The duration of a command that writes to an empty folder."""
    warm(logs)
    with workspace() as folder:
        started = time.perf_counter()
        subprocess.run(
            [str(part) for part in command(folder)],
            check=True,
            cwd=CHECKOUT,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        took = time.perf_counter() - started
        if not any(path.stat().st_size for path in folder.rglob("*") if path.is_file()):
            raise RuntimeError("Nothing was written.")
        return took


def export_rows(repeats: int) -> list[Row]:
    """Each of our formats, compared with the script's CSV."""
    logs = log_directory("answers")
    script = Path(__file__).with_name("peer_scripts") / "tensorboard_export.py"
    python = peer_python("tensorboard")
    rows = []
    for name in FORMATS:
        progress(f"export: {name}")
        options = ("--format", name, "--what", "scalars", "--output")

        def ours(name: str = name, options: Sequence[str] = options) -> float:
            command = (*OURS, "export", str(logs), *options)
            return seconds(logs, lambda folder: (*command, folder / f"out.{name}"))

        def peer() -> float:
            return seconds(logs, lambda folder: (python, script, logs, folder / "out.csv"))

        own, found = turn_by_turn(ours, peer, repeats)
        rows.append(
            Row(
                f"export of 200,000 scalars as {name}",
                "EventAccumulator 2.21 to csv",
                median(own),
                median(found),
                "s",
                note=spread(own),
            )
        )
    return rows


def parse_summary_row(repeats: int) -> Row:
    """One job with one file, because MindInsight reads only one."""
    logs = log_directory("mindspore-scalars") / "run0"
    mindinsight = Path(peer_python("mindinsight")).parent / "mindinsight"
    progress("parse-summary")

    def measured(*command: str | Path) -> Callable[[], float]:
        options = (*command, "--summary-dir", logs, "--output")
        return lambda: seconds(logs, lambda folder: (*options, folder))

    own, found = turn_by_turn(
        measured(*OURS, "parse-summary"), measured(mindinsight, "parse_summary"), repeats
    )
    return Row(
        "parse-summary of 100,000 scalars",
        "MindInsight 2.3.1",
        median(own),
        median(found),
        "s",
        note=spread(own),
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    report([*export_rows(repeats), parse_summary_row(repeats)])


if __name__ == "__main__":
    main()
