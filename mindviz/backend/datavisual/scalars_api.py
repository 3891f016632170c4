"""Routes about scalars: the contract's rows, with our extras where a client asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, request

from mindviz.answer_memory import claim
from mindviz.backend import schemas
from mindviz.backend.answers import Pieces
from mindviz.backend.arrow_stream import ARROW_STREAM, scalars_arrow
from mindviz.backend.cursor import Seen, question_of, read_cursor, write_cursor
from mindviz.backend.datavisual.contract_tags import contract_tag, log_tag
from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import (
    non_finite,
    object_json,
    objects_json,
    points_json,
    series_facts,
)
from mindviz.backend.routes import JSON, Routes
from mindviz.backend.scalar_selection import (
    ScalarSelection,
    SelectedScalars,
    read_selection,
    read_selection_since,
)
from mindviz.backend.schemas import ScalarsArguments
from mindviz.backend.services import MINDVIZ, Dialect, Services
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.store import Store
from mindviz.deadline import check
from mindviz.errors import (
    AnswerTooLarge,
    InvalidQuery,
    TagNotFound,
    TagUnreadable,
    TrainJobNotFound,
    WriterNotFound,
)

PLUGIN = "scalar"
CONTENT_TYPES = (JSON, ARROW_STREAM)
MAX_SERIES = 20_000
"""Jobs x tags that one request may name."""
MAX_POINTS = {"rows": 1_000_000, "columns": 2_000_000, "arrow": 10_000_000}
"""Points of one answer: some 80, 50 and 24 bytes each."""
POINT_BYTES = {"rows": 200, "columns": 130, "arrow": 32}
"""Memory that a point takes while an answer is made, its column included."""

Encode = Callable[[Store, ScalarsArguments, str, Dialect], bytes | Pieces]
"""(experiment, query, shape, dialect) -> the encoded answer."""


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    experiment, answers = services.experiment, services.answers

    def answer(query: ScalarsArguments, encode: Encode) -> Response:
        shape = _shape(query, dialect)
        if dialect.extras:
            query = with_extras(query)
        return answers.answer(
            answers.versions(query.train_ids),
            lambda: encode(experiment, query, shape, dialect),
            content_type=ARROW_STREAM if shape == "arrow" else JSON,
        )

    @routes.get(
        "/datavisual/scalars",
        schemas.ScalarsQuery,
        content_types=CONTENT_TYPES,
        statuses=(404,) if dialect.extras else (),
    )
    def read_scalars(query: ScalarsArguments) -> Response:
        """Points of jobs x tags; series that are not there are left out."""
        return answer(query, _existing_scalars if dialect.extras else scalars_json)

    @routes.get(
        "/datavisual/scalar/metadata", schemas.ScalarMetadataQuery, content_types=CONTENT_TYPES
    )
    def read_scalar_metadata(query: ScalarsArguments) -> Response:
        """Points of one series."""
        return answer(query, _metadata)


def _shape(query: ScalarsArguments, dialect: Dialect) -> str:
    """`rows`, `columns` or `arrow`: what `format` says, else what `Accept` prefers."""
    if not dialect.extras:
        return "rows"
    if query.format is not None:
        return query.format
    offered = (JSON, ARROW_STREAM)
    return "arrow" if request.accept_mimetypes.best_match(offered) == ARROW_STREAM else "rows"


def with_extras(query: ScalarsArguments) -> ScalarsArguments:
    """The same question in our dialect, its smoothing and its axis parsed. Raises InvalidQuery."""
    train_ids, tags = (tuple(MINDVIZ.named(names)) for names in (query.train_ids, query.tags))
    query = replace(query, train_ids=train_ids, tags=tags)
    selection = query.selection
    if query.axis is not None:
        if selection.restarts == "all":
            raise InvalidQuery("'x_tag' joins the points that count; not restarts=all.")
        selection = replace(selection, axis=query.axis)
    if query.smoothing is not None:
        selection = replace(selection, smoothing=parse_smoothing(query.smoothing))
    return replace(query, selection=selection)


def scalars_json(
    experiment: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """The encoded answer of `scalars`: JSON, or what the shape says. Raises AnswerTooLarge."""
    selected, cursor = _read(experiment, query, shape, dialect, skip_missing=True)
    return _encoded(query, shape, dialect, selected, cursor)


def _existing_scalars(
    experiment: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """As `scalars_json`. Raises SeriesNotFound if none of the series exists."""
    selected, cursor = _read(experiment, query, shape, dialect, skip_missing=True)
    # A page that follows series with `since` learns from an empty answer that they are gone.
    if query.train_ids and query.tags and not selected and query.since is None:
        shown = partial(contract_tag, PLUGIN)
        raise missing_series(experiment, PLUGIN, query.train_ids, query.tags, shown=shown)
    return _encoded(query, shape, dialect, selected, cursor)


def _encoded(
    query: ScalarsArguments,
    shape: str,
    dialect: Dialect,
    selected: Sequence[SelectedScalars],
    cursor: str,
) -> bytes | Pieces:
    with_since = query.since is not None and dialect.extras
    facts = [_facts(one, dialect, with_since=with_since) for one in selected]
    marks = dialect.extras and query.selection.restarts == "all"
    if shape == "arrow":
        return scalars_arrow(selected, facts, cursor, marks=marks)
    outer = {"cursor": cursor} if dialect.extras else {}
    items = (
        (fact, points_json(one, columns=shape == "columns", marks=marks))
        for one, fact in zip(selected, facts, strict=True)
    )
    return objects_json(outer, "scalars", items)


def _metadata(
    experiment: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """The encoded answer of `scalar/metadata`. Raises TrainJobNotFound, TagNotFound."""
    (one,), cursor = _read(experiment, query, shape, dialect, skip_missing=False)
    facts = _facts(one, dialect, with_since=query.since is not None and dialect.extras)
    marks = dialect.extras and query.selection.restarts == "all"
    if shape == "arrow":
        return scalars_arrow([one], [facts], cursor, marks=marks)
    points = points_json(one, columns=shape == "columns", marks=marks)
    return object_json(facts | {"cursor": cursor} if dialect.extras else {}, "metadatas", points)


def _facts(one: SelectedScalars, dialect: Dialect, *, with_since: bool) -> dict[str, Any]:
    tag = contract_tag(PLUGIN, one.tag)
    if not dialect.extras:
        return {"train_id": one.train_id, "tag": tag}
    facts = series_facts(one, tag, with_since=with_since)
    return facts | {"non_finite": non_finite(one.points.value)}


def _read(
    experiment: Store,
    query: ScalarsArguments,
    shape: str,
    dialect: Dialect,
    *,
    skip_missing: bool,
) -> tuple[list[SelectedScalars], str]:
    """The series asked for, and the cursor behind them.

    Raises WriterNotFound if none that is there was written by the writer asked for, TagUnreadable
    if there is none, but perhaps in a log that cannot be read.
    """
    pairs = [(train_id, tag) for train_id in query.train_ids for tag in query.tags]
    if len(pairs) > MAX_SERIES:
        raise AnswerTooLarge(
            f"The request names {len(pairs)} series (jobs x tags); {MAX_SERIES} are the most."
        )
    if query.since is not None and dialect.extras and query.selection.restarts == "all":
        raise InvalidQuery("'since' brings new points only; it cannot go with restarts=all.")
    question = question_of(pairs, query.selection)
    since: Sequence[Seen | None] = [None] * len(pairs)
    if query.since is not None and dialect.extras:
        since = read_cursor(query.since, question, len(pairs))
    selected: list[SelectedScalars] = []
    seen: list[Seen | None] = []
    points = 0
    reasons: list[WriterNotFound | TagUnreadable] = []
    for one in _each(experiment, pairs, query, since, reasons, skip_missing=skip_missing):
        seen.append(None if one is None else (one.points.epoch, one.points.total))
        if one is None:
            continue
        selected.append(one)
        points += len(one.points.step)
        claim(POINT_BYTES[shape] * len(one.points.step))
        check()
        if points > MAX_POINTS[shape]:
            raise AnswerTooLarge(
                f"The answer would hold more than {MAX_POINTS[shape]} points, the most that one"
                f" answer as {shape} has; ask for fewer jobs or tags, or for a smaller max_points."
            )
    if reasons and not selected:
        raise reasons[0]
    return selected, write_cursor(question, seen)


def _each(
    experiment: Store,
    pairs: Sequence[tuple[str, str]],
    query: ScalarsArguments,
    since: Sequence[Seen | None],
    reasons: list[WriterNotFound | TagUnreadable],
    *,
    skip_missing: bool,
) -> Iterator[SelectedScalars | None]:
    """Each series in the order asked for; None for one that is not there and may be missing.

    What was written by others only or cannot be read is missing, too, and gets into `reasons`.
    """
    for (train_id, tag), seen in zip(pairs, since, strict=True):
        try:
            name = log_tag(experiment, train_id, PLUGIN, tag)
            selection = _of_job(experiment, train_id, query.selection)
            if seen is None:
                yield read_selection(experiment, train_id, name, selection)
            else:
                yield read_selection_since(experiment, train_id, name, selection, seen)
        except (TrainJobNotFound, TagNotFound) as error:
            if not skip_missing:
                raise
            if isinstance(error, TagUnreadable):
                reasons.append(error)
            yield None
        except WriterNotFound as error:
            reasons.append(error)
            yield None


def _of_job(experiment: Store, train_id: str, selection: ScalarSelection) -> ScalarSelection:
    """The selection, its axis being a tag as the job's log has it."""
    axis = selection.axis
    if axis is None:
        return selection
    try:
        tag = log_tag(experiment, train_id, PLUGIN, axis.tag)
    except TagNotFound:
        return selection  # of such a job no point has a place
    return replace(selection, axis=replace(axis, tag=tag))
