"""The arguments of lists of runs."""

from __future__ import annotations

from mindviz.backend.run_pages import RunsQuery, run_query
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery


def test_without_arguments_all_runs_are_in_the_usual_order() -> None:
    assert run_query(RunsQuery().load({})) == RunQuery()


def test_arguments_become_a_query() -> None:
    query = run_query(
        RunsQuery().load({"filter": "a", "order": ["-lr"], "offset": "3", "archived": "true"})
    )
    assert query == RunQuery(filter="a", order=("-lr",), offset=3, archived=True)
    assert query.page == slice(3, None)


def test_given_runs_are_not_sorted_unless_an_order_is_given() -> None:
    query = run_query(RunsQuery().load({"train_id": ["./b", "./a"]}))
    assert (query.order, query.train_ids) == ((), ("./b", "./a"))
    sorted_query = run_query(RunsQuery().load({"train_id": ["./a"], "order": list(USUAL_ORDER)}))
    assert sorted_query.order == USUAL_ORDER
