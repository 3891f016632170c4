"""Counts of all runs in a database, and their states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, case, func, literal, not_, select, true

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.tables import RUNS
from mindviz.lineagemgr.run_table import ENDS, OVER_AFTER, RUNNING_WITHIN, STATES
from mindviz.stored_lists.sql_columns import States
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_ascii

Kept = Callable[[Hashable, Callable[[], Any]], Any]
"""What a function reads, kept by its key until the experiment changes."""


class Totals(NamedTuple):
    """Counts of runs with one combination of formats and one status of the session."""

    formats: str
    session_status: str | None
    runs: int
    with_lineage: int
    display_names: int
    other_names: int
    """Of `train_id`, not in ASCII."""
    files: int


_HAS_ENDED = func.coalesce(RUNS.c.session_status, "").in_(list(ENDS))


def select_recent(ours: Sql, states: States, most: int) -> Select[Any]:
    """The keys and states of the runs whose state depends on the time, in order."""
    recent = select(RUNS.c.run_id, states.code).where(ours, states.is_recent, not_(_HAS_ENDED))
    return recent.order_by(RUNS.c.run_id).limit(most)


def read_totals(connection: Connection, ours: Sql) -> list[Totals]:
    """Counts of all runs, which take reading their rows."""
    keys = RUNS.c.formats, RUNS.c.session_status
    counted = (
        case((RUNS.c.lineage_files > 0, 1), else_=0),
        case((RUNS.c.display_name != "", 1), else_=0),
        case((is_ascii(connection, RUNS.c.train_id), 0), else_=1),
        RUNS.c.files,
    )
    sums = (func.coalesce(func.sum(column), 0) for column in counted)
    query = select(*keys, func.count(), *sums).where(ours).group_by(*keys)
    return [Totals(formats or "", *row) for formats, *row in map(tuple, connection.execute(query))]


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
