"""Loading: `mindviz inspect` and TensorBoard's Rust data server, MindInsight and VisualDL.

    python benchmarks/load.py [--repeats N] [LOG ...]      default all logs

Both report their load time: `load_seconds`, and the data server's load cycle. Both verify checksums
as by default (`--checksum lazy`). We keep all points, the peers 1,000 per series.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError

from comparison import Row, at_least, at_most, median, progress, report, spread, turn_by_turn
from generated_logs import LOGS, log_directory, warm
from peers import Load, load_with_mindviz, load_with_rust_server, load_with_script

RUST = "Rust data server 0.7.2"


@dataclass(frozen=True, slots=True)
class Contest:
    """A log, a peer and the targets."""

    log: str
    peer: str
    load_with_peer: Callable[[Path], Load]
    factor: float | None
    """Target ratio of the load times; None: no target."""
    seconds: float | None = None
    """Target for our load time, regardless of the peer."""
    memory_factor: float | None = None
    """Maximum ratio of the peak memory; None: no target."""
    repeats: int | None = None
    """Number of runs of slow peers; 1 omits the unmeasured run."""
    peer_log: str = ""
    """Another log of the same size for the peer, if it cannot read ours."""
    recorded: float | None = None
    """A previously measured duration of the peer, for machines where it cannot be installed."""


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
        recorded=29.5,
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
    ours, theirs = turns(contest, directory, contest.repeats or repeats)
    our_seconds, their_seconds = ([load.seconds for load in side] for side in (ours, theirs))
    our_rss = median([load.peak_rss for load in ours]) / 1e6
    their_rss = median([load.peak_rss for load in theirs]) / 1e6 if theirs else None
    own = median(our_seconds)
    note = f"{spread(our_seconds)} s"
    if their_seconds:
        peer: float | None = median(their_seconds)
        note += f" against {spread(their_seconds)} s"
    else:
        peer = contest.recorded
        note += "; the peer could not be installed: its figure was RECORDED on another machine"
    target, reached = "", None
    if contest.factor is not None and peer is not None:
        target, reached = at_least(contest.factor, own, peer)
    if contest.seconds is not None:
        target, reached = at_most(contest.seconds, own, "s")
    memory_target, memory_reached = "", None
    if contest.memory_factor is not None and their_rss is not None:
        memory_target = f"<= {contest.memory_factor:g} of peer's"
        memory_reached = our_rss <= contest.memory_factor * their_rss
    name = contest.peer
    return [
        Row(f"load {contest.log}", name, own, peer, "s", target, reached, note),
        Row(
            f"peak RSS, {contest.log}",
            name,
            our_rss,
            their_rss,
            "MB",
            memory_target,
            memory_reached,
        ),
    ]


def turns(contest: Contest, directory: Path, repeats: int) -> tuple[list[Load], list[Load]]:
    """Both measurements; None for a peer that is not available."""
    progress(f"load: {contest.log} against {contest.peer}, {repeats} turns each")
    peer_directory = log_directory(contest.peer_log or contest.log)
    ours = partial(load_warm, load_with_mindviz, directory)
    theirs = partial(load_warm, contest.load_with_peer, peer_directory)
    if repeats > 1:
        return turn_by_turn(ours, theirs, repeats)
    ours()
    before = [ours(), ours()]
    try:
        peer = [theirs()]
    except CalledProcessError:
        if contest.recorded is None:
            raise
        peer = []
    return [*before, ours()], peer


def load_warm(load: Callable[[Path], Load], directory: Path) -> Load:
    """Load a log that was just read, so that the page cache is warm."""
    warm(directory)
    return load(directory)


def image_growth_row(repeats: int) -> Row:
    """Additional memory for a log of 1 GB of images."""
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
