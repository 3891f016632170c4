"""Encodes hyperparameters as TensorBoard's hparams plugin logs them: as metadata.

Source: tensorboard/plugins/hparams/{plugin_data,api}.proto, summary_v2.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from mindviz.datavisual.series.lineage_facts import Fact, LineageFacts, MetricTag
from mindviz.wire.encode import delimited, double_field, varint_field
from mindviz.wire.encode_tensorboard_plugins import hparams_entries

EXPERIMENT = "_hparams_/experiment"
SESSION_START = "_hparams_/session_start_info"
SESSION_END = "_hparams_/session_end_info"

_STATUS = {"unknown": 0, "success": 1, "failure": 2, "running": 3}


def hparams_contents(facts: LineageFacts, start_time: float) -> Mapping[str, bytes]:
    """Tag -> HParamsPluginData of a job's facts; empty if there are none.

    MindSpore's lineage counts as hyperparameters, too.
    """
    values = facts.all_hyper_parameters()
    contents = {}
    if facts.metric_tags:
        contents[EXPERIMENT] = delimited(2, _experiment(facts.metric_tags))
    if values:
        contents[SESSION_START] = delimited(3, _session_start(values, start_time))
    if facts.session_status:
        contents[SESSION_END] = delimited(4, varint_field(1, _STATUS[facts.session_status]))
    return contents


def _experiment(metrics: tuple[MetricTag, ...]) -> bytes:
    """Experiment: metric_infos 5, each a MetricInfo: name 1 (group 1, tag 2)."""
    return b"".join(
        delimited(
            5, delimited(1, delimited(1, one.group.encode()) + delimited(2, one.tag.encode()))
        )
        for one in metrics
    )


def _session_start(values: Mapping[str, Fact], start_time: float) -> bytes:
    """SessionStartInfo: hparams 1 (a map), group_name 4, start_time_secs 5."""
    entries = hparams_entries(
        {
            name: value if isinstance(value, int | float | str) else str(value)
            for name, value in values.items()
        }
    )
    # Jobs with equal hyperparameters are one group, as TensorBoard's writer makes them.
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    group = sha256(text.encode()).hexdigest()
    return entries + delimited(4, group.encode()) + double_field(5, start_time)
