"""Idling: the cost of `mindviz start` on 1,000 train jobs without changes.

    python benchmarks/idle.py [--seconds N]

TensorBoard's processes are measured over the same time.
"""

from __future__ import annotations

import argparse
import time

from comparison import Row, at_most, progress, report
from generated_logs import log_directory, tag_name, warm
from peers import (
    cpu_seconds,
    mindviz_command,
    serving,
    tensorboard_command,
    workspace,
)
from questions import free_port, questions, wait_until_complete

POINTS = 100
SETTLING = 10.0
"""Seconds for one-time work after loading."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    base = log_directory("many-jobs")
    warm(base)
    ours, theirs = questions(base, tag_name(0).decode())
    ports = free_port(), free_port()
    with (
        workspace() as home,
        serving(mindviz_command(base, ports[0], home)) as own,
        serving(tensorboard_command(base, ports[1])) as peer,
    ):
        wait_until_complete(ours, ports[0], POINTS)
        wait_until_complete(theirs, ports[1], POINTS)
        progress(f"idling: {options.seconds:g} s")
        time.sleep(SETTLING)
        before = cpu_seconds(own.pid), cpu_seconds(peer.pid)
        time.sleep(options.seconds)
        after = cpu_seconds(own.pid), cpu_seconds(peer.pid)
    shares = [
        100 * (end - start) / options.seconds for start, end in zip(before, after, strict=True)
    ]
    target, reached = at_most(1, shares[0], "% of a core")
    what, name = "idle on 1,000 jobs", "TensorBoard 2.21"
    report([Row(what, name, shares[0], shares[1], "% of a core", target, reached)])


if __name__ == "__main__":
    main()
