"""Pages in a browser: time to draw, cost of a frame, memory.

    python benchmarks/pages.py [--repeats N] [--only NAME ...]

Headless Chromium without a GPU and with an empty cache; the peer is TensorBoard's time-series page
on the same log in the same run, where it has such a page. Frames are measured in CPU milliseconds
of the main thread, which are stable on a busy machine; times to a picture are wall times.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import lineage
import numpy as np
from browser import in_page, node
from comparison import Row, at_least, at_most, median, progress, report, spread
from embedding_log import embedding_log
from generated_logs import (
    CACHE,
    log_directory,
    long_runs,
    one_value_per_event,
    simple_value,
    tag_name,
    tensorboard_file,
    warm,
    wave,
)
from numpy.typing import NDArray
from page_servers import SETTLING, mindviz, ours, tensorboard, theirs
from questions import free_port
from record_bytes import equal_length_steps
from sweep_log import sweep_log

TENSORBOARD = "TensorBoard 2.21's page"
LIVE_MINUTES = 30
PULSE = 0.8
"""Seconds between two polls of a page."""
STEPS_PER_PIECE, PULSES_PER_PIECE = 8, 5
FILTERS = ("job_001", "job_0012", "optimizer = Adam", "optimizer = Adam and learning_rate < 0.01")


def first_chart(repeats: int) -> Iterator[Row]:
    """4 million events: from the navigation, or the server's start, to the first chart."""
    base = log_directory("scalars")
    warm(base)
    with mindviz(base, 5000) as own, tensorboard(base, 5000) as peer:
        pairs = [
            [in_page("drawn_chart.js", task) for task in (ours(own), theirs(peer))]
            for _ in range(repeats + 1)
        ][1:]
    for what, name, limit in (("", "milliseconds", 1.0), (": main thread, cpu", "cpu", None)):
        own_times, peer_times = zip(*[[cost[name] for cost in pair] for pair in pairs], strict=True)
        yield seconds_row(f"first chart, everything loaded{what}", own_times, peer_times, limit)
    started: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for serve, task, times in ((mindviz, ours, started[0]), (tensorboard, theirs, started[1])):
            port = free_port()
            with ExitStack() as stack:
                start = partial(stack.enter_context, serve(base, None, port=port))
                first_task = {**task(f"http://127.0.0.1:{port}/"), "starts": True}
                times.append(in_page("drawn_chart.js", first_task, start)["milliseconds"])
    yield seconds_row("first chart, from the server's start", *started, limit=None)


def seconds_row(what: str, own: Sequence[float], peer: Sequence[float], limit: float | None) -> Row:
    """Milliseconds: the minimum and the median, because other processes disturb some runs."""
    middle = median(own) / 1000
    target, reached = at_most(limit, middle, "s") if limit else ("", None)
    note = f"{spread([ms / 1000 for ms in own])} s; peer {spread([ms / 1000 for ms in peer])} s"
    return Row(what, TENSORBOARD, middle, median(peer) / 1000, "s", target, reached, note)


def frames(repeats: int) -> Iterator[Row]:
    """100 charts x 40 jobs x 1,000 points."""
    base = log_directory("many-charts")
    warm(base)
    tag = "group0/loss_0000"
    with mindviz(base, 1000, tag) as own, tensorboard(base, 1000, tag) as peer:
        pairs = [
            [in_page("frames.js", task) for task in (ours(own), theirs(peer))]
            for _ in range(min(repeats, 3))
        ]
    for what, name in (("scrolling", "scrolled"), ("panning", "panned")):
        for clock in ("cpu", "wall"):
            cost = [[page[name][clock] for page in turn] for turn in pairs]
            for share, limit in ((0.5, 20), (0.95, 40)):
                own_cost, peer_cost = (
                    median([float(np.quantile(costs, share)) for costs in column])
                    for column in zip(*cost, strict=True)
                )
                target, reached = at_most(limit, own_cost, "ms")
                twice, is_twice = at_least(2, own_cost, peer_cost)
                judged = clock == "cpu"
                count = sum(len(column[0]) for column in cost)
                yield Row(
                    f"frames, {what}, {share:.0%}, {clock}",
                    TENSORBOARD,
                    own_cost,
                    peer_cost,
                    "ms",
                    f"{target}, {twice}" if judged else "",
                    reached and is_twice if judged else None,
                    f"{count} frames",
                )
    mounted, allowed = (max(turn[0][name] for turn in pairs) for name in ("mounted", "allowed"))
    target, reached = at_most(allowed, mounted, "")
    peer_mounted = max(turn[1]["mounted"] for turn in pairs)
    note = "target: those in view and two rows"
    yield Row("charts mounted", TENSORBOARD, mounted, peer_mounted, "", target, reached, note)


