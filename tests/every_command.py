"""Commands that read logs, with their costs."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from mindviz.cli import import_, inspect, main  # noqa: F401 -- before forks
from tests.every_request import LINEAR, Cost, limit_resources, print_line, size_on_disk, write_json


def commands_on(base_dir: Path, database: Path) -> list[list[str]]:
    """The commands that read logs."""
    return [
        ["inspect", str(base_dir), "--json"],
        ["inspect", str(base_dir)],
        ["parity", str(base_dir), str(base_dir), "--json"],
        ["import", str(base_dir), "--db", f"sqlite:///{database}"],
        ["check", str(base_dir)],
        ["watch", str(base_dir), "--once"],
    ]


MAY_FAIL = {"parity": 2, "check": 2}
"""Exit codes of commands for logs without anything to compare or to check."""


def run_command(base_dir: Path, arguments: list[str], costs: Path) -> None:
    """Run a command and write its cost and its memory to `costs`."""
    limit_resources()
    log_bytes = size_on_disk(base_dir)
    limits = LINEAR.answer_bytes(log_bytes), LINEAR.cpu_seconds(log_bytes)
    sys.argv = ["mindviz", *arguments]
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    failed = code not in (0, 1, None, MAY_FAIL.get(arguments[0]))
    sys.stdout.flush()
    nbytes = os.fstat(sys.stdout.fileno()).st_size
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime for one in usage)
    with costs.open("w") as sys.stdout:
        status = 500 if failed else 200
        print_line(Cost(" ".join(arguments), status, nbytes, seconds, *limits))
        write_json({"kilobytes": max(one.ru_maxrss for one in usage)})
