"""Responses: one tag x 40 jobs x 1,000 points, from mindviz and from TensorBoard.

    python benchmarks/answers.py [--repeats N]

One client first: as rows with nothing cached (what the target is about), as columns, as Arrow,
and from the cache. Then 50 keep-alive clients at once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from comparison import Row, at_least, median, progress, report
from generated_logs import log_directory, tag_name, warm
from peers import mindviz_command, serving, tensorboard_command, workspace
from questions import MindvizQuestion, Question, connect, free_port, questions, wait_until_complete

POINTS = 1000
CLIENTS = 50
TENSORBOARD = "TensorBoard 2.21 scalars_multirun"


def latencies(question: Question, port: int, count: int) -> list[float]:
    """Seconds of each of `count` requests of one client."""
    connection = connect(port)
    question.ask(connection)
    seconds = []
    for _ in range(count):
        started = time.perf_counter()
        question.ask(connection)
        seconds.append(time.perf_counter() - started)
    connection.close()
    return seconds


def crowded_latencies(question: Question, port: int, each: int) -> list[float]:
    """Seconds of each request of `CLIENTS` clients, `each` of them per client, all at once."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        jobs = [pool.submit(latencies, question, port, each) for _ in range(CLIENTS)]
        return [seconds for job in jobs for seconds in job.result()]


def crowd_rows(what: str, own: Sequence[float], peer: Sequence[float] | None) -> list[Row]:
    """p50 and p99."""
    return [
        Row(
            f"{what}, {CLIENTS} clients, p{percent}",
            TENSORBOARD if peer else "-",
            float(np.percentile(own, percent)),
            float(np.percentile(peer, percent)) if peer else None,
            "s",
        )
        for percent in (50, 99)
    ]


def one_client_rows(
    variants: dict[str, MindvizQuestion], theirs: Question, ports: tuple[int, int], repeats: int
) -> list[Row]:
    """Every variant in turn with the peer, `repeats` rounds of 5 requests."""
    own: dict[str, list[float]] = {name: [] for name in variants}
    peer: list[float] = []
    for _ in range(repeats):
        for name, question in variants.items():
            own[name] += latencies(question, ports[0], 5)
        peer += latencies(theirs, ports[1], 5)
    rows = []
    for name, seconds in own.items():
        is_target = name == "rows, uncached"
        target, reached = at_least(10, median(seconds), median(peer)) if is_target else ("", None)
        size = len(variants[name].ask(connect(ports[0]))) / 1e6
        rows.append(
            Row(
                f"GET scalars: {name}",
                TENSORBOARD,
                median(seconds),
                median(peer),
                "s",
                target,
                reached,
                f"{size:.2f} MB",
            )
        )
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    base = log_directory("answers")
    warm(base)
    rows_uncached, theirs = questions(base, tag_name(3).decode())
    variants = {
        "rows, uncached": rows_uncached,
        "columns, uncached": replace(rows_uncached, shape="columns"),
        "Arrow, uncached": replace(rows_uncached, shape="arrow"),
        "rows, cached": replace(rows_uncached, cached=True),
        "columns, cached": replace(rows_uncached, shape="columns", cached=True),
    }
    ports = free_port(), free_port()
    with (
        workspace() as home,
        serving(mindviz_command(base, ports[0], home)),
        serving(tensorboard_command(base, ports[1])),
    ):
        wait_until_complete(rows_uncached, ports[0], POINTS)
        wait_until_complete(theirs, ports[1], POINTS)
        progress(f"answers: {options.repeats} rounds of one client")
        rows = one_client_rows(variants, theirs, ports, options.repeats)
        progress(f"answers: {CLIENTS} clients")
        peer = crowded_latencies(theirs, ports[1], 2)
        for name in ("rows, uncached", "rows, cached", "columns, uncached", "columns, cached"):
            own = crowded_latencies(variants[name], ports[0], 6)
            rows += crowd_rows(f"GET scalars: {name}", own, peer)
    report(rows)


if __name__ == "__main__":
    main()