def live(repeats: int) -> Iterator[Row]:
    """20 charts x 40 jobs that grow for half an hour, in accelerated time."""
    del repeats
    base = CACHE / f"growing-{os.getpid()}"
    tags = [tag_name(number) for number in range(20)]
    pulses = int(LIVE_MINUTES * 60 / PULSE)
    steps = steps_apart(tags, 50 + pulses // PULSES_PER_PIECE * STEPS_PER_PIECE)
    shutil.rmtree(base, ignore_errors=True)
    for job in range(40):
        tensorboard_file(base / f"run{job:02d}", iter(steps[:50]))
    paths = sorted(base.rglob("*tfevents*"))
    written = 50

    def grow() -> None:
        nonlocal written
        piece = b"".join(steps[written : written + STEPS_PER_PIECE])
        written += STEPS_PER_PIECE
        for path in paths:
            with path.open("ab") as file:
                file.write(piece)

    with mindviz(base, 50) as address:
        task = {**ours(address), "speed": 16, "pulses": pulses, "pulsesPerPiece": PULSES_PER_PIECE}
        measured = in_page("live.js", task, grow)
    shutil.rmtree(base)
    used = sum(measured["after"].values())
    target, reached = at_most(200, used, "MB")
    after = measured["after"]
    note = (
        f"{sum(measured['before'].values()):.0f} MB at the beginning; JS {after['js']:.0f}, "
        f"DOM {after['dom']:.0f}, typed arrays {after['buffers']:.0f} MB; "
        f"{measured['updates']} answers with points, {written} steps"
    )
    yield Row(f"heap after {LIVE_MINUTES} min live", "-", used, None, "MB", target, reached, note)


def steps_apart(tags: Sequence[bytes], count: int) -> list[bytes]:
    """The records of each step, all tags in them."""
    apart = []
    runs = equal_length_steps(count)
    for run, chunk in zip(runs, one_value_per_event(tags, count, simple_value), strict=True):
        size = len(chunk) // len(run)
        apart += [chunk[start : start + size] for start in range(0, len(chunk), size)]
    return apart


def live_point(repeats: int) -> Iterator[Row]:
    """From a point in a file to its pixels: 4 charts x 10 jobs, of which one grows."""
    steps = steps_apart([tag_name(number) for number in range(4)], 1000)
    first, count = 500, 10 * repeats
    for what, pause in (("after a rest of a second", 1.0), ("10 of them per second", 0.1)):
        base = CACHE / f"growing-{os.getpid()}"
        shutil.rmtree(base, ignore_errors=True)
        for job in range(10):
            tensorboard_file(base / f"run{job:02d}", iter(steps[:first]))
        growing = max(base.rglob("*tfevents*"))
        written: list[float] = []

        def append(
            growing: Path = growing, pause: float = pause, written: list[float] = written
        ) -> None:
            # In no phase with the timers of the page.
            time.sleep(pause * random.uniform(0.8, 1.2))
            with growing.open("ab") as file:
                file.write(steps[first + len(written)])
            written.append(time.time() * 1000)

        with mindviz(base, first) as address:
            task = {**ours(address), "first": first, "count": count}
            drawn = in_page("live_point.js", task, append)
        shutil.rmtree(base)
        times = [
            next(at for step, at in drawn if step >= first + number) - moment
            for number, moment in enumerate(written)
        ]
        target, reached = at_most(300, median(times), "ms")
        note = f"95 %: {np.quantile(times, 0.95):.0f} ms, {count} points"
        yield Row(f"a live point, {what}", "-", median(times), None, "ms", target, reached, note)


def grouped(repeats: int) -> Iterator[Row]:
    """1,000 runs in 100 groups: from the navigation to four charts of means and deviations."""
    base = sweep_log()
    warm(base)
    with mindviz(base, 500, "train/loss") as address:
        task = {"url": f"{address}#/scalar?runs=*&by=lr", "charts": 4, "lines": 100}
        loads = [in_page("all_charts.js", task) for _ in range(repeats + 1)][1:]
    name = "1,000 runs in 100 groups, 4 charts"
    for what, key in ((f"{name}, new browser", "milliseconds"), (f"{name}, again", "again")):
        times = [load[key] / 1000 for load in loads]
        target, reached = at_most(1.0, median(times), "s")
        yield Row(what, "-", median(times), None, "s", target, reached, f"{spread(times)} s")
    spent = [load["cpu"] / 1000 for load in loads]
    note = f"{spread(spent)} s"
    yield Row("the same: main thread, cpu", "-", median(spent), None, "s", "", None, note)


def thousand_lines(repeats: int) -> Iterator[Row]:
    """One chart with 1,000 lines of 500 points, and four of them, panned together."""
    base = sweep_log()
    warm(base)
    with (
        mindviz(base, 500, "train/loss") as own,
        tensorboard(base, 500, "train/loss") as peer,
    ):
        for what, tags in (("one chart", "&tags=train/loss"), ("four charts", "")):
            for turn in (ours(own), theirs(peer))[: 2 if tags else 1]:
                task = {**turn, "url": turn["url"] + (tags if turn["page"] == "mindviz" else "")}
                costs = [
                    in_page("frames.js", {**task, "panOnly": True}) for _ in range(min(repeats, 2))
                ]
                for clock in ("cpu", "wall"):
                    spent = [cost for load in costs for cost in load["panned"][clock]]
                    middle = float(np.quantile(spent, 0.5))
                    target, reached = at_most(20, middle, "ms")
                    judged = clock == "cpu" and turn["page"] == "mindviz"
                    yield Row(
                        f"{turn['page']}: 1,000 lines panned, {what}, {clock}",
                        "-",
                        middle,
                        None,
                        "ms",
                        target if judged else "",
                        reached if judged else None,
                        f"95 %: {np.quantile(spent, 0.95):.1f} ms, {len(spent)} frames",
                    )


def zoom(repeats: int) -> Iterator[Row]:
    """A range of 1 % of 10 million points."""
    base = log_directory("long-series")
    warm(base)
    values = np.concatenate([wave(run, 0) for run in long_runs()])
    steps = len(values) // 100
    with mindviz(base, 10_000_000) as address:
        for what, state in (("a chart", ""), ("a large chart", "&large=train%2Floss_0000")):
            task = {"url": f"{address}#/scalar?runs=*{state}", "steps": steps, "settling": 1000}
            zooms = [
                in_page("zoom.js", {**task, "from": 0.3 + 0.06 * turn}) for turn in range(repeats)
            ]
            for zoomed in zooms:
                check_extremes(zoomed, values)
            times = [zoomed["milliseconds"] / 1000 for zoomed in zooms]
            target, reached = at_most(0.2, median(times), "s")
            drawn = "extremes of the" if zooms[0]["reduced"] else "all"
            note = f"{drawn} {zooms[0]['points']:,} points drawn; {spread(times)} s"
            name = f"zoom to 1 % of 10 million points, {what}"
            yield Row(name, "-", median(times), None, "s", target, reached, note)


def check_extremes(zoomed: dict[str, Any], values: NDArray[np.float32]) -> None:
    """The drawn extremes equal the logged ones. Raises AssertionError."""
    first, last = (round(step) for step in zoomed["x"])
    window = values[first : last + 1]
    drawn, logged = (zoomed["low"], zoomed["high"]), (float(window.min()), float(window.max()))
    assert drawn == logged, f"{drawn} drawn, {logged} logged"


def runs(repeats: int) -> Iterator[Row]:
    """The table of 10,000 train jobs."""
    base = lineage.base_dir(10_000)
    warm(base)
    port = free_port()
    with mindviz(base, None, port=port) as address:
        lineage.wait_until_complete(port, "mindviz", 10_000)
        task = {
            "url": f"{address}#/runs",
            "jobs": 10_000,
            "filters": FILTERS,
            "settling": SETTLING,
        }
        loads = [in_page("runs.js", task) for _ in range(repeats)]
    for what, name in (("first rows", "drawn"), ("interactive", "interactive")):
        times = [load[name] / 1000 for load in loads]
        target, reached = at_most(1.0, median(times), "s")
        yield Row(
            f"10,000 runs, {what}",
            "-",
            median(times),
            None,
            "s",
            target,
            reached,
            f"{spread(times)} s",
        )
    spent = [load["cpu"] / 1000 for load in loads]
    note = f"{spread(spent)} s"
    yield Row("the same: main thread, cpu", "-", median(spent), None, "s", "", None, note)
    for text in FILTERS:
        spent = [load["filters"][text][2] / 1000 for load in loads]
        note, name = f"{spread(spent)} s", f"filter: {text}: main thread, cpu"
        yield Row(name, "-", median(spent), None, "s", "", None, note)
        times = [load["filters"][text][0] / 1000 for load in loads]
        target, reached = at_most(0.1, median(times), "s")
        note = f"{loads[0]['filters'][text][1]}; {spread(times)} s"
        yield Row(f"filter: {text}", "-", median(times), None, "s", target, reached, note)


def embedding(repeats: int) -> Iterator[Row]:
    """Rotating many points. Excludes the GPU's work, here of another process."""
    for points in (20_000, 100_000):
        base = embedding_log(points)
        with mindviz(base, None) as own, tensorboard(base, None) as peer:
            task = {"points": points, "settling": SETTLING}
            pages = (
                {**task, "page": "mindviz", "url": f"{own}#/embedding"},
                {**task, "page": "tensorboard", "url": f"{peer}#projector"},
            )
            turns = range(min(repeats, 2))
            pairs = [[in_page("embedding.js", page)["cpu"] for page in pages] for _ in turns]
        for share in (0.5, 0.95):
            cost, peer_cost = (
                median([float(np.quantile(costs, share)) for costs in column])
                for column in zip(*pairs, strict=True)
            )
            target, reached = at_most(20 if share == 0.5 else 40, cost, "ms")
            what = f"frames, turning {points:,} points, {share:.0%}, cpu"
            note = f"{sum(len(own) for own, _ in pairs)} frames"
            yield Row(what, "TensorBoard's projector", cost, peer_cost, "ms", target, reached, note)


PAGES: dict[str, Callable[[int], Iterator[Row]]] = {
    "first-chart": first_chart,
    "frames": frames,
    "live": live,
    "live-point": live_point,
    "grouped": grouped,
    "thousand-lines": thousand_lines,
    "zoom": zoom,
    "runs": runs,
    "embedding": embedding,
}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=PAGES, default=list(PAGES), metavar="NAME")
    options = parser.parse_args()
    node()
    for name in options.only:
        progress(name)
        report(list(PAGES[name](options.repeats)))
    progress(f"load average over it: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
