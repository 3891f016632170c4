"""Questions about 10,000 runs, once they are loaded.

    python benchmarks/asking.py [--runs N] [--repeats N]

Runs have 5 scalars of 20 steps and hyperparameters. There is no peer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from comparison import Row, at_most, median, progress, report, spread
from generated_logs import (
    STARTED,
    one_value_per_event,
    recorded,
    simple_value,
    tag_name,
    tensorboard_file,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.client.log_source import LogSource
from mindviz.client.opening import open_source

MAX_SECONDS = 0.3
TAG = tag_name(0).decode()
QUESTIONS = {
    "list": "list",
    "list, sorted by a metric": f"list sort {TAG} desc",
    "find": "find 'lr < 0.005 and optimizer = adam'",
    "run": "run group3/run3333",
    "series": f"series group3/run3333 {TAG}",
    "around": "around group3/run3333 10",
    "compare": "compare group3/run3333 group7/run7777",
    "config of two runs": "config group3/run3333 group7/run7777",
    "config of all runs": "config",
    "health of a run": "health group3/run3333",
    "a misspelled run": "run group3/rn3333",
    "health of all runs": "health",
}


def write_runs(base: Path, runs: int) -> None:
    """Runs with equal scalars and different hyperparameters."""
    tags = [tag_name(number) for number in range(5)]
    whole = b"".join(one_value_per_event(tags, 20, simple_value))
    for run in range(runs):
        directory = base / f"group{run // 1000}" / f"run{run}"
        tensorboard_file(directory, iter([whole]))
        with recorded(directory, lambda: STARTED) as record:
            config = {"lr": (run % 100 + 1) / 10_000, "optimizer": ("adam", "sgd")[run % 2]}
            record.add_value("custom_lineage_data", "config", config)
            record.record(0)


def seconds(source: LogSource, question: str) -> float:
    """Until the whole answer, of 4,000 tokens at most."""
    began = time.perf_counter()
    with suppress(LookupError):
        source.answer(question)
    return time.perf_counter() - began


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        progress(f"writing {options.runs} runs")
        write_runs(Path(folder), options.runs)
        progress("loading")
        began = time.perf_counter()
        source = open_source(folder)
        loaded = time.perf_counter()
        source.prepare()
        prepared = time.perf_counter()
        what = f"{options.runs:,} runs: "
        rows.append(Row(f"{what}loaded", "", loaded - began, None, "s"))
        rows.append(Row(f"{what}prepared", "", prepared - loaded, None, "s"))
        for name, question in QUESTIONS.items():
            progress(name)
            first = seconds(source, question)
            times = [seconds(source, question) for _ in range(options.repeats)]
            limit = at_most(MAX_SECONDS, median(times), "s")
            note = f"{spread(times)}; the first one {first:.3g}"
            rows.append(Row(f"{what}{name}", "", median(times), None, "s", *limit, note))
        source.close()
    report(rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
