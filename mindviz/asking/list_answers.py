"""Answers that list runs: all of them, or those that a filter finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.asking.answer import Answer, Cell, Cut, MadeRows
from mindviz.asking.known_runs import KnownRuns, problem_lines, unchecked_lines, utc
from mindviz.asking.log_text import run_name
from mindviz.asking.page_link import runs_link
from mindviz.asking.question import Question
from mindviz.asking.run_answers import AS_LOGGED, Builder, plain_number
from mindviz.lineagemgr.run_filter import condition_of, fields_of
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery
from mindviz.lineagemgr.run_table import EVENT_FIELDS, EVENTS, SEVERE

_LISTED = ("name", "state", "updated", "points", "problems")
_TIMES = frozenset({"created", "updated"})
_LIST_UNITS = {
    "updated": "UTC",
    "points": "logged scalar values, replaced ones included",
    "problems": "findings in log files",
}
_EVENT_UNITS = {
    EVENTS: "errors and warnings in series, as far as checked",
    SEVERE: "errors in series, as far as checked",
}


def found(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`list` and `find`. Raises InvalidFilter, NotFound for unknown fields."""
    condition = condition_of(question.filter)
    names = [*fields_of(condition)] if condition is not None else []
    if question.sort:
        names.append(question.sort.removeprefix("-"))
    fields = [runs.field(name) for name in names]
    missing = problem_lines(runs.store.status().problems, "health")
    if not set(EVENT_FIELDS).isdisjoint(fields):
        missing += unchecked_lines(runs.health.page(limit=0, wait=runs.patience))
    listed = runs.list()
    order = USUAL_ORDER if not question.sort else (question.sort,)
    start, stop = cut.rows.start, cut.rows.stop
    result = listed.find(RunQuery(question.filter, order, offset=start, limit=stop - start))
    page = [train_id for train_id in result.page if train_id]
    view = listed.columns_of(page)
    places = view.table.rows_of(page)
    columns = list(_LISTED)
    columns += [name for name, field in _pairs(names, fields) if field not in _LISTED]
    cells = [view.column(name).values for name in columns[1:]]
    problems = listed.find(RunQuery("problems > 0", archived=True, limit=0)).matching
    archived = listed.find(RunQuery("hidden = true", limit=0)).matching
    facts: dict[str, Cell] = {"matching runs": result.matching, "runs": result.total}
    if archived:
        facts["archived runs"] = archived
    if problems:
        facts["runs with problems"] = problems
    sorted_by = question.sort.removeprefix("-")
    descending = ", descending" if question.sort.startswith("-") else ", ascending"
    return Answer(
        question=question.text,
        axis=f"runs, by {sorted_by}{descending}" if sorted_by else "runs, newest created first",
        units={
            **_LIST_UNITS,
            **{name: _EVENT_UNITS.get(name, AS_LOGGED) for name in columns if name not in _LISTED},
        },
        facts=facts,
        columns=["run", *columns[1:]],
        rows=MadeRows(
            (
                [
                    run_name(train_id),
                    *(
                        _listed_cell(name, cell[row])
                        for name, cell in zip(columns[1:], cells, strict=True)
                    ),
                ]
                for train_id, row in places.items()
            ),
            len(places),
        ),
        total=result.matching,
        link=runs_link(filter=question.filter, sort=question.sort),
        missing=missing,
    )


def _pairs(names: Sequence[str], fields: Sequence[str]) -> list[tuple[str, str]]:
    """Each field once, under its first name."""
    known: dict[str, str] = {}
    for name, field in zip(names, fields, strict=True):
        known.setdefault(field, name)
    return [(name, field) for field, name in known.items()]


def _listed_cell(name: str, value: Cell) -> Cell:
    return utc(float(value or 0)) if name in _TIMES else plain_number(value)


BUILDERS: Mapping[str, Builder] = {"list": found, "find": found}
