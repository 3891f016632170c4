"""Routes for series computed from the scalars of a train job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from flask import Response

from mindviz.answer_memory import await_turn, claim
from mindviz.backend.arrow_stream import ARROW_STREAM, scalars_arrow
from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import non_finite, objects_json, points_json
from mindviz.backend.responses import JSON, Pieces
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import (
    PointFields,
    StrictQuery,
    point_selection,
    scalar_axis,
    text,
    texts,
)
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.chart_text import chart_lines
from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.plugins import scalar
from mindviz.datavisual.series.selection import SelectedScalars, Selection
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import Store
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge, FormulaError, TagNotFound, TrainJobNotFound

own = Routes()

MAX_SERIES = 2_000
"""Train jobs x formulas per request."""
POINT_BYTES = 150
"""Approximate memory per point while encoding."""
MAX_POINTS = 2_000_000
"""Per response."""

_Item = tuple[dict[str, Any], SelectedScalars]
"""Facts about a series, and its points."""


class FormulasQuery(PointFields, StrictQuery):
    """Train jobs x formulas."""

    train_id = texts(required=True, empty=True)
    formula = texts(required=True, about="With tags as logged, e.g. `loss/train` - `loss/valid`.")
    format = text(choices=("columns", "arrow"), default="columns")


class ChartTextQuery(StrictQuery):
    """The text of a chart."""

    text = text(required=True, empty=True, about="Formulas, separated by commas.")


@own.get("/datavisual/scalars/formulas", FormulasQuery, content_types=(JSON, ARROW_STREAM))
def read_formulas(services: Services, query: dict[str, Any]) -> Response:
    """Points of train jobs x formulas; omits jobs that lack a tag of the formula."""
    train_ids = list(dict.fromkeys(query["train_id"]))
    formulas = [TagFormula.parse(text) for text in dict.fromkeys(query["formula"])]
    if len(train_ids) * len(formulas) > MAX_SERIES:
        raise AnswerTooLarge(f"One request may name at most {MAX_SERIES} train jobs x formulas.")
    smoothing = query["smoothing"]
    selection = replace(
        point_selection(query),
        smoothing=None if smoothing is None else parse_smoothing(smoothing),
        axis=scalar_axis(query),
    )
    is_arrow = query["format"] == "arrow"

    def make() -> bytes | Pieces:
        items = _bounded(_selected(services.store, train_ids, formulas, selection))
        if not items and train_ids and formulas:
            tags = list(dict.fromkeys(tag for formula in formulas for tag in formula.tags))
            raise missing_series(services.store, SCALAR_PLUGIN, train_ids, tags)
        if is_arrow:
            return scalars_arrow(items, "", marks=False)
        points = (
            (facts, points_json(series, columns=True, marks=False)) for facts, series in items
        )
        return objects_json({}, "scalars", points)

    version = services.responses.versions(train_ids)
    content_type = ARROW_STREAM if is_arrow else JSON
    return services.responses.cached(version, make, content_type=content_type)


@own.get("/datavisual/scalars/formulas/lines", ChartTextQuery)
def read_lines(_services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The formulas in the text of a chart, or its syntax error."""
    try:
        return {"lines": list(chart_lines(query["text"])), "error": None}
    except FormulaError as error:
        # Not an HTTP error, because text is incomplete while it is being typed.
        problem = {"character": error.character, "message": str(error)}
        return {"lines": [], "error": problem}


def _selected(
    store: Store, train_ids: Sequence[str], formulas: Sequence[TagFormula], selection: Selection
) -> Iterator[_Item]:
    for train_id in train_ids:
        for formula in formulas:
            await_turn()
            try:
                series = scalar.read_formula(store, train_id, formula, selection)
            except (TrainJobNotFound, TagNotFound):
                continue
            yield _facts(train_id, formula.text, series), series


def _bounded(each: Iterator[_Item]) -> list[_Item]:
    """Raises AnswerTooLarge."""
    items, points = [], 0
    for facts, series in each:
        items.append((facts, series))
        points += len(series.points.step)
        claim(POINT_BYTES * len(series.points.step))
        check()
        if points > MAX_POINTS:
            raise AnswerTooLarge(
                f"The response would exceed {MAX_POINTS} points. Use fewer train jobs or formulas, "
                "or a smaller max_points."
            )
    return items


def _facts(train_id: str, formula: str, series: SelectedScalars) -> dict[str, Any]:
    facts = {
        "train_id": train_id,
        "formula": formula,
        "total": series.points.total,
        "in_range": series.in_range,
        "non_finite": non_finite(series.points.value),
    }
    return facts if series.x is None else facts | {"without_x": series.without_x}
