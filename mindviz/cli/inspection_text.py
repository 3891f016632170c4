"""Prints an inspection: tables for a few train jobs, one line each for many."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mindviz.cli.inspection import InspectedTag, InspectedTrainJob, Inspection
from mindviz.cli.quantities import count_text, printable, seconds_text, size_text
from mindviz.datavisual.series.findings import Finding

FEW_TRAIN_JOBS = 20
"""Maximum number of train jobs that are shown as tables."""
_SHOWN_PROBLEMS = 20
"""Per file in tables; in total otherwise."""
_SHOWN_TAGS = 6
"""Per group of tags with equal points."""
_SHOWN_GROUPS = 50
"""Per plugin."""
_WIDE = 200
"""Columns of the output if it is not a terminal."""
_PROBLEM = "bold red"


def print_inspection(inspection: Inspection, *, details: bool, no_jobs: str = "") -> None:
    """Print to stdout, in color on a terminal; `no_jobs` explains why there are no train jobs."""
    console = Console(markup=False, highlight=False, emoji=False, soft_wrap=False)
    if not console.is_terminal:
        console = Console(markup=False, highlight=False, emoji=False, width=_WIDE)
    if not inspection.train_jobs:
        console.print(Text(f"No runs found. {no_jobs}".rstrip(), "yellow"))
    elif details or len(inspection.train_jobs) <= FEW_TRAIN_JOBS:
        for job in inspection.train_jobs:
            _print_train_job(console, job, details=details)
    else:
        _print_overview(console, inspection.train_jobs)
    _print_problems(console, "Problems of the base dir", inspection.problems)
    _print_totals(console, inspection)


def _print_train_job(console: Console, job: InspectedTrainJob, *, details: bool) -> None:
    heading = Text(printable(job.train_id, 100), "bold cyan")
    if job.display_name:
        heading.append(f"  ({printable(job.display_name)})", "cyan")
    console.print(heading)
    if job.files:
        console.print(_file_table(job))
    if job.plugins and details:
        _print_all_tags(console, job)
    elif job.plugins:
        console.print(_tag_table(job))
    for file in job.files:
        title = f"  Problems of {printable(file.path, 100)}"
        _print_problems(console, title, file.problems, one_path=True)
    _print_problems(console, "  Problems of the run", job.problems)
    console.print()


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def _file_table(job: InspectedTrainJob) -> Table:
    table = _table(
        "  file", "format", "kind", "bytes", "records", "problems",
        right=("bytes", "records", "problems"),
    )  # fmt: skip
    for file in job.files:
        table.add_row(
            "  " + printable(file.path.rsplit("/", 1)[-1], 100),
            file.format,
            file.kind,
            f"{file.bytes:,}",
            f"{file.records:,}",
            Text(f"{len(file.problems):,}", _PROBLEM) if file.problems else Text("-", "dim"),
        )
    return table


def _tag_table(job: InspectedTrainJob) -> Table:
    table = _table("  plugin", "points", "steps", "tags", right=("points",))
    for name, tags in job.plugins.items():
        label, unnamed = name, len(tags)
        groups = groupby(sorted(tags, key=_shape), key=_shape)
        for shape, group in islice(groups, _SHOWN_GROUPS):
            names = [tag.tag for tag in group]
            table.add_row(f"  {label}", *_points_and_steps(shape), _tag_names(names))
            label = ""
            unnamed -= len(names)
        if unnamed:
            more = f"and {count_text(unnamed, 'more tag')} (see --details or --json)"
            table.add_row("", "", "", Text(more, "dim"))
    return table


def _print_all_tags(console: Console, job: InspectedTrainJob) -> None:
    """One line per tag; without rich, which takes 0.2 ms per row."""
    rows = [("plugin", "points", "steps", "tag")]
    for name, tags in job.plugins.items():
        shown = ((*_points_and_steps(_shape(tag)), _tag_names([tag.tag])) for tag in tags)
        rows.extend((name, *cells) for cells in shown)
    plugin, points, steps, _ = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    console.file.writelines(
        f"  {set_cell_size(row[0], plugin)}  {row[1]:>{points}}  {row[2]:<{steps}}  {row[3]}\n"
        for row in rows
    )


def _points_and_steps(shape: tuple[int, int, int]) -> tuple[str, str]:
    points, first, last = shape
    return f"{points:,}", f"{first:,} to {last:,}" if points else ""


def _shape(tag: InspectedTag) -> tuple[int, int, int]:
    """(points, first step, last step): equal for tags that were written together."""
    return tag.points, tag.first_step or 0, tag.last_step or 0


def _tag_names(tags: Sequence[str]) -> str:
    names = ", ".join(printable(tag) or "(untagged)" for tag in tags[:_SHOWN_TAGS])
    if len(tags) > _SHOWN_TAGS:
        names += f" and {count_text(len(tags) - _SHOWN_TAGS, 'tag')} more"
    return names


_OVERVIEW = (
    "run", "formats", "files", "bytes", "records", "tags", "points", "steps", "problems",
)  # fmt: skip
_LEFT = {"run", "formats", "steps"}


def _print_overview(console: Console, jobs: Sequence[InspectedTrainJob]) -> None:
    """Without rich, which takes 0.5 ms per row: there may be thousands."""
    rows = [_OVERVIEW, *map(_overview_row, jobs)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [
            set_cell_size(text, width) if name in _LEFT else text.rjust(width)
            for name, text, width in zip(_OVERVIEW, row, widths, strict=True)
        ]
        style = "dim" if not number else _PROBLEM if jobs[number - 1].all_problems else ""
        line = "  ".join(cells).rstrip()
        # Writing plain lines without rich is much faster.
        if style and console.is_terminal:
            console.print(Text(line, style), soft_wrap=True)
        else:
            console.file.write(line + "\n")
    problems = [problem for job in jobs for problem in job.all_problems]
    _print_problems(console, "Problems", problems)
    console.print(Text("See --details for every file and tag, or --json for everything.", "dim"))


def _overview_row(job: InspectedTrainJob) -> tuple[str, ...]:
    tags = [tag for tags in job.plugins.values() for tag in tags]
    firsts = [tag.first_step for tag in tags if tag.first_step is not None]
    lasts = [tag.last_step for tag in tags if tag.last_step is not None]
    problems = len(job.all_problems)
    return (
        printable(job.train_id),
        ", ".join(job.formats),
        f"{len(job.files):,}",
        f"{job.bytes:,}",
        f"{job.records:,}",
        f"{len(tags):,}",
        f"{job.points:,}",
        f"{min(firsts):,} to {max(lasts):,}" if firsts else "",
        f"{problems:,}" if problems else "-",
    )


def _print_problems(
    console: Console, title: str, problems: Sequence[Finding], *, one_path: bool = False
) -> None:
    """List problems, with their paths unless the title names the file."""
    if not problems:
        return
    console.print(Text(title, _PROBLEM))
    for problem in problems[:_SHOWN_PROBLEMS]:
        line = Text(f"    {problem.kind}", "red")
        if not one_path:
            line.append(f"  {printable(problem.path, 100)}", "default")
        if problem.offset is not None:
            line.append(f"  at byte {problem.offset:,}", "default")
        if problem.detail:
            line.append(f"  {printable(problem.detail, 300)}", "dim")
        console.print(line, soft_wrap=True)
    if len(problems) > _SHOWN_PROBLEMS:
        console.print(Text(f"    and {len(problems) - _SHOWN_PROBLEMS:,} more (see --json)"))


def _print_totals(console: Console, inspection: Inspection) -> None:
    problems = inspection.problem_count
    points = count_text(inspection.scalar_points, "point")
    if others := inspection.points - inspection.scalar_points:
        points += f" and {count_text(others, 'other value')}"
    total = Text.assemble(
        (count_text(len(inspection.train_jobs), "run"), "bold"),
        f", {count_text(inspection.files, 'file')}, {size_text(inspection.bytes)}, "
        f"{count_text(inspection.records, 'record')}, {points}, ",
        (count_text(problems, "problem"), _PROBLEM if problems else "green"),
        "\n",
        f"Loaded in {seconds_text(inspection.load_seconds)} with the {inspection.scanner} scanner "
        f"(checksum {inspection.checksum}), peak memory {size_text(inspection.peak_rss_bytes)}.",
    )
    console.print(total, soft_wrap=True)
