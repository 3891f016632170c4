"""Lists: pages of many runs from SQLite and PostgreSQL, over HTTP.

    python benchmarks/lists.py [--runs N] [--large N] [--repeats N]

One run with 10 scalars and hyperparameters is imported, and copied in SQL. `--large N` adds a
larger PostgreSQL. Times are of a page of 50 rows once the server has loaded the list. There is no
peer: TensorBoard and MindInsight list all runs or at most 999.
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
import pytest
from comparison import Row, at_most, median, progress, report, spread
from generated_logs import (
    STARTED,
    one_value_per_event,
    recorded,
    simple_value,
    tensorboard_file,
)
from peers import serving, workspace
from questions import connect, free_port
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.datavisual.series.value_order import natural_key
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.tables import METADATA
from tests.postgresql import postgresql

TAGS = tuple(b"train/metric_%02d" % number for number in range(10))
PAGE = "/v1/mindviz/datavisual/train-job-columns?limit=50"
QUESTIONS = {
    "first page": "",
    "later page": "&offset=5000",
    "sorted by a parameter": "&order=-lr",
    "sorted by a metric": "&order=train/metric_03",
    "filtered by two conditions": "&filter=" + quote("lr < 0.1001 and optimizer = adam"),
    "filtered by a name": "&filter=run77",
    "last page by a metric": "&order=train/metric_03&offset={last}",
}
MAX_SECONDS = {"first page": 0.3}
MAX_MEMORY = 300
"""MB of a server of 100,000 runs."""
NAME = "'sweep' || (i / 1000) || '/run' || i"
LOGGED = "'0.' || (100000 + i)"
COPIED = (
    (
        "runs",
        {
            "train_id": f"'./' || {NAME}",
            "lineage": f"replace(lineage, '0.5', {LOGGED})",
            "create_time": "create_time + i",
            "update_time": "update_time + i",
        },
    ),
    ("log_files", {}),
    ("tags", {}),
    ("scalar_summaries", {"last": "last + i * 0.001"}),
    ("run_fields", {"number": f"CASE number WHEN 0.5 THEN CAST({LOGGED} AS float) END"}),
    ("run_scalars", {"last": "last + i * 0.001"}),
)


def key_of_name(*, is_sqlite: bool) -> str:
    """`natural_key` of the names, in SQL."""
    character = "char" if is_sqlite else "chr"
    slash = f"{character}({ord(natural_key('/')[:1])})"
    weights = f"'sweep' || {_digits('(i / 1000)', character)} || {slash} || 'run' || "
    weights += _digits("i", character)
    if is_sqlite:
        return f"CAST({weights} || char(0) || {NAME} AS BLOB)"
    return f"convert_to({weights}, 'UTF8') || '\\x00'::bytea || convert_to({NAME}, 'UTF8')"


def _digits(number: str, character: str) -> str:
    text = f"CAST({number} AS text)"
    counted = f"'0' || {character}(48 + length({text})) || {text}"
    return f"(CASE {number} WHEN 0 THEN '00' ELSE {counted} END)"


def fill(database: Database, runs: int) -> None:
    """Import a run, and copy it."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        events = one_value_per_event(TAGS, 10, simple_value)
        tensorboard_file(base / "run", events)
        with recorded(base / "run", lambda: STARTED) as record:
            config = {"lr": 0.5, "optimizer": "adam"}
            record.add_value("custom_lineage_data", "config", config)
            record.record(0)
        Importer(database, ImportOptions(base, "runs")).run()
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :runs) "
    if not database.is_sqlite:
        numbers = "WITH n AS (SELECT generate_series(1, :runs) AS i) "
    with database.writing() as connection:
        first = connection.execute(text("SELECT min(run_id) FROM runs")).scalar_one()
        indexes = [index for table, _ in COPIED for index in METADATA.tables[table].indexes]
        for index in indexes:
            index.drop(connection)
        for table, changed in COPIED:
            names = METADATA.tables[table].c.keys()
            changes = {"run_id": f"{first} + i", **changed}
            changes["name_key"] = key_of_name(is_sqlite=database.is_sqlite)
            columns = ", ".join(f'"{name}"' for name in names)
            cells = ", ".join(changes.get(name) or f'"{name}"' for name in names)
            connection.execute(
                text(
                    f"INSERT INTO {table} ({columns}) {numbers}"
                    f"SELECT {cells} FROM n, {table} WHERE run_id = {first}"
                ),
                {"runs": runs - 1},
            )
        for index in indexes:
            index.create(connection)
        connection.execute(text("UPDATE experiments SET version = version + 1"))
    with database.writing() as connection:
        connection.execute(text("ANALYZE"))


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
                answer = orjson.loads(asked(port, PAGE + arguments.format(last=runs - 50)))
                if number or what == "first page":
                    times.append(time.perf_counter() - start)
            assert answer["total"] == runs
            assert len(answer["columns"]["train_id"]) == min(50, answer["matching"])
            value = times[0] if what == "first page" else median(times)
            target = at_most(MAX_SECONDS[what], value, "s") if what in MAX_SECONDS else ("", None)
            yield Row(
                f"{name}, {runs} runs: {what}", "", value, None, "s", *target, note=spread(times)
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
        try:
            server = stack.enter_context(postgresql())
            databases += [
                ("PostgreSQL", server.new_database(), runs)
                for runs in filter(None, (options.runs, options.large))
            ]
        except pytest.skip.Exception as reason:
            progress(f"PostgreSQL is omitted: {reason}")
        # Filling them takes most of the time; they don't compete while they are measured.
        with ThreadPoolExecutor() as pool:
            for filled in [pool.submit(create, *database) for database in databases]:
                filled.result()
        for database in databases:
            report(list(measured(*database, options.repeats)))


if __name__ == "__main__":
    main()
