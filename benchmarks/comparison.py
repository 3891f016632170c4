"""Comparisons: two programs measured alternately in one run, with one row per comparison."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

Measurement = TypeVar("Measurement")
RESULTS = Path(__file__).resolve().parents[1] / ".cache" / "bench" / "results.jsonl"
"""Where the benchmarks store their rows for the summary of `make bench`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: our figure and a peer's."""

    what: str
    peer: str
    ours: float
    theirs: float | None
    """None without a peer."""
    unit: str
    target: str = ""
    """The target, e.g. `>= 10x`; empty if there is none."""
    reached: bool | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The peer's figure divided by ours: above 1, we are faster or smaller."""
        return self.theirs / self.ours if self.theirs is not None and self.ours else None


def turn_by_turn(
    ours: Callable[[], Measurement], theirs: Callable[[], Measurement], repeats: int
) -> tuple[list[Measurement], list[Measurement]]:
    """Measure both alternately, `repeats` times, after one unmeasured run of each."""
    ours()
    theirs()
    results: tuple[list[Measurement], list[Measurement]] = ([], [])
    for _ in range(repeats):
        results[0].append(ours())
        results[1].append(theirs())
    return results


def median(values: Sequence[float]) -> float:
    """The median; benchmarks on shared machines have long tails."""
    return statistics.median(values)


def spread(values: Sequence[float]) -> str:
    """`min .. max`, with three digits."""
    return f"{min(values):.3g} .. {max(values):.3g}"


def at_least(factor: float, row_ours: float, row_theirs: float) -> tuple[str, bool]:
    """Target text and verdict: the peer's figure is at least `factor` times ours."""
    return f">= {factor:g}x", row_theirs >= factor * row_ours


def at_most(limit: float, value: float, unit: str) -> tuple[str, bool]:
    """Target text and verdict: the value is at most the limit."""
    return f"<= {limit:g} {unit}", value <= limit


def report(rows: Sequence[Row]) -> None:
    """Print rows as a table, and store them for the summary of `make bench`."""
    print(table(rows), flush=True)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row)) + "\n")


def kept_rows() -> list[Row]:
    """All rows since `forget_rows`."""
    if not RESULTS.is_file():
        return []
    return [Row(**json.loads(line)) for line in RESULTS.read_text("utf-8").splitlines()]


def forget_rows() -> None:
    """Start a new table."""
    RESULTS.unlink(missing_ok=True)


def table(rows: Sequence[Row]) -> str:
    """A Markdown table, also readable in a terminal."""
    cells = [("what", "peer", "ours", "peer's", "ratio", "target", "reached", "note")]
    cells += [
        (
            row.what,
            row.peer,
            figure(row.ours, row.unit),
            "-" if row.theirs is None else figure(row.theirs, row.unit),
            "-" if row.ratio is None else f"{row.ratio:.3g}x",
            row.target or "-",
            {None: "-", True: "yes", False: "NO"}[row.reached],
            row.note or "-",
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def figure(value: float, unit: str) -> str:
    """A value and its unit, with three digits."""
    if unit == "s" and abs(value) < 1:
        value, unit = value * 1000, "ms"
    return f"{value:,.0f} {unit}" if abs(value) >= 1000 else f"{value:.3g} {unit}"


def progress(text: str) -> None:
    """Print the current step to stderr."""
    print(text, file=sys.stderr, flush=True)
