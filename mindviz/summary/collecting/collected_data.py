"""CollectedData: what a collector is to collect. Source: mindspore.SummaryCollector.

The keys of `collect_specified_data` are MindSpore's, and so is what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from mindviz.errors import InvalidValue

FLAGS = (
    "collect_metric",
    "collect_graph",
    "collect_train_lineage",
    "collect_eval_lineage",
    "collect_input_data",
    "collect_dataset_graph",
)
"""The keys that are true or false."""

KEYS = (*FLAGS, "histogram_regular", "collect_landscape")

FIRST_PARAMETERS = 5
"""So many parameters have histograms if no expression chooses them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LandscapeOptions:
    """Which landscapes there are to be, and how fine."""

    landscape_size: int = 40
    """Points along each of the two axes: 3 to 256."""
    unit: Literal["step", "epoch"] = "step"
    """What `intervals` count."""
    create_landscape: Mapping[str, bool]
    """`train`: around the path of each interval; `result`: around where it ended."""
    num_samples: int = 2048
    """A loss is the mean over at most so many samples."""
    intervals: tuple[tuple[int, ...], ...] = (tuple(range(1, 10)), tuple(range(10, 20)))
    """Steps or epochs, three or more in each."""

    def wants(self, kind: str) -> bool:
        """Whether the landscape of `train` or of `result` is wanted; if nothing is said, it is."""
        return self.create_landscape.get(kind, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedData:
    """What is collected."""

    collect_metric: bool = False
    collect_graph: bool = False
    collect_train_lineage: bool = False
    collect_eval_lineage: bool = False
    collect_input_data: bool = False
    collect_dataset_graph: bool = False
    collect_histograms: bool = False
    histogram_regular: re.Pattern[str] | None = None
    """Which parameters, matched from the beginning of their names; None: the first five."""
    landscape: LandscapeOptions | None = None

    def has_histogram(self, name: str, index: int) -> bool:
        """Whether the parameter, which is the `index`-th, has a histogram."""
        if self.histogram_regular is None:
            return self.collect_histograms and index < FIRST_PARAMETERS
        return self.histogram_regular.match(name) is not None


def collected_data(
    specified: Mapping[str, Any] | None, *, keep_default_action: bool
) -> CollectedData:
    """What `collect_specified_data` asks for; with `keep_default_action` also all it leaves out.

    Landscapes are only for those who ask for them: each takes as many losses as it has points.
    Raises InvalidValue.
    """
    _check(isinstance(specified, Mapping | None), "collect_specified_data", specified, "a dict")
    _check(isinstance(keep_default_action, bool), "keep_default_action", keep_default_action, _BOOL)
    asked = dict(specified or {})
    _check_keys("collect_specified_data", asked, KEYS)
    chosen: dict[str, Any] = dict.fromkeys(FLAGS, keep_default_action)
    for name in FLAGS:
        if name in asked:
            _check(isinstance(asked[name], bool), name, asked[name], _BOOL)
            chosen[name] = asked[name]
    landscape = asked.get("collect_landscape")
    return CollectedData(
        **chosen,
        collect_histograms=keep_default_action or "histogram_regular" in asked,
        histogram_regular=_expression(asked.get("histogram_regular")),
        landscape=None if landscape is None else landscape_options(landscape),
    )


def landscape_options(asked: Mapping[str, Any]) -> LandscapeOptions:
    """What `collect_landscape` asks for. Raises InvalidValue."""
    _check(isinstance(asked, Mapping), "collect_landscape", asked, "a dict, or None")
    _check_keys("collect_landscape", asked, [field.name for field in fields(LandscapeOptions)])
    size = asked.get("landscape_size", 40)
    _check(_is_integer(size) and 3 <= size <= 256, "landscape_size", size, "from 3 to 256")
    unit = asked.get("unit", "step")
    _check(unit in ("step", "epoch"), "unit", unit, "'step' or 'epoch'")
    kinds = asked.get("create_landscape", {})
    _check(
        isinstance(kinds, Mapping)
        and set(kinds) <= {"train", "result"}
        and all(isinstance(one, bool) for one in kinds.values()),
        "create_landscape",
        kinds,
        "{'train': bool, 'result': bool}",
    )
    samples = asked.get("num_samples", 2048)
    _check(_is_integer(samples) and samples > 0, "num_samples", samples, "a positive number")
    further = {"intervals": _intervals(asked["intervals"])} if "intervals" in asked else {}
    return LandscapeOptions(
        landscape_size=size,
        unit=unit,
        create_landscape=dict(kinds),
        num_samples=samples,
        **further,
    )


def positive(name: str, value: object, *, optional: bool = False) -> None:
    """Raises InvalidValue if an option is not a positive integer."""
    if value is None and optional:
        return
    _check(isinstance(value, int) and _is_integer(value) and value > 0, name, value, "above 0")


_BOOL = "True or False"


def _intervals(asked: object) -> tuple[tuple[int, ...], ...]:
    wanted = "lists of three or more steps or epochs each"
    _check(isinstance(asked, list | tuple), "intervals", asked, wanted)
    assert isinstance(asked, list | tuple)
    for one in asked:
        _check(
            isinstance(one, list | tuple | range)
            and len(one) >= 3
            and all(_is_integer(number) and number > 0 for number in one),
            "intervals",
            one,
            wanted,
        )
    return tuple(tuple(sorted(set(one))) for one in asked)


def _expression(text: object) -> re.Pattern[str] | None:
    """Python's own expressions: whoever writes one here may run any code in this process."""
    if text is None:
        return None
    _check(isinstance(text, str), "histogram_regular", text, "an expression, or None")
    assert isinstance(text, str)
    try:
        return re.compile(text)
    except re.error as error:
        raise InvalidValue(f"histogram_regular is {text!r}, no regular expression: {error}.") from (
            error
        )


def _check_keys(name: str, asked: Mapping[str, Any], known: object) -> None:
    assert isinstance(known, list | tuple)
    unknown = [repr(key) for key in asked if key not in known]
    if unknown:
        raise InvalidValue(f"{name} has {', '.join(unknown)}; it may have {', '.join(known)}.")


def _check(holds: object, name: str, value: object, wanted: str) -> None:
    if not holds:
        raise InvalidValue(f"{name} is {value!r:.100}: it must be {wanted}.")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
