"""CheckedLogs: the anomalies in a log directory, read once; also the schema of their JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from mindviz import __version__
from mindviz.cli.loading import load_all
from mindviz.cli.missing_logs import why_no_logs
from mindviz.cli.quantities import count_text, printable
from mindviz.config import Config
from mindviz.datavisual.health.event_sizes import size_text
from mindviz.datavisual.health.health_events import (
    LogEvent,
    SeriesEvent,
    Severity,
    log_events,
    series_events,
)
from mindviz.datavisual.health.kept_checks import Anomalies, KeptChecks
from mindviz.datavisual.health.rules import Rules
from mindviz.datavisual.health.rules_file import read_rules
from mindviz.datavisual.health.run_anomalies import run_anomalies
from mindviz.datavisual.logs.directories.discovery import readable
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.errors import StartError
from mindviz.gc_control import gc_paused

_SHOWN_MOVED = 3


@dataclass(frozen=True, slots=True)
class CheckedLogs:
    """All events of a base dir."""

    summary_base_dir: str
    train_jobs: int
    points: int
    events: tuple[tuple[str, SeriesEvent], ...]
    """Train ids and events, by train id, worst first."""
    problems: tuple[tuple[str | None, LogEvent], ...]
    """Damage in log files, likewise; train_id is None for the base dir."""

    def fails(self, fail_on: str) -> bool:
        """Whether there is an event of this severity or worse, or data is lost."""
        if fail_on == "never":
            return False
        order = list(Severity)
        worst = order.index(Severity(fail_on))
        return any(order.index(event.severity) <= worst for _, event in self.events) or any(
            event.severity is Severity.SEVERE for _, event in self.problems
        )

    def as_json(self) -> dict[str, Any]:
        """Plain values, without infinities."""
        return {
            "mindviz_version": __version__,
            "summary_base_dir": self.summary_base_dir,
            "train_jobs": self.train_jobs,
            "points": self.points,
            "events": [{"train_id": train_id, **asdict(event)} for train_id, event in self.events],
            "problems": [
                {"train_id": train_id, **asdict(event)} for train_id, event in self.problems
            ],
        }


@gc_paused()
def check_logs(config: Config, *, native: bool) -> CheckedLogs:
    """Load all logs in the base dir and evaluate the rules. Raises StartError."""
    base_dir = config.summary_base_dir
    rules = read_rules(config.rules_file, base_dir)
    store = LogStore(config, scanner=None if native else "python")
    load_all(store)
    # Without decoding runs that are unchanged and have no problems.
    jobs = sorted(store.job_versions(), key=lambda job: job.train_id)
    if not jobs:
        raise StartError(f"There is nothing to check. {why_no_logs([base_dir])}")
    checks = KeptChecks(store, rules)
    events = [
        (job.train_id, event)
        for job in jobs
        for event in series_events(_anomalies(store, job.train_id, rules, checks))
    ]
    checks.save(now=True)
    return CheckedLogs(
        readable(str(base_dir)),
        len(jobs),
        store.status().points,
        tuple(events),
        (
            *((None, event) for event in log_events(store.status().problems)),
            *(
                (job.train_id, event)
                for job in jobs
                if job.problems
                for event in log_events(store.train_job(job.train_id).problems)
            ),
        ),
    )


def _anomalies(store: LogStore, train_id: str, rules: Rules, checks: KeptChecks) -> Anomalies:
    return checks.anomalies(train_id, lambda: run_anomalies(store, train_id, rules))


def event_lines(checked: CheckedLogs) -> Iterator[str]:
    """One line per event, then totals."""
    for train_id, event in checked.events:
        yield f"{printable(train_id)}: {event_text(event)}"
    for job, problem in checked.problems:
        detail = printable(problem.detail, 300)
        where = printable(job or problem.path)
        yield f"{where}: {problem.severity.value}, {problem.kind}: {detail}"
    yield (
        f"{count_text(checked.train_jobs, 'run')}, {count_text(checked.points, 'point')}, "
        f"{count_text(len(checked.events), 'event')}"
        + (f", {count_text(len(checked.problems), 'problem')}" if checked.problems else "")
    )


def event_text(event: SeriesEvent) -> str:
    """One line without control characters."""
    tag = printable(event.places[0].tag)
    others = f" and {event.tags - 1} more" if event.tags > 1 else ""
    steps = f"step {event.step}"
    if event.end_step != event.step:
        steps = f"steps {event.step} to {event.end_step}"
    name = event.kind if event.rule in {"", event.kind} else f"{event.rule} ({event.kind})"
    times = f" ({event.times} times)" if event.times > 1 else ""
    text = f"{event.severity.value}, {name} in {tag}{others} at {steps}{times}"
    if size := size_text(event.kind, max(event.size, key=abs)):
        text += f", {size}"
    first = [f"{printable(one.tag)} ({_lead(one.lead)})" for one in event.moved[:_SHOWN_MOVED]]
    return text + (f"; moved with {', '.join(first)}" if first else "")


def _lead(lead: int) -> str:
    if lead == 0:
        return "same step"
    steps = count_text(abs(lead), "step")
    return f"{steps} {'before' if lead > 0 else 'after'}"
