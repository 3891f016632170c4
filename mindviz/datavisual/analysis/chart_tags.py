"""Chart tags: which series the charts of a logged layout show.

A layout can contain any number of charts and expressions. Search time and number of tags per
answer are bounded; a chart reports what was cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mindviz.datavisual.series.time_series import LayoutCategory, LayoutChart
from mindviz.errors import InvalidQuery
from mindviz.expression import Expression

SEARCH_SECONDS = 0.5
"""CPU time per answer for compiling expressions and matching tags."""
MAX_TAGS = 200_000
"""Tags per answer, over all charts and train jobs."""
MAX_PROBLEMS = 20
"""Error messages per chart."""
OUT_OF_TIME = (
    f"Incomplete: matching the expressions of these charts takes more than {SEARCH_SECONDS} s."
)
TOO_MANY_TAGS = f"Incomplete: the charts of all layouts show more than {MAX_TAGS:,} series."


@dataclass(frozen=True, slots=True)
class ChartTags:
    """What a chart shows."""

    chart: LayoutChart
    tags: Mapping[str, Sequence[str]]
    """Line charts: train_id -> tags; only jobs with a match."""
    margins: Mapping[str, Sequence[tuple[str, str, str]]]
    """Margin charts: train_id -> tags of value, lower and upper bound; only complete ones."""
    problems: tuple[str, ...]
    """Invalid expressions, and what is missing because a bound was reached."""


def merged_categories(layouts: Iterable[Sequence[LayoutCategory]]) -> list[LayoutCategory]:
    """Merge the categories of several layouts by title, without duplicate charts."""
    charts: dict[str, dict[LayoutChart, None]] = {}
    closed: dict[str, bool] = {}
    for layout in layouts:
        for category in layout:
            charts.setdefault(category.title, {}).update(dict.fromkeys(category.charts))
            closed.setdefault(category.title, category.closed)
    return [LayoutCategory(title, tuple(items), closed[title]) for title, items in charts.items()]


class ChartSearch:
    """Finds the series of charts within the bounds of one answer."""

    def __init__(
        self,
        tags: Mapping[str, Sequence[str]],
        *,
        max_tags: int = MAX_TAGS,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        """`tags` are the scalar tags by train_id; `clock` returns CPU seconds."""
        self._tags = tags
        self._known = {train_id: frozenset(listed) for train_id, listed in tags.items()}
        self._left = max_tags
        self._clock = clock
        self._end = clock() + SEARCH_SECONDS

    def of(self, chart: LayoutChart) -> ChartTags:
        """The series of a chart, as far as the bounds allow."""
        problems: dict[str, None] = {}
        expressions = self._compiled(chart.expressions, problems)
        matches: dict[str, bool] = {}  # most jobs have the same tags
        tags: dict[str, Sequence[str]] = {}
        margins: dict[str, Sequence[tuple[str, str, str]]] = {}
        for train_id, listed in self._tags.items():
            if self._out_of_time(problems):
                break
            if expressions:
                shown = self._matching(listed, expressions, matches, problems)
                if shown:
                    tags[train_id] = shown
            if chart.margins:
                tag_set = self._known[train_id]
                bands = [margin for margin in chart.margins if tag_set.issuperset(margin)]
                if bands := bands[: self._granted(len(bands) * 3, problems) // 3]:
                    margins[train_id] = bands
        return ChartTags(chart, tags, margins, tuple(problems))

    def _compiled(self, texts: Iterable[str], problems: dict[str, None]) -> list[Expression]:
        expressions = []
        for text in texts:
            if self._out_of_time(problems):
                break
            try:
                Expression(text)  # validates, so that the error quotes the expression as logged
                expressions.append(Expression(f"^(?:{text})"))
            except InvalidQuery as error:
                if len(problems) < MAX_PROBLEMS:
                    problems[str(error)] = None
        return expressions

    def _matching(
        self,
        listed: Sequence[str],
        expressions: Sequence[Expression],
        matches: dict[str, bool],
        problems: dict[str, None],
    ) -> list[str]:
        shown = []
        for tag in listed:
            if tag not in matches:
                if self._out_of_time(problems):
                    break
                matches[tag] = any(expression.search(tag) for expression in expressions)
            if matches[tag]:
                shown.append(tag)
        return shown[: self._granted(len(shown), problems)]

    def _out_of_time(self, problems: dict[str, None]) -> bool:
        out = self._clock() > self._end
        if out:
            problems[OUT_OF_TIME] = None
        return out

    def _granted(self, count: int, problems: dict[str, None]) -> int:
        """How many of these tags fit into the answer."""
        granted = min(count, self._left)
        self._left -= granted
        if granted < count:
            problems[TOO_MANY_TAGS] = None
        return granted
