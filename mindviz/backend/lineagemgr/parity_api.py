"""The route that compares two train jobs point by point."""

from __future__ import annotations

from typing import Any

from mindviz.backend.routes import Routes, store_version
from mindviz.backend.run_pages import lineages_of
from mindviz.backend.schemas import IntegerField, NumberField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.datavisual.answer_bounds import check_series
from mindviz.deadline import begin_long_work
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.diff import HYPER_PARAMETERS
from mindviz.lineagemgr.name_map import parse_rules
from mindviz.lineagemgr.run_parity import ComparedRun, compare_runs, config_of
from mindviz.lineagemgr.run_series import StoredSeries

own = Routes()

MAX_ROWS = 10_000
"""Tags per page."""
_FEW_POINTS = 500_000
"""Comparing more is long work."""


class ParityQuery(StrictQuery):
    """Two train jobs, and how to compare them."""

    a = text(required=True, about="A train_id.")
    b = text(required=True, about="A train_id.")
    map = texts(about="Rules that rename tags and parameters of a, as in docs/parity.md.")
    plugin_name = texts(about="Plugins whose series are compared; default all that can be.")
    rtol = NumberField(load_default=0.0, about="Relative tolerance.")
    atol = NumberField(load_default=0.0, about="Absolute tolerance.")
    offset = IntegerField(minimum=0, load_default=0, about="Number of tags to skip.")
    limit = IntegerField(minimum=0, maximum=MAX_ROWS, load_default=1000, about="Tags per page.")


@own.get("/parity", ParityQuery, version=store_version, statuses=(404,))
def read_parity(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The differences between the series and the config of two train jobs."""
    tolerance = Tolerance(query["rtol"], query["atol"])
    names = parse_rules(query["map"])
    a, b = (_compared_run(services, query[name]) for name in ("a", "b"))
    check_series(sum(len(tags) for run in (a, b) for tags in run.series.tags.values()))
    parity = compare_runs(a, b, tolerance, names, only=query["plugin_name"])
    first = query["offset"]
    answer = parity.as_json(slice(first, first + query["limit"]))
    body: dict[str, Any] = json_safe({"total": len(parity.tags), **answer})
    return body


def _compared_run(services: Services, train_id: str) -> ComparedRun:
    store = services.store
    if store.train_job(train_id).points > _FEW_POINTS:
        begin_long_work()
    table = lineages_of(services, [train_id])
    row = table.rows[table.index_of(train_id)]
    fields = {name: getattr(row, name) for name in HYPER_PARAMETERS}
    return ComparedRun(StoredSeries(store, train_id), config_of(fields, row.user_defined))
