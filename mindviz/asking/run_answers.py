"""Answers about runs as a whole: lists, descriptions, comparisons and configs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mindviz.asking.answer import Answer, Cell, Cut
from mindviz.asking.known_runs import (
    KnownRuns,
    problem_lines,
    shown_names,
    utc,
)
from mindviz.asking.log_text import run_name
from mindviz.asking.page_link import (
    comparison_link,
    exact_pattern,
    run_link,
    sweep_link,
)
from mindviz.asking.question import Question
from mindviz.datavisual.analysis.lineage import shortest
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import ScalarSummaries
from mindviz.errors import InvalidQuery, NotFound
from mindviz.expression import Expression
from mindviz.lineagemgr.diff import diff_lineages
from mindviz.lineagemgr.run_table import RunColumns
from mindviz.lineagemgr.run_view import RunView

AS_LOGGED = "as logged, without a unit"
_RESULT = re.compile(r"metric/|(?:loss|model_size|session_status)\Z")
_DERIVED = frozenset({"dataset_mark", "session_group"})
"""Fields that number datasets and groups."""
_EXAMPLES = 6
_MOST_EXACT = 2**53


def described(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`run`: config, results, scalar series and other data. Raises TrainJobNotFound."""
    train_id = runs.train_id(question.runs[0])
    view = runs.list().columns_of([train_id])
    row = view.table.rows_of([train_id])[train_id]
    info = runs.store.train_job(train_id)
    summaries = runs.store.scalar_summaries(train_id)
    tags = runs.store.list_tags(train_id)

    def value(name: str) -> Cell:
        return plain_number(view.column(name).values[row])

    config, results = _fact_names(view)
    shown = shown_names(view.table, [row])
    rows: list[list[Cell]] = []
    for part, names in (("config", config), ("result", results)):
        given = ((name, value(name)) for name in names)
        rows += [[part, shown(name), cell, *[None] * 5] for name, cell in given if cell is not None]
    rows += _series_rows(summaries)
    for plugin_name, of_plugin in tags.items():
        if plugin_name != SCALAR_PLUGIN:
            rows += [[plugin_name, tag, *[None] * 6] for tag in of_plugin]
    facts: dict[str, Cell] = {
        "run": run_name(train_id),
        "state": value("state"),
        "created": utc(info.create_time),
        "updated": utc(info.update_time),
        "formats": ", ".join(info.formats),
        "files": info.summary_files + info.lineage_files + info.graph_files,
        "bytes": info.bytes,
        "points": info.points,
        "problems": len(info.problems),
    }
    notes: dict[str, Cell] = {"label": info.display_name, "remark": value("remark")}
    facts |= {name: note for name, note in notes.items() if note}
    if value("hidden"):
        facts["archived"] = True
    named = Question("run", (train_id,))
    return Answer(
        question=named.text,
        axis="data of one run: config, results, scalar series, other data",
        units={"value": f"{AS_LOGGED}; of a series the last one", "step": "as logged"},
        facts=facts,
        columns=["part", "name", "value", "step", "min", "at step", "max", "at step"],
        rows=rows[cut.rows],
        total=len(rows),
        link=run_link(train_id),
        missing=problem_lines(info.problems, Question("health", (train_id,)).text),
    )


def _series_rows(summaries: ScalarSummaries) -> list[list[Cell]]:
    stats = summaries.stats
    columns = (
        shortest(stats.last),
        stats.last_step.tolist(),
        shortest(stats.min),
        stats.min_step.tolist(),
        shortest(stats.max),
        stats.max_step.tolist(),
    )
    return [
        [SCALAR_PLUGIN, tag, *cells] for tag, *cells in zip(summaries.tags, *columns, strict=True)
    ]


