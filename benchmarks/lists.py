"""Lists: pages of many runs from SQLite and PostgreSQL, over HTTP.

    python benchmarks/lists.py [--runs N] [--large N] [--repeats N]

Runs with 10 scalars and hyperparameters are copied in SQL: see examples/synthetic_runs.py.
`--large N` adds a larger PostgreSQL. Each request is timed in three ways: the first time, a few
seconds after the server has loaded the list; again; and after the import of a run. The default
takes four minutes on two quiet cores, a million runs eight more, most of them to fill the
databases. There is no peer: TensorBoard and MindInsight list all runs or at most 999.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import orjson
from comparison import Row, at_most, median, progress, report, spread
from databases import server
from peers import serving, workspace
from questions import connect, free_port

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.synthetic_runs import EXPERIMENT, OPTIMIZERS, fill, write_run
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions

PAGE = "/v1/mindviz/datavisual/train-job-columns?limit=50"
GROUPS = "/v1/mindviz/datavisual/train-job-groups?limit=50"
QUESTIONS = {
    "first page": "",
    "later page": "&offset=5000",
    "middle, newest first": "&offset={middle}",
    "sorted by a parameter": "&order=-lr",
    "sorted by a metric": "&order=val/loss",
    "sorted by a metric: last page": "&order=val/loss&offset={last}",
    "sorted by a metric: middle": "&order=-val/f1&offset={middle}",
    "sorted by a text: middle": "&order=optimizer&offset={middle}",
    "sorted by name: middle": "&order=name&offset={middle}",
    "sorted by state": "&order=state",
    "sorted by state: middle": "&order=state&offset={middle}",
    "sorted by points": "&order=-points",
    "one in 8,000 matches": "&filter=" + quote("lr < 0.1001 and optimizer = adam"),
    "half match: middle by a metric": "&order=train/loss&offset={quarter}&filter="
    + quote("lr < 0.2"),
    "one in 14 matches": "&filter=" + quote("batch_size = 32 and lr < 0.2"),
    "a metric, few match": "&filter=" + quote("val/accuracy > 5.9"),
    "state and a parameter": "&filter=" + quote("state = finished and lr > 0.15"),
    "a part of the name": "&filter=run77",
    "a short part of the name": "&filter=77",
    "an expression, one in 45 names": "&filter=" + quote("name ~ 'sweep[0-9]*5/run(1|2)'"),
    "an expression, one in 10 names": "&filter=" + quote("name ~ 'run.*7$'"),
    "an expression, all names": "&filter=" + quote("name ~ ."),
    "groups by a text": GROUPS + "&by=optimizer&column=val/loss&column=lr",
    "groups by a number": GROUPS + "&by=batch_size&column=val/recall",
    "groups by all but the seed": GROUPS + "&by=*-seed&column=val/loss",
    "overview": "/v1/mindviz/datavisual/train-job-overview",
}
MAX_SECONDS = 0.1
"""Limit for a page, sorted or filtered."""
MAX_MEMORY = 300
"""MB of a server of 100,000 runs."""
_READ_AHEAD_SECONDS = 20e-6
"""Wait per run, while the server reads all columns ahead."""
_RELOAD_SECONDS = 1


@contextmanager
def started(url: str) -> Iterator[tuple[int, int]]:
    """A server of a database that has loaded its list: its port and process."""
    port = free_port()
    with workspace() as home:
        command = [sys.executable, "-m", "mindviz", "start", "--db", url, "--port", str(port)]
        command += ["--workspace", str(home), "--reload-interval", str(_RELOAD_SECONDS)]
        with serving(command) as process:
            end = time.monotonic() + 600
            while time.monotonic() < end:
                try:
                    if b'"load_status":"loaded"' in asked(port, "/v1/mindviz/status"):
                        break
                except OSError:
                    pass
                time.sleep(0.2)
            yield port, process.pid


def asked(port: int, path: str) -> bytes:
    """The body of an answer."""
    connection = connect(port)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return body
    finally:
        connection.close()


def seconds(port: int, path: str) -> float:
    """Duration of a request."""
    start = time.perf_counter()
    asked(port, path)
    return time.perf_counter() - start


def peak_memory(pid: int) -> float:
    """MB of resident memory, at most since its start."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    return 0.0


def path_of(arguments: str, runs: int) -> str:
    """The path of a question."""
    path = arguments if arguments.startswith("/") else PAGE + arguments
    return path.format(last=runs - 50, middle=runs // 2, quarter=runs // 4)


def create(name: str, url: str, runs: int) -> None:
    """Create a database of so many runs."""
    progress(f"{name}: {runs} runs")
    database = Database(url)
    database.create()
    fill(database, runs)
    database.close()


def commit(database: Database, number: int) -> None:
    """Import a new run, and wait until the server has it."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        write_run(base / f"new{number}", OPTIMIZERS[number % len(OPTIMIZERS)], number % 4)
        Importer(database, ImportOptions(base, EXPERIMENT)).run()
    time.sleep(2 * _RELOAD_SECONDS)


def is_complete(body: bytes, runs: int) -> bool:
    """Whether an answer counts all runs and, if it is a page, is full."""
    answer = orjson.loads(body)
    columns = answer.get("columns")
    is_full = columns is None or len(columns["train_id"]) == min(50, answer["matching"])
    return is_full and bool(answer["total"] == runs)


def measured(name: str, url: str, runs: int, repeats: int) -> Iterator[Row]:
    """The rows of one database."""
    name = f"{name}, {runs} runs"
    began = time.monotonic()
    with started(url) as (port, pid), closing(Database(url)) as database:
        yield Row(f"{name}: list loaded", "", time.monotonic() - began, None, "s")
        time.sleep(1 + runs * _READ_AHEAD_SECONDS)
        paths = {what: path_of(arguments, runs) for what, arguments in QUESTIONS.items()}
        first = {what: seconds(port, path) for what, path in paths.items()}
        for number, (what, path) in enumerate(paths.items()):
            assert is_complete(asked(port, path), runs + number), what
            times = [seconds(port, path) for _ in range(repeats)]
            commit(database, number)
            start = time.perf_counter()
            body = asked(port, path)
            changed = time.perf_counter() - start
            assert is_complete(body, runs + number + 1), what
            again, in_ms = median(times), f"first {1000 * first[what]:.0f} ms"
            target, reached = at_most(MAX_SECONDS, again, "s") if PAGE in path else ("", None)
            note = f"{in_ms}, after an import {1000 * changed:.0f} ms, again {spread(times)} s"
            yield Row(f"{name}: {what}", "", again, None, "s", target, reached, note)
        memory = peak_memory(pid)
        limit = at_most(MAX_MEMORY, memory, "MB") if runs <= 100_000 else ("", None)
        yield Row(f"{name}: memory, at most", "", memory, None, "MB", *limit)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=0, help="runs in PostgreSQL: 1000000")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        databases = [("SQLite", f"sqlite:///{folder}/runs.db", options.runs)]
        postgresql = stack.enter_context(server())
        if postgresql is not None:
            databases += [
                ("PostgreSQL", postgresql.new_database(), runs)
                for runs in filter(None, (options.runs, options.large))
            ]
        # Filling them takes most of the time; they don't compete while they are measured.
        with ThreadPoolExecutor() as pool:
            for filled in [pool.submit(create, *database) for database in databases]:
                filled.result()
        for database in databases:
            report(list(measured(*database, options.repeats)))


if __name__ == "__main__":
    main()
