"""Run: one run of open logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mindviz.client.charts import XAxis
from mindviz.client.html_tables import run_html
from mindviz.client.log_source import LogSource

if TYPE_CHECKING:
    from mindviz.client.names import Names
    from mindviz.notebook.chart import ScalarChart


class Run:
    """One run of `Logs`; a notebook shows its config, results and data."""

    train_id: str
    """Its id, with `./`."""

    def __init__(self, source: LogSource, train_id: str, chart: Callable[..., ScalarChart]) -> None:
        """`chart` is `Logs.chart` of this run."""
        self.train_id = train_id
        self._chart = chart
        self._source = source

    def __repr__(self) -> str:
        return f"<run {self.train_id} at {self._source.location}>"

    def _repr_html_(self) -> str:
        return run_html(self._source, self.train_id)

    def plot(
        self,
        tag: Names,
        *,
        smoothing: float | str = 0.0,
        x: XAxis = "step",
        log_x: bool = False,
        log_y: bool = False,
    ) -> ScalarChart:
        """As `Logs.chart` of this run."""
        return self._chart(tag, smoothing=smoothing, x=x, log_x=log_x, log_y=log_y)
