"""Answers about scalar series of one run: their shape, and what happened around a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mindviz.asking.answer import Answer, Cell, Cut
from mindviz.asking.known_runs import KnownRuns, problem_lines, utc
from mindviz.asking.log_text import run_name
from mindviz.asking.page_link import series_link
from mindviz.asking.question import Question
from mindviz.asking.run_answers import matching_tags
from mindviz.datavisual.analysis.lineage import shortest
from mindviz.datavisual.analysis.series_shape import series_shape
from mindviz.datavisual.health.anomalies import Anomaly
from mindviz.datavisual.health.event_sizes import size_text
from mindviz.datavisual.health.health_events import severity_of
from mindviz.datavisual.health.leads import Moved, move
from mindviz.datavisual.series.number_text import number_text
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN, ScalarTimeSeries
from mindviz.deadline import check
from mindviz.errors import InvalidQuery, TagNotFound, TagUnreadable

AROUND = 10
"""Points on either side of a step."""
_SHOWN_MOVED = 3
_UNITS = {"step": "as logged", "value": "as logged, without a unit", "time": "UTC"}
_WORST = ("severe", "warning", "note")


def described(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`series`: what it looks like, and the steps that show it.

    Raises TrainJobNotFound, TagNotFound.
    """
    train_id = runs.train_id(question.runs[0])
    tag = runs.tag(train_id, question.tag or "")
    series = runs.store.read_scalars(train_id, tag)
    shape = series_shape(series.value)
    anomalies = [anomaly for of_tag, anomaly in runs.health.anomalies(train_id) if of_tag == tag]
    evidence = list(_evidence(series, anomalies))
    for phase in shape.phases:
        begins, ends = number_text(phase.begins, 4), number_text(phase.ends, 4)
        direction = f"{phase.direction} until" if phase.direction != "level" else "level until"
        text = f"from {begins} to {ends}, medians of blocks of points"
        evidence.append([direction, *_point(series, phase.row), text])
    numbers = np.isfinite(series.value)
    facts: dict[str, Cell] = {
        "run": run_name(train_id),
        "tag": tag,
        "points": series.total,
        "trend": shape.trend.value,
        "noise": None if math.isnan(shape.noise) else float(f"{shape.noise:.3g}"),
        "anomalies": len(anomalies),
    }
    if len(series.step):
        facts["first step"] = int(series.step[0])
        facts["last step"] = int(series.step[-1])
    if not numbers.all():
        facts["NaN or infinite values"] = int((~numbers).sum())
    if series.superseded_count:
        facts["points replaced by restarts"] = series.superseded_count
    if len(series.writers) > 1:
        facts["files that wrote it at the same time"] = len(series.writers)
    named = Question("series", (train_id,), tag)
    return Answer(
        question=named.text,
        axis="evidence steps: last, min, max, anomalies worst first, then the course",
        units={**_UNITS, "noise": "standard deviation around the course"},
        facts=facts,
        columns=["evidence", "step", "value", "time", "detail"],
        rows=evidence[cut.rows],
        total=len(evidence),
        link=series_link(train_id, tag),
        missing=_missing(runs, train_id),
    )


def _evidence(series: ScalarTimeSeries, anomalies: Iterable[Anomaly]) -> Iterator[list[Cell]]:
    value = series.value
    if not len(value):
        return
    yield ["last", *_point(series, len(value) - 1), None]
    numbers = np.flatnonzero(~np.isnan(value))
    if len(numbers):
        yield ["min", *_point(series, int(numbers[value[numbers].argmin()])), None]
        yield ["max", *_point(series, int(numbers[value[numbers].argmax()])), None]
    for anomaly in sorted(anomalies, key=_worst_first):
        row = int(np.searchsorted(series.step, anomaly.step))
        row = min(row, len(value) - 1)
        name = anomaly.kind.value if anomaly.rule in {"", anomaly.kind} else anomaly.rule
        yield [name, *_point(series, row, anomaly.step), _anomaly_text(anomaly)]
    yield ["first", *_point(series, 0), None]


def _worst_first(anomaly: Anomaly) -> tuple[int, float, int]:
    return _WORST.index(severity_of(anomaly.kind).value), -abs(anomaly.size), anomaly.step


def _anomaly_text(anomaly: Anomaly) -> str:
    points = f"{anomaly.count:,} point{'s' * (anomaly.count != 1)}"
    parts = [
        severity_of(anomaly.kind).value,
        size_text(anomaly.kind, anomaly.size) or points,
        f"until step {anomaly.end_step:,}" if anomaly.end_step != anomaly.step else "",
        moved_text(anomaly.moved),
    ]
    return ", ".join(filter(None, parts))


def moved_text(moved: Sequence[Moved]) -> str:
    """The series that moved with an anomaly; empty without any."""
    shown = [f"{one.tag} ({_lead(one.lead)})" for one in moved[:_SHOWN_MOVED]]
    return f"moved with {', '.join(shown)}" if shown else ""


