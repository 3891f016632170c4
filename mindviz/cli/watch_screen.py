"""The screen of `mindviz watch`: a moment of the logs as lines that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from mindviz.cli.quantities import count_text, printable, size_text
from mindviz.cli.sparkline import ASCII, BLOCKS, sparkline
from mindviz.cli.watched_logs import (
    MAX_SERIES,
    Watched,
    WatchedEvent,
    WatchedRun,
    WatchedSeries,
    worst_first,
)
from mindviz.datavisual.health.health_events import Severity
from mindviz.datavisual.series.number_text import number_text
from mindviz.datavisual.store import BaseStatus, LoadStatus
from mindviz.lineagemgr.run_table import RUNNING_WITHIN

_NO_LOGS = "No logs yet. New runs appear automatically."
_MOST_EVENTS = 5
_LAST = 11
"""Cells of the last value."""
_STEP = 10
_WITH_STEP = 60
"""Cells of a line with steps; narrower terminals show none."""
_COLORS = {Severity.SEVERE: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


@dataclass(frozen=True, slots=True)
class Layout:
    """How many lines each part gets."""

    runs: int
    series: int
    """Per run."""
    events: int


def fitted(height: int, runs: Sequence[int], events: int) -> Layout:
    """The layout of `height` lines for runs with these numbers of series.

    All runs with one series each come before a second series; the rest is for events.
    """
    lines = max(height - 2, 1)  # without head and foot
    shown_events = min(events, _MOST_EVENTS, max(0, lines // 4))
    lines -= shown_events + bool(shown_events)
    most = max(runs, default=0)
    for series in range(min(most, MAX_SERIES), 0, -1):
        if sum(1 + min(series, mine) for mine in runs) <= lines:
            return Layout(len(runs), series, shown_events)
    fitting, used = 0, 0
    for mine in runs:
        used += 1 + min(1, mine)
        if used > lines - 1:  # one for the number of other runs
            break
        fitting += 1
    return Layout(fitting, 1, shown_events)


def scrolled(key: str, first: int, shown: int, runs: int) -> int:
    """The place of the first run on the screen after a key."""
    page = max(1, shown)
    step = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -runs, "end": runs}
    return max(0, min(first + step.get(key, 0), runs - page))


@dataclass(frozen=True, slots=True)
class WatchScreen:
    """Draws `Watched`."""

    location: str
    ascii: bool = False
    """Whether the terminal's encoding has no block characters."""

    def lines(self, watched: Watched, now: float, width: int, height: int | None) -> list[Text]:
        """Lines of at most `width` cells; at most `height` lines, or everything."""
        layout = self.layout(watched, height)
        lines = [
            self._head(watched.status, width),
            *self._run_lines(watched, layout, now, width),
            *self._event_lines(watched.events, layout.events, width),
        ]
        if height is None:
            return lines
        return [*lines[: max(0, height - 1)], self._foot(watched, layout, width)][:height]

    def layout(self, watched: Watched, height: int | None) -> Layout:
        """How the runs and events share `height` lines."""
        series = [len(run.series) for run in watched.runs]
        if height is None:
            return Layout(len(series), MAX_SERIES, len(watched.events))
        others = watched.status.train_jobs > watched.first + len(series)
        return fitted(height - others, series, len(watched.events))

    def all_lines(
        self, status: BaseStatus, pages: Iterable[Watched], now: float, width: int
    ) -> Iterator[Text]:
        """Everything, with one page of runs in memory at a time."""
        yield self._head(status, width)
        events: list[WatchedEvent] = []
        for page in pages:
            yield from self.run_lines(page.runs, now, width)
            events += page.events
        if not status.train_jobs:
            yield _text((_NO_LOGS, ""), width=width)
        worst = worst_first(events)
        yield from self._event_lines(worst, len(worst), width)

    def _foot(self, watched: Watched, layout: Layout, width: int) -> Text:
        total = watched.status.train_jobs
        shown = min(layout.runs, len(watched.runs))
        if shown >= total:
            return _text(("q quit", "dim"), width=width)
        arrows = "up/down" if self.ascii else "↑↓"
        place = f"{watched.first + 1:,} to {watched.first + shown:,} of {total:,}"
        return _text((f"q quit  {arrows} PgUp PgDn Home End scroll  {place}", "dim"), width=width)

    def run_lines(
        self, runs: Sequence[WatchedRun], now: float, width: int, series: int = MAX_SERIES
    ) -> Iterator[Text]:
        """Each run with this many of its series."""
        for run in runs:
            yield self._run(run, now, width)
            for one in run.series[:series]:
                yield self._series(one, width)

    def _head(self, status: BaseStatus, width: int) -> Text:
        counts = f"{count_text(status.train_jobs, 'run')}, {count_text(status.points, 'point')}"
        if status.load_status != LoadStatus.LOADED and status.bytes_read < status.bytes:
            counts = (
                f"Loading {size_text(status.bytes_read)} of {size_text(status.bytes)}, {counts}"
            )
        room = max(0, width - cell_len(counts) - 2)
        name = _cut(printable(self.location, max(room, 20)), room)
        return _text((name, "bold"), ("  " + counts, "dim"), width=width)

    def _run_lines(
        self, watched: Watched, layout: Layout, now: float, width: int
    ) -> Iterator[Text]:
        if not watched.runs:
            loaded = watched.status.load_status == LoadStatus.LOADED
            note = _NO_LOGS if loaded else "Loading..."
            yield _text((note, ""), width=width)
        yield from self.run_lines(watched.runs[: layout.runs], now, width, layout.series)
        shown = min(layout.runs, len(watched.runs))
        others = watched.status.train_jobs - watched.first - shown
        if others > 0:
            yield _text((f"{count_text(others, 'more run')}", "dim"), width=width)

    def _run(self, run: WatchedRun, now: float, width: int) -> Text:
        age = now - run.update_time
        running = age < RUNNING_WITHIN and not run.ended
        mark = ("*" if self.ascii else "●") if running else " "
        facts = [_ago(age)]
        if run.events:
            facts.insert(0, count_text(len(run.events), "event"))
        if run.tags > len(run.series):
            facts.insert(0, count_text(run.tags, "tag"))
        right = ", ".join(facts)
        name = printable(run.train_id.removeprefix("./") or ".", 200)
        room = max(8, width - cell_len(right) - 4)
        return _text(
            (f"{mark} ", "green"),
            (set_cell_size(_cut(name, room, self.ascii), room), "bold" if running else ""),
            ("  " + right, "dim"),
            width=width,
        )

    def _series(self, series: WatchedSeries, width: int) -> Text:
        name_width = max(8, min(32, width * 2 // 5))
        name = set_cell_size(_cut(printable(series.tag, 200), name_width, self.ascii), name_width)
        last = number_text(series.last, 4).rjust(_LAST)
        step = f"{series.last_step:,} ".rjust(_STEP + 1) if width >= _WITH_STEP else ""
        room = width - name_width - _LAST - len(step) - 4
        levels = ASCII if self.ascii else BLOCKS
        return _text(
            (f"  {name} {last} {step}", ""),
            (sparkline(series.values, room, levels), "cyan"),
            width=width,
        )

    def _event_lines(
        self, events: Sequence[WatchedEvent], count: int, width: int
    ) -> Iterator[Text]:
        if not count:
            return
        yield _text((f"{count_text(len(events), 'event')}", "bold"), width=width)
        for event in events[:count]:
            run = printable(event.train_id.removeprefix("./") or ".", 40)
            text = f"  {run}: {event.text}"
            yield _text((_cut(text, width, self.ascii), _COLORS[event.severity]), width=width)


def _text(*parts: tuple[str, str], width: int) -> Text:
    text = Text.assemble(*parts, no_wrap=True)
    text.truncate(width)
    return text


def _cut(text: str, width: int, ascii_only: bool = False) -> str:  # noqa: FBT001, FBT002
    """The text in at most `width` cells, with an ellipsis if it is cut."""
    if cell_len(text) <= width:
        return text
    mark = "..." if ascii_only else "…"
    return set_cell_size(text, max(0, width - len(mark))).rstrip() + mark[:width]


def _ago(seconds: float) -> str:
    """`5 s ago`, `3 min ago`, `2 h ago`, `4 d ago`."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit} ago"
    return f"{max(0, seconds):.0f} s ago"


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Print without wrapping."""
    for line in lines:
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
