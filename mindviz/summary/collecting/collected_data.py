"""CollectedData: parses `collect_specified_data`. Source: mindspore.SummaryCollector.

Keys and their meanings equal MindSpore's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
"""Boolean keys."""

KEYS = (*FLAGS, "histogram_regular", "collect_landscape")

FIRST_PARAMETERS = 5
"""Number of parameters with histograms unless `histogram_regular` is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LandscapeOptions:
    """Which landscapes to compute, and their resolution."""

    landscape_size: int = 40
    """Points along each of the two axes: 3 to 256."""
    unit: Literal["step", "epoch"] = "step"
    """The unit of `intervals`."""
    create_landscape: Mapping[str, bool]
    """`train`: around the path of each interval; `result`: around its end."""
    num_samples: int = 2048
    """Maximum number of samples per loss."""
    intervals: tuple[tuple[int, ...], ...] = (tuple(range(1, 10)), tuple(range(10, 20)))
    """Steps or epochs, three or more in each."""

    def wants(self, kind: str) -> bool:
        """Whether to compute the landscape of `train` or of `result`; default true."""
        return self.create_landscape.get(kind, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedData:
    """What to collect."""

    collect_metric: bool = False
    collect_graph: bool = False
    collect_train_lineage: bool = False
    collect_eval_lineage: bool = False
    collect_input_data: bool = False
    collect_dataset_graph: bool = False
    collect_histograms: bool = False
    histogram_regular: re.Pattern[str] | None = None
    """Matches names of parameters, from their beginning; None selects the first five."""
    landscape: LandscapeOptions | None = None

    def has_histogram(self, name: str, index: int) -> bool:
        """Whether to record a histogram of this parameter, the `index`-th."""
        if self.histogram_regular is None:
            return self.collect_histograms and index < FIRST_PARAMETERS
        return self.histogram_regular.match(name) is not None


def collected_data(
    specified: Mapping[str, Any] | None, *, keep_default_action: bool
) -> CollectedData:
    """Parse `collect_specified_data`. `keep_default_action` is the default of its flags.

    Landscapes are off by default: each one evaluates the loss at every point. Raises InvalidValue.
    """
    _check(isinstance(specified, Mapping | None), "collect_specified_data", specified, "a dict")
    _check(isinstance(keep_default_action, bool), "keep_default_action", keep_default_action, _BOOL)
    options = dict(specified or {})
    _check_keys("collect_specified_data", options, KEYS)
    flags: dict[str, Any] = dict.fromkeys(FLAGS, keep_default_action)
    for name in FLAGS:
        if name in options:
            _check(isinstance(options[name], bool), name, options[name], _BOOL)
            flags[name] = options[name]
    landscape = options.get("collect_landscape")
    return CollectedData(
        **flags,
        collect_histograms=keep_default_action or "histogram_regular" in options,
        histogram_regular=_compile(options.get("histogram_regular")),
        landscape=None if landscape is None else landscape_options(landscape),
    )


def landscape_options(options: Mapping[str, Any]) -> LandscapeOptions:
    """Parse `collect_landscape`. Raises InvalidValue."""
    _check(isinstance(options, Mapping), "collect_landscape", options, "a dict, or None")
    _check_keys("collect_landscape", options, [field.name for field in fields(LandscapeOptions)])
    size = options.get("landscape_size", 40)
    _check(_is_integer(size) and 3 <= size <= 256, "landscape_size", size, "from 3 to 256")
    unit = options.get("unit", "step")
    _check(unit in ("step", "epoch"), "unit", unit, "'step' or 'epoch'")
    kinds = options.get("create_landscape", {})
    _check(
        isinstance(kinds, Mapping)
        and set(kinds) <= {"train", "result"}
        and all(isinstance(wanted, bool) for wanted in kinds.values()),
        "create_landscape",
        kinds,
        "{'train': bool, 'result': bool}",
    )
    samples = options.get("num_samples", 2048)
    _check(_is_integer(samples) and samples > 0, "num_samples", samples, _POSITIVE)
    intervals = {"intervals": _intervals(options["intervals"])} if "intervals" in options else {}
    return LandscapeOptions(
        landscape_size=size,
        unit=unit,
        create_landscape=dict(kinds),
        num_samples=samples,
        **intervals,
    )


def positive(name: str, value: object, *, optional: bool = False) -> None:
    """Raises InvalidValue if an option is not a positive integer."""
    if value is None and optional:
        return
    _check(isinstance(value, int) and _is_integer(value) and value > 0, name, value, _POSITIVE)


_BOOL, _POSITIVE = "True or False", "a positive number"


def _intervals(value: object) -> tuple[tuple[int, ...], ...]:
    requirement = "lists of three or more steps or epochs each"
    _check(isinstance(value, list | tuple), "intervals", value, requirement)
    assert isinstance(value, list | tuple)
    for interval in value:
        _check(
            isinstance(interval, list | tuple | range)
            and len(interval) >= 3
            and all(_is_integer(number) and number > 0 for number in interval),
            "intervals",
            interval,
            requirement,
        )
    return tuple(tuple(sorted(set(interval))) for interval in value)


def _compile(text: object) -> re.Pattern[str] | None:
    """Uses Python's `re`, although it may backtrack forever: the training script is trusted."""
    if text is None:
        return None
    _check(isinstance(text, str), "histogram_regular", text, "a regular expression, or None")
    assert isinstance(text, str)
    try:
        return re.compile(text)
    except re.error as error:
        raise InvalidValue(
            f"histogram_regular {text!r} is not a regular expression: {error}."
        ) from error


def _check_keys(name: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = [repr(key) for key in given if key not in known]
    if unknown:
        raise InvalidValue(
            f"{name} has unknown keys {', '.join(unknown)}. Known keys: {', '.join(known)}."
        )


def _check(is_met: object, name: str, value: object, requirement: str) -> None:
    if not is_met:
        raise InvalidValue(f"{name} is {value!r:.100}: it must be {requirement}.")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
