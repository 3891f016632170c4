"""Run: one run of open logs."""

from __future__ import annotations

from mindviz.client.html_tables import run_html
from mindviz.client.log_source import LogSource


class Run:
    """One run of `Logs`; a notebook shows its config, results and data."""

    train_id: str
    """Its id, with `./`."""

    def __init__(self, source: LogSource, train_id: str) -> None:
        self.train_id = train_id
        self._source = source

    def __repr__(self) -> str:
        return f"<run {self.train_id} at {self._source.location}>"

    def _repr_html_(self) -> str:
        return run_html(self._source, self.train_id)
