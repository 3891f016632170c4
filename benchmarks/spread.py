"""Imports by several processes: points per second and CPU time of 1 and 2 local workers.

    python benchmarks/spread.py [--repeats N]

The logs of `databases.py`, 4 million points, into PostgreSQL. Dask workers run the same code. CPU
times include the start of each process.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from databases import JOBS, POINTS, SERIES, server, write_noisy_series

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.datavisual.sql import importer
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions


def measured(url: str, logs: Path, processes: int) -> tuple[float, float]:
    """Seconds of an import, and CPU seconds of its workers."""
    database = Database(url)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    importing = Importer(database, ImportOptions(logs, "e", processes=processes))
    importing.run()
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    database.close()
    assert importing.progress.imported == JOBS
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    importer._SMALL = 0  # noqa: SLF001 - start processes for any amount of logs
    with tempfile.TemporaryDirectory() as name, server() as running:
        if running is None:
            sys.exit(1)
        logs = Path(name)
        write_noisy_series(logs)
        measured(running.new_database(), logs, 1)
        times: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
        for _ in range(repeats):
            for processes, of_processes in times.items():
                of_processes.append(measured(running.new_database(), logs, processes))
    for processes, of_processes in times.items():
        wall = median(seconds for seconds, _ in of_processes)
        cpu = median(seconds for _, seconds in of_processes)
        rate = SERIES * POINTS / wall
        print(f"{processes} workers: {wall:.2f} s, {rate:,.0f} points/s, CPU {cpu:.2f} s")
    one, two = (median(seconds for seconds, _ in times[n]) for n in (1, 2))
    print(f"efficiency of 2 workers: {one / two / 2:.0%}")


if __name__ == "__main__":
    main()
