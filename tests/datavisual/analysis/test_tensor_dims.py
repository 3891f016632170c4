from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.tensor_dims import parse_dims
from mindviz.errors import InvalidQuery


@pytest.mark.parametrize(
    ("dims", "expected"),
    [
        ("[0,1,2]", (0, 1, 2)),
        (" [ -1 , : , 3 ] ", (-1, slice(None, None), 3)),
        ("[0:1, 1:, 2]", (slice(0, 1), slice(1, None), 2)),
        ("[0, ::2, -4:-1]", (0, slice(None, None, 2), slice(-4, -1))),
        ("[0, :, 5:900]", (0, slice(None, None), slice(5, 900))),
        ("[0, ::-1, 0]", (0, slice(None, None, -1), 0)),
    ],
)
def test_dims_are_read_as_in_python(dims: str, expected: object) -> None:
    assert parse_dims(dims, (2, 3, 4)) == expected


@pytest.mark.parametrize(
    "dims",
    [
        "",
        "0,0,0",
        "[0,0]",
        "[0,0,0,0]",
        "[]",
        "[:,:,:]",
        "[2,0,0]",
        "[-3,0,0]",
        "[0,0,a]",
        "[0,0,]",
        "[0,0,1:2:3:4]",
        "[0,0,::0]",
        "[0,0,1.0]",
        "[[0],0,0]",
        "[0,0," + "9" * 6000 + "]",
        "[0,0,\0]",
    ],
)
def test_invalid_dims_are_refused(dims: str) -> None:
    with pytest.raises(InvalidQuery):
        parse_dims(dims, (2, 3, 4))


@given(dims=st.text("[]:,-0123456789 ", max_size=12), size=st.integers(0, 3))
def test_dims_are_an_index_that_fits_or_refused(dims: str, size: int) -> None:
    array = np.zeros((size, 3))
    try:
        index = parse_dims(dims, array.shape)
    except InvalidQuery:
        return
    assert array[index].ndim == sum(isinstance(item, slice) for item in index)


# -------------------------------------------------------------------------------- statistics
