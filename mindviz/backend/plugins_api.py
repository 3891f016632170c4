"""Routes of our own about plugins: which there are, and any series of any of them."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from flask import Response

from mindviz.backend import schemas
from mindviz.backend.cursor import Seen, question_of, read_cursor, write_cursor
from mindviz.backend.encoding import non_finite, plain_columns, problems_by_step, to_json
from mindviz.backend.routes import Routes
from mindviz.backend.scalar_selection import (
    ScalarSelection,
    SelectedScalars,
    read_selection,
    read_selection_since,
)
from mindviz.backend.services import Services
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.plugins import Plugin, SeriesView, find_plugin, plugins, scalar
from mindviz.errors import AnswerTooLarge

MAX_ROWS = 2_000_000


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    experiment, answers = services.experiment, services.answers

    @routes.get("/plugins", schemas.NoQuery)
    def read_plugins(_query: dict[str, Any]) -> Response:
        """Every registered plugin: name, suffix of its tags in the contract, data class."""
        items = [
            {"name": plugin.name, "suffix": plugin.suffix, "data_class": plugin.data_class}
            for plugin in plugins().values()
        ]
        return answers.answer_uncached(to_json({"plugins": items}))

    @routes.get("/series/<plugin_name>", schemas.GenericSeriesQuery)
    def read_series(query: dict[str, Any], plugin_name: str) -> Response:
        """Every step of one series as columns, oldest first; with `since` only what is new."""
        plugin = find_plugin(plugin_name)
        # The job's absence has to be told from the tag's, whatever the plugin says of it.
        experiment.train_job(query["train_id"])
        version = answers.versions([query["train_id"]])
        return answers.answer(version, lambda: _series(experiment, plugin, query))


def _series(experiment: Experiment, plugin: Plugin, query: dict[str, Any]) -> bytes:
    """The encoded answer of `series`."""
    train_id, tag, writer = query["train_id"], query["tag"], query["writer"]
    question = question_of(plugin.name, train_id, tag, writer)
    since = query["since"]
    seen = None if since is None else read_cursor(since, question, 1)[0]
    if plugin is scalar.PLUGIN:
        answer, now = _scalars(experiment, train_id, tag, writer, seen)
    else:
        answer, now = _view(plugin.view(experiment, train_id, tag, writer), seen)
    if since is None:
        del answer["reset"], answer["truncate_from_step"]
    head = {
        "plugin_name": plugin.name,
        "data_class": plugin.data_class,
        "train_id": train_id,
        "tag": tag,
        "cursor": write_cursor(question, [now]),
    }
    return to_json(head | answer)


def _scalars(
    experiment: Experiment, train_id: str, tag: str, writer: str | None, seen: Seen | None
) -> tuple[dict[str, Any], Seen]:
    """Scalars can say exactly what is new after a restart."""
    every_point = ScalarSelection(max_points=None, writer=writer)
    found: SelectedScalars
    if seen is None:
        found = read_selection(experiment, train_id, tag, every_point)
    else:
        found = read_selection_since(experiment, train_id, tag, every_point, seen)
    points = found.points
    _check_rows(len(points.step))
    answer = {
        "total": points.total,
        "superseded": points.superseded_count,
        "writers": list(points.writers),
        "reset": found.reset,
        "truncate_from_step": found.truncate_from_step,
        "non_finite": non_finite(points.value),
        **plain_columns(
            {"step": points.step, "wall_time": points.wall_time, "value": points.value}
        ),
    }
    return answer, (points.epoch, points.total)


def _view(view: SeriesView, seen: Seen | None) -> tuple[dict[str, Any], Seen]:
    """Any view: what lies behind the rows seen before, if those are still the same."""
    rows = len(view.step)
    known = 0 if seen is None else seen[1]
    follows = seen is not None and known <= rows and seen[0] == _prefix(view, known)
    begin = known if follows else 0
    _check_rows(rows - begin)
    columns = {"step": view.step, "wall_time": view.wall_time, **view.columns}
    new = {name: column[begin:] for name, column in columns.items()}
    answer: dict[str, Any] = {
        "total": rows,
        "reset": not follows,
        "truncate_from_step": None,
        **plain_columns(new),
        "problems": [one for one in problems_by_step(view) if one["row"] >= begin],
        "details": dict(view.details),
    }
    value = new.get("value")
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        answer["non_finite"] = non_finite(value.astype(np.float64))
    return answer, (_prefix(view, rows), rows)


def _prefix(view: SeriesView, rows: int) -> str:
    """What the first rows are known by: the epoch alone does not tell of a rewind."""
    times = zlib.crc32(view.wall_time[:rows].tobytes())
    return f"{view.epoch}.{zlib.crc32(view.step[:rows].tobytes(), times):x}"


def _check_rows(rows: int) -> None:
    if rows > MAX_ROWS:
        raise AnswerTooLarge(
            f"The series has {rows} steps, more than the {MAX_ROWS} of one answer; "
            "datavisual/scalars answers ranges, and reduces."
        )
