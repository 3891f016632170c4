"""SeriesQuery: defaults, and the tags that a filter accepts."""

from __future__ import annotations

from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery


def test_a_query_selects_every_point_of_every_series_by_default() -> None:
    query = SeriesQuery("scalars")
    assert query.steps == StepRange()
    assert query.run_tag_filter == RunTagFilter()
    assert (query.data_class, query.downsample) == (None, None)


def test_without_tags_a_filter_accepts_all_and_an_empty_set_none() -> None:
    assert RunTagFilter().admits("loss")
    assert RunTagFilter(tags=frozenset(["loss"])).admits("loss")
    assert not RunTagFilter(tags=frozenset(["loss"])).admits("acc")
    assert not RunTagFilter(tags=frozenset()).admits("loss")
