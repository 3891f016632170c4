"""Logs in Python: all scalars of a folder as a table, from process start to exit.

    python benchmarks/data_frames.py [--repeats N]

`mindviz.open(folder).scalars()` returns a pandas data frame; the peer is a script with
TensorBoard's EventAccumulator that returns numpy columns. Both count the 200,000 points.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from comparison import Row, median, progress, report, spread, turn_by_turn
from generated_logs import log_directory, warm
from peers import CHECKOUT, ENVIRONMENT, peer_python

OURS = "import sys, mindviz; print(len(mindviz.open(sys.argv[1], cache=False).scalars()))"
POINTS = 200_000


def seconds(logs: Path, *command: str | Path) -> float:
    """The duration of a program that prints the number of points it read."""
    warm(logs)
    started = time.perf_counter()
    done = subprocess.run(
        [*map(str, command), str(logs)],
        check=True,
        cwd=CHECKOUT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    took = time.perf_counter() - started
    if int(done.stdout) != POINTS:
        raise RuntimeError(f"{done.stdout.decode().strip()} points were read.")
    return took


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    logs = log_directory("answers")
    script = Path(__file__).with_name("peer_scripts") / "tensorboard_columns.py"
    python = peer_python("tensorboard")
    progress("200,000 scalars as a table")
    own, found = turn_by_turn(
        lambda: seconds(logs, sys.executable, "-c", OURS),
        lambda: seconds(logs, python, script),
        parser.parse_args().repeats,
    )
    row = Row(
        f"a data frame of {POINTS:,} scalars",
        "EventAccumulator 2.21, numpy columns",
        median(own),
        median(found),
        "s",
        note=spread(own),
    )
    report([row])


if __name__ == "__main__":
    main()