def _lead(lead: int) -> str:
    if lead == 0:
        return "same step"
    return f"{abs(lead):,} step{'s' * (abs(lead) != 1)} {'before' if lead > 0 else 'after'}"


def _point(series: ScalarTimeSeries, row: int, step: int | None = None) -> list[Cell]:
    """Step, value and time; without a value if the row is of another step."""
    at = int(series.step[row])
    if step is not None and step != at:
        return [step, None, None]
    return [at, shortest([series.value[row]])[0], utc(float(series.wall_time[row]))]


class _Around(NamedTuple):
    """A series near a step."""

    series: ScalarTimeSeries
    row: int
    """The nearest point."""
    moved: Moved | None


def around(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`around`: the points of one series, or what each series did.

    Raises TrainJobNotFound, NotFound if no series has a matching tag.
    """
    if abs(question.step) >= 2**63:
        raise InvalidQuery("Steps are less than 2^63.")
    train_id = runs.train_id(question.runs[0])
    every_tag = runs.store.list_tags(train_id).get(SCALAR_PLUGIN, ())
    tags = every_tag
    if question.tag is not None:
        tags = [runs.tag(train_id, question.tag)] if "\\" in question.tag else ()
        tags = tags or matching_tags(question.tag, every_tag)
    near = _near(runs, train_id, tags, question.step)
    named = Question("around", (train_id,), question.tag, question.step)
    facts: dict[str, Cell] = {"run": run_name(train_id), "step": question.step, "series": len(near)}
    facts["series that moved"] = sum(one.moved is not None for one in near.values())
    single = len(near) == 1 and question.tag is not None
    columns, rows = _points_around(near) if single else _series_around(near)
    steps = _steps_around(near)
    return Answer(
        question=named.text,
        axis=f"points by step, {AROUND} on either side"
        if single
        else "scalar series, the first to move first, then by tag",
        units={**_UNITS, "move": "change in units of the usual change before"},
        facts=facts,
        columns=columns,
        rows=rows[cut.rows],
        total=len(rows),
        link=series_link(train_id, next(iter(near)) if single else None, question.step, steps),
        missing=_missing(runs, train_id),
    )


def _near(runs: KnownRuns, train_id: str, tags: Sequence[str], step: int) -> dict[str, _Around]:
    near = {}
    for tag in tags:
        check()
        try:
            series = runs.store.read_scalars(train_id, tag)
        except TagUnreadable:
            raise
        except TagNotFound:  # deleted meanwhile
            continue
        if len(series.step):
            row = _nearest(series, step)
            moved = move(tag, series.step, series.value, int(series.step[row]))
            near[tag] = _Around(series, row, moved)
    return near


def _nearest(series: ScalarTimeSeries, step: int) -> int:
    """The row of the nearest step, of two the earlier one."""
    after = int(np.searchsorted(series.step, step))
    if after == 0:
        return 0
    if after == len(series.step):
        return after - 1
    before_is_nearer = step - int(series.step[after - 1]) <= int(series.step[after]) - step
    return after - 1 if before_is_nearer else after


def _points_around(near: Mapping[str, _Around]) -> tuple[list[str], list[list[Cell]]]:
    ((series, row, _),) = near.values()
    first, last = max(0, row - AROUND), min(len(series.step), row + AROUND + 1)
    rows = [[*_point(series, at), "nearest" if at == row else None] for at in range(first, last)]
    return ["step", "value", "time", "mark"], rows


def _series_around(near: Mapping[str, _Around]) -> tuple[list[str], list[list[Cell]]]:
    def order(tag: str) -> tuple[float, float, str]:
        moved = near[tag].moved
        return (math.inf, 0, tag) if moved is None else (-moved.lead, -abs(moved.size), tag)

    rows: list[list[Cell]] = []
    for tag in sorted(near, key=order):
        series, row, moved = near[tag]
        step, value, time = _point(series, row)
        before = shortest(series.value[max(0, row - 1) : row])
        after = shortest(series.value[row + 1 : row + 2])
        rows.append(
            [
                tag,
                step,
                value,
                before[0] if before else None,
                after[0] if after else None,
                time,
                None if moved is None else moved.step,
                None if moved is None else float(f"{moved.size:.3g}"),
            ]
        )
    return ["tag", "step", "value", "before", "after", "time", "moved at", "move"], rows


def _steps_around(near: Mapping[str, _Around]) -> tuple[int, int] | None:
    """The range of steps that shows the points around, of the series with the most points."""
    if not near:
        return None
    series, row, _ = max(near.values(), key=lambda one: len(one.series.step))
    last = len(series.step) - 1
    return int(series.step[max(0, row - AROUND)]), int(series.step[min(last, row + AROUND)])


def _missing(runs: KnownRuns, train_id: str) -> list[str]:
    problems = runs.store.train_job(train_id).problems
    return problem_lines(problems, Question("health", (train_id,)).text)


BUILDERS: Mapping[str, Callable[[KnownRuns, Question, Cut], Answer]] = {
    "series": described,
    "around": around,
}
