"""`make bench`: runs all benchmarks, then prints one table of all ratios.

python benchmarks/run.py [--quick]
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from comparison import forget_rows, kept_rows, table

BENCHMARKS = (
    "load.py",
    "start_up.py",
    "answers.py",
    "connections.py",
    "lineage.py",
    "graphs.py",
    "data_server.py",
    "export.py",
    "data_frames.py",
    "provider.py",
    "health.py",
    "anomalies.py",
    "asking.py",
    "databases.py",
    "spread.py",
    "lists.py",
    "folders.py",
    "large_logs.py",
    "objects.py",
    "recording.py",
    "pages.py",
    "idle.py",
)


def machine() -> str:
    """The machine."""
    cores = len(os.sched_getaffinity(0))
    system = f"{platform.system()} {platform.machine()}"
    return f"{cores} cores, {system}, Python {platform.python_version()}"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two repeats instead of five")
    options = parser.parse_args()
    forget_rows()
    failed = []
    started = time.monotonic()
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        command = [sys.executable, str(Path(__file__).with_name(name))]
        if options.quick and name != "idle.py":
            command += ["--repeats", "2"]
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    print(f"\n== all, {(time.monotonic() - started) / 60:.0f} min, {machine()}\n")
    print(table(kept_rows()))
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main())
