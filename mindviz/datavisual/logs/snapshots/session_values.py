"""Last values of hparams sessions, for series that other files of the train job hold, too.

They are usually set aside from the line of the series, but are metrics of the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindviz.datavisual.logs.snapshots.catalog import Catalog
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.series.lineage_facts import MetricValue
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN

_MOST_VALUES = 10_000
"""They stay in memory; no writer declares more metrics."""


def session_values(files: Sequence[FileSnapshot], catalog: Catalog) -> dict[str, MetricValue]:
    """The last value of each scalar series by tag. Needs no columns."""
    found: dict[str, MetricValue] = {}
    for tag, entry in catalog.entries.get(SCALAR_PLUGIN, {}).items():
        if len(entry.refs) < 2 or len(found) == _MOST_VALUES:
            continue
        values = []
        for ref in entry.refs:
            stats, row = files[ref.file].totals.stats, ref.series
            if files[ref.file].is_hparams_session:
                last = float(stats.last[row]), int(stats.last_step[row])
                values.append(MetricValue(*last, float(stats.last_wall_time[row])))
        if values:
            found[tag] = max(values, key=lambda value: value.wall_time or 0.0)
    return found
