"""The route that compares two train jobs point by point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindviz.backend.routes import Routes, store_version
from mindviz.backend.run_pages import lineages_of
from mindviz.backend.schemas import IntegerField, NumberField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.datavisual.answer_bounds import check_series
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.deadline import begin_long_work
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.diff import HYPER_PARAMETERS
from mindviz.lineagemgr.name_map import parse_rules
from mindviz.lineagemgr.run_parity import ComparedRun, compare_runs, config_of, lost_data

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
    rtol = NumberField(load_default=0.0, about="Relative tolerance.")
    atol = NumberField(load_default=0.0, about="Absolute tolerance.")
    offset = IntegerField(minimum=0, load_default=0, about="Number of tags to skip.")
    limit = IntegerField(minimum=0, maximum=MAX_ROWS, load_default=1000, about="Tags per page.")


@own.get("/parity", ParityQuery, version=store_version, statuses=(404,))
def read_parity(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The differences between all scalars and the config of two train jobs."""
    tolerance = Tolerance(query["rtol"], query["atol"])
    names = parse_rules(query["map"])
    a, b = (_compared_run(services, query[name]) for name in ("a", "b"))
    check_series(len(a.tags) + len(b.tags))
    parity = compare_runs(a, b, tolerance, names)
    first = query["offset"]
    answer = parity.as_json(slice(first, first + query["limit"]))
    body: dict[str, Any] = json_safe({"total": len(parity.tags), **answer})
    return body


def _compared_run(services: Services, train_id: str) -> ComparedRun:
    store = services.store
    job = store.train_job(train_id)
    if job.points > _FEW_POINTS:
        begin_long_work()
    table = lineages_of(services, [train_id])
    row = table.rows[table.index_of(train_id)]
    fields = {name: getattr(row, name) for name in HYPER_PARAMETERS}

    def read(tags: frozenset[str]) -> Mapping[str, ScalarPoints]:
        return {tag: points for tag in tags for points in store.read_points([train_id], tag)}

    return ComparedRun(
        tags=store.scalar_summaries(train_id).tags,
        read=read,
        config=config_of(fields, row.user_defined),
        lost_data=lost_data(job.problems),
    )
