"""Compares all scalars and the config of two runs, from any two sources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.analysis.parameter_names import LOGGED, field_of
from mindviz.datavisual.analysis.series_parity import (
    EXACT,
    SeriesParity,
    Tolerance,
    compare_series,
)
from mindviz.datavisual.health.health_events import Severity, log_events
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.deadline import check
from mindviz.lineagemgr.diff import HYPER_PARAMETERS, same_fact
from mindviz.lineagemgr.name_map import NameMap, Renaming

TAGS_AT_ONCE = 32
"""Series read at once from each run."""


@dataclass(frozen=True, slots=True)
class LostData:
    """Damage of one kind in one log file."""

    path: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs."""

    tags: Collection[str]
    """Of its scalars."""
    read: Callable[[frozenset[str]], Mapping[str, ScalarPoints]]
    """The points that count of some tags."""
    config: Mapping[str, Any]
    """As `config_of` returns."""
    lost_data: Sequence[LostData] = ()
    """Damage in its logs: equality cannot be stated."""


class TagStatus(StrEnum):
    """How a tag compares, most important first."""

    DIFFERENT = "different"
    ONLY_A = "only_a"
    ONLY_B = "only_b"
    EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class TagParity:
    """A tag that at least one of the runs has."""

    tag: str
    """The name in A; for a tag that only B has, the name there."""
    tag_b: str
    """The name in B."""
    status: TagStatus
    series: SeriesParity | None = None
    """None if only one of the runs has the tag."""

    def rank(self) -> tuple[object, ...]:
        """The order of rows: what differs first, by its first differing step."""
        step = self.series.first_step if self.series is not None else None
        return list(TagStatus).index(self.status), step or 0, self.tag


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
            "unused_rules": list(self.unused_rules),
            "lost_data": {
                side: [asdict(lost) for lost in losses]
                for side, losses in (("a", self.lost_a), ("b", self.lost_b))
            },
        }


def lost_data(problems: Iterable[Finding]) -> list[LostData]:
    """The problems that lose data, one per file and kind."""
    return [
        LostData(event.path, event.kind.value, event.detail)
        for event in log_events(problems)
        if event.severity is Severity.SEVERE
    ]


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


def compare_runs(
    a: ComparedRun,
    b: ComparedRun,
    tolerance: Tolerance = EXACT,
    names: NameMap = NameMap(),
    *,
    with_config: bool = True,
) -> RunParity:
    """Compare two runs; `names` renames the tags and parameters of A.

    Raises InvalidQuery if the rules give two names the same one, and what reading raises.
    """
    unused = names.tags.unused({*a.tags, *b.tags})
    config: dict[str, _Named] = {}
    if with_config:
        unused += names.config.unused(a.config.keys() | b.config.keys())
        config = _paired(names.config, a.config, b.config)
    pairs = _paired(names.tags, a.tags, b.tags)
    tags = _compared_tags(a, b, pairs.values(), tolerance)
    return RunParity(
        tags=tuple(sorted(tags, key=TagParity.rank)),
        config=tuple(_config_differences(a.config, b.config, config.values())),
        parameters=len(config),
        unused_rules=tuple(rule.text for rule in unused),
        lost_a=tuple(a.lost_data),
        lost_b=tuple(b.lost_data),
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
    a: ComparedRun, b: ComparedRun, pairs: Iterable[_Named], tolerance: Tolerance
) -> Iterator[TagParity]:
    common = []
    for pair in pairs:
        if pair.a is None and pair.b is not None:
            yield TagParity(pair.b, pair.b, TagStatus.ONLY_B)
        elif pair.b is None and pair.a is not None:
            yield TagParity(pair.a, pair.a, TagStatus.ONLY_A)
        elif pair.a is not None and pair.b is not None:
            common.append((pair.a, pair.b))
    for start in range(0, len(common), TAGS_AT_ONCE):
        part = common[start : start + TAGS_AT_ONCE]
        points_a = a.read(frozenset(tag for tag, _ in part))
        points_b = b.read(frozenset(tag for _, tag in part))
        for tag, tag_b in part:
            check()
            series = compare_series(
                points_a.get(tag, _NO_POINTS), points_b.get(tag_b, _NO_POINTS), tolerance
            )
            status = TagStatus.EQUAL if series.equal else TagStatus.DIFFERENT
            yield TagParity(tag, tag_b, status, series)


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
