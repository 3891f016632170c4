"""Loading: `mindviz inspect` against TensorBoard's Rust data server, MindInsight and VisualDL.

    python benchmarks/load.py [--repeats N] [LOG ...]      all logs by default

Both state their own load time: `load_seconds`, and the data server's load cycle. Both check a
payload's checksum as they do by default (`--checksum lazy`); we keep every point, the data server
1,000 of each series, MindInsight 1,000, VisualDL 1,000.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from comparison import Row, at_least, at_most, median, progress, report, spread, turn_by_turn
from generated_logs import LOGS, log_directory, warm
from peers import Load, load_with_mindviz, load_with_rust_server, load_with_script

RUST = "Rust data server 0.7.2"


@dataclass(frozen=True, slots=True)
class Contest:
    """What is loaded, against whom, and what was aimed at."""

    log: str
    peer: str
    load_with_peer: Callable[[Path], Load]
    factor: float | None
    """How many times faster than the peer we mean to be; None: no target."""
    seconds: float | None = None
    """What we mean to stay below, whatever the peer needs."""
    memory_factor: float | None = None
    """Peak RSS at most this many times the peer's; None: no target."""
    repeats: int | None = None
    """For peers that take their time."""
    peer_log: str = ""
    """If the peer has to read another log of the same size, because it can't read ours."""


CONTESTS = (
    Contest("scalars", RUST, load_with_rust_server, 10, memory_factor=1.5),
    Contest("wide-events", RUST, load_with_rust_server, 1),
    Contest("many-tags", RUST, load_with_rust_server, 1),
    Contest("many-jobs", RUST, load_with_rust_server, 1),
    Contest("rank0-tensors", RUST, load_with_rust_server, 1),
    Contest("single-file", RUST, load_with_rust_server, 1, repeats=3),
    Contest("images", RUST, load_with_rust_server, 5),
    Contest(
        "mindspore-images", f"{RUST} on `images`", load_with_rust_server, None, peer_log="images"
    ),
    Contest(
        "mindspore-scalars",
        "MindInsight 2.3.1",
        partial(load_with_script, "mindinsight", "mindinsight_load.py"),
        None,
        seconds=0.1,
        repeats=1,
    ),
    Contest(
        "visualdl-scalars",
        "VisualDL 2.5.3",
        partial(load_with_script, "visualdl", "visualdl_load.py"),
        10,
        repeats=3,
    ),
)


def contest_rows(contest: Contest, repeats: int) -> list[Row]:
    """Measure one contest; rows for load time and peak RSS."""
    directory = log_directory(contest.log)
    peer_directory = log_directory(contest.peer_log or contest.log)
    repeats = contest.repeats or repeats
    progress(f"load: {contest.log} against {contest.peer}, {repeats} turns each")
    measure = turn_by_turn if repeats > 1 else once_each
    ours, theirs = measure(
        partial(load_warm, load_with_mindviz, directory),
        partial(load_warm, contest.load_with_peer, peer_directory),
        repeats,
    )
    our_seconds, their_seconds = ([load.seconds for load in side] for side in (ours, theirs))
    our_rss, their_rss = (median([load.peak_rss for load in side]) / 1e6 for side in (ours, theirs))
    target, reached = "", None
    if contest.factor is not None:
        target, reached = at_least(contest.factor, median(our_seconds), median(their_seconds))
    if contest.seconds is not None:
        target, reached = at_most(contest.seconds, median(our_seconds), "s")
    note = f"{spread(our_seconds)} s against {spread(their_seconds)} s"
    rows = [
        Row(
            f"load {contest.log}",
            contest.peer,
            median(our_seconds),
            median(their_seconds),
            "s",
            target,
            reached,
            note,
        )
    ]
    memory_target, memory_reached = "", None
    if contest.memory_factor is not None:
        memory_target = f"<= {contest.memory_factor:g} of peer's"
        memory_reached = our_rss <= contest.memory_factor * their_rss
    rows.append(
        Row(
            f"peak RSS, {contest.log}",
            contest.peer,
            our_rss,
            their_rss,
            "MB",
            memory_target,
            memory_reached,
        )
    )
    return rows


def load_warm(load: Callable[[Path], Load], directory: Path) -> Load:
    """Load what has just been read: a cache that was warm a minute ago need not be so now."""
    warm(directory)
    return load(directory)


def once_each(
    ours: Callable[[], Load], theirs: Callable[[], Load], repeats: int
) -> tuple[list[Load], list[Load]]:
    """For a peer that takes half a minute: its load once, ours around it."""
    ours()
    return [ours(), ours()], [theirs() for _ in range(repeats)]


def image_growth_row(repeats: int) -> Row:
    """How much more memory a log of 1 GB of images takes than next to nothing does."""
    small, large = log_directory("many-tags"), log_directory("images")
    empty = small.with_name("empty")
    empty.mkdir(exist_ok=True)
    growth = [
        (load_warm(load_with_mindviz, large).peak_rss - load_with_mindviz(empty).peak_rss) / 1e6
        for _ in range(repeats)
    ]
    target, reached = at_most(10, median(growth), "MB")
    return Row(
        "RSS growth, images", "an empty base dir", median(growth), None, "MB", target, reached
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [contest.log for contest in CONTESTS]
    parser.add_argument("logs", nargs="*", metavar="LOG", help=", ".join(names))
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name in options.logs:
        if name not in names:
            parser.error(f"no such log: {name}")
    rows: list[Row] = []
    for contest in CONTESTS:
        if not options.logs or contest.log in options.logs:
            rows += contest_rows(contest, options.repeats)
            if contest.log == "images":
                rows.append(image_growth_row(options.repeats))
    for contest in CONTESTS:
        if not options.logs or contest.log in options.logs:
            progress(f"{contest.log}: {LOGS[contest.log].description}")
    report(rows)


if __name__ == "__main__":
    main()
