"""Imports by several processes: points per second and CPU time of 1 and 2 local workers.

    python benchmarks/spread.py [--repeats N] [--copies N]

The logs of `databases.py`, 4 million points, several times, into PostgreSQL, which runs on the same
cores: its CPU time is shown, too. Dask workers run the same code. Times include the start of each
process.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from comparison import Row, report
from databases import JOBS, server, write_noisy_series
from linked_copies import link_copies
from provider import POINTS, SERIES

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.datavisual.sql import importer
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions


def measured(url: str, logs: Path, jobs: int, processes: int) -> tuple[float, float, float]:
    """Seconds of an import, and CPU seconds of its workers and of the machine."""
    database = Database(url)
    before, machine = resource.getrusage(resource.RUSAGE_CHILDREN), machine_seconds()
    started = time.perf_counter()
    importing = Importer(database, ImportOptions(logs, "e", processes=processes))
    importing.run()
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    database.close()
    assert importing.progress.imported == jobs
    workers = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, workers, machine_seconds() - machine


def machine_seconds() -> float:
    """CPU seconds of all processes since the machine started; Linux."""
    fields = Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()
    user, nice, system = (int(field) for field in fields[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--copies", type=int, default=4)
    options = parser.parse_args()
    importer._SMALL = 0  # noqa: SLF001 - start processes for any amount of logs
    with tempfile.TemporaryDirectory() as name, server() as running:
        if running is None:
            sys.exit(1)
        once, logs = Path(name, "once"), Path(name, "logs")
        once.mkdir()
        write_noisy_series(once)
        link_copies(once, options.copies, logs)
        jobs = JOBS * options.copies
        measured(running.new_database(), logs, jobs, 1)
        times: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
        for _ in range(options.repeats):
            for processes, of_processes in times.items():
                of_processes.append(measured(running.new_database(), logs, jobs, processes))
    for processes, of_processes in times.items():
        wall, cpu, machine = (median(column) for column in zip(*of_processes, strict=True))
        rate = SERIES * POINTS * options.copies / wall
        print(
            f"{processes} workers: {wall:.2f} s, {rate:,.0f} points/s, "
            f"CPU {cpu:.2f} s, with all other programs {machine:.2f} s"
        )
    one, two = (median(seconds for seconds, *_ in times[n]) for n in (1, 2))
    efficiency = 50 * one / two
    report(
        [
            Row("import by 2 processes", "one process", two, one, "s"),
            Row(
                "efficiency of 2 processes", "", efficiency, None, "%", ">= 80 %", efficiency >= 80
            ),
        ]
    )


if __name__ == "__main__":
    main()
