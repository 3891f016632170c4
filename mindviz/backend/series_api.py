"""Generic routes for the series of all plugins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from flask import Response

from mindviz.backend.blob_response import BLOB_TYPES, BytesBlob, blob_response
from mindviz.backend.cursor import read_cursor, request_checksum, write_cursor
from mindviz.backend.routes import Routes, store_version
from mindviz.backend.schemas import IntegerField, SeriesQuery, StrictQuery, text, texts
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
from mindviz.datavisual import declared_plugin
from mindviz.datavisual.declared_plugin import content_type_of, plugin_for, tags_of
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext
from mindviz.datavisual.plugins import Plugin, ViewOf, find_plugin, plugins
from mindviz.datavisual.series.generic_name import SIZE_BLOBS, GenericName
from mindviz.datavisual.series.selection import (
    Downsample,
    SelectedRows,
    Selection,
    StepRange,
    select_rows,
)
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.series_view import AsData, Seen
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work
from mindviz.errors import InvalidQuery, PluginNotFound, TrainJobNotFound

own = Routes()


class _SeriesArguments(SeriesQuery):
    """One series."""

    writer = text(about="One of the series' writers; default the first.")


class StepsQuery(_SeriesArguments):
    """Steps of one series."""

    since = text(about="The cursor of an earlier response, for an increment.")
    start_step = IntegerField(load_default=None, about="First step.")
    end_step = IntegerField(load_default=None, about="Last step.")
    most_recent = IntegerField(
        minimum=0, load_default=None, about="Only this many last steps of the range."
    )
    sample = IntegerField(minimum=0, load_default=None, about="Maximum number of steps.")
    sampling = text(
        choices=("uniform", "reservoir", "minmax"),
        default="uniform",
        about="Method of `sample`, which always includes the last step.",
    )
    seed = IntegerField(minimum=0, load_default=0, about="Of the reservoir.")


class ValuesQuery(StepsQuery):
    """Steps of one series, and their form."""

    values = text(
        about="Images: `pixels`. Audio: `samples`, `unit_samples`. Others: see `plugins`."
    )
    format = text(choices=("columns", "unified", "folded"), default="columns")


class BlobQuery(_SeriesArguments):
    """One blob of one step."""

    step = IntegerField(required=True)
    index = IntegerField(minimum=0, load_default=0, about="Index in the step.")


class TagsQuery(StrictQuery):
    """Train jobs."""

    train_id = texts(about="Only these train jobs; default all.")


def _versions(services: Services, query: dict[str, Any], plugin_name: str) -> tuple[object, ...]:
    own_version = services.responses.versions([query["train_id"]])
    plugin = plugins().get(plugin_name)
    if plugin is None or plugin.overview is None:
        return own_version
    return (*own_version, services.store.version)  # plugins with an overview read all jobs


@own.get("/series/<plugin_name>", StepsQuery, version=_versions)
def read_series(services: Services, query: dict[str, Any], plugin_name: str) -> bytes:
    """Steps of one series in the form of its dashboard, oldest first, as columns."""
    plugin = _plugin(services, plugin_name, query)
    read, cursor = _read(services.store, plugin, plugin.view, query)
    head = _head(plugin, query) | {"cursor": cursor}
    return columns_json(head, read, with_since=query["since"] is not None)


@own.get("/series/<plugin_name>/values", ValuesQuery)
def read_values(services: Services, query: dict[str, Any], plugin_name: str) -> Response:
    """Steps of one series as `step`, `wall_time` and `data`, with `type`, `size` and `tag`."""
    version = _versions(services, query, plugin_name)
    plugin = _plugin(services, plugin_name, query)
    form = _form(plugin, query["values"] or "")
    with_since = query["since"] is not None

    def read() -> tuple[SelectedRows, str]:
        selected, cursor = _read(services.store, plugin, form, query)
        if DATA not in selected.rows.columns:
            selected = _with_blob_keys(services.provider, plugin, query, selected)
        return selected, cursor

    def make() -> bytes:
        selected, cursor = read()
        head = _head(plugin, query) | {"cursor": cursor}
        return values_json(head, plugin.name, selected, with_since=with_since)

    def make_with_headers() -> tuple[Mapping[str, str], bytes]:
        selected, cursor = read()
        headers = increment_headers(selected, cursor, with_since=with_since)
        if query["format"] == "unified":
            return headers, unified_json(query["tag"], plugin.name, selected)
        return headers, folded_json(plugin.data_class, selected)

    if query["format"] == "columns":
        return services.responses.cached(version, make)
    return services.responses.cached_with_headers(version, make_with_headers)


@own.get("/series/<plugin_name>/tags", TagsQuery, version=store_version)
def read_tags(services: Services, query: dict[str, Any], plugin_name: str) -> dict[str, Any]:
    """The plugin's tags of each train job; omits train jobs without any."""
    store = services.store
    train_ids = dict.fromkeys(query["train_id"]) or [
        job.train_id for job in store.list_train_jobs()
    ]
    by_job = {train_id: list(tags_of(store, plugin_name, train_id)) for train_id in train_ids}
    train_jobs = [{"train_id": train_id, "tags": tags} for train_id, tags in by_job.items() if tags]
    if not train_jobs and plugin_name not in plugins():
        logged = (name for train_id in train_ids for name in _logged_plugins(store, train_id))
        raise PluginNotFound(plugin_name, {*plugins(), *logged})
    return {"plugin_name": plugin_name, "train_jobs": train_jobs}


