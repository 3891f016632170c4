"""Routes of scalars: the contract's rows, and our extras."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, request

from mindviz.answer_memory import await_turn, claim
from mindviz.backend import schemas
from mindviz.backend.arrow_stream import ARROW_STREAM, scalars_arrow
from mindviz.backend.cursor import question_of, read_cursor, write_cursor
from mindviz.backend.datavisual.contract_tags import contract_tag, log_tag
from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import (
    object_json,
    objects_json,
    points_json,
    series_facts,
)
from mindviz.backend.responses import Pieces
from mindviz.backend.routes import JSON, Routes
from mindviz.backend.schemas import ScalarsArguments
from mindviz.backend.services import MINDVIZ, Dialect, Services
from mindviz.datavisual.plugins import scalar
from mindviz.datavisual.series.selection import SelectedScalars, Selection
from mindviz.datavisual.series.series_view import Seen
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

PLUGIN = scalar.PLUGIN.name
CONTENT_TYPES = (JSON, ARROW_STREAM)
MAX_SERIES = 20_000
"""Jobs x tags of one request."""
MAX_POINTS = {"rows": 1_000_000, "columns": 2_000_000, "arrow": 10_000_000}
"""Points of one answer, at about 80, 50 and 24 bytes each."""
POINT_BYTES = {"rows": 200, "columns": 130, "arrow": 32}
"""Memory per point while encoding, its column included."""

Encode = Callable[[Store, ScalarsArguments, str, Dialect], bytes | Pieces]
"""(store, query, shape, dialect) -> the encoded answer."""


_Item = tuple[dict[str, Any], SelectedScalars]
"""Facts about a series, and its points."""


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    def answer(query: ScalarsArguments, encode: Encode) -> Response:
        shape = _shape(query, dialect)
        if dialect.extras:
            query = with_extras(query)
        return responses.cached(
            responses.versions(query.train_ids),
            lambda: encode(store, query, shape, dialect),
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
    """`rows`, `columns` or `arrow`: from `format`, else from the Accept header."""
    if not dialect.extras:
        return "rows"
    if query.format is not None:
        return query.format
    offered = (JSON, ARROW_STREAM)
    return "arrow" if request.accept_mimetypes.best_match(offered) == ARROW_STREAM else "rows"


def with_extras(query: ScalarsArguments) -> ScalarsArguments:
    """The query in our dialect, with smoothing and axis parsed. Raises InvalidQuery."""
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
    store: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """The encoded answer of `scalars`. Raises AnswerTooLarge."""
    items, cursor = _read(store, query, shape, dialect, skip_missing=True)
    return _encoded(query, shape, dialect, items, cursor)


def _existing_scalars(
    store: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """As `scalars_json`. Raises SeriesNotFound if none of the series exists."""
    items, cursor = _read(store, query, shape, dialect, skip_missing=True)
    # A client that follows series with `since` needs an empty answer to see that they are gone.
    if query.train_ids and query.tags and not items and query.since is None:
        shown = partial(contract_tag, PLUGIN)
        raise missing_series(store, PLUGIN, query.train_ids, query.tags, shown=shown)
    return _encoded(query, shape, dialect, items, cursor)


def _encoded(
    query: ScalarsArguments, shape: str, dialect: Dialect, items: Sequence[_Item], cursor: str
) -> bytes | Pieces:
    marks = dialect.extras and query.selection.restarts == "all"
    if shape == "arrow":
        return scalars_arrow(items, cursor, marks=marks)
    outer = {"cursor": cursor} if dialect.extras else {}
    columns = shape == "columns"
    points = ((facts, points_json(one, columns=columns, marks=marks)) for facts, one in items)
    return objects_json(outer, "scalars", points)


def _metadata(
    store: Store, query: ScalarsArguments, shape: str, dialect: Dialect
) -> bytes | Pieces:
    """The encoded answer of `scalar/metadata`. Raises TrainJobNotFound, TagNotFound."""
    items, cursor = _read(store, query, shape, dialect, skip_missing=False)
    if shape == "arrow":
        return _encoded(query, shape, dialect, items, cursor)
    ((facts, one),) = items
    marks = dialect.extras and query.selection.restarts == "all"
    points = points_json(one, columns=shape == "columns", marks=marks)
    return object_json(facts | {"cursor": cursor} if dialect.extras else {}, "metadatas", points)


def _read(
    store: Store,
    query: ScalarsArguments,
    shape: str,
    dialect: Dialect,
    *,
    skip_missing: bool,
) -> tuple[list[_Item], str]:
    """The selected points of each existing series, and the cursor.

    If there is none, raises the WriterNotFound or TagUnreadable of one of them, if any.
    """
    pairs = [(train_id, tag) for train_id in query.train_ids for tag in query.tags]
    if len(pairs) > MAX_SERIES:
        raise AnswerTooLarge(
            f"The request names {len(pairs)} series (jobs x tags); {MAX_SERIES} are the most."
        )
    with_since = query.since is not None and dialect.extras
    if with_since and query.selection.restarts == "all":
        raise InvalidQuery("'since' brings new points only; it cannot go with restarts=all.")
    question = question_of(pairs, query.selection)
    since: Sequence[Seen | None] = [None] * len(pairs)
    if query.since is not None and dialect.extras:
        since = read_cursor(query.since, question, len(pairs))
    items: list[_Item] = []
    seen: list[Seen | None] = []
    points = 0
    reasons: list[WriterNotFound | TagUnreadable] = []
    each = _each(store, pairs, query, since, reasons, skip_missing=skip_missing)
    for (train_id, tag), one in zip(pairs, each, strict=True):
        if one is None:
            seen.append(None)
            continue
        seen.append((one.points.epoch, one.points.total))
        facts: dict[str, Any] = {"train_id": train_id, "tag": tag}
        if dialect.extras:
            facts |= series_facts(one, with_since=with_since)
        items.append((facts, one))
        points += len(one.points.step)
        claim(POINT_BYTES[shape] * len(one.points.step))
        check()
        if points > MAX_POINTS[shape]:
            raise AnswerTooLarge(
                f"The answer would hold more than {MAX_POINTS[shape]} points, the most that one"
                f" answer as {shape} has; ask for fewer jobs or tags, or for a smaller max_points."
            )
    if reasons and not items:
        raise reasons[0]
    return items, write_cursor(question, seen)


def _each(
    store: Store,
    pairs: Sequence[tuple[str, str]],
    query: ScalarsArguments,
    since: Sequence[Seen | None],
    reasons: list[WriterNotFound | TagUnreadable],
    *,
    skip_missing: bool,
) -> Iterator[SelectedScalars | None]:
    """The series in the order of the request; None for a missing one.

    Series of other writers and unreadable ones are missing as well; `reasons` gets their errors.
    """
    for (train_id, tag), seen in zip(pairs, since, strict=True):
        await_turn()
        try:
            name = log_tag(store, train_id, PLUGIN, tag)
            selection = _of_job(store, train_id, query.selection)
            yield scalar.read(store, train_id, name, selection, seen)
        except (TrainJobNotFound, TagNotFound) as error:
            if not skip_missing:
                raise
            if isinstance(error, TagUnreadable):
                reasons.append(error)
            yield None
        except WriterNotFound as error:
            reasons.append(error)
            yield None


def _of_job(store: Store, train_id: str, selection: Selection) -> Selection:
    """The selection with the log's name of its axis."""
    axis = selection.axis
    if axis is None:
        return selection
    try:
        tag = log_tag(store, train_id, PLUGIN, axis.tag)
    except TagNotFound:
        return selection  # the job has no such series, so no point has a position
    return replace(selection, axis=replace(axis, tag=tag))
