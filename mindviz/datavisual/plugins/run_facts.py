"""Run facts: lineage of a train job, as a series of one JSON blob per kind."""

from __future__ import annotations

from collections.abc import Sequence

from mindviz.datavisual.analysis.run_facts import fact_blob, fact_series, facts_of
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.series_view import ValuesView
from mindviz.datavisual.series.time_series import DataClass, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound


def tags(store: Store, train_id: str) -> Sequence[str]:
    """The kinds of facts that the job's log has. Raises TrainJobNotFound."""
    return list(facts_of(store.read_lineage(train_id)))


def series(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValueTimeSeries:
    """The fact as JSON, at step 0. Raises TrainJobNotFound, TagNotFound, InvalidQuery."""
    job = store.read_lineage(train_id)
    known = facts_of(job)
    if tag not in known:
        raise TagNotFound(train_id, PLUGIN.name, tag, known)
    return fact_series(job, fact_blob(known[tag]), writer)


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The fact itself. Raises as `series`."""
    found = series(store, train_id, tag, writer)
    fact = facts_of(store.read_lineage(train_id)).get(tag)
    return ValuesView.of(found, ("fact",), lambda _: {"fact": fact})


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The fact as the one element of `data`. Raises as `series`."""
    found = series(store, train_id, tag, writer)
    fact = facts_of(store.read_lineage(train_id)).get(tag)
    return ValuesView.of(found, ("data",), lambda _: {"data": [fact]})


PLUGIN = Plugin(
    "run_facts",
    "/run_facts",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values},
    tags=tags,
    series=series,
    names=(),
)
