from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.lineagemgr.run_column import RunColumn
from mindviz.lineagemgr.run_filter import Comparison, Membership, Operator
from mindviz.lineagemgr.text_column import TextColumn
from mindviz.lineagemgr.text_lines import TextLines

TEXTS = st.lists(st.text("abAB1/ék\u212a\n\ud800", min_size=1, max_size=4), max_size=30)


@given(
    texts=TEXTS,
    operator=st.sampled_from(["=", "!=", "<", ">=", "~", "!~"]),
    values=st.lists(st.text("abA1./é", max_size=2), min_size=1, max_size=3),
)
def test_it_compares_as_other_columns_do(
    texts: list[str], operator: Operator, values: list[str]
) -> None:
    plain, column = RunColumn(texts), TextColumn(lambda: TextLines.of(texts))
    for compared in (Comparison("name", operator, values[0]), Membership("name", tuple(values))):
        assert column.meets(compared).tolist() == plain.meets(compared).tolist()
