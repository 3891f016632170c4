"""The contract's routes for scalars, with our extensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, request

from mindviz.answer_memory import await_turn, claim
from mindviz.backend.arrow_stream import ARROW_STREAM, scalars_arrow
from mindviz.backend.cursor import read_cursor, request_checksum, write_cursor
from mindviz.backend.datavisual.contract_tags import contract_tag, log_tag
from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import object_json, objects_json, points_json, series_facts
from mindviz.backend.responses import JSON, Pieces
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import ScalarMetadataQuery, ScalarsArguments, ScalarsQuery
from mindviz.backend.services import MINDVIZ, Services
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

contract = Routes()

PLUGIN = scalar.PLUGIN.name
CONTENT_TYPES = (JSON, ARROW_STREAM)
MAX_SERIES = 20_000
"""Train jobs x tags per request."""
MAX_POINTS = {"rows": 1_000_000, "columns": 2_000_000, "arrow": 10_000_000}
"""Points per response, at about 80, 50 and 24 bytes each."""
POINT_BYTES = {"rows": 200, "columns": 130, "arrow": 32}
"""Memory per point while encoding, its column included."""

_Item = tuple[dict[str, Any], SelectedScalars]
"""Facts about a series, and its points."""


@contract.get("/datavisual/scalars", ScalarsQuery, content_types=CONTENT_TYPES, statuses=(404,))
def read_scalars(services: Services, query: ScalarsArguments) -> Response:
    """Points of train jobs x tags; omits missing series."""
    return _response(services, query, is_single=False)


@contract.get("/datavisual/scalar/metadata", ScalarMetadataQuery, content_types=CONTENT_TYPES)
def read_scalar_metadata(services: Services, query: ScalarsArguments) -> Response:
    """Points of one series."""
    return _response(services, query, is_single=True)


def _response(services: Services, query: ScalarsArguments, *, is_single: bool) -> Response:
    shape = "rows"
    if services.dialect.extras:
        shape = _shape(query)
        query = with_extras(query)
    return services.responses.cached(
        services.responses.versions(query.train_ids),
        lambda: scalars_json(services, query, shape, is_single=is_single, must_exist=True),
        content_type=ARROW_STREAM if shape == "arrow" else JSON,
    )


def _shape(query: ScalarsArguments) -> str:
    """`rows`, `columns` or `arrow`: from `format`, else from the Accept header."""
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
            raise InvalidQuery("'x_tag' cannot be combined with restarts=all.")
        selection = replace(selection, axis=query.axis)
    if query.smoothing is not None:
        selection = replace(selection, smoothing=parse_smoothing(query.smoothing))
    return replace(query, selection=selection)


def scalars_json(
    services: Services,
    query: ScalarsArguments,
    shape: str,
    *,
    is_single: bool = False,
    must_exist: bool = False,
) -> bytes | Pieces:
    """The encoded points of several series, or of a single one, which must exist.

    Raises AnswerTooLarge. In our dialect, `must_exist` raises SeriesNotFound if no series exists.
    """
    items, cursor = _read(services, query, shape, skip_missing=not is_single)
    extras = services.dialect.extras
    # With `since`, an empty response tells clients that the series were deleted.
    if must_exist and extras and query.train_ids and query.tags and not items and not query.since:
        shown = partial(contract_tag, PLUGIN)
        raise missing_series(services.store, PLUGIN, query.train_ids, query.tags, shown=shown)
    marks = extras and query.selection.restarts == "all"
    if shape == "arrow":
        return scalars_arrow(items, cursor, marks=marks)
    columns = shape == "columns"
    points = ((facts, points_json(series, columns=columns, marks=marks)) for facts, series in items)
    outer = {"cursor": cursor} if extras else {}
    if is_single:
        ((facts, values),) = points
        return object_json(facts | outer if extras else {}, "metadatas", values)
    return objects_json(outer, "scalars", points)


def _read(
    services: Services, query: ScalarsArguments, shape: str, *, skip_missing: bool
) -> tuple[list[_Item], str]:
    """The selected points of each existing series, and the cursor.

    If there is none, raises the WriterNotFound or TagUnreadable of one of them, if any.
    """
    pairs = [(train_id, tag) for train_id in query.train_ids for tag in query.tags]
    if len(pairs) > MAX_SERIES:
        raise AnswerTooLarge(
            f"The request names {len(pairs)} series (train jobs x tags); the maximum is "
            f"{MAX_SERIES}."
        )
    extras = services.dialect.extras
    with_since = query.since is not None and extras
    if with_since and query.selection.restarts == "all":
        raise InvalidQuery("'since' cannot be combined with restarts=all.")
    checksum = request_checksum(pairs, query.selection)
    since: Sequence[Seen | None] = [None] * len(pairs)
    if query.since is not None and extras:
        since = read_cursor(query.since, checksum, len(pairs))
    items: list[_Item] = []
    seen: list[Seen | None] = []
    points = 0
    reasons: list[WriterNotFound | TagUnreadable] = []
    each = _each(services.store, pairs, query, since, reasons, skip_missing=skip_missing)
    for (train_id, tag), series in zip(pairs, each, strict=True):
        if series is None:
            seen.append(None)
            continue
        seen.append((series.points.epoch, series.points.total))
        facts: dict[str, Any] = {"train_id": train_id, "tag": tag}
        if extras:
            facts |= series_facts(series, with_since=with_since)
        items.append((facts, series))
        points += len(series.points.step)
        claim(POINT_BYTES[shape] * len(series.points.step))
        check()
        if points > MAX_POINTS[shape]:
            raise AnswerTooLarge(
                f"The response would exceed {MAX_POINTS[shape]} points, the maximum for {shape}. "
                "Use fewer train jobs or tags, or a smaller max_points."
            )
    if reasons and not items:
        raise reasons[0]
    return items, write_cursor(checksum, seen)


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
        return selection  # points without an x value
    return replace(selection, axis=replace(axis, tag=tag))
