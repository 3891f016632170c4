"""Lists: pages of many runs from SQLite and PostgreSQL, over HTTP.

    python benchmarks/lists.py [--runs N] [--large N] [--repeats N]

Runs with 10 scalars and hyperparameters are copied in SQL: see examples/synthetic_runs.py.
`--large N` adds a larger PostgreSQL. Times are of a page of 50 rows once the server has loaded the
list. The default takes seven minutes on two busy cores (load average 20), most of them to fill the
databases. There is no peer: TensorBoard and MindInsight list all runs or at most 999.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import orjson
from comparison import Row, at_most, median, progress, report, spread
from databases import server
from peers import serving, workspace
from questions import connect, free_port

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.synthetic_runs import fill
from mindviz.datavisual.sql.database import Database

PAGE = "/v1/mindviz/datavisual/train-job-columns?limit=50"
GROUPS = "/v1/mindviz/datavisual/train-job-groups?limit=50"
QUESTIONS = {
    "first page": "",
    "later page": "&offset=5000",
    "sorted by a parameter": "&order=-lr",
    "sorted by a metric": "&order=val/loss",
    "filtered by two conditions": "&filter=" + quote("lr < 0.1001 and optimizer = adam"),
    "filtered by a name": "&filter=run77",
    "grouped by all parameters but the seed": GROUPS + "&by=*-seed&column=val/loss",
    "last page by a metric": "&order=val/loss&offset={last}",
}
MAX_SECONDS = {"first page": 0.3}
MAX_MEMORY = 300
"""MB of a server of 100,000 runs."""


@contextmanager
def started(url: str) -> Iterator[tuple[int, int]]:
    """A server of a database that has loaded its list: its port and process."""
    port = free_port()
    with workspace() as home:
        command = [sys.executable, "-m", "mindviz", "start", "--db", url, "--port", str(port)]
        with serving([*command, "--workspace", str(home)]) as process:
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


def resident(pid: int) -> float:
    """MB of memory in use."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0.0


def path_of(arguments: str) -> str:
    """The path of a question."""
    return arguments if arguments.startswith("/") else PAGE + arguments


def create(name: str, url: str, runs: int) -> None:
    """Create a database of so many runs."""
    progress(f"{name}: {runs} runs")
    database = Database(url)
    database.create()
    fill(database, runs)
    database.close()


def measured(name: str, url: str, runs: int, repeats: int) -> Iterator[Row]:
    """The rows of one database."""
    began = time.monotonic()
    with started(url) as (port, pid):
        yield Row(f"{name}, {runs} runs: list loaded", "", time.monotonic() - began, None, "s")
        for what, arguments in QUESTIONS.items():
            times = []
            for number in range(repeats + 1):
                start = time.perf_counter()
                answer = orjson.loads(asked(port, path_of(arguments.format(last=runs - 50))))
                if number or what == "first page":
                    times.append(time.perf_counter() - start)
            assert answer["total"] == runs
            rows = answer["groups"] if "groups" in answer else answer["columns"]["train_id"]
            assert len(rows) == min(50, answer["matching"])
            value = times[0] if what == "first page" else median(times)
            target, reached = (
                at_most(MAX_SECONDS[what], value, "s") if what in MAX_SECONDS else ("", None)
            )
            yield Row(
                f"{name}, {runs} runs: {what}", "", value, None, "s", target, reached, spread(times)
            )
        start = time.perf_counter()
        asked(port, "/v1/mindviz/datavisual/train-job-overview")
        seconds = time.perf_counter() - start
        yield Row(f"{name}, {runs} runs: overview", "", seconds, None, "s")
        memory = resident(pid)
        limit = at_most(MAX_MEMORY, memory, "MB") if runs <= 100_000 else ("", None)
        yield Row(f"{name}, {runs} runs: memory", "", memory, None, "MB", *limit)


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
