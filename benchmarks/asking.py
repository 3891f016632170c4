"""Questions about 10,000 runs: to a server that has loaded them, and from the command line.

    python benchmarks/asking.py [--runs N] [--repeats N]

Runs have 5 scalars of 20 steps and hyperparameters. Servers that answer questions have no peer. Of
the command line, that is a script that reads the same runs with TensorBoard's EventAccumulator.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
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
from peers import (
    CHECKOUT,
    ENVIRONMENT,
    cpu_seconds,
    mindviz_command,
    patience,
    peer_python,
    serving,
)
from questions import free_port

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.client.log_source import LogSource
from mindviz.client.opening import open_source
from mindviz.errors import CannotOpen

MAX_SECONDS = 0.3
TAG = tag_name(0).decode()
SORTED = f"list sort {TAG} desc"
QUESTIONS = {
    "list": "list",
    "list, sorted by a metric": SORTED,
    "list, sorted by anomalies": "list sort anomalies desc",
    "find": "find 'lr < 0.005 and optimizer = adam'",
    "run": "run group3/run3333",
    "series": f"series group3/run3333 {TAG}",
    "around": "around group3/run3333 10",
    "compare": "compare group3/run3333 group7/run7777",
    "config of two runs": "config group3/run3333 group7/run7777",
    "config of all runs": "config",
    "health of a run": "health group3/run3333",
    "health of all runs": "health",
    "a misspelled run": "run group3/rn3333",
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


def asked(source: LogSource, what: str, repeats: int, pid: int | None = None) -> list[Row]:
    """A row per question; with the CPU time of the server `pid` per answer."""
    rows = []
    for name, question in QUESTIONS.items():
        progress(f"{what}{name}")
        first = seconds(source, question)
        before = 0.0 if pid is None else cpu_seconds(pid)
        times = [seconds(source, question) for _ in range(repeats)]
        limit = at_most(MAX_SECONDS, max(first, median(times)), "s")
        note = f"{spread(times)}; the first one {first:.3g}"
        if pid is not None:
            note += f"; CPU {(cpu_seconds(pid) - before) / repeats:.3g}"
        rows.append(Row(f"{what}{name}", "", median(times), None, "s", *limit, note))
    return rows


def of_a_server(base: Path, home: Path, what: str, repeats: int) -> list[Row]:
    """Questions to a server, while it checks runs and afterwards."""
    port = free_port()
    with serving(mindviz_command(base, port, home)) as process:
        for _ in patience():
            with suppress(CannotOpen):
                source = open_source(f"http://127.0.0.1:{port}/")
                break
            time.sleep(0.1)
        loaded = cpu_seconds(process.pid)
        rows = asked(source, f"{what}, unchecked: ", repeats)
        progress("waiting for the check")
        while "checked so far" in source.answer("health"):
            time.sleep(1)
        checked = cpu_seconds(process.pid) - loaded
        rows.append(Row(f"{what}: CPU until all are checked", "", checked, None, "s"))
        return rows + asked(source, f"{what}: ", repeats, process.pid)


def of_commands(base: Path, home: Path, what: str, repeats: int) -> list[Row]:
    """CPU time of `mindviz ask DIR` with the cache of the server before, and of a script."""
    command = [sys.executable, "-m", "mindviz", "ask", str(base), "--workspace", str(home)]
    script = Path(__file__).with_name("peer_scripts") / "tensorboard_last.py"
    progress("TensorBoard's EventAccumulator")
    theirs = cpu([peer_python("tensorboard"), str(script), str(base), TAG])
    rows = []
    for question in ("run group3/run3333", SORTED, "health"):
        progress(f"mindviz ask DIR {question}")
        times = [cpu([*command, question]) for _ in range(repeats)]
        peer = ("TensorBoard", theirs) if question == SORTED else ("", None)
        name, *_ = question.split()
        title = f"{what}: mindviz ask DIR {name}{' sort METRIC' * (question == SORTED)}, CPU"
        rows.append(Row(title, peer[0], median(times), peer[1], "s", note=spread(times)))
    return rows


def cpu(command: list[str]) -> float:
    """CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=CHECKOUT, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    what = f"{options.runs:,} runs"
    with tempfile.TemporaryDirectory() as folder:
        base, home = Path(folder) / "logs", Path(folder) / "work"
        progress(f"writing {what}")
        write_runs(base, options.runs)
        rows = of_a_server(base, home, what, options.repeats)
        rows += of_commands(base, home, what, min(2, options.repeats))
    report(rows)
    progress(f"load average {os.getloadavg()[0]:.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
