"""The cost of recording: ours, torch's SummaryWriter and MindSpore's SummaryRecord.

python benchmarks/recording.py [--repeats N] [--kills N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from comparison import Row, at_least, at_most, median, progress, report, spread
from peers import CHECKOUT, ENVIRONMENT, peer_python

SCALARS = 20
"""Per step, as in `peer_scripts/record_costs.py`."""


RECORDERS = {
    "SummaryRecord": (None, "mindviz_record.py"),
    "SummaryWriter": (None, "writer_record.py", "mindviz.summary.torch"),
    "torch": ("torch", "writer_record.py", "torch.utils.tensorboard"),
    "mindspore": ("mindspore", "mindspore_record.py"),
}
"""Environment (None: ours), script and its arguments."""


def costs(name: str) -> dict[str, Any]:
    """One run of a recorder's script, in its environment."""
    environment, script, *arguments = RECORDERS[name]
    python = sys.executable if environment is None else peer_python(environment)
    path = Path(__file__).with_name("peer_scripts") / str(script)
    result = subprocess.run(
        [python, str(path), *map(str, arguments)],
        check=True,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT | {"PYTHONPATH": str(CHECKOUT)},
    )
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def rows(measured: dict[str, list[dict[str, Any]]]) -> list[Row]:
    """The table, of medians."""

    def figures(name: str, what: str) -> list[float]:
        return [one[what] for one in measured[name]]

    found = []
    for own, peer, factor in (
        ("SummaryRecord", "torch", 20),
        ("SummaryRecord", "mindspore", 10),
        ("SummaryWriter", "torch", 20),
    ):
        ours, theirs = median(figures(own, "call")), median(figures(peer, "call"))
        target, reached = at_least(factor, ours, theirs)
        what = f"{own}: the training thread, {SCALARS} scalars in a step"
        found.append(Row(what, peer, ours * 1e6, theirs * 1e6, "us", target, reached))
    for own in ("SummaryRecord", "SummaryWriter"):
        for what, label in (
            ("loop", "1,000 steps of Python are slower by"),
            ("whole", "the same, until all of it is in the file"),
            ("processor", "the same, the processor's time in all threads"),
        ):
            ours, theirs = median(figures(own, what)), median(figures("torch", what))
            # Ours may be below the noise: then the ratio is meaningless, but the bound holds.
            target, reached = at_most(theirs / 10, ours, "s")
            note = f"{spread(figures(own, what))} s; a tenth of theirs"
            row = Row(f"{own}: {label}", "torch", ours, theirs, "s", target, reached, note)
            found.append(row)
    for plugin, what in (("histogram", "10 million elements"), ("image", "64 images of 224 x 224")):
        pairs = [one["large"][plugin] for one in measured["SummaryRecord"]]
        ours, copy = median([pair[0] for pair in pairs]), median([pair[1] for pair in pairs])
        target, reached = at_most(2 * copy * 1000, ours * 1000, "ms")
        label = "numpy's copy"
        found.append(
            Row(f"{plugin}: {what}", label, ours * 1000, copy * 1000, "ms", target, reached)
        )
    return found


def kill(count: int) -> bool:
    """Kill `count` trainings with SIGKILL; whether all flushed data was there."""
    test = "tests/summary/writing/test_process_hooks.py"
    command = [sys.executable, "-m", "pytest", "-q", test, "-k", "kill_9"]
    environment = os.environ | {"MINDVIZ_TEST_KILLS": str(count)}
    return not subprocess.run(command, check=False, cwd=CHECKOUT, env=environment).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args(arguments)
    measured: dict[str, list[dict[str, Any]]] = {name: [] for name in RECORDERS}
    for turn in range(options.repeats):
        progress(f"recording, turn {turn + 1} of {options.repeats}")
        for name, found in measured.items():
            found.append(costs(name))
    report(rows(measured))
    return 0 if not options.kills or kill(options.kills) else 1


if __name__ == "__main__":
    raise SystemExit(main())
