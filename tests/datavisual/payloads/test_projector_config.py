from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.payloads.projector_config import read_configuration
from mindviz.errors import DamagedValue


def test_texts_may_be_escaped() -> None:
    (one,) = read_configuration(r'embeddings { tensor_name: "\303\244\x41\"" tensor_path: "ä/\\" }')
    assert (one.tensor_name, one.tensor_path) == ('äA"', "ä/\\")
    with pytest.raises(DamagedValue):
        read_configuration(r'embeddings { tensor_name: "\z" }')


@given(st.text(st.sampled_from('embdings{}<>: "\\x0 \n#'), max_size=60))
def test_any_configuration_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DamagedValue):
        read_configuration(text)
