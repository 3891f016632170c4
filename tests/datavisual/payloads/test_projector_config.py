from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.payloads.projector_config import read_configuration
from mindviz.errors import DamagedValue


def test_texts_may_be_escaped() -> None:
    (one,) = read_configuration(r'embeddings { tensor_name: "\303\244\x41\"" tensor_path: "ä/t" }')
    assert (one.tensor_name, one.tensor_path) == ('äA"', "ä/t")
    with pytest.raises(DamagedValue):
        read_configuration(r'embeddings { tensor_name: "a\" }')


@pytest.mark.parametrize("written", [r"00001\default\tensors.tsv", r"00001\\default\\tensors.tsv"])
def test_paths_may_have_the_separators_of_windows(written: str) -> None:
    text = f'embeddings {{ tensor_path: "{written}" metadata_path: "a\\new.tsv" }}'
    (one,) = read_configuration(text)
    assert (one.tensor_path, one.metadata_path) == ("00001/default/tensors.tsv", "a/new.tsv")


@given(st.text(st.sampled_from('embdings{}<>: "\\x0 \n#'), max_size=60))
def test_any_configuration_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DamagedValue):
        read_configuration(text)
