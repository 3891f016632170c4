"""Plugins: one module per kind of dashboard.

A plugin is a module of this package that defines `PLUGIN`, or an entry point of the group
`mindviz.plugins` that names such an object in another distribution. It sees the `Store` and
neither log formats nor HTTP.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Protocol

from mindviz.datavisual.analysis.series_parity import CompareValues
from mindviz.datavisual.series.generic_name import GenericName, GenericNames
from mindviz.datavisual.series.series_view import SeriesView, ValuesView, View
from mindviz.datavisual.series.time_series import DataClass, ValueTimeSeries
from mindviz.datavisual.series.value_table import ValueTable
from mindviz.datavisual.store import Store
from mindviz.errors import PluginNotFound, StartError
from mindviz.extensions import extensions

ENTRY_POINTS = "mindviz.plugins"

OTHER_EXPORTS = ("scalars", "lineage")
"""Names of exports that are not tables of plugins."""

NO_SUCH_TAG = "5054500E"
"""Error code of plugins that the REST contract does not know."""

__all__ = [
    "ENTRY_POINTS",
    "NO_SUCH_TAG",
    "OTHER_EXPORTS",
    "Plugin",
    "SeriesView",
    "exported_plugins",
    "find_plugin",
    "generic_names",
    "logged_view",
    "plugin_of_key",
    "plugins",
]


class ViewOf(Protocol):
    """Returns every step of a series. Raises what the store raises; AnswerTooLarge."""

    def __call__(
        self, store: Store, train_id: str, tag: str, writer: str | None = None, /
    ) -> View: ...


SeriesOf = Callable[[Store, str, str, str | None], ValueTimeSeries]
"""(store, train_id, tag, writer) -> its series. Raises what the store raises."""

ReadRow = Callable[[ValueTimeSeries, int], Mapping[str, object]]
"""(series, row) -> cell of each column. Raises DamagedValue, AnswerTooLarge."""


@dataclass(frozen=True, slots=True)
class LoggedView:
    """A `ViewOf` of series as logged, whose values are read on demand."""

    columns: tuple[str, ...]
    read_row: ReadRow
    plugin_name: str = ""
    """Empty for the plugin that has the view."""

    def __call__(
        self, store: Store, train_id: str, tag: str, writer: str | None = None
    ) -> ValuesView:
        """Raises TrainJobNotFound, TagNotFound."""
        series = store.read_values(train_id, self.plugin_name, tag, writer=writer)
        return ValuesView.of(series, self.columns, partial(self.read_row, series))


def logged_view(*columns: str, of: str = "") -> Callable[[ReadRow], LoggedView]:
    """Decorator that turns a function of one row into a view of the plugin's logged series.

    `of` names another plugin whose series are shown.
    """
    return lambda read_row: LoggedView(columns, read_row, of)


@dataclass(frozen=True, slots=True)
class Plugin:
    """One kind of dashboard."""

    name: str
    """As in `plugin_name` everywhere."""
    suffix: str
    """What the REST contract puts behind its tags, e.g. `/scalar`."""
    data_class: DataClass
    """What its series are made of."""
    view: ViewOf
    """What a dashboard shows of a series."""
    values: Mapping[str, ViewOf] = field(default_factory=dict)
    """The raw data, by the name of its encoding; the empty name is the default. Views with the
    column `data`, and optionally `type` and `size` of each step."""
    tags: Callable[[Store, str], Sequence[str]] | None = None
    """(store, train_id) -> the tags it has a view of; None: those of its name in the log."""
    series: SeriesOf | None = None
    """Its series with their blobs; None for the logged ones."""
    overview: Callable[[Store, Collection[str] | None], Mapping[str, object]] | None = None
    """(store, train_ids) -> a summary of these train jobs, or of all for None. Skips deleted jobs.
    None if the plugin has no summary."""
    names: tuple[GenericName, ...] | None = None
    """How logs and generic clients call its series; None for the plugin's name. Empty for a plugin
    whose series are derived from others."""
    table: ValueTable | None = None
    """Its values in exports, which call them by the first of `names`, or else by the plugin's
    name; None for no export."""
    parity: CompareValues | None = None
    """Compares two of its values; None if comparisons of runs leave them out."""
    config: Callable[[bytes], Mapping[str, object]] | None = None
    """The metadata of a series -> how the log wants it shown."""
    error_code: str = NO_SUCH_TAG
    """The REST contract's code for a tag that does not exist."""
    contract_tags: Mapping[str, Callable[[Iterable[str]], Sequence[str]]] = field(
        default_factory=dict
    )
    """Key of the contract -> its tags, made from the logged ones; by default the plugin's name,
    and sorted tags with the suffix."""

    def __post_init__(self) -> None:
        """Bind its logged views to its series."""
        views = {form: self._bound(view) for form, view in self.values.items()}
        object.__setattr__(self, "view", self._bound(self.view))  # it is frozen
        object.__setattr__(self, "values", views)

    def _bound(self, view: ViewOf) -> ViewOf:
        if isinstance(view, LoggedView) and not view.plugin_name:
            return replace(view, plugin_name=self.name)
        return view

    @property
    def generic_names(self) -> tuple[GenericName, ...]:
        """`names`, or the default."""
        if self.names is not None:
            return self.names
        return (GenericName(self.name, self.data_class, fields=(self.name,)),)

    def list_tags(self, store: Store, train_id: str) -> Sequence[str]:
        """The tags that it has a view of, sorted. Raises TrainJobNotFound."""
        if self.tags is not None:
            return sorted(self.tags(store, train_id))
        return store.list_tags(train_id).get(self.name, ())

    def read_series(
        self, store: Store, train_id: str, tag: str, writer: str | None
    ) -> ValueTimeSeries:
        """A series of tensors or blobs. Raises what the store raises."""
        if self.series is not None:
            return self.series(store, train_id, tag, writer)
        return store.read_values(train_id, self.name, tag, writer=writer)


