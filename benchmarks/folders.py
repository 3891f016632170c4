"""Many runs in folders: cold and warm starts, the first page, an idle server.

    python benchmarks/folders.py [--runs N] [--repeats N]

Each run has 10 tags x 3 points. They count as old, as in the next days of a sweep: else they would
be examined as on a cold start. Servers run with `--max-memory 256MiB`; the first one fills the
cache. Other load on the machine distorts wall times, so each comes with the CPU time of the server.
The default takes ten minutes. There is no peer: TensorBoard lists all runs at once.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import orjson
from comparison import Row, at_most, median, progress, report, spread
from generated_logs import (
    STARTED,
    TENSORBOARD_VERSION,
    event,
    first_record,
    simple_value,
    tag_name,
    write_file,
)
from lists import PAGE, asked
from peers import cpu_seconds, mindviz_command, patience, serving
from questions import free_port
from record_bytes import message, tfrecords

TAGS, POINTS = 10, 3
MAX_MEMORY = "256MiB"
ALLOWED = 256 * 1024 * 1024 / 1e6
"""MB of private memory beside that of an empty server."""
ASKED_EVERY = 0.1
_AGE = 86_400
_LASTING_SECONDS = 65
"""A directory that changed in the last minute is listed on the next start."""
_QUIET_SECONDS = 5.0
"""Without more packs, a server has kept everything that it has read."""


def write_runs(base: Path, runs: int) -> None:
    """Runs with different values, all a day old."""
    tags = [tag_name(number) for number in range(TAGS)]
    numbers = np.arange(runs, dtype=np.float32)
    columns = [
        tfrecords(event(np.full(runs, step), message(1, simple_value(tag, numbers + step / 8))))
        for step in range(POINTS)
        for tag in tags
    ]
    logs = np.concatenate(columns, axis=1)
    head, old = first_record(TENSORBOARD_VERSION), time.time() - _AGE
    for number, log in enumerate(logs):
        directory = base / f"run{number:06d}"
        path = directory / f"events.out.tfevents.{int(STARTED) + number}.bench.1.0"
        write_file(path, iter([head, log.tobytes()]))
        for changed in (path, directory):
            os.utime(changed, (old, old))


@dataclass(slots=True)
class Server:
    """A server, and the figures of its start."""

    process: subprocess.Popen[bytes]
    port: int
    began: float = field(default_factory=time.perf_counter)
    most_private: float = 0.0
    """MB of RssAnon, as far as it was sampled."""

    def memory(self, name: str) -> float:
        """MB of a figure of the kernel."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii", "replace")
        return int(re.findall(rf"{name}:\s+(\d+) kB", status)[0]) * 1024 / 1e6

    def sample(self) -> None:
        """Update `most_private`."""
        self.most_private = max(self.most_private, self.memory("RssAnon"))

    def wait_until_loaded(self) -> None:
        """Poll the totals until they are complete: a cold start may take minutes."""
        while self.process.poll() is None:
            self.sample()
            try:
                if b'"load_status":"loaded"' in asked(self.port, "/v1/mindviz/status"):
                    return
            except OSError:
                pass
            time.sleep(ASKED_EVERY)

    def times(self) -> tuple[float, float]:
        """Wall time and CPU time since its start."""
        return time.perf_counter() - self.began, cpu_seconds(self.process.pid)

    def page(self, runs: int, arguments: str = "") -> tuple[float, float]:
        """Request a page; its wall time, and the CPU time of the server meanwhile."""
        before = self.times()
        answer = orjson.loads(asked(self.port, PAGE + arguments))
        assert answer["total"] == runs
        self.sample()
        after = self.times()
        return after[0] - before[0], after[1] - before[1]

    def seconds_to_end(self) -> float:
        """From SIGTERM to the end of the process."""
        start = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        return time.perf_counter() - start


@contextmanager
def started(base: Path, workspace: Path, *options: str) -> Iterator[Server]:
    """A server that has just been started."""
    port = free_port()
    command = [*mindviz_command(base, port, workspace), "--max-memory", MAX_MEMORY, *options]
    with serving(command) as process:
        yield Server(process, port)


def packs(workspace: Path) -> int:
    """Files in the cache."""
    return sum(1 for _ in workspace.rglob("*.pack"))


def wait_until_kept(server: Server, workspace: Path) -> None:
    """Wait until no more packs are written."""
    before, since = packs(workspace), time.monotonic()
    for _ in patience():
        time.sleep(ASKED_EVERY)
        server.sample()
        now = packs(workspace)
        if now != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since > _QUIET_SECONDS:
            return


