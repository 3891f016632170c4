"""Compares the series and the config of two runs, from any two sources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.analysis.parameter_names import LOGGED, field_of
from mindviz.datavisual.analysis.series_parity import (
    EXACT,
    SeriesParity,
    Tolerance,
    compare_series,
    compare_values,
)
from mindviz.datavisual.plugins import find_plugin, plugins
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.deadline import begin_long_work, check, ending_early
from mindviz.errors import DeadlineExceeded, InvalidQuery
from mindviz.lineagemgr.diff import HYPER_PARAMETERS, same_fact
from mindviz.lineagemgr.name_map import NameMap, Renaming
from mindviz.lineagemgr.run_series import LostData, RunSeries

TAGS_AT_ONCE = 32
"""Scalars read at once from each run."""
_ANSWERING_SECONDS = 5.0
"""Of a request's deadline, for what follows after the values are compared."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs."""

    series: RunSeries
    config: Mapping[str, Any]
    """As `config_of` returns."""


class TagStatus(StrEnum):
    """How a tag compares, most important first."""

    DIFFERENT = "different"
    ONLY_A = "only_a"
    ONLY_B = "only_b"
    NOT_COMPARED = "not_compared"
    """The deadline of the request left no time."""
    EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class TagParity:
    """A tag that at least one of the runs has."""

    plugin_name: str
    tag: str
    """The name in A; for a tag that only B has, the name there."""
    tag_b: str
    """The name in B."""
    status: TagStatus
    series: SeriesParity | None = None
    """None if only one of the runs has the tag, or it is not compared."""

    def rank(self) -> tuple[object, ...]:
        """The order of rows: what differs first, by its first differing step."""
        step = self.series.first_step if self.series is not None else None
        return list(TagStatus).index(self.status), step or 0, self.tag, self.plugin_name


@dataclass(frozen=True, slots=True)
class ConfigDifference:
    """A parameter that is not equal in both runs."""

    name: str
    """In A, or for a parameter that only B has, there."""
    name_b: str
    a: Any
    """None if A lacks it."""
    b: Any


@dataclass(frozen=True, slots=True)
class RunParity:
    """The result of comparing run A and run B."""

    tags: tuple[TagParity, ...]
    """Sorted by `rank`."""
    config: tuple[ConfigDifference, ...]
    parameters: int
    """How many parameters were compared; 0 if config was left out."""
    unused_rules: tuple[str, ...]
    lost_a: tuple[LostData, ...]
    lost_b: tuple[LostData, ...]
    other_tags: Mapping[str, int]
    """Plugin -> number of its tags in A or B, for plugins whose values are not compared."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs and no data is lost."""
        return not (
            self.config
            or self.lost_a
            or self.lost_b
            or any(tag.status is not TagStatus.EQUAL for tag in self.tags)
        )

    def count(self, status: TagStatus) -> int:
        """The number of tags with this status."""
        return sum(tag.status is status for tag in self.tags)

    def as_json(self, rows: slice = slice(None)) -> dict[str, Any]:
        """Plain values, with these rows of `tags`."""
        return {
            "equal": self.equal,
            "counts": {status.value: self.count(status) for status in TagStatus},
            "tags": [asdict(tag) for tag in self.tags[rows]],
            "config": [asdict(difference) for difference in self.config],
            "parameters": self.parameters,
            "other_tags": [
                {"plugin_name": name, "tags": tags} for name, tags in self.other_tags.items()
            ],
            "unused_rules": list(self.unused_rules),
            "lost_data": {
                side: [asdict(lost) for lost in losses]
                for side, losses in (("a", self.lost_a), ("b", self.lost_b))
            },
        }


def config_of(fields: Mapping[str, Any], user_defined: Mapping[str, Any]) -> dict[str, Any]:
    """The config of a run: named hyperparameters, and what it logged besides.

    A logged spelling of a field with the same value, such as `lr`, is left out, so that runs of
    different libraries have common names.
    """
    config = {name: fields.get(name) for name in HYPER_PARAMETERS}
    for name, value in user_defined.items():
        field = field_of(LOGGED + name)
        if field not in config or not _repeats(value, config[field]):
            config[name] = value
    return {name: value for name, value in config.items() if value is not None}


def _repeats(value: Any, field: Any) -> bool:
    """Whether the field was taken from this value, which may be a number as text."""
    if same_fact(value, field):
        return True
    try:
        return isinstance(value, str) and float(value) == field
    except ValueError:
        return False


def compared_plugins() -> Sequence[str]:
    """The plugins whose values are compared, scalars first."""
    return [SCALAR_PLUGIN, *(name for name, plugin in plugins().items() if plugin.parity)]


