"""Run metadata: on which devices a step of TensorFlow ran, how many nodes were timed, how long.

The graphs in it are profiles: see `graph`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindviz.datavisual.payloads.graph_message import run_metadata
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.generic_name import GenericName, only_blob
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import DataClass, LoggedGraph, ValueTimeSeries


@logged_view("size", "devices", "nodes", "micros")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's `devices`, `nodes` and `micros`; `size`: the blob itself is the only one.

    `devices` are names, `nodes` how many node runs were timed, `micros` the microseconds that they
    computed in all: devices work at the same time, so a step took less.
    """
    metadata: Any = read_as(series, row, LoggedGraph, "run metadata").content
    devices = metadata.step_stats.dev_stats
    timed = [stats for device in devices for stats in device.node_stats]
    return {
        "size": [1],
        "devices": [device.device for device in devices],
        "nodes": len(timed),
        "micros": sum(max(0, one.op_end_rel_micros - one.op_start_rel_micros) for one in timed),
    }


PLUGIN = Plugin(
    "run_metadata",
    "/run_metadata",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": view},
    names=tuple(
        GenericName(
            name,
            DataClass.BLOB_SEQUENCE,
            fields=fields,
            variety="profile",
            ranks=range(2),
            from_blobs=only_blob(run_metadata),
        )
        for name, fields in (
            ("graph_run_metadata", ()),
            ("graph_tagged_run_metadata", ("tagged_run_metadata",)),
        )
    ),
)