@cache
def plugins() -> Mapping[str, Plugin]:
    """All plugins by name: our own sorted by module, then those of other distributions.

    Raises StartError if one of the latter cannot be loaded, or two declare the same name.
    """
    loaded: dict[str, Plugin] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        plugin = importlib.import_module(f"{__name__}.{module}").PLUGIN
        loaded[plugin.name] = plugin
    for origin, plugin in extensions(ENTRY_POINTS, Plugin):
        if plugin.name in loaded:
            raise StartError(f"Two plugins are named {plugin.name!r}; one is {origin}.")
        loaded[plugin.name] = plugin
    for collect in (_names, _exported, _contract_keys):
        collect(loaded.values())  # to raise StartError now
    return loaded


def _names(loaded: Iterable[Plugin]) -> GenericNames:
    return GenericNames((plugin.name, plugin.generic_names) for plugin in loaded)


def _exported(loaded: Iterable[Plugin]) -> Mapping[str, Plugin]:
    tables = [plugin for plugin in loaded if plugin.table is not None]
    exported = _by_key(
        (plugin.generic_names[0].name if plugin.generic_names else plugin.name, plugin)
        for plugin in tables
    )
    for name in OTHER_EXPORTS:
        if name in exported:
            raise StartError(f"The plugin {exported[name].name!r} uses the name {name!r}.")
    return exported


def _contract_keys(loaded: Iterable[Plugin]) -> Mapping[str, Plugin]:
    return _by_key(
        (key, plugin) for plugin in loaded for key in plugin.contract_tags or (plugin.name,)
    )


def _by_key(pairs: Iterable[tuple[str, Plugin]]) -> Mapping[str, Plugin]:
    owners: dict[str, Plugin] = {}
    for key, plugin in pairs:
        owner = owners.setdefault(key, plugin)
        if owner is not plugin:
            raise StartError(
                f"The plugins {owner.name!r} and {plugin.name!r} both use the name {key!r}."
            )
    return owners


@cache
def generic_names() -> GenericNames:
    """The names that all plugins declare. Raises StartError."""
    return _names(plugins().values())


@cache
def exported_plugins() -> Mapping[str, Plugin]:
    """Plugins whose values can be exported, by the name of the data."""
    return _exported(plugins().values())


@cache
def _keys() -> Mapping[str, Plugin]:
    return _contract_keys(plugins().values())


def plugin_of_key(key: str) -> Plugin | None:
    """The plugin whose tags the REST contract lists under this key, if any."""
    return _keys().get(key)


def find_plugin(name: str) -> Plugin:
    """The plugin of this name. Raises PluginNotFound."""
    try:
        return plugins()[name]
    except KeyError:
        raise PluginNotFound(name, plugins()) from None