def compared(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`compare`: the last values of scalars, side by side; of single tags also min and max.

    Raises TrainJobNotFound, NotFound if no run has a matching tag.
    """
    ids = _distinct(runs, question)
    summaries = [runs.store.scalar_summaries(train_id) for train_id in ids]
    every_tag = sorted({tag for of_run in summaries for tag in of_run.tags})
    tags = every_tag if question.tag is None else matching_tags(question.tag, every_tag)
    rows: list[list[Cell]] = []
    if question.tag is None:
        view = runs.list().columns_of(ids)
        places = view.table.rows_of(ids)
        for name in ("state", "points"):
            values = view.column(name).values
            rows.append([name, "", *(values[places[one]] for one in ids), None])
    rows += sorted(
        (_compared_row(tag, "last", summaries) for tag in tags),
        key=lambda row: (-_size(row[-1]), str(row[0])),
    )
    if question.tag is not None:
        rows = [
            compared_row
            for row in rows
            for compared_row in (
                row,
                *(_compared_row(str(row[0]), name, summaries) for name in _STATISTICS[1:]),
            )
        ]
    named = Question("compare", tuple(ids), question.tag)
    pattern = question.tag or ""
    return Answer(
        question=named.text,
        axis="scalar series, the largest relative difference of last values first",
        units={
            "values": AS_LOGGED,
            "difference": "largest minus smallest value, relative to the largest magnitude",
        },
        facts={
            "runs": len(ids),
            "series": len(tags),
            "series in all runs": sum(
                all(of_run.index_of(tag) >= 0 for of_run in summaries) for tag in tags
            ),
        },
        columns=["name", "statistic", *map(run_name, ids), "difference"],
        rows=rows[cut.rows],
        total=len(rows),
        link=comparison_link(ids, tags=exact_pattern(pattern) if pattern in every_tag else pattern),
        missing=[
            line
            for info in runs.store.train_jobs(ids)
            for line in problem_lines(info.problems, Question("health", (info.train_id,)).text)
        ],
    )


_STATISTICS = ("last", "last_step", "min", "min_step", "max", "max_step")


def _compared_row(tag: str, statistic: str, summaries: Sequence[ScalarSummaries]) -> list[Cell]:
    cells: list[Cell] = []
    for of_run in summaries:
        index = of_run.index_of(tag)
        if index < 0:
            cells.append(None)
            continue
        value = getattr(of_run.stats, statistic)[index]
        cells.append(int(value) if statistic.endswith("_step") else shortest([value])[0])
    return [tag, statistic.replace("_step", " at step"), *cells, _difference(cells)]


def _difference(cells: Sequence[Cell]) -> float | None:
    """Relative; None with fewer than two numbers."""
    numbers = [float(cell) for cell in cells if isinstance(cell, int | float)]
    if len(numbers) < 2:
        return None
    if all(math.isnan(number) for number in numbers) or len(set(numbers)) == 1:
        return 0.0
    if not all(map(math.isfinite, numbers)):
        return math.inf
    # Halves: the difference of huge values stays finite.
    largest = max(map(abs, numbers))
    return (max(numbers) / 2 - min(numbers) / 2) / largest * 2


def _size(difference: Cell) -> float:
    return -1.0 if difference is None else float(difference)


def matching_tags(wanted: str, tags: Sequence[str]) -> list[str]:
    """The tag of this name, or those that a pattern matches. Raises NotFound."""
    if wanted in tags:
        return [wanted]
    try:
        matches: Callable[[str], object] = Expression(f"(?i){wanted}").search
    except InvalidQuery:
        matches = lambda tag: wanted.lower() in tag.lower()  # noqa: E731 -- as the page's filter
    matching = [tag for tag in tags if matches(tag)]
    if not matching:
        raise NotFound(f"No scalar series has the tag {wanted!r}.", name=wanted, known=tags)
    return matching


def config_differences(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`config`: parameters that differ between runs, or over all runs. Raises TrainJobNotFound."""
    if not question.runs:
        return _config_of_all(runs, question, cut)
    ids = _distinct(runs, question)
    listed = runs.list()
    view = listed.columns_of(ids)
    places = [view.table.rows_of(ids)[train_id] for train_id in ids]
    config, _ = _fact_names(view)
    shown = shown_names(view.table, places)
    rows: list[list[Cell]] = []
    equal = 0
    for name in config:
        values = view.column(name).values
        cells = [plain_number(values[place]) for place in places]
        if all(cell is None for cell in cells):
            continue
        if len({(type(cell), cell) for cell in cells}) == 1:
            equal += 1
        else:
            rows.append([shown(name), *cells])
    diff = diff_lineages(listed.lineages(ids), ids, runs.store.scalar_summaries)
    rows += [[f"dataset/{one.name}", *map(_fact, one.values)] for one in diff.dataset_graph]
    named = Question("config", tuple(ids))
    return Answer(
        question=named.text,
        axis="parameters whose values differ, by name",
        units={"values": AS_LOGGED},
        facts={"runs": len(ids), "different parameters": len(rows), "identical parameters": equal},
        columns=["parameter", *map(run_name, ids)],
        rows=rows[cut.rows],
        total=len(rows),
        link=comparison_link(ids, "parameters"),
    )


def _config_of_all(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    view = runs.list().columns()
    table = view.table
    config, _ = _fact_names(view)
    different = [name for name in config if table.differs(name)]
    shown = shown_names(table)
    rows = [_spread(shown(name), table, name) for name in different[cut.rows]]
    return Answer(
        question=question.text,
        axis="parameters whose values differ, by name",
        units={"values": AS_LOGGED, "runs": "runs with the parameter"},
        facts={
            "runs": len(table),
            "different parameters": len(different),
            "identical parameters": len(config) - len(different),
        },
        columns=["parameter", "runs", "distinct values", "min", "max", "examples"],
        rows=rows,
        total=len(different),
        link=sweep_link(),
    )


def _spread(shown: str, table: RunColumns, name: str) -> list[Cell]:
    codes, distinct = table.column(name).codes
    others, numbers = table.column(name).code_keys
    of_newest = codes[table.newest]
    found, first = np.unique(of_newest, return_index=True)
    first = first[found >= 0]
    bounds: list[Cell] = [None, None]
    if not others.any() and np.isfinite(numbers).all() and len(numbers):
        bounds = [plain_number(float(numbers.min())), plain_number(float(numbers.max()))]
    examples = of_newest[np.sort(first)[:_EXAMPLES]].tolist()
    texts = [str(plain_number(distinct[code])) for code in examples]
    count = int(np.count_nonzero(codes >= 0))
    return [shown, count, len(first), *bounds, ", ".join(texts)]


def _distinct(runs: KnownRuns, question: Question) -> list[str]:
    """The ids of the runs. Raises TrainJobNotFound, InvalidQuery if only one is left."""
    ids = list(dict.fromkeys(map(runs.train_id, question.runs)))
    if len(ids) < 2:
        raise InvalidQuery("Give two different runs to compare.")
    return ids


def _fact_names(view: RunView) -> tuple[list[str], list[str]]:
    """Names of config and of results."""
    names = [name for name in view.table.parameters.names if name not in _DERIVED]
    config = [name for name in names if not _RESULT.match(name)]
    return config, [name for name in names if _RESULT.match(name)]


def _fact(value: object) -> Cell:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def plain_number(value: Cell) -> Cell:
    """A number as the page shows it; other values as they are."""
    if not isinstance(value, float):
        return value
    number = shortest([value])[0]
    # As on the page, whose numbers are of one type.
    return int(number) if number.is_integer() and abs(number) < _MOST_EXACT else number


Builder = Callable[[KnownRuns, Question, Cut], Answer]
BUILDERS: Mapping[str, Builder] = {
    "run": described,
    "compare": compared,
    "config": config_differences,
}
