"""Precision and recall of the anomaly rules on injected series, false events, and speed.

    python benchmarks/anomalies.py [--repeats N] [--points N]

Two suites (`anomaly_suites.py`), printed apart: the one that the rules were tuned on, and one that
they were not. In both, every rule's anomaly is injected at a random step into clean series with 5
levels of noise; all rules look at all series. An event is right if its rule was injected there and
it begins near the injection. Everything else is false. Clean series are counted apart: at most one
false event per rule per million points. Losses that all oscillate are a third suite.

No other program has these rules, so there is no peer.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from anomaly_suites import (
    HELD_OUT,
    KINDS,
    NOISE,
    RULES,
    TUNING,
    Suite,
    false_events,
    injected,
    oscillation_events,
    seeded,
    upper_limit,
)
from comparison import Row, at_most, progress, report

from mindviz.config import Config
from mindviz.datavisual.health.run_anomalies import run_anomalies
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

RUNS, TAGS, LENGTH = 10_000, 20, 500
"""Of the speed."""


def suite_rows(suite: Suite, repeats: int, points: int) -> list[Row]:
    """Three rows per rule."""
    progress(f"{suite.name} suite: injected series ...")
    score = injected(suite, repeats)
    progress(f"{suite.name} suite: clean series ...")
    false, seen = false_events(suite, points)
    rows = []
    for kind in KINDS:
        rate = false[kind] * 1e6 / seen[kind]
        limit = upper_limit(false[kind]) * 1e6 / seen[kind]
        target, reached = at_most(1, rate, "")
        levels = ", ".join(f"{100 * score.recall_at(kind, level):.0f}" for level in NOISE)
        name = f"{suite.name}, rule {kind}"
        rows += [
            Row(f"{name}: precision", "-", 100 * score.precision(kind), None, "%"),
            Row(
                f"{name}: recall", "-", 100 * score.recall(kind), None, "%",
                note=f"by noise: {levels}; {score.count(kind)} injected",
            ),
            Row(
                f"{name}: false per 10^6", "-", rate, None, "", target, reached,
                f"{false[kind]} in {seen[kind]:,} clean points; upper limit {limit:.2f}",
            ),
        ]  # fmt: skip
    return rows


def oscillation_rows(points: int) -> list[Row]:
    """The rules that oscillations may confuse."""
    progress("oscillations ...")
    false, seen = oscillation_events(points)
    return [
        Row(
            f"oscillations, rule {kind}: false per 10^6", "-", false[kind] * 1e6 / seen, None, "",
            note=f"{false[kind]} in {seen:,} points",
        )
        for kind in ("spike", "plateau", "divergence")
    ]  # fmt: skip


def write_runs(base: Path) -> None:
    """Runs with a loss, its validation, a gradient norm and other series, noisy and clean."""
    random = seeded("speed")
    names = ["train/loss", "val/loss", "grad_norm"]
    names += [f"metric{number}" for number in range(TAGS - len(names))]
    times = 1.7e9 + np.cumsum(0.1 * np.exp(0.2 * random.standard_normal(LENGTH)))
    descent = np.exp(-3 * np.linspace(0, 1, LENGTH))
    values = descent[:, None] + 0.05 * random.standard_normal((LENGTH, TAGS))
    log = frames(
        [
            tensorboard.scalars_event(
                float(times[step]), step, dict(zip(names, values[step].tolist(), strict=True))
            )
            for step in range(LENGTH)
        ],
        Framing.TFRECORD,
    )
    first = base / "log"
    first.write_bytes(log)
    for number in range(RUNS):
        folder = base / f"run{number:05d}"
        folder.mkdir()
        os.link(first, folder / "events.out.tfevents.1")


def speed() -> list[Row]:
    """CPU time of the rules on all series of 10,000 runs, which are loaded."""
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        progress(f"{RUNS:,} logs ...")
        write_runs(base)
        store = LogStore(Config(base, reload_interval=0, inotify=False))
        store.load_once()
        progress("evaluating the rules ...")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begun, found = time.process_time(), 0
        for train_id in store.list_train_ids():
            found += len(run_anomalies(store, train_id, RULES))
        took = time.process_time() - begun
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    target, reached = at_most(60, took, "s")
    note = f"{found:,} events, peak memory + {grown:.0f} MB"
    what = f"rules on {RUNS:,} runs x {TAGS} tags x {LENGTH} points, CPU"
    return [Row(what, "-", took, None, "s", target, reached, note)]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--points", type=int, default=8_000_000, help="clean points per rule")
    parser.add_argument("--no-speed", action="store_true", help="only precision and recall")
    options = parser.parse_args()
    rows = []
    for suite in (TUNING, HELD_OUT):
        rows += suite_rows(suite, options.repeats, options.points)
    rows += oscillation_rows(options.points)
    report([*rows, *([] if options.no_speed else speed())])


if __name__ == "__main__":
    main()
