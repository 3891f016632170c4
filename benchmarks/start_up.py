"""Startup: from process start to the first complete response, on 4 million events.

    python benchmarks/start_up.py [--repeats N]

A complete response contains all 40 jobs with their full point counts. Both servers are polled every
20 ms: `mindviz start` with `GET scalars`, `tensorboard --logdir` (fast mode) with
`scalars_multirun`. The page cache is warm. A warm start finds what an earlier
server kept of the logs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from comparison import Row, at_least, median, progress, report, spread, turn_by_turn
from generated_logs import log_directory, tag_name, warm
from peers import mindviz_command, patience, serving, tensorboard_command, workspace
from questions import Question, connect, free_port, questions

POINTS = 5000
ASKED_EVERY = 0.02


def seconds_to_answer(base: Path, command: Callable[[int], list[str]], question: Question) -> float:
    """Start a server on the base dir and poll it until its response is complete."""
    warm(base)
    port = free_port()
    started = time.perf_counter()
    with serving(command(port)) as process:
        connection = connect(port)
        for _ in patience():
            asked = time.perf_counter()
            try:
                body = question.ask(connection)
                answered = time.perf_counter()
                if question.is_complete(body, POINTS):
                    return answered - started
            except OSError:
                connection.close()
            if process.poll() is not None:
                raise RuntimeError(f"{command(port)[0]} ended with {process.returncode}.")
            time.sleep(max(0.0, asked + ASKED_EVERY - time.perf_counter()))
    raise AssertionError("patience() raises before it ends")


def mindviz_seconds(base: Path, question: Question) -> float:
    """One start of mindviz."""
    with workspace() as home:
        return seconds_to_answer(base, lambda port: mindviz_command(base, port, home), question)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    base = log_directory("scalars")
    ours, theirs = questions(base, tag_name(0).decode())
    progress(f"start-up: {options.repeats} starts each")
    own, peer = turn_by_turn(
        partial(mindviz_seconds, base, ours),
        lambda: seconds_to_answer(base, partial(tensorboard_command, base), theirs),
        options.repeats,
    )
    target, reached = at_least(3, median(own), median(peer))
    note = f"{spread(own)} s against {spread(peer)} s"
    what = "start to first complete answer"
    peer_name = "TensorBoard 2.21"
    rows = [Row(what, peer_name, median(own), median(peer), "s", target, reached, note)]
    with workspace() as home:

        def warm_seconds() -> float:
            return seconds_to_answer(base, lambda port: mindviz_command(base, port, home), ours)

        warm_seconds()  # fills the cache when it ends
        own, peer = turn_by_turn(
            warm_seconds, partial(mindviz_seconds, base, ours), options.repeats
        )
    target, reached = at_least(1, median(own), median(peer))
    note = f"{spread(own)} s against {spread(peer)} s"
    what = "the same, logs unchanged since an earlier start"
    rows.append(Row(what, "cold start", median(own), median(peer), "s", target, reached, note))
    report(rows)


if __name__ == "__main__":
    main()