def compare_runs(
    a: ComparedRun,
    b: ComparedRun,
    tolerance: Tolerance = EXACT,
    names: NameMap = NameMap(),
    *,
    only: Collection[str] = (),
    with_config: bool = True,
) -> RunParity:
    """Compare two runs; `names` renames the tags and parameters of A.

    `only` are plugins, empty for all `compared_plugins`. Tags for which the deadline leaves no time
    are not compared. Raises InvalidQuery if the rules give two names the same one or a plugin
    cannot be compared, and what reading raises.
    """
    tags_a, tags_b = a.series.tags, b.series.tags
    comparable = compared_plugins()
    if unknown := sorted({*only} - {*comparable}):
        raise InvalidQuery(
            f"Series of {unknown[0]!r} cannot be compared, but those of {', '.join(comparable)}."
        )
    compared = [name for name in comparable if not only or name in only]
    unused = names.tags.unused(
        {tag for tags in (tags_a, tags_b) for name in compared for tag in tags.get(name, ())}
    )
    config: dict[str, _Named] = {}
    if with_config:
        unused += names.config.unused(a.config.keys() | b.config.keys())
        config = _paired(names.config, a.config, b.config)
    # The config has the values of hyperparameters.
    as_config = {
        name
        for name, plugin in plugins().items()
        if with_config and any(generic.lineage for generic in plugin.names or ())
    }
    pairs = {
        name: _paired(names.tags, tags_a.get(name, ()), tags_b.get(name, ())).values()
        for name in compared
    }
    if any(pairs[name] for name in compared if name != SCALAR_PLUGIN):
        begin_long_work()
    with ending_early(_ANSWERING_SECONDS):
        tags = [
            tag for name in compared for tag in _compared_tags(a, b, name, pairs[name], tolerance)
        ]
    return RunParity(
        tags=tuple(sorted(tags, key=TagParity.rank)),
        config=tuple(_config_differences(a.config, b.config, config.values())),
        parameters=len(config),
        unused_rules=tuple(rule.text for rule in unused),
        lost_a=tuple(a.series.lost_data()),
        lost_b=tuple(b.series.lost_data()),
        other_tags={
            name: len({*tags_a.get(name, ()), *tags_b.get(name, ())})
            for name in sorted((tags_a.keys() | tags_b.keys()) - {*comparable} - as_config)
        },
    )


class _Named(NamedTuple):
    """A tag or parameter of both runs, or of one."""

    a: str | None
    b: str | None


def _paired(renaming: Renaming, a: Iterable[str], b: Iterable[str]) -> dict[str, _Named]:
    """By common name, sorted."""
    originals = renaming.applied(a)
    kept = set(renaming.kept(b))
    return {
        name: _Named(originals.get(name), name if name in kept else None)
        for name in sorted(originals.keys() | kept)
    }


def _compared_tags(
    a: ComparedRun,
    b: ComparedRun,
    plugin_name: str,
    pairs: Iterable[_Named],
    tolerance: Tolerance,
) -> Iterator[TagParity]:
    common = []
    for pair in pairs:
        if pair.a is None and pair.b is not None:
            yield TagParity(plugin_name, pair.b, pair.b, TagStatus.ONLY_B)
        elif pair.b is None and pair.a is not None:
            yield TagParity(plugin_name, pair.a, pair.a, TagStatus.ONLY_A)
        elif pair.a is not None and pair.b is not None:
            common.append((pair.a, pair.b))
    for start in range(0, len(common), TAGS_AT_ONCE):
        part = common[start : start + TAGS_AT_ONCE]
        found: list[SeriesParity] = []
        with suppress(DeadlineExceeded):
            check()
            found.extend(_compared_series(a, b, plugin_name, part, tolerance))
        for (tag, tag_b), series in zip_longest(part, found):
            if series is None:
                status = TagStatus.NOT_COMPARED
            else:
                status = TagStatus.EQUAL if series.equal else TagStatus.DIFFERENT
            yield TagParity(plugin_name, tag, tag_b, status, series)


def _compared_series(
    a: ComparedRun,
    b: ComparedRun,
    plugin_name: str,
    tags: Sequence[tuple[str, str]],
    tolerance: Tolerance,
) -> Iterator[SeriesParity]:
    compare = find_plugin(plugin_name).parity
    if compare is None:
        points_a = a.series.points(frozenset(tag for tag, _ in tags))
        points_b = b.series.points(frozenset(tag for _, tag in tags))
        for tag, tag_b in tags:
            check()
            x, y = points_a.get(tag, _NO_POINTS), points_b.get(tag_b, _NO_POINTS)
            yield compare_series(x, y, tolerance)
        return
    for tag, tag_b in tags:
        values_a = a.series.values(plugin_name, tag)
        values_b = b.series.values(plugin_name, tag_b)
        yield compare_values(values_a, values_b, compare, tolerance)


_NO_POINTS = ScalarPoints(np.empty(0, np.int64), np.empty(0), np.empty(0))
"""Of a tag that is listed but has just been deleted, or whose values are all damaged."""


def _config_differences(
    a: Mapping[str, Any], b: Mapping[str, Any], pairs: Iterable[_Named]
) -> Iterator[ConfigDifference]:
    for pair in pairs:
        value_a = None if pair.a is None else a[pair.a]
        value_b = None if pair.b is None else b[pair.b]
        if not same_fact(value_a, value_b):
            yield ConfigDifference(pair.a or pair.b or "", pair.b or pair.a or "", value_a, value_b)
