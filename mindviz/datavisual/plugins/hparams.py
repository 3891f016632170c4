"""Hyperparameters of train jobs, and groups of jobs that share them.

A session is one blob at step 0, made of the job's lineage in any format.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from mindviz.datavisual.analysis.run_facts import fact_blob, fact_series
from mindviz.datavisual.analysis.session_groups import (
    Session,
    metric_tags,
    session_groups,
    session_of,
)
from mindviz.datavisual.payloads.hparams_message import hparams_contents
from mindviz.datavisual.payloads.lineage_message import tensorboard_hparams
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.generic_name import GenericName
from mindviz.datavisual.series.series_view import ValuesView
from mindviz.datavisual.series.time_series import DataClass, Tensor, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

NAME = "hparams"
TAG = "session"


def tags(store: Store, train_id: str) -> Sequence[str]:
    """The session of a job with hyperparameters. Raises TrainJobNotFound.

    The tags of TensorBoard's plugin also find it.
    """
    return [TAG] if store.read_lineage(train_id).facts.all_hyper_parameters() else []


def series(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValueTimeSeries:
    """The session as JSON, at step 0. Raises TrainJobNotFound, TagNotFound, InvalidQuery."""
    session = _described(_session(store, train_id, tag))
    return fact_series(store.read_lineage(train_id), fact_blob(session), writer)


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The session. Raises as `series`."""
    session = _described(_session(store, train_id, tag))
    session_series = series(store, train_id, tag, writer)
    # Answers about one job already contain its id.
    columns = tuple(name for name in session if name != "train_id")
    return ValuesView.of(session_series, columns, lambda _: session)


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The same as the one element of `data`. Raises as `series`."""
    session = _described(_session(store, train_id, tag))
    session_series = series(store, train_id, tag, writer)
    return ValuesView.of(session_series, ("data",), lambda _: {"data": [session]})


def overview(store: Store, train_ids: Collection[str] | None) -> Mapping[str, object]:
    """The session groups of these train jobs, or of all for None."""
    groups = session_groups(store, train_ids)
    return {
        "hyper_parameters": [asdict(item) for item in groups.hyper_parameters],
        "metrics": list(groups.metrics),
        "session_groups": [
            {
                "name": group.name,
                "hyper_parameters": dict(group.hyper_parameters),
                "metrics": {name: asdict(item) for name, item in group.metrics.items()},
                "sessions": [_described(session) for session in group.sessions],
            }
            for group in groups.groups
        ],
    }


def _session(store: Store, train_id: str, tag: str) -> Session:
    job = store.read_lineage(train_id)
    session = None
    if tag == TAG or tag in store.list_tags(train_id).get(PLUGIN.name, ()):
        session = session_of(store, job, metric_tags(store.list_lineages()))
    if session is None:
        raise TagNotFound(train_id, PLUGIN.name, tag, tags(store, train_id))
    return session


def _described(session: Session) -> dict[str, object]:
    return {
        "train_id": session.train_id,
        "group": session.group,
        "hyper_parameters": dict(session.hyper_parameters),
        "metrics": {name: asdict(metric) for name, metric in session.metrics.items()},
        "status": session.status,
        "start_time": session.start_time,
        "end_time": session.end_time,
    }


PLUGIN = Plugin(
    NAME,
    "/hparams",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values},
    tags=tags,
    series=series,
    overview=overview,
    names=(
        GenericName(
            NAME,
            DataClass.TENSOR,
            fields=("hparam",),
            # Everything is in the metadata.
            from_proto=lambda _: Tensor(np.empty(0, np.float32), "DT_FLOAT32"),
            lineage=tensorboard_hparams,
            facts=hparams_contents,
        ),
    ),
)
