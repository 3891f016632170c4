"""The answer about health: damage in log files and anomalies in series, worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mindviz.asking.answer import Answer, Cell, Cut
from mindviz.asking.known_runs import KnownRuns, problem_lines, unchecked_lines
from mindviz.asking.log_text import run_name
from mindviz.asking.page_link import health_link
from mindviz.asking.question import Question
from mindviz.asking.series_answers import moved_text
from mindviz.datavisual.health.event_order import HealthEvent
from mindviz.datavisual.health.event_sizes import size_text
from mindviz.datavisual.health.health_events import (
    LogEvent,
    SeriesEvent,
    Severity,
    log_events,
    series_events,
)


def health(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`health`: of all runs, or of one. Raises TrainJobNotFound."""
    return _of_run(runs, question.runs[0], cut) if question.runs else _of_all(runs, cut)


def _of_all(runs: KnownRuns, cut: Cut) -> Answer:
    wanted = cut.rows
    limit = wanted.stop - wanted.start
    page = runs.health.page(offset=wanted.start, limit=limit, wait=runs.patience)
    missing = unchecked_lines(page)
    if page.unlisted:
        missing.append(f"{page.unlisted:,} issues are counted but not listed.")
    facts: dict[str, Cell] = {"runs": page.jobs, "checked runs": page.looked_into}
    facts |= _severities(page.severities)
    if page.diverged:
        facts["diverged runs"] = len(page.diverged)
    rows = [_row(train_id, event) for train_id, event in page.events]
    return _answer(Question("health"), facts, rows, page.total, missing)


def _of_run(runs: KnownRuns, name: str, cut: Cut) -> Answer:
    """Without the other runs, which take long to list if there are many."""
    train_id = runs.train_id(name)
    problems = runs.store.train_job(train_id).problems
    events: list[HealthEvent] = [
        *log_events(problems),
        *series_events(runs.health.anomalies(train_id)),
    ]
    order = list(Severity)
    events.sort(key=lambda event: order.index(event.severity))
    counts = Counter(event.severity for event in events)
    rows = [_row(train_id, event) for event in events[cut.rows]]
    missing = problem_lines(problems, "see the rows")
    severities = {severity: counts[severity] for severity in Severity}
    question = Question("health", (train_id,))
    return _answer(question, _severities(severities), rows, len(events), missing)


def _severities(counts: Mapping[Severity, int]) -> dict[str, Cell]:
    return {f"{severity.value} issues": count for severity, count in counts.items()}


def _answer(
    question: Question,
    facts: Mapping[str, Cell],
    rows: Sequence[Sequence[Cell]],
    total: int,
    missing: Sequence[str],
) -> Answer:
    return Answer(
        question=question.text,
        axis="issues, worst first, then by run",
        units={"step": "as logged", "count": "occurrences"},
        facts=facts,
        columns=["severity", "issue", "run", "where", "step", "last step", "count", "detail"],
        rows=rows,
        total=total,
        link=health_link(*question.runs),
        missing=missing,
    )


def _row(train_id: str | None, event: LogEvent | SeriesEvent) -> list[Cell]:
    run = None if train_id is None else run_name(train_id)
    begin = [event.severity.value, event.kind.value, run]
    if isinstance(event, LogEvent):
        return [*begin, event.path, None, None, event.count, event.detail]
    tag = event.places[0].tag
    more = f" and {event.tags - 1:,} more" if event.tags > 1 else ""
    details = [
        f"rule {event.rule}" if event.rule not in {"", event.kind} else "",
        size_text(event.kind, max(event.size, key=abs)),
        moved_text(event.moved),
    ]
    detail = ", ".join(filter(None, details))
    return [*begin, f"{tag}{more}", event.step, event.end_step, event.times, detail]
