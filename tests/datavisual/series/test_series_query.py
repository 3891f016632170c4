"""SeriesQuery: defaults, and the tags that a filter accepts."""

from __future__ import annotations

from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery


def test_a_query_asks_for_every_point_of_every_series_unless_told_otherwise() -> None:
    query = SeriesQuery("scalars")
    assert query.steps == StepRange()
    assert query.run_tag_filter == RunTagFilter()
    assert (query.data_class, query.downsample) == (None, None)


def test_no_set_of_tags_admits_all_and_an_empty_one_none() -> None:
    assert RunTagFilter().admits("loss")
    assert RunTagFilter(tags=frozenset(["loss"])).admits("loss")
    assert not RunTagFilter(tags=frozenset(["loss"])).admits("acc")
    assert not RunTagFilter(tags=frozenset()).admits("loss")