@own.get("/series/<plugin_name>/overview", TagsQuery, version=store_version)
def read_overview(services: Services, query: dict[str, Any], plugin_name: str) -> Any:
    """The plugin's summary of several train jobs; `{}` if it has none."""
    overview = find_plugin(plugin_name).overview
    if overview is None:
        return {}
    begin_long_work()
    return overview(services.store, frozenset(query["train_id"]) or None)


@own.get("/series/<plugin_name>/blob", BlobQuery, content_types=BLOB_TYPES, statuses=(416,))
def read_blob(services: Services, query: dict[str, Any], plugin_name: str) -> Response:
    """The bytes of one blob of one step, as logged."""
    blob = declared_plugin.read_blob(services.store, plugin_name, **query)
    return blob_response(BytesBlob(blob, content_type_of(blob)))


def _plugin(services: Services, plugin_name: str, query: dict[str, Any]) -> Plugin:
    if plugin_name in plugins():
        services.store.train_job(query["train_id"])  # report a missing job before a missing tag
    return plugin_for(services.store, plugin_name, query["train_id"], query["tag"])


def _logged_plugins(store: Store, train_id: str) -> Iterable[str]:
    try:
        return store.list_tags(train_id)
    except TrainJobNotFound:
        return ()


def _form(plugin: Plugin, name: str) -> ViewOf:
    if name in plugin.values:
        return plugin.values[name]
    if not name:
        return lambda *arguments: AsData.of(plugin.view(*arguments))
    known = ", ".join(sorted(form for form in plugin.values if form)) or "none"
    raise InvalidQuery(f"The values of {plugin.name!r} have no form {name!r}; known: {known}.")


def _with_blob_keys(
    provider: DataProvider, plugin: Plugin, query: dict[str, Any], read: SelectedRows
) -> SelectedRows:
    """The rows with a column of their blobs' keys; None in rows without keys."""
    keys: dict[int, list[str]] = {}
    blob_names = [
        name for name in plugin.generic_names if name.data_class is DataClass.BLOB_SEQUENCE
    ] or [GenericName(plugin.name, DataClass.BLOB_SEQUENCE)]
    for generic in blob_names if query["writer"] is None and len(read.step) else ():
        answer = provider.read_blob_sequences(
            RequestContext(),
            experiment_id="",
            plugin_name=generic.name,
            run_tag_filter=RunTagFilter(frozenset({query["train_id"]}), frozenset({query["tag"]})),
            steps=StepRange(int(read.step[0]), int(read.step[-1])),
        )
        skipped = SIZE_BLOBS if generic.is_sized else 0
        for series in (tags[query["tag"]] for tags in answer.values() if query["tag"] in tags):
            for step, references in zip(series.step.tolist(), series.references, strict=True):
                keys[step] = [reference.key for reference in references[skipped:]]
    column = [keys.get(step) for step in read.step.tolist()]
    return replace(read, rows=replace(read.rows, columns={**read.rows.columns, BLOB_KEYS: column}))


def _head(plugin: Plugin, query: dict[str, Any]) -> dict[str, Any]:
    return {
        "plugin_name": plugin.name,
        "data_class": plugin.data_class,
        "train_id": query["train_id"],
        "tag": query["tag"],
    }


def _read(
    store: Store, plugin: Plugin, view_of: ViewOf, query: dict[str, Any]
) -> tuple[SelectedRows, str]:
    """The selected rows, and the cursor after them."""
    series = query["train_id"], query["tag"], query["writer"]
    count = query["sample"]
    selection = Selection(
        steps=StepRange(query["start_step"], query["end_step"], query["most_recent"]),
        downsample=None if count is None else Downsample(count, query["sampling"], query["seed"]),
    )
    checksum = request_checksum(plugin.name, *series, selection, query.get("values"))
    seen: Seen | None = None
    if query["since"] is not None:
        seen = read_cursor(query["since"], checksum, 1)[0]
    read = select_rows(view_of(store, *series), selection, seen)
    return read, write_cursor(checksum, [read.seen])