Figures = dict[str, float]


def cold_start(base: Path, workspace: Path, runs: int) -> Figures:
    """Fill the cache."""
    with started(base, workspace) as server:
        server.wait_until_loaded()
        wall, cpu = server.times()
        server.page(runs)
        wait_until_kept(server, workspace)
        return {
            "until loaded, wall": wall,
            "until loaded, CPU": cpu,
            "private memory": server.most_private,
            "memory": server.memory("VmHWM"),
            "packs": packs(workspace),
            "SIGTERM": server.seconds_to_end(),
        }


def warm_start(base: Path, workspace: Path, runs: int, idle_seconds: float) -> Figures:
    """Start over unchanged logs."""
    with started(base, workspace) as server:
        server.wait_until_loaded()
        loaded = server.times()
        wall, cpu = server.page(runs)
        first = server.times()
        again = server.page(runs, "&offset=50")
        by_metric = server.page(runs, "&order=" + tag_name(0).decode())
        figures = {
            "until loaded, wall": loaded[0],
            "until loaded, CPU": loaded[1],
            "until the first page, wall": first[0],
            "until the first page, CPU": first[1],
            "first page once loaded, wall": wall,
            "first page once loaded, CPU": cpu,
            "second page, CPU": again[1],
            "sorted by a metric, CPU": by_metric[1],
        }
        if idle_seconds:
            settle(server)
            start = server.times()
            time.sleep(idle_seconds)
            end = server.times()
            figures["idle"] = 100 * (end[1] - start[1]) / (end[0] - start[0])
        server.sample()
        return figures | {
            "private memory": server.most_private,
            "memory": server.memory("VmHWM"),
            "SIGTERM": server.seconds_to_end(),
        }


def settle(server: Server) -> None:
    """Wait until all directories are watched, and until it does little for a while."""
    for _ in patience():
        if b'"watching":"inotify"' in asked(server.port, "/v1/mindviz/status"):
            break
        time.sleep(1)
    for _ in patience():
        before = server.times()
        time.sleep(_QUIET_SECONDS)
        after = server.times()
        if after[1] - before[1] < 0.05 * (after[0] - before[0]):
            return


def empty_server(base: Path, workspace: Path, *options: str) -> float:
    """MB of private memory of a server of an empty base dir."""
    with started(base, workspace, *options) as server:
        server.wait_until_loaded()
        server.page(0)
        return server.most_private


TARGETS: dict[str, dict[str, float]] = {
    "warm": {
        "until the first page, wall": 5,
        "first page once loaded, wall": 0.3,
        "memory": 500,
        "idle": 1,
        "SIGTERM": 2,
    },
    "cold": {"memory": 500, "SIGTERM": 2},
}
UNITS = {"private memory": "MB", "memory": "MB", "idle": "% of a core", "packs": "packs"}


def rows(kind: str, runs: int, figures: list[Figures], allowed: float) -> Iterator[Row]:
    """The rows of some starts of one kind."""
    targets = {**TARGETS[kind], "private memory": round(allowed)}
    for name in dict.fromkeys(name for one in figures for name in one):
        values = [one[name] for one in figures if name in one]
        unit = UNITS.get(name, "s")
        value, what = median(values), f"{runs} runs, {kind}: {name}"
        target, reached = at_most(targets[name], value, unit) if name in targets else ("", None)
        yield Row(what, "", value, None, unit, target, reached, spread(values))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--idle-seconds", type=float, default=30.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mindviz-bench-") as folder:
        nothing, base, workspace = (Path(folder, name) for name in ("nothing", "logs", "workspace"))
        nothing.mkdir()
        allowed = empty_server(nothing, Path(folder, "other")) + ALLOWED
        progress(f"writing {options.runs} runs")
        write_runs(base, options.runs)
        time.sleep(_LASTING_SECONDS)
        progress("cold start")
        cold = cold_start(base, workspace, options.runs)
        report(list(rows("cold", options.runs, [cold], allowed)))
        warm = []
        for number in range(options.repeats):
            progress(f"warm start {number + 1}")
            idle_seconds = 0 if number else options.idle_seconds
            warm.append(warm_start(base, workspace, options.runs, idle_seconds))
        report(list(rows("warm", options.runs, warm, allowed)))


if __name__ == "__main__":
    main()
