"""Groups of runs; the cases of fields are those of the page's run_groups.test.ts."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.value_order import present_value
from mindviz.lineagemgr.run_column import ArrayColumn, RunColumn
from mindviz.lineagemgr.run_groups import RunGroups, group_fields, group_key

COLUMNS: dict[str, list[Any]] = {
    "batch_size": [32, 32, 64],
    "dataset_mark": ["2", "3", None],  # a number that the server gives, not a parameter
    "loss": [1, 2, 3],
    "metric/acc": [1, 2, 3],
    "network": ["a", "a", "a"],
    "user_defined/data.seed": [1, 2, 3],
    "user_defined/log_dir": ["/a", "/b", "/c"],
    "user_defined/lr": [0.1, 0.1, None],
    "user_defined/run_id": [1, 2, 3],
    "user_defined/optimizer": ["adam", "adam", "sgd"],
    "user_defined/seed": [1, 2, 1],
    "user_defined/solver": ["adam", "adam", "sgd"],
}


def column(name: str) -> RunColumn:
    return RunColumn(COLUMNS.get(name, [None] * 3))


def fields(*by: str) -> list[str]:
    return group_fields(
        by,
        list(COLUMNS),
        lambda word: "user_defined/seed" if word == "seed" else word,
        lambda name: column(name).differs,
        column,
    )


def test_repetitions_agree_in_all_parameters_that_differ_but_for_seeds_and_names() -> None:
    assert fields("*-seed") == ["batch_size", "user_defined/optimizer"]


def test_any_other_parameter_can_be_left_out() -> None:
    assert fields("*-batch_size") == [
        *("user_defined/data.seed", "user_defined/optimizer", "user_defined/seed"),
    ]


def test_parameters_with_equal_values_are_one_whatever_else_their_columns_could_have() -> None:
    columns: dict[str, RunColumn] = {
        "user_defined/a": ArrayColumn(np.array([0, 1, 0]), ["x", "y"]),
        "user_defined/b": ArrayColumn(np.array([0, 2, 0]), ["x", "unused", "y"]),
        "user_defined/c": ArrayColumn(np.array([0, 1, -1]), ["x", "y"]),
        "seed": RunColumn([1, 2, 3]),
    }
    found = group_fields(["*-seed"], list(columns), str, lambda _: True, columns.__getitem__)
    assert found == ["user_defined/a", "user_defined/c"]


def test_fields_are_taken_as_they_are() -> None:
    assert fields("network", "state", "network") == ["network", "state"]
    assert fields("*") == []


def test_keys_are_those_of_the_page() -> None:
    keys = [group_key(values) for values in ([None], [0.1], ["a"], [True, None, 'x"', 1.0])]
    assert keys == [None, "0.1", "a", '[true,null,"x\\"",1]']
    assert group_key([math.inf, 1]) == "[null,1]"


CELLS = st.one_of(
    st.none(), st.booleans(), st.sampled_from([0, 1, 1.5, -2.0, math.nan, math.inf, "", "a", "b"])
)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=30))
def test_groups_and_their_summaries_are_those_of_a_loop(rows: list[tuple[Any, ...]]) -> None:
    columns = [RunColumn([row[i] for row in rows]) for i in range(3)]
    groups = RunGroups(np.arange(len(rows)), columns[:2])
    expected: dict[tuple[Any, ...], list[int]] = {}
    for number, row in enumerate(rows):
        values = tuple(map(present_value, row[:2]))
        key = tuple((isinstance(value, bool), value) for value in values)
        expected.setdefault(key, []).append(number)
    found = {
        tuple(
            (isinstance(value, bool), value) for value in groups.values_of(group)
        ): groups.rows_of(group).tolist()
        for group in range(len(groups))
    }
    assert found == expected
    for group, summary in enumerate(groups.summaries(columns[2], averaged=True)):
        cells = [rows[row][2] for row in groups.rows_of(group)]
        numbers = [
            cell
            for cell in cells
            if isinstance(cell, int | float) and not isinstance(cell, bool) and math.isfinite(cell)
        ]
        present = [(isinstance(cell, bool), present_value(cell)) for cell in cells]
        assert summary.value == (present[0][1] if len(set(present)) == 1 else None)
        assert summary.count == len(numbers)
        if numbers:
            assert math.isclose(summary.mean, statistics.fmean(numbers), abs_tol=1e-12)
            assert (summary.min, summary.max) == (min(numbers), max(numbers))
            deviation = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
            assert math.isclose(summary.std, deviation, abs_tol=1e-12)


def test_groups_are_sorted_by_summaries_then_by_their_values() -> None:
    keys = RunColumn(["b", "a", None, "c", "b"])
    loss = RunColumn([1.0, 2.0, 5.0, None, 3.0])
    groups = RunGroups(np.arange(5), [keys])

    def ordered(*, descending: bool) -> list[str | None]:
        order = groups.order_by(loss, averaged=True)
        return [groups.key(group) for group in groups.sorted([(order, descending)])]

    assert ordered(descending=False) == ["a", "b", None, "c"]
    assert ordered(descending=True) == [None, "a", "b", "c"]
    assert [groups.key(group) for group in groups.sorted([])] == ["a", "b", "c", None]
