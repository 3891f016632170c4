"""Texts: as logged, and as HTML that is safe to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mindviz.datavisual.analysis.array_parity import compare_texts, texts
from mindviz.datavisual.analysis.series_parity import StepParity, Tolerance, both
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.rendered_text import RenderingBudget, render
from mindviz.datavisual.series.generic_name import GenericName
from mindviz.datavisual.series.series_view import ValuesView, check_elements, read_as
from mindviz.datavisual.series.time_series import DataClass, Tensor, Value, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue

MAX_CELLS = 2_000
"""Shown of one table."""


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's strings, and all of them as one piece of HTML.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = store.read_values(train_id, "text", tag, writer=writer)
    budget = RenderingBudget.of_answer()

    def show(row: int) -> Mapping[str, object]:
        dims, strings = _strings(series, row)
        return {"text": strings, "dims": dims, "html": rendered(dims, strings, budget)}

    return ValuesView.of(series, ("text", "dims", "html"), show)


@logged_view("data", "size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's string, or list of strings in row-major order."""
    dims, strings = _strings(series, row)
    return {"data": strings, "size": dims} if len(strings) != 1 else {"data": strings[0]}


def rendered(
    dims: Sequence[int], strings: Sequence[str], budget: RenderingBudget | None = None
) -> str:
    """Sanitized HTML: one string itself, a list or table of strings as a table.

    Of a tensor of higher rank, only the first table. `budget` is shared by all texts of an answer.
    """
    own = (budget or RenderingBudget.of_answer()).of_text()
    if len(strings) == 1:
        return render(strings[0], own)
    rows, columns = (len(strings), 1) if len(dims) == 1 else (dims[-2], dims[-1])
    shown = min(rows, max(1, MAX_CELLS // max(columns, 1)))
    body = "".join(
        f"<tr>{''.join(f'<td>{render(cell, own)}</td>' for cell in cells)}</tr>"
        for cells in (strings[at * columns :][:columns] for at in range(shown))
    )
    table = f"<table><tbody>{body}</tbody></table>"
    left_out = len(strings) - shown * columns
    return table if left_out <= 0 else f"{table}<p>… {left_out} more</p>"


def _strings(series: ValueTimeSeries, row: int) -> tuple[list[int], list[str]]:
    """Shape, and the strings in row-major order."""
    data = read_as(series, row, Tensor, "a text").data
    if data.dtype != np.object_:
        raise DamagedValue("The value is not a text.")
    check_elements(data.size)  # one stored string may repeat in a large shape
    strings = [str(one, "utf-8", "replace") for one in data.ravel().tolist()]
    return list(data.shape), strings


def parity(a: Value, b: Value, _tolerance: Tolerance) -> StepParity:
    """The strings in row-major order, whatever their shape."""
    x, y = both(Tensor, a, b)
    return compare_texts(texts(x.data), texts(y.data))


PLUGIN = Plugin(
    "text",
    "/text",
    DataClass.TENSOR,
    view,
    values={"": values},
    names=(GenericName("text", DataClass.TENSOR, fields=("text",), dtype_kinds="O"),),
    parity=parity,
)
