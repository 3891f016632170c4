"""Tables of runs as HTML without scripts or styles, which every notebook shows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from mindviz.asking.answer import Cell
from mindviz.asking.question import Question
from mindviz.client.log_source import LogSource
from mindviz.datavisual.series.number_text import number_text
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.errors import NotFound

MOST_RUNS = 20
MOST_FIELDS = 4
"""Columns of config, and of last values."""
MOST_ROWS = 40
"""Rows of a single run's table."""
LONGEST = 48
"""Characters of a cell; the `title` has the whole text."""
_TOKENS = 20_000
_LEFT = ' style="text-align: left"'
_RESULTS = re.compile(r"loss|acc|err|score|reward|f1|auc|ppl|perplexity|iou|bleu", re.IGNORECASE)
"""Scalars that are shown before others."""


@dataclass(frozen=True, slots=True)
class _Described:
    """The answer to `run`, by part: name -> the rest of its row."""

    config: Mapping[str, Sequence[Cell]]
    scalars: Mapping[str, Sequence[Cell]]

    @property
    def steps(self) -> Cell:
        """The last step of all scalars."""
        return max((int(row[1] or 0) for row in self.scalars.values()), default=None)


def runs_html(source: LogSource) -> str:
    """The newest runs with state, last step, config and last values; says what is left out."""
    listed = _answer(source, Question("list"))
    rows = listed["rows"][:MOST_RUNS]
    described = [_described(source, name) for name, *_ in rows]
    config, more_config = _first(_config_fields(described))
    scalars, more_scalars = _first(_scalar_tags(described))
    table = _table(
        ["run", "state", "steps", "problems", *config, *scalars],
        (
            [
                name,
                state,
                run.steps,
                problems,
                *(_cell(run.config, field) for field in config),
                *(_cell(run.scalars, tag) for tag in scalars),
            ]
            for (name, state, _, _, problems), run in zip(rows, described, strict=True)
        ),
    )
    total = listed["total"]
    location = escape(source.location)
    shown = (
        f"{_runs(total)} at"
        if len(rows) == total
        else f"The newest {len(rows)} of {_runs(total)} at"
    )
    more = [
        f"{count:,} more {what}"
        for count, what in ((more_config, "config fields"), (more_scalars, "scalar series"))
        if count
    ]
    left_out = f"<p>Not shown: {' and '.join(more)}.</p>" if more else ""
    return f"<div><p>{shown} <code>{location}</code></p>{table}{left_out}</div>"


def run_html(source: LogSource, train_id: str) -> str:
    """Config, results, scalars and other data of a run. Raises TrainJobNotFound."""
    answer = _answer(source, Question("run", (train_id,)))
    facts = answer["facts"]
    rows = answer["rows"][:MOST_ROWS]
    total = answer["total"]
    about = [str(facts["state"]), f"updated {facts['updated']}", f"{facts['points']:,} points"]
    if facts["problems"]:
        about.append(f"{facts['problems']:,} problems")
    left_out = f"<p>The first {len(rows)} of {total:,} rows.</p>" if len(rows) < total else ""
    missing = "".join(f"<p>Missing: {escape(text)}</p>" for text in answer["missing"])
    return (
        f"<div><p><b>{_text(facts['run'])}</b> {escape(', '.join(about))}</p>"
        f"{_table(answer['columns'], rows)}{left_out}{missing}</div>"
    )


def _answer(source: LogSource, question: Question) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        source.answer(question.exact_text, max_tokens=_TOKENS, form="json")
    )
    return content


def _described(source: LogSource, name: str) -> _Described:
    """Empty for a run that was deleted meanwhile."""
    try:
        rows = _answer(source, Question("run", (name,)))["rows"]
    except NotFound:
        rows = []
    return _Described(
        *(
            {field: row for what, field, *row in rows if what == part}
            for part in ("config", SCALAR_PLUGIN)
        )
    )


def _config_fields(runs: Sequence[_Described]) -> list[str]:
    """Fields whose values differ come first."""
    fields = dict.fromkeys(field for run in runs for field in run.config)
    return sorted(
        fields,
        key=lambda field: (
            len({str(_cell(run.config, field)) for run in runs if field in run.config}) < 2
        ),
    )


def _scalar_tags(runs: Sequence[_Described]) -> list[str]:
    """Results come first, then tags of many runs."""
    counts = Counter(tag for run in runs for tag in run.scalars)
    return sorted(counts, key=lambda tag: (_RESULTS.search(tag) is None, -counts[tag], tag))


def _first(names: Sequence[str]) -> tuple[Sequence[str], int]:
    """The columns to show, and the number of others."""
    return names[:MOST_FIELDS], max(0, len(names) - MOST_FIELDS)


def _cell(part: Mapping[str, Sequence[Cell]], name: str) -> Cell:
    return part[name][0] if name in part else None


def _runs(count: int) -> str:
    return f"{count:,} run{'' if count == 1 else 's'}"


def _table(head: Iterable[str], rows: Iterable[Sequence[Cell]]) -> str:
    cells = list(rows)
    heads = "".join(
        f"<th{_side(row[column] for row in cells)}>{_text(name)}</th>"
        for column, name in enumerate(head)
    )
    body = "".join(f"<tr>{''.join(map(_td, row))}</tr>" for row in cells)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _side(cells: Iterable[Cell]) -> str:
    """Text is left-aligned, numbers are not."""
    return _LEFT if any(isinstance(cell, str) for cell in cells) else ""


def _td(cell: Cell) -> str:
    match cell:
        case None:
            return "<td></td>"
        case bool() | str():
            return f"<td{_LEFT}>{_text(str(cell))}</td>"
        case int():
            return f"<td>{cell:,}</td>"
    return f"<td>{number_text(cell, 6)}</td>"


def _text(text: str) -> str:
    """Escaped; cut in the middle if it is long."""
    if len(text) <= LONGEST:
        return escape(text)
    tail = LONGEST // 2
    cut = f"{text[: LONGEST - tail - 1]}\N{HORIZONTAL ELLIPSIS}{text[-tail:]}"
    return f'<span title="{escape(text)}">{escape(cut)}</span>'
