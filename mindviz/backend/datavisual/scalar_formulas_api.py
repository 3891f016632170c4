"""A route of our own: series that are computed from the scalars of a train job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flask import Response

from mindviz.answer_memory import claim
from mindviz.backend.answers import Pieces
from mindviz.backend.arrow_stream import ARROW_STREAM, scalars_arrow
from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import non_finite, objects_json, points_json
from mindviz.backend.routes import JSON, Routes
from mindviz.backend.scalar_selection import ScalarSelection, SelectedScalars, read_axis
from mindviz.backend.schemas import (
    UNLIMITED,
    IntegerField,
    NumberField,
    StrictQuery,
    most_points,
    scalar_axis,
    text,
    texts,
    x_bound,
    x_tag,
)
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.store import Store
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge, TagNotFound, TrainJobNotFound

MAX_SERIES = 2_000
"""Jobs x formulas of one request."""
POINT_BYTES = 150
"""Memory that a point takes while an answer is made, about."""
MAX_POINTS = 2_000_000
"""Of one answer."""


class FormulasQuery(StrictQuery):
    """Which formulas, of which jobs."""

    train_id = texts(required=True, empty=True)
    formula = texts(required=True, about="Of tags as logged, e.g. `loss/train` - `loss/valid`.")
    max_points = most_points()
    start_step = IntegerField(load_default=None)
    end_step = IntegerField(load_default=None, metadata={"description": "Included."})
    start_time = NumberField(load_default=None, metadata={"description": "Unix seconds."})
    end_time = NumberField(load_default=None, metadata={"description": "Included."})
    smoothing = text(about="As in `scalars`; of what was computed.")
    format = text(choices=("columns", "arrow"), default="columns")
    x_tag = x_tag("As logged.")
    start_x = x_bound()
    end_x = x_bound()


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""
    answers = services.answers

    @routes.get("/datavisual/scalars/formulas", FormulasQuery, content_types=(JSON, ARROW_STREAM))
    def read_formulas(query: dict[str, Any]) -> Response:
        """Points of jobs x formulas; jobs without one of a formula's tags are left out."""
        train_ids = list(dict.fromkeys(query["train_id"]))
        formulas = [TagFormula.parse(one) for one in dict.fromkeys(query["formula"])]
        if len(train_ids) * len(formulas) > MAX_SERIES:
            raise AnswerTooLarge(f"One request names at most {MAX_SERIES} jobs x formulas.")
        selection = ScalarSelection(
            max_points=None if query["max_points"] == UNLIMITED else query["max_points"],
            start_step=query["start_step"],
            end_step=query["end_step"],
            start_time=query["start_time"],
            end_time=query["end_time"],
            smoothing=query["smoothing"] and parse_smoothing(query["smoothing"]),
            axis=scalar_axis(query),
        )
        arrow = query["format"] == "arrow"

        def make() -> bytes | Pieces:
            selected = _bounded(_selected(services.experiment, train_ids, formulas, selection))
            if not selected and train_ids and formulas:
                tags = list(dict.fromkeys(tag for one in formulas for tag in one.tags))
                raise missing_series(services.experiment, "scalar", train_ids, tags)
            return _arrow(selected) if arrow else _columns(selected)

        version = answers.versions(train_ids)
        return answers.answer(version, make, content_type=ARROW_STREAM if arrow else JSON)


def _selected(
    experiment: Store,
    train_ids: Sequence[str],
    formulas: Sequence[TagFormula],
    selection: ScalarSelection,
) -> Iterator[SelectedScalars]:
    for train_id in train_ids:
        for formula in formulas:
            try:
                series = [experiment.read_scalars(train_id, tag) for tag in formula.tags]
            except (TrainJobNotFound, TagNotFound):
                continue
            axis = read_axis(experiment, train_id, selection)
            yield selection.selected(train_id, formula.text, formula.of(series), axis)


def _bounded(each: Iterator[SelectedScalars]) -> list[SelectedScalars]:
    selected, points = [], 0
    for one in each:
        selected.append(one)
        points += len(one.points.step)
        claim(POINT_BYTES * len(one.points.step))
        check()
        if points > MAX_POINTS:
            raise AnswerTooLarge(
                f"The answer would hold more than {MAX_POINTS} points, the most of one answer; ask"
                " for fewer jobs or formulas, or for a smaller max_points."
            )
    return selected


def _facts(one: SelectedScalars) -> dict[str, Any]:
    facts = {
        "train_id": one.train_id,
        "formula": one.tag,
        "total": one.points.total,
        "in_range": one.in_range,
        "non_finite": non_finite(one.points.value),
    }
    return facts if one.x is None else facts | {"without_x": one.without_x}


def _columns(selected: Sequence[SelectedScalars]) -> bytes:
    items = ((_facts(one), points_json(one, columns=True, marks=False)) for one in selected)
    return objects_json({}, "scalars", items)


def _arrow(selected: Sequence[SelectedScalars]) -> Pieces:
    return scalars_arrow(selected, list(map(_facts, selected)), "", marks=False)
