"""Plugins: what makes a series worth seeing, one module each.

A plugin is a module of this package that defines `PLUGIN`, or an entry point of the group
`mindviz.plugins` that names such an object in another distribution. It sees the `Experiment` and
neither log formats nor HTTP.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.columns import Float64s, Int64s
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.errors import PluginNotFound, StartError

ENTRY_POINTS = "mindviz.plugins"

Column = NDArray[np.generic] | Sequence[object]
"""One element per step: a numpy array, or a sequence of numbers, strings, None, lists of those, or
numpy arrays of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class SeriesView:
    """Every step of one series as columns of equal length, oldest first."""

    step: Int64s
    wall_time: Float64s
    """Seconds since the epoch."""
    columns: Mapping[str, Column]
    """What the plugin shows of each step. None where a step's value is damaged."""
    epoch: str
    """Changes when what was served before is no longer a prefix of the series."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Row number -> why its value could not be read."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What concerns the series as a whole."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One kind of dashboard."""

    name: str
    """As in `plugin_name` everywhere."""
    suffix: str
    """What the REST contract puts behind its tags, e.g. `/scalar`."""
    data_class: DataClass
    """What its series are made of."""
    view: Callable[[Experiment, str, str, str | None], SeriesView]
    """(experiment, train_id, tag, writer) -> every step; of the default writer for None.

    Raises what the experiment raises; AnswerTooLarge.
    """


@cache
def plugins() -> Mapping[str, Plugin]:
    """All plugins by name: our own sorted by module, then those of other distributions.

    Raises StartError if one of the latter cannot be loaded, or two have the same name.
    """
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found: dict[str, Plugin] = {}
    for module in modules:
        _add(found, importlib.import_module(f"{__name__}.{module}").PLUGIN, module)
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            plugin = point.load()
        except Exception as error:
            raise StartError(f"Plugin {point.value} cannot be loaded: {error!r}.") from error
        _add(found, plugin, point.value)
    return found


def _add(found: dict[str, Plugin], plugin: object, origin: str) -> None:
    if not isinstance(plugin, Plugin):
        raise StartError(f"{origin} is not a plugin: it should be a mindviz Plugin.")
    if plugin.name in found:
        raise StartError(f"There are two plugins named {plugin.name!r}; one is {origin}.")
    found[plugin.name] = plugin


def find_plugin(name: str) -> Plugin:
    """The plugin of this name. Raises PluginNotFound."""
    try:
        return plugins()[name]
    except KeyError:
        raise PluginNotFound(name) from None
