"""ComparedLocations: the runs of two locations compared, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindviz import __version__
from mindviz.cli.quantities import count_text, printable
from mindviz.client.compared_logs import ComparedLogs
from mindviz.client.opening import open_source
from mindviz.datavisual.analysis.lineage import shortest
from mindviz.datavisual.analysis.series_parity import (
    Largest,
    MissingSteps,
    SeriesParity,
    Tolerance,
    ValuePair,
)
from mindviz.datavisual.series.number_text import number_text
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.errors import StartError
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.name_map import NameMap, Renaming, parse_rules
from mindviz.lineagemgr.run_parity import (
    ConfigDifference,
    RunParity,
    TagParity,
    TagStatus,
    compare_runs,
    compared_plugins,
)

_SHOWN_RUNS = 5
_STATUS_TEXTS = {
    TagStatus.EQUAL: "equal",
    TagStatus.DIFFERENT: "different",
    TagStatus.ONLY_A: "only in A",
    TagStatus.ONLY_B: "only in B",
    TagStatus.NOT_COMPARED: "not compared in time",
}


@dataclass(frozen=True, slots=True)
class ParityOptions:
    """What to compare, and how."""

    tolerance: Tolerance
    rules: Sequence[tuple[str, Sequence[str]]] = ()
    """Source for errors and lines of each `--map`."""
    run_a: str | None = None
    run_b: str | None = None
    only: Sequence[str] = ()
    """Plugins; empty for all that can be compared."""
    with_config: bool = True
    cache: Path | None = None
    """The workspace whose cache is used."""

    @property
    def names(self) -> NameMap:
        """The rules of all sources. Raises InvalidQuery."""
        maps = [parse_rules(lines, source) for source, lines in self.rules]
        return NameMap(
            Renaming(tuple(rule for one in maps for rule in one.tags.rules)),
            Renaming(tuple(rule for one in maps for rule in one.config.rules)),
        )


@dataclass(frozen=True, slots=True)
class ComparedLocations:
    """The result of comparing all runs of A and B."""

    location_a: str
    location_b: str
    tolerance: Tolerance
    runs: tuple[tuple[str, str, RunParity], ...]
    """train_id in A, train_id in B, result."""
    only_a: tuple[str, ...]
    """Runs that B lacks."""
    only_b: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether both have the same runs, and all of them are equal."""
        return not (self.only_a or self.only_b) and all(parity.equal for *_, parity in self.runs)

    def as_json(self) -> dict[str, Any]:
        """Plain values; NaN and infinities are strings."""
        answer: dict[str, Any] = json_safe(
            {
                "mindviz_version": __version__,
                "equal": self.equal,
                "a": self.location_a,
                "b": self.location_b,
                "rtol": self.tolerance.rtol,
                "atol": self.tolerance.atol,
                "runs": [
                    {"train_id_a": a, "train_id_b": b, **parity.as_json()}
                    for a, b, parity in self.runs
                ],
                "only_a": list(self.only_a),
                "only_b": list(self.only_b),
            }
        )
        return answer


def compare_locations(a: str, b: str, options: ParityOptions) -> ComparedLocations:
    """Compare the runs of two locations. Raises CannotOpen, StartError, NotFound, InvalidQuery."""
    names = options.names  # before reading anything
    cache = options.cache
    with (
        closing(open_source(a, cache=cache)) as source_a,
        closing(open_source(b, cache=cache)) as source_b,
    ):
        logs_a, logs_b = ComparedLogs(source_a), ComparedLogs(source_b)
        pairs, only_a, only_b = _pairs(logs_a, logs_b, options)
        runs = tuple(
            (
                train_id_a,
                train_id_b,
                compare_runs(
                    logs_a.run(train_id_a),
                    logs_b.run(train_id_b),
                    options.tolerance,
                    names,
                    only=options.only,
                    with_config=options.with_config,
                ),
            )
            for train_id_a, train_id_b in pairs
        )
        if not any(parity.tags for *_, parity in runs):
            kinds = ", ".join(options.only or compared_plugins())
            raise StartError(f"There is nothing to compare: neither A nor B has series of {kinds}.")
        return ComparedLocations(
            source_a.location, source_b.location, options.tolerance, runs, only_a, only_b
        )


def _pairs(
    a: ComparedLogs, b: ComparedLogs, options: ParityOptions
) -> tuple[list[tuple[str, str]], tuple[str, ...], tuple[str, ...]]:
    """Pairs of train_ids, and those only one side has. Raises TrainJobNotFound, StartError."""
    ids_a = a.train_ids if options.run_a is None else [a.train_id(options.run_a)]
    ids_b = b.train_ids if options.run_b is None else [b.train_id(options.run_b)]
    if len(ids_a) == len(ids_b) == 1:
        return [(ids_a[0], ids_b[0])], (), ()
    common = {*ids_a} & {*ids_b}
    if not common:
        raise StartError(
            f"No run of A has the path of a run of B. Select runs with --run-a and --run-b: "
            f"A has {_listed(ids_a)}; B has {_listed(ids_b)}."
        )
    return (
        [(train_id, train_id) for train_id in sorted(common)],
        tuple(train_id for train_id in ids_a if train_id not in common),
        tuple(train_id for train_id in ids_b if train_id not in common),
    )


