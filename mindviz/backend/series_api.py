"""Routes of our own about any series of any plugin: a new plugin needs no new route."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import marshmallow as ma
import numpy as np
from flask import Response

from mindviz.backend import schemas
from mindviz.backend.blob_response import BytesBlob, blob_response
from mindviz.backend.cursor import question_of, read_cursor, write_cursor
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.series_encoding import (
    BLOB_KEYS,
    DATA,
    columns_json,
    folded_json,
    increment_headers,
    unified_json,
    values_json,
)
from mindviz.backend.services import Services
from mindviz.datavisual.declared_plugin import (
    blobs_of,
    content_type_of,
    declared_tags,
    plugin_for,
)
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext
from mindviz.datavisual.plugins import Plugin, ViewOf, find_plugin, plugins
from mindviz.datavisual.series.selection import (
    Downsample,
    SelectedRows,
    Selection,
    StepRange,
    select_rows,
)
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.series_view import AsData, Seen
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work
from mindviz.errors import InvalidQuery, PluginNotFound, StepNotFound, TrainJobNotFound

BLOB_TYPES = ("image/*", "audio/*", "application/octet-stream")


class _SeriesArguments(StrictQuery):
    """One series, by the tag as the log has it."""

    train_id = text(required=True)
    tag = text(required=True, empty=True, about="As the log has it, without a suffix.")
    writer = text(about="One of the series' writers; the first by default.")


class StepsQuery(_SeriesArguments):
    """Which steps of one series."""

    since = text(about="The cursor of an earlier answer: only what is new.")
    start_step = IntegerField(load_default=None, metadata={"description": "Included."})
    end_step = IntegerField(load_default=None, metadata={"description": "Included."})
    most_recent = IntegerField(
        minimum=0, load_default=None, metadata={"description": "Only the last steps of these."}
    )
    sample = IntegerField(
        minimum=0, load_default=None, metadata={"description": "At most this many of these steps."}
    )
    sampling = text(
        choices=("uniform", "reservoir", "minmax"),
        default="uniform",
        about="How to `sample`. The last step is always included.",
    )
    seed = IntegerField(minimum=0, load_default=0, metadata={"description": "Of the reservoir."})

    @ma.post_load
    def _freeze(self, data: dict[str, Any], **_: Any) -> SeriesArguments:
        sample = data["sample"]
        return SeriesArguments(
            data["train_id"],
            data["tag"],
            data["writer"],
            data["since"],
            Selection(
                steps=StepRange(data["start_step"], data["end_step"], data["most_recent"]),
                downsample=None
                if sample is None
                else Downsample(sample, data["sampling"], data["seed"]),
            ),
            data.get("values") or "",
            data.get("format") or "columns",
        )


class ValuesQuery(StepsQuery):
    """Which steps of one series, and in which form."""

    values = text(about="Images: `pixels`. Audio: `samples`, `unit_samples`. Else see `plugins`.")
    format = text(choices=("columns", "unified", "folded"), default="columns")


class BlobQuery(_SeriesArguments):
    """One blob of one step."""

    step = IntegerField(
        required=True,
        error_messages={"required": schemas.REQUIRED, "null": schemas.REQUIRED},
    )
    index = IntegerField(
        minimum=0, load_default=0, metadata={"description": "Which, where a step has several."}
    )


class TagsQuery(StrictQuery):
    """Of which jobs."""

    train_id = texts(about="Only these jobs; all by default.")


@dataclass(frozen=True, slots=True)
class SeriesArguments:
    """A loaded `StepsQuery` or `ValuesQuery`."""

    train_id: str
    tag: str
    writer: str | None
    since: str | None
    selection: Selection
    form: str
    format: str


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    _add_rows(routes, services)
    _add_values(routes, services)
    _add_listings(routes, services)
    _add_blobs(routes, services)


def _add_rows(routes: Routes, services: Services) -> None:
    store, responses = services.store, services.responses

    @routes.get("/series/<plugin_name>", StepsQuery)
    def read_series(query: SeriesArguments, plugin_name: str) -> Response:
        """Steps of one series as its dashboard shows them, oldest first, as columns."""
        version = _versions(services, query.train_id, plugin_name)
        plugin = _plugin(services, plugin_name, query)

        def make() -> bytes:
            read, cursor = _read(store, plugin, plugin.view, query)
            head = _head(plugin, query) | {"cursor": cursor}
            return columns_json(head, read, with_since=query.since is not None)

        return responses.cached(version, make)


def _add_values(routes: Routes, services: Services) -> None:
    store, responses = services.store, services.responses

    @routes.get("/series/<plugin_name>/values", ValuesQuery)
    def read_values(query: SeriesArguments, plugin_name: str) -> Response:
        """Steps of one series as `step`, `wall_time` and `data`; `type`, `size`, `tag` beside."""
        version = _versions(services, query.train_id, plugin_name)
        plugin = _plugin(services, plugin_name, query)
        form = _form(plugin, query.form)

        def read() -> tuple[SelectedRows, str]:
            found, cursor = _read(store, plugin, form, query)
            if DATA not in found.rows.columns:
                found = _with_blob_keys(services.provider, plugin, query, found)
            return found, cursor

        def make() -> bytes:
            found, cursor = read()
            head = _head(plugin, query) | {"cursor": cursor}
            return values_json(head, plugin.name, found, with_since=query.since is not None)

        def make_bare() -> tuple[Mapping[str, str], bytes]:
            found, cursor = read()
            headers = increment_headers(found, cursor, with_since=query.since is not None)
            if query.format == "unified":
                return headers, unified_json(query.tag, plugin.name, found)
            return headers, folded_json(plugin.data_class, found)

        if query.format == "columns":
            return responses.cached(version, make)
        return responses.cached_with_headers(version, make_bare)


def _add_listings(routes: Routes, services: Services) -> None:
    store, responses = services.store, services.responses

    @routes.get("/series/<plugin_name>/tags", TagsQuery)
    def read_tags(query: dict[str, Any], plugin_name: str) -> Response:
        """The tags of each train job that the plugin has a view of; of jobs that have any."""
        version = (store.version,)
        train_ids = dict.fromkeys(query["train_id"]) or [
            job.train_id for job in store.list_train_jobs()
        ]
        known = plugin_name in plugins()
        found = []
        for train_id in train_ids:
            tags = _tags(services, plugin_name, train_id)
            known = known or bool(tags)
            if tags:
                found.append({"train_id": train_id, "tags": tags})
        if not known:
            logged = (name for one in train_ids for name in _logged_plugins(store, one))
            raise PluginNotFound(plugin_name, {*plugins(), *logged})
        body = {"plugin_name": plugin_name, "train_jobs": found}
        return responses.cached(version, lambda: to_json(body))

    @routes.get("/series/<plugin_name>/overview", TagsQuery)
    def read_overview(query: dict[str, Any], plugin_name: str) -> Response:
        """What the plugin shows of some train jobs, or all, together; `{}` if nothing."""
        overview = find_plugin(plugin_name).overview
        version = (store.version,)
        if overview is None:
            return responses.cached(version, lambda: b"{}")
        train_ids = frozenset(query["train_id"]) or None

        def make() -> bytes:
            begin_long_work()
            return to_json(overview(store, train_ids))

        return responses.cached(version, make)


def _add_blobs(routes: Routes, services: Services) -> None:
    store = services.store

    @routes.get("/series/<plugin_name>/blob", BlobQuery, content_types=BLOB_TYPES, statuses=(416,))
    def read_blob(query: dict[str, Any], plugin_name: str) -> Response:
        """The bytes of one blob of one step, as logged."""
        store.train_job(query["train_id"])
        tag, step = query["tag"], query["step"]
        plugin = plugin_for(store, plugin_name, query["train_id"], tag)
        series = plugin.read_series(store, query["train_id"], tag, query["writer"])
        row = int(np.searchsorted(series.step, step))
        if row == len(series.step) or series.step[row] != step:
            raise StepNotFound(tag, step)
        blobs = blobs_of(series.read(row))
        if query["index"] >= len(blobs):
            raise StepNotFound(tag, step, index=query["index"])
        blob = blobs[query["index"]]
        return blob_response(BytesBlob(blob, content_type_of(blob)))


def _versions(services: Services, train_id: str, plugin_name: str) -> tuple[int, ...]:
    """Of what a view of the plugin may look at."""
    own = services.responses.versions([train_id])
    plugin = plugins().get(plugin_name)
    if plugin is None or plugin.overview is None:
        return own
    return (*own, services.store.version)  # it looks at other jobs, too


def _plugin(services: Services, plugin_name: str, query: SeriesArguments) -> Plugin:
    if plugin_name in plugins():
        # The job's absence has to be told from the tag's, whatever the plugin says of it.
        services.store.train_job(query.train_id)
    return plugin_for(services.store, plugin_name, query.train_id, query.tag)


def _tags(services: Services, plugin_name: str, train_id: str) -> list[str]:
    store = services.store
    try:
        if plugin_name in plugins():
            return list(find_plugin(plugin_name).list_tags(store, train_id))
        return list(declared_tags(store, plugin_name, train_id))
    except TrainJobNotFound:
        return []


def _logged_plugins(store: Store, train_id: str) -> Iterable[str]:
    try:
        return store.list_tags(train_id)
    except TrainJobNotFound:
        return ()


def _form(plugin: Plugin, name: str) -> ViewOf:
    if name in plugin.values:
        return plugin.values[name]
    if not name:
        return lambda *asked: AsData.of(plugin.view(*asked))
    known = ", ".join(sorted(form for form in plugin.values if form)) or "none"
    raise InvalidQuery(f"The values of {plugin.name!r} have no form {name!r}; known: {known}.")


_GENERIC_NAMES = {"image": ("images", 2)}
"""Plugin -> its name in the generic data API, and how many blobs of a step come before its own."""


def _with_blob_keys(
    provider: DataProvider, plugin: Plugin, query: SeriesArguments, read: SelectedRows
) -> SelectedRows:
    """The rows with a column of the keys of their blobs; None where there are none to be had."""
    keys: dict[int, list[str]] = {}
    name, skipped = _GENERIC_NAMES.get(plugin.name, (plugin.name, 0))
    if query.writer is None and len(read.step):
        found = provider.read_blob_sequences(
            RequestContext(),
            experiment_id="",
            plugin_name=name,
            run_tag_filter=RunTagFilter(frozenset({query.train_id}), frozenset({query.tag})),
            steps=StepRange(int(read.step[0]), int(read.step[-1])),
        )
        for series in (tags[query.tag] for tags in found.values() if query.tag in tags):
            for step, references in zip(series.step.tolist(), series.references, strict=True):
                keys[step] = [reference.key for reference in references[skipped:]]
    column = [keys.get(step) for step in read.step.tolist()]
    return replace(read, rows=replace(read.rows, columns={**read.rows.columns, BLOB_KEYS: column}))


def _head(plugin: Plugin, query: SeriesArguments) -> dict[str, Any]:
    return {
        "plugin_name": plugin.name,
        "data_class": plugin.data_class,
        "train_id": query.train_id,
        "tag": query.tag,
    }


def _read(
    store: Store, plugin: Plugin, view_of: ViewOf, query: SeriesArguments
) -> tuple[SelectedRows, str]:
    """The rows asked for, and the cursor behind them."""
    question = question_of(
        plugin.name, query.train_id, query.tag, query.writer, query.selection, query.form
    )
    seen: Seen | None = None
    if query.since is not None:
        seen = read_cursor(query.since, question, 1)[0]
    view = view_of(store, query.train_id, query.tag, query.writer)
    read = select_rows(view, query.selection, seen)
    return read, write_cursor(question, [read.seen])
