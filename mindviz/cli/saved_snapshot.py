"""Writes snapshots and describes their content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindviz.cli.quantities import count_text, printable, size_text
from mindviz.errors import StartError
from mindviz.snapshots.document import BuiltPage, bytes_for_data, title, write_folder
from mindviz.snapshots.recorder import AnswerSource
from mindviz.snapshots.scalar_parts import series_of
from mindviz.snapshots.snapshot import BudgetTooSmall, Snapshot, snapshot
from mindviz.snapshots.view import View

_MOST_LISTED = 10
"""Series that are listed as reduced, or as missing."""


def save_file(
    source: AnswerSource, link: str, budget: int, webui: Path, output: Path
) -> Sequence[str]:
    """Save one HTML file; returns lines for the terminal. Raises StartError."""
    page = BuiltPage.of(webui)
    try:
        made = snapshot(source, link, bytes_for_data(budget, page), budget)
    except BudgetTooSmall as error:
        raise _too_small(budget, page.size + error.bytes * 4 // 3) from None
    document = page.document(made.data, title(made.facts))
    try:
        with output.open("wb") as file:
            file.writelines(document.pieces())
    except OSError as error:
        raise StartError(f"Cannot write {str(output)!r}: {error.strerror or error}.") from None
    return [f"Saved {output} ({size_text(document.size)}).", *described(made)]


def save_folder(
    source: AnswerSource, link: str, budget: int, webui: Path, folder: Path
) -> Sequence[str]:
    """As `save_file`, as files in a new folder."""
    try:
        made = snapshot(source, link, budget, budget)
    except BudgetTooSmall as error:
        raise _too_small(budget, error.bytes) from None
    write_folder(folder, webui, made.data)
    return [f"Saved {folder} ({size_text(made.size)} of data).", *described(made)]


def described(made: Snapshot) -> Sequence[str]:
    """What a snapshot contains, and what it leaves out."""
    facts = made.facts
    runs, series = facts.runs, facts.series
    lines = [
        ", ".join(
            [
                f"{runs['kept']:,} of {count_text(runs['all'], 'run')}",
                f"{series.kept:,} of {count_text(series.all, 'scalar series', 'scalar series')}",
            ]
        )
    ]
    if series.reduced:
        lines[0] += f", {series.reduced:,} of them reduced to {series.most_points:,} points"
    elif series.kept:
        lines[0] += ", all exact"
    lines[0] += "."
    reduced = [
        f"{_name(*series_of(one))}: {one['points']:,} of {one['in_range']:,} points"
        for one in made.reduced
    ]
    lines += _listed("Reduced", reduced)
    lines += _listed("Missing", [_name(*one) for one in made.missing])
    if facts.out_of_time:
        lines.append("Incomplete: collecting the data took too long.")
    if facts.left_out:
        lines.append(
            f"Left out: {count_text(facts.left_out, 'other item')} (images, histograms, "
            "graphs ...). A larger --budget includes more."
        )
    only_page = []
    if formulas := View.of(facts.view).formulas:
        only_page.append(count_text(formulas, "chart of a formula", "charts of formulas"))
    if facts.unranked:
        only_page.append("the importance of parameters, as no run logs a metric")
    if only_page:
        lines.append(
            f"Left out: {' and '.join(only_page)}. "
            "Save snapshot on the page includes what it shows."
        )
    return [printable(line, 500) for line in lines]


def _name(train_id: str, tag: str) -> str:
    return f"{train_id.removeprefix('./')} {tag}"


def _listed(head: str, series: Sequence[str]) -> Sequence[str]:
    if not series:
        return []
    more = len(series) - _MOST_LISTED
    rest = [f"and {more:,} more, which the snapshot lists"] if more > 0 else []
    return [f"{head}:", *(f"  {line}" for line in [*series[:_MOST_LISTED], *rest])]


def _too_small(budget: int, needed: int) -> StartError:
    # Headroom for a first chart.
    return StartError(
        f"A budget of {size_text(budget)} is too small: the page and the list of runs take "
        f"{size_text(needed)}. Use at least --budget {-(-needed // 1_000_000) + 1}MB."
    )
