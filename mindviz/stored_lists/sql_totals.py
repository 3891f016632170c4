"""Counts of all runs in a database, and their states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, literal, not_, select, true

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.run_sums import Groups, RunSums
from mindviz.datavisual.sql.tables import RUNS
from mindviz.lineagemgr.run_table import ENDS, OVER_AFTER, RUNNING_WITHIN, STATES
from mindviz.stored_lists.sql_columns import States
from mindviz.stored_lists.sql_comparisons import Condition as Sql

Kept = Callable[[Hashable, Callable[[], Any]], Any]
"""What a function reads, kept by its key until the experiment changes."""


class Totals(NamedTuple):
    """Counts of runs with one combination of formats and one status of the session."""

    formats: str
    session_status: str | None
    runs: int
    with_lineage: int
    display_names: int
    files: int


_HAS_ENDED = func.coalesce(RUNS.c.session_status, "").in_(list(ENDS))


def run_totals() -> RunSums:
    """What `totals_in` takes; to read it for the first time takes reading the rows of all runs."""
    return RunSums(
        (RUNS.c.formats, RUNS.c.session_status),
        (
            case((RUNS.c.lineage_files > 0, 1), else_=0),
            case((RUNS.c.display_name != "", 1), else_=0),
            RUNS.c.files,
        ),
    )


def totals_in(groups: Groups) -> list[Totals]:
    """Counts of all runs."""
    return [Totals(formats or "", status, *sums) for (formats, status), sums in groups.items()]


def states_at(now: float) -> States:
    """The state of each run, which depends on the time."""
    silent = literal(now) - RUNS.c.update_time
    status = func.coalesce(RUNS.c.session_status, "")
    return States(
        [
            (status == "success", "finished"),
            (status == "failure", "failed"),
            (silent < RUNNING_WITHIN, "running"),
            (silent < OVER_AFTER, "stalled"),
            (true(), "finished"),
        ],
        # A second more, because differences are rounded.
        RUNS.c.update_time > now - OVER_AFTER - 1,
        ("running", "stalled"),
    )


def count_states(
    connection: Connection, ours: Sql, totals: Sequence[Totals], states: States
) -> Counter[Value]:
    """The number of runs in each state."""
    counts: Counter[Value] = Counter(dict.fromkeys(STATES, 0))
    for counted in totals:
        end = ENDS.get(counted.session_status or "", STATES.index("finished"))
        counts[STATES[end]] += counted.runs
    # Only those that were updated lately have another state.
    code = states.code
    recent = select(code, func.count()).where(ours, states.is_recent, not_(_HAS_ENDED))
    for place, runs in connection.execute(recent.group_by(code)):
        counts[states.values[place][1]] += runs
        counts["finished"] -= runs
    return counts
