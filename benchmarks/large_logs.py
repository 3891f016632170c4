"""100 million points: the first exact chart, and private memory while every series is requested.

    python benchmarks/large_logs.py [--copies N] [--repeats N]

1,000 runs x 20 tags x 5,000 points, as 25 links to each file of the log of `load.py`: 5.4 GB. A
chart shows one tag of ten of the newest runs. Servers run with `--max-memory 256MiB`: on a cold
start, on a warm one, and without a cache. TensorBoard starts once, in fast mode: it keeps 1,000
points per series. The default takes six minutes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from comparison import Row, at_most, median, progress, report, spread
from folders import ALLOWED, MAX_MEMORY, Server, empty_server, started, wait_until_kept
from generated_logs import log_directory, tag_name, warm
from linked_copies import link_copies
from peers import patience, tensorboard_command
from questions import MindvizQuestion, TensorBoardQuestion, connect
from start_up import ASKED_EVERY, seconds_to_answer

TAGS, POINTS, RUNS_OF_A_CHART = 20, 5000, 10
TARGETS = {"cold": 5.0, "warm": 1.0}
"""Seconds until the first exact chart."""


def newest_first(base: Path) -> list[str]:
    """The runs below a base dir."""
    files = sorted(
        sorted(base.rglob("*tfevents*")), key=lambda path: path.stat().st_mtime, reverse=True
    )
    return [path.parent.relative_to(base).as_posix() for path in files]


def charts(train_ids: Sequence[str]) -> list[MindvizQuestion]:
    """A chart of each tag of ten runs each; together they have every series."""
    return [
        MindvizQuestion(train_ids[first : first + RUNS_OF_A_CHART], tag_name(tag).decode())
        for first in range(0, len(train_ids), RUNS_OF_A_CHART)
        for tag in range(TAGS)
    ]


def seconds_to_chart(server: Server, chart: MindvizQuestion) -> float:
    """From the start of the server until a chart has all points, sampling its memory."""
    for _ in patience():
        server.sample()
        try:
            with closing(connect(server.port)) as connection:
                if chart.is_complete(chart.ask(connection), POINTS):
                    return time.perf_counter() - server.began
        except OSError:
            pass
        time.sleep(ASKED_EVERY)
    raise AssertionError("patience() raises before it ends")


def request_all(server: Server, of_all: Sequence[MindvizQuestion]) -> None:
    """Request every series, sampling the memory of the server."""
    with closing(connect(server.port)) as connection:
        for chart in of_all:
            assert chart.is_complete(chart.ask(connection), POINTS)
            server.sample()


def figures(
    base: Path, workspace: Path, of_all: Sequence[MindvizQuestion], *options: str
) -> dict[str, float]:
    """One start: seconds, and MB of private memory at most."""
    warm(base)
    with started(base, workspace, *options) as server:
        found = {"first exact chart": seconds_to_chart(server, of_all[0])}
        server.wait_until_loaded()
        found["loaded"] = time.perf_counter() - server.began
        found["private memory, loading"] = server.most_private
        request_all(server, of_all)
        found["private memory, all series requested"] = server.most_private
        if "--no-cache" not in options:
            wait_until_kept(server, workspace)
        return found


def rows(kind: str, of_starts: Sequence[dict[str, float]], allowed: float) -> Iterator[Row]:
    """The rows of some starts of one kind."""
    for name in of_starts[0]:
        values = [one[name] for one in of_starts]
        unit = "MB" if "memory" in name else "s"
        limit = allowed if unit == "MB" else TARGETS.get(kind) if "chart" in name else None
        value = max(values) if unit == "MB" else median(values)
        target, reached = ("", None) if limit is None else at_most(round(limit, 1), value, unit)
        what = f"100 million points, {kind}: {name}"
        yield Row(what, "", value, None, unit, target, reached, spread(values))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=25)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    log = log_directory("scalars")
    with tempfile.TemporaryDirectory(prefix="mindviz-bench-", dir=log.parent) as name:
        nothing, base, workspace = (Path(name, part) for part in ("nothing", "logs", "workspace"))
        nothing.mkdir()
        link_copies(log, options.copies, base)
        runs = newest_first(base)
        of_all = charts(["./" + run for run in runs])
        by_kind: dict[str, list[dict[str, float]]] = {"cold": [], "warm": [], "no cache": []}
        allowed = dict.fromkeys(("cold", "warm"), empty_server(nothing, Path(name, "empty")))
        allowed["no cache"] = empty_server(nothing, Path(name, "empty"), "--no-cache")
        for number in range(options.repeats):
            progress(f"starts {number + 1} of {options.repeats}, with {MAX_MEMORY}")
            home = workspace / str(number)
            by_kind["cold"].append(figures(base, home, of_all))
            by_kind["warm"].append(figures(base, home, of_all))
            by_kind["no cache"].append(figures(base, home, of_all, "--no-cache"))
        for kind, of_starts in by_kind.items():
            report(list(rows(kind, of_starts, allowed[kind] + ALLOWED)))
        progress("TensorBoard")
        theirs = TensorBoardQuestion(runs[:RUNS_OF_A_CHART], of_all[0].tag)
        peer = seconds_to_answer(base, lambda port: tensorboard_command(base, port), theirs)
        first = median([one["first exact chart"] for one in by_kind["cold"]])
        what = "100 million points, cold: first complete chart"
        report([Row(what, "TensorBoard 2.21", first, peer, "s")])


if __name__ == "__main__":
    main()
