"""Texts: as logged, and as HTML that is safe to show.

Texts are Markdown, as in TensorBoard; HTML in them counts, as far as it is harmless. What is left
can neither run anything nor make a browser ask another server: images become links.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, Tensor, ValueTimeSeries
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series_view import ValuesView, check_elements, read_as
from mindviz.errors import DamagedValue

MAX_RENDERED = 200_000
"""Characters of one step; a longer text is shown as it is. Markdown takes some 2 us for each."""
MAX_CELLS = 2_000
"""Of a table; no more of it is shown."""

_TAGS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li "
    "mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt "
    "u ul var"
)
"""What is left of HTML."""
_ATTRIBUTES = {"a": {"href", "title"}, "td": {"align"}, "th": {"align"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's strings, and all of them as one piece of HTML.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = experiment.read_values(train_id, "text", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        dims, strings = _strings(series, row)
        return {"text": strings, "dims": dims, "html": rendered(dims, strings)}

    return ValuesView.of(series, ("text", "dims", "html"), look)


def values(
    experiment: Experiment, train_id: str, tag: str, writer: str | None = None
) -> ValuesView:
    """Every step's string; where there are several, all, in row-major order. Raises as `view`."""
    series = experiment.read_values(train_id, "text", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        dims, strings = _strings(series, row)
        return {"data": strings, "size": dims} if len(strings) != 1 else {"data": strings[0]}

    return ValuesView.of(series, ("data", "size"), look)


def rendered(dims: Sequence[int], strings: Sequence[str]) -> str:
    """Sanitised HTML: one string itself, a list or table of strings as a table.

    Of a tensor of higher rank it is the first table in it.
    """
    if len(strings) == 1:
        return _to_html(strings[0])
    rows, columns = (len(strings), 1) if len(dims) == 1 else (dims[-2], dims[-1])
    shown = min(rows, max(1, MAX_CELLS // max(columns, 1)))
    body = "".join(
        f"<tr>{''.join(f'<td>{_to_html(cell)}</td>' for cell in cells)}</tr>"
        for cells in (strings[at * columns :][:columns] for at in range(shown))
    )
    table = f"<table><tbody>{body}</tbody></table>"
    left_out = len(strings) - shown * columns
    return table if left_out <= 0 else f"{table}<p>… {left_out} more</p>"


def _to_html(text: str) -> str:
    if len(text) > MAX_RENDERED:
        return f"<pre>{html.escape(text)}</pre>"
    # Imported by who looks at a text: `mindviz start` should not wait for it.
    import nh3  # noqa: PLC0415

    return nh3.clean(
        _markdown().render(text),
        tags=set(_TAGS.split()),
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        url_relative="deny",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    ).rstrip()


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("image")


def _strings(series: ValueTimeSeries, row: int) -> tuple[list[int], list[str]]:
    """Shape, and the strings in row-major order."""
    data = read_as(series, row, Tensor, "a text").data
    if data.dtype != np.object_:
        raise DamagedValue("The value is not a text.")
    check_elements(data.size)  # one string may stand for all that the shape claims
    strings = [str(one, "utf-8", "replace") for one in data.ravel().tolist()]
    return list(data.shape), strings


PLUGIN = Plugin("text", "/text", DataClass.TENSOR, view, values={"": values})
