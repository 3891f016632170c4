"""ComparedLogs: the runs of an open source, ready to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from mindviz.client.log_source import LogSource
from mindviz.client.names import full_train_id
from mindviz.client.series_selection import CONTEXT, EXPERIMENT_ID
from mindviz.datavisual.analysis.parameter_names import LOGGED
from mindviz.errors import TrainJobNotFound
from mindviz.export.lineage_columns import lineage_columns
from mindviz.lineagemgr.run_parity import ComparedRun, config_of


class ComparedLogs:
    """The runs of one side of a comparison."""

    def __init__(self, source: LogSource) -> None:
        """The caller closes the source."""
        self._source = source

    @cached_property
    def train_ids(self) -> Sequence[str]:
        """Sorted."""
        provider = self._source.provider
        runs = provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID)
        return sorted(run.train_id for run in runs)

    def train_id(self, name: str) -> str:
        """The id of a run; `./` is optional in `name`. Raises TrainJobNotFound."""
        train_id = full_train_id(name)
        if train_id not in self.train_ids:
            raise TrainJobNotFound(train_id, self.train_ids)
        return train_id

    def run(self, train_id: str) -> ComparedRun:
        """One run. Raises what reading raises."""
        fields = self._lineages.get(train_id, {})
        user_defined = {
            name.removeprefix(LOGGED): value
            for name, value in fields.items()
            if name.startswith(LOGGED)
        }
        return ComparedRun(self._source.run(train_id), config_of(fields, user_defined))

    @cached_property
    def _lineages(self) -> Mapping[str, Mapping[str, Any]]:
        columns = lineage_columns(self._source.lineage([], []))
        cells = zip(*(column.cells for column in columns.values()), strict=True)
        rows = [dict(zip(columns, row, strict=True)) for row in cells]
        return {row["train_id"]: row for row in rows}
