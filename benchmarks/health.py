"""Log health of 10,000 runs with many problems: duration and memory of pages of findings.

    python benchmarks/health.py [--repeats N]

No other program looks for anomalies in series, so there is no peer. Targets: a page within 0.1 s at
any offset, and 128 MB for the findings of 10,000 runs. Each run has NaNs, restarts, gaps, repeated
steps and a clock that goes backward, at different steps of its two series.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from comparison import Row, at_most, median, progress, report, spread

from mindviz.config import Config
from mindviz.datavisual.health.log_health import HealthPage, LogHealth
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

JOBS, TAGS, ROUNDS = 10_000, 2, 6
SECONDS, MEGABYTES = 0.1, 128
PAGE = 100


def sick_log() -> bytes:
    """A few series, each with several problems of each of five kinds."""
    events = []
    clock = 1.7e9
    for tag in range(TAGS):
        step = 0
        for _ in range(ROUNDS):
            values = [0.5] * 12 + [float("nan")] * 3 + [0.5] * 5
            steps = [*range(step, step + 20), step + 10, *range(step + 11, step + 25)]
            steps += [step + 25, step + 25, step + 500]
            for number, at in enumerate(steps):
                clock += -5.0 if number == 30 else 1.0
                value = values[number] if number < len(values) else 0.5
                events.append(tensorboard.scalars_event(clock, at, {f"tag{tag}": value}))
            step += 600
            clock += 100.0
    return frames(events, Framing.TFRECORD)


def write_jobs(base: Path) -> None:
    """One log, with the name of its directory in its tags."""
    log = sick_log()
    for number in range(JOBS):
        folder = base / f"job{number:05d}"
        folder.mkdir()
        (folder / "events.out.tfevents.1").write_bytes(log)


def resident() -> float:
    """Resident memory of this process in megabytes."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("There is no VmRSS in /proc/self/status.")


def complete(health: LogHealth) -> HealthPage:
    """The first page, after all runs have been checked."""
    while True:
        page = health.page(limit=PAGE)
        if page.looked_into == page.jobs:
            return page
        time.sleep(0.5)


def pages(health: LogHealth, total: int, repeats: int) -> list[Row]:
    """Pages at the start, middle and end of the list, and of one severity."""
    asked: dict[str, dict[str, object]] = {
        "first page": {"offset": 0},
        "page in the middle": {"offset": total // 2},
        "last page": {"offset": total - PAGE},
        "first page of notes and warnings": {"severities": ["warning", "note"]},
    }
    rows = []
    for what, question in asked.items():
        times = []
        for _ in range(repeats + 1):
            begun = time.perf_counter()
            health.page(limit=PAGE, **question)  # type: ignore[arg-type]
            times.append(time.perf_counter() - begun)
        took = median(times[1:])
        target, reached = at_most(SECONDS, took, "s")
        rows.append(
            Row(
                f"{JOBS:,} sick runs, {what}",
                "-",
                took,
                None,
                "s",
                target,
                reached,
                spread(times[1:]),
            )
        )
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        progress(f"{JOBS:,} logs ...")
        write_jobs(base)
        store = LogStore(Config(base, reload_interval=0, inotify=False))
        store.load_once()
        health = LogHealth(store)
        before, begun = resident(), time.perf_counter()
        progress("looking into them ...")
        page = complete(health)
        took, held = time.perf_counter() - begun, resident() - before
        target, reached = at_most(MEGABYTES, held, "MB")
        found = f"{page.total_count:,} findings, {page.total:,} events"
        report(
            [
                Row(f"{JOBS:,} sick runs, all looked into", "-", took, None, "s", "", None, found),
                Row(f"{JOBS:,} sick runs, kept", "-", held, None, "MB", target, reached, found),
                *pages(health, page.total, repeats),
            ]
        )


if __name__ == "__main__":
    main()
