"""Answer: facts and a table, cut to fit into a number of tokens, as text or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, overload

from mindviz.asking.log_text import log_text, without_controls
from mindviz.asking.token_count import count_tokens
from mindviz.datavisual.series.number_text import number_text
from mindviz.errors import AnswerTooLarge, InvalidQuery

Cell = str | int | float | bool | None
Form = Literal["text", "json"]
TEXT: Form = "text"
FORMS: tuple[Form, ...] = (TEXT, "json")
DEFAULT_TOKENS = 4_000
MOST_TOKENS = 1_000_000
MOST_ROWS = 10_000
"""Per answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the reader of an answer can open the page."""

    url: str = ""
    """The page of a running server; empty: there is none."""
    start: str = ""
    """Otherwise the command that starts one."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of an answer is wanted."""

    offset: int = 0
    """Rows to skip: the cursor."""
    max_tokens: int = DEFAULT_TOKENS
    form: Form = TEXT
    place: Place = Place()

    @property
    def rows(self) -> slice:
        """The rows that can fit at most: a row takes two tokens or more, with its line break."""
        return slice(self.offset, self.offset + min(self.max_tokens // 2 + 1, MOST_ROWS))


class MadeRows(Sequence[Sequence[Cell]]):
    """Rows that are made when they are first shown: a budget has room for few of many."""

    def __init__(self, rows: Iterable[Sequence[Cell]], count: int) -> None:
        self._rows = iter(rows)
        self._made: list[Sequence[Cell]] = []
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Sequence[Cell]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[Cell]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[Cell] | Sequence[Sequence[Cell]]:
        wanted = range(self._count)[index]
        if isinstance(wanted, int):
            return self._row(wanted)
        return [self._row(row) for row in wanted]

    def _row(self, row: int) -> Sequence[Cell]:
        self._made += islice(self._rows, max(0, row + 1 - len(self._made)))
        return self._made[row]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. Texts are as logged; rendering escapes them."""

    question: str
    """As `Question.text`."""
    axis: str
    """What the rows run along, and in which order."""
    units: Mapping[str, str]
    """Column or fact -> its unit."""
    facts: Mapping[str, Cell]
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    """From the cursor on; the answer shows as many as fit."""
    total: int
    """Rows of the whole answer."""
    link: str
    """To the page that shows it, relative to that of the server."""
    missing: Sequence[str] = ()
    """What could not be read."""


def rendered(answer: Answer, cut: Cut) -> str:
    """The answer with as many rows as fit. Raises AnswerTooLarge, InvalidQuery."""
    if cut.offset > answer.total:
        raise InvalidQuery(f"The cursor is beyond the {answer.total} rows of the answer.")
    render = _RENDERINGS[cut.form]
    everything = len(answer.rows)

    def tokens_of(rows: int) -> int:
        return count_tokens(render(answer, cut, rows) + "\n")  # commands print a line break

    fewest = min(1, everything)
    needed = tokens_of(fewest)
    if needed > cut.max_tokens:
        raise AnswerTooLarge(
            f"The answer takes at least {needed:,} tokens, and the budget is {cut.max_tokens:,}: "
            f"use --max-tokens {needed} or more."
        )
    return render(answer, cut, _most_that_fit(tokens_of, fewest, everything, cut.max_tokens))


def _most_that_fit(tokens_of: Callable[[int], int], fits: int, most: int, max_tokens: int) -> int:
    """By doubling, then halving: a large budget does not render all rows often."""
    step, too_many = 16, most + 1
    while fits < most:
        tried = min(fits + step, most, too_many - 1)
        if tried <= fits:
            break
        if tokens_of(tried) <= max_tokens:
            fits = tried
            step *= 2
        else:
            too_many = tried
            step = max(1, (too_many - fits) // 2)
    return fits


def _cursor(answer: Answer, cut: Cut, rows: int) -> str | None:
    end = cut.offset + rows
    return str(end) if end < answer.total else None


def _json(answer: Answer, cut: Cut, rows: int) -> str:
    page, start = _page(answer, cut)
    content: dict[str, Any] = {
        "question": without_controls(answer.question),
        "axis": answer.axis,
        "units": {log_text(name): unit for name, unit in answer.units.items()},
        "facts": {name: _plain(cell) for name, cell in answer.facts.items()},
        "columns": [log_text(name) for name in answer.columns],
        "rows": [[_plain(cell) for cell in row] for row in answer.rows[:rows]],
        "total": answer.total,
        "cursor": _cursor(answer, cut, rows),
        "missing": [log_text(text) for text in answer.missing],
        "page": page,
    }
    if start:
        content["start"] = start
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return log_text(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return "NaN" if math.isnan(cell) else "Infinity" if cell > 0 else "-Infinity"
    return cell


def _page(answer: Answer, cut: Cut) -> tuple[str, str]:
    return f"{cut.place.url}{answer.link}", "" if cut.place.url else cut.place.start


def _text(answer: Answer, cut: Cut, rows: int) -> str:
    lines = [without_controls(answer.question), f"axis: {answer.axis}"]
    lines.append(
        "units: " + "; ".join(f"{log_text(name)}: {unit}" for name, unit in answer.units.items())
    )
    lines += [f"{name}: {_cell_text(cell)}" for name, cell in answer.facts.items()]
    lines += [f"missing: {log_text(text)}" for text in answer.missing]
    if rows:
        lines += ["", *_table(answer.columns, answer.rows[:rows])]
    end = cut.offset + rows
    if cut.offset or end < answer.total:
        lines += ["", f"rows: {cut.offset + 1:,} to {end:,} of {answer.total:,}"]
    if (cursor := _cursor(answer, cut, rows)) is not None:
        lines.append(f"more: --cursor {cursor}")
    page, start = _page(answer, cut)
    lines += ["", f"page: {page}" + (f" (after `{start}`)" if start else "")]
    return "\n".join(lines)


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Aligned columns, numbers at the right."""
    texts = [[log_text(name) for name in columns]]
    texts += [["" if cell is None else _cell_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    numeric = [
        all(cell is None or isinstance(cell, int | float) for cell in column)
        for column in zip(*rows, strict=True)
    ]
    return [
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in texts
    ]


def _cell_text(cell: Cell) -> str:
    match cell:
        case None:
            return "none"
        case bool():
            return "true" if cell else "false"
        case int():
            return f"{cell:,}"
        case float():
            return number_text(cell, 6)
    return log_text(cell)


_RENDERINGS: Mapping[Form, Callable[[Answer, Cut, int], str]] = {TEXT: _text, "json": _json}
