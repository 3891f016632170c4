from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mindviz.datavisual.logs.warm.pack import Section, decoded, encoded, size_of
from mindviz.datavisual.logs.warm.section_delta import applied, delta_of

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.sampled_from(["", "a", "\udcff"])
)
keys = st.sampled_from("abc")
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3)
)
dtypes = st.sampled_from(["<f8", "<i8", "<i4", "?", "<u4"])


@st.composite
def sections(draw: st.DrawFn) -> Section:
    columns = draw(st.lists(st.tuples(dtypes, st.integers(0, 5)), max_size=4))
    return Section(draw(documents), [draw(arrays(dtype, length)) for dtype, length in columns])


def stored(section: Section) -> Section:
    return decoded(b"".join(encoded(section)))


def bits(section: Section) -> bytes:
    return b"".join(encoded(section))


@given(sections(), sections())
def test_a_delta_leads_from_any_section_to_any_other(old: Section, new: Section) -> None:
    again = applied(stored(old), stored(delta_of(stored(old), new)))
    assert bits(again) == bits(new)


@given(st.data())
def test_deltas_of_a_growing_section_follow_each_other(data: st.DataObject) -> None:
    document: dict[str, Any] = {"tags": [], "kinds": "", "places": {}}
    column = np.zeros(0)
    kept = stored(Section(document, [column]))
    for number in range(data.draw(st.integers(1, 6))):
        document["tags"].append(f"t{number}")
        document["kinds"] += "\1"
        document["places"][number] = float("nan")
        column = np.concatenate([column, data.draw(arrays("<f8", 3))])
        column[data.draw(st.integers(0, len(column) - 1))] = np.nan
        new = Section(document, [column])
        kept = applied(kept, stored(delta_of(kept, new)))
        assert bits(kept) == bits(new)


def test_a_delta_is_as_large_as_the_change() -> None:
    tags = [f"tag{number}" for number in range(10_000)]
    document = {"tags": tags, "offset": 7}
    old = Section(document, [np.full(10_000, np.nan), np.zeros(10_000, np.int64)])
    assert size_of(delta_of(old, old)) < 200
    column = np.zeros(10_001, np.int64)
    column[5] = 1
    grown = {"tags": [*tags, "new"], "offset": 8}
    assert size_of(delta_of(old, Section(grown, [old.columns[0], column]))) < 300