def _listed(train_ids: Sequence[str]) -> str:
    shown = ", ".join(printable(train_id) for train_id in train_ids[:_SHOWN_RUNS])
    more = len(train_ids) - _SHOWN_RUNS
    return f"{shown} and {more:,} more" if more > 0 else shown


# Text ---------------------------------------------------------------------------------------------


def parity_lines(compared: ComparedLocations, *, details: bool = False) -> Iterator[str]:
    """A line per difference, then totals."""
    for train_id in compared.only_a:
        yield f"{printable(train_id)}: only in A"
    for train_id in compared.only_b:
        yield f"{printable(train_id)}: only in B"
    for train_id, _, parity in compared.runs:
        many = len(compared.runs) > 1 or compared.only_a or compared.only_b
        prefix = f"{printable(train_id)}: " if many else ""
        for line in _run_lines(parity, details=details):
            yield prefix + line
    yield _totals(compared)


def _run_lines(parity: RunParity, *, details: bool) -> Iterator[str]:
    for side, problems in (("A", parity.lost_a), ("B", parity.lost_b)):
        for problem in problems:
            yield f"{side} is damaged: {printable(str(problem), 300)}"
    for tag in parity.tags:
        if details or tag.status is not TagStatus.EQUAL:
            kind = "" if tag.plugin_name == SCALAR_PLUGIN else f"{tag.plugin_name} "
            yield f"{kind}{_name(tag.tag, tag.tag_b)}: {_tag_text(tag)}"
    for difference in parity.config:
        yield f"config {_name(difference.name, difference.name_b)}: {_config_text(difference)}"
    for rule in parity.unused_rules:
        yield f"rule {printable(rule)!r} matches nothing"


def _name(a: str, b: str) -> str:
    name = printable(a) or "(no tag)"
    return name if a == b else f"{name} -> {printable(b)}"


def _tag_text(tag: TagParity) -> str:
    if tag.series is None:
        return _STATUS_TEXTS[tag.status]
    return "; ".join(_series_parts(tag.series))


def _series_parts(series: SeriesParity) -> Iterator[str]:
    common = count_text(series.common_steps, "common step")
    if series.first is not None:
        first, (a, b) = series.first, _values(series.first)
        element = f" in element {list(first.index)}" if first.index else ""
        yield (
            f"differs from step {first.step:,}{element} ({a} and {b}), "
            f"at {series.different_steps:,} of {common}"
        )
    else:
        yield f"equal at {common}"
    if series.largest_absolute is not None and series.largest_relative is not None:
        yield (
            f"largest difference {_size(series.largest_absolute)}, "
            f"relative {_size(series.largest_relative)}"
        )
    if series.non_finite_steps:
        yield f"NaN or infinite at {series.non_finite_steps:,} of these"
    if series.shape_steps:
        yield f"of other shapes at {series.shape_steps:,} of these"
    if series.uncompared_steps:
        yield f"{count_text(series.uncompared_steps, 'step')} damaged or too large to compare"
    if series.reencoded_steps:
        yield f"equal in other bytes at {count_text(series.reencoded_steps, 'step')}"
    for side, missing in (("A", series.missing_a), ("B", series.missing_b)):
        if missing.count:
            yield f"{side} lacks {count_text(missing.count, 'step')} ({_ranges(missing)})"


def _values(first: ValuePair) -> tuple[str, str]:
    """Both values, as short as they can be told apart."""
    a, b = first.a, first.b
    if isinstance(a, str) or isinstance(b, str):
        return printable(str(a)), printable(str(b))
    left, right = (number_text(value) for value in shortest([a, b]))
    return (left, right) if left != right else (number_text(a), number_text(b))


def _size(largest: Largest) -> str:
    return f"{number_text(largest.size, 3)} at step {largest.step:,}"


def _ranges(missing: MissingSteps) -> str:
    texts = [
        f"{first:,}" if first == last else f"{first:,} to {last:,}"
        for first, last in missing.ranges
    ]
    return ", ".join(texts)


def _config_text(difference: ConfigDifference) -> str:
    a, b = (
        "missing" if value is None else printable(str(value))
        for value in (difference.a, difference.b)
    )
    return f"{a} in A, {b} in B"


def _totals(compared: ComparedLocations) -> str:
    parities = [parity for *_, parity in compared.runs]
    counts = {status: sum(parity.count(status) for parity in parities) for status in TagStatus}
    parts = []
    if len(compared.runs) > 1:
        parts.append(count_text(len(compared.runs), "run"))
    parts.append(count_text(sum(counts.values()), "tag"))
    parts += [
        f"{counts[status]:,} {text}" for status, text in _STATUS_TEXTS.items() if counts[status]
    ]
    different = sum(len(parity.config) for parity in parities)
    if parameters := sum(parity.parameters for parity in parities):
        parts.append(f"{different:,} of {count_text(parameters, 'parameter')} different")
    others = Counter[str]()
    for parity in parities:
        others.update(parity.other_tags)
    if others:
        listed = ", ".join(f"{count:,} {name}" for name, count in sorted(others.items()))
        parts.append(f"not compared: {listed}")
    return ("equal: " if compared.equal else "different: ") + ", ".join(parts)
