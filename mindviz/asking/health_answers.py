"""The answer about health: damage in log files and anomalies in series, worst first."""

from __future__ import annotations

from mindviz.asking.answer import Answer, Cell, Cut
from mindviz.asking.known_runs import KnownRuns, problem_lines
from mindviz.asking.log_text import run_name
from mindviz.asking.page_link import health_link
from mindviz.asking.question import Question
from mindviz.asking.series_answers import moved_text
from mindviz.datavisual.health.event_sizes import size_text
from mindviz.datavisual.health.health_events import LogEvent, SeriesEvent

_WAIT = 20.0
"""Seconds that an answer waits for the analysis of runs."""


def health(runs: KnownRuns, question: Question, cut: Cut) -> Answer:
    """`health`: of all runs, or of one. Raises TrainJobNotFound."""
    train_ids = [runs.train_id(name) for name in question.runs]
    wanted = cut.rows
    page = runs.health.page(
        train_ids, offset=wanted.start, limit=wanted.stop - wanted.start, wait=_WAIT
    )
    facts: dict[str, Cell] = {"runs": page.jobs, "analyzed runs": page.looked_into}
    for severity, count in page.severities.items():
        facts[f"{severity.value} issues"] = count
    if page.diverged:
        facts["runs with NaN or infinite values"] = len(page.diverged)
    missing = []
    if page.looked_into < page.jobs:
        missing.append(
            f"{page.jobs - page.looked_into:,} runs are not analyzed yet: repeat the question."
        )
    if page.unlisted:
        missing.append(f"{page.unlisted:,} issues are counted but not listed.")
    if train_ids:
        problems = runs.store.train_job(train_ids[0]).problems
        missing += problem_lines(problems, "see the rows")
    named = Question("health", tuple(train_ids))
    return Answer(
        question=named.text,
        axis="issues, worst first, then by run",
        units={"step": "as logged", "count": "occurrences"},
        facts=facts,
        columns=["severity", "issue", "run", "where", "step", "last step", "count", "detail"],
        rows=[_row(train_id, event) for train_id, event in page.events],
        total=page.total,
        link=health_link(train_ids[0] if train_ids else None),
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
