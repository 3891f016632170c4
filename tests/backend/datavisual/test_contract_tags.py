"""The contract's names of tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.datavisual.contract_tags import (
    CONTRACT_PLUGINS,
    contract_plugins,
    contract_tag,
    log_tag,
)
from mindviz.errors import TagNotFound, TrainJobNotFound
from tests.store_fake import FakeStore

PLUGINS = [*CONTRACT_PLUGINS, "audio"]


@given(plugin_name=st.sampled_from(PLUGINS), tag=st.text())
def test_contract_tags_are_reversible(plugin_name: str, tag: str) -> None:
    assert log_tag(FakeStore(), "./a", plugin_name, contract_tag(plugin_name, tag)) == tag


@given(plugin_name=st.sampled_from(PLUGINS), tags=st.sets(st.text(), max_size=5))
def test_contract_tags_are_unique(plugin_name: str, tags: set[str]) -> None:
    assert len({contract_tag(plugin_name, tag) for tag in tags}) == len(tags)


def test_graphs_are_named_after_their_files() -> None:
    assert contract_tag("graph", "ms_output.pb") == "ms_output.pb"
    assert contract_tag("scalar", "loss") == "loss/scalar"


def test_a_tag_without_its_suffix_is_not_found() -> None:
    store = FakeStore()
    store.add("./a")
    with pytest.raises(TagNotFound):
        log_tag(store, "./a", "scalar", "loss")
    with pytest.raises(TrainJobNotFound):
        log_tag(store, "./b", "scalar", "loss")


def test_other_plugins_follow_the_contracts() -> None:
    named = contract_plugins({"audio": ["b", "a"], "scalar": ["x"]}, others=["audio"])
    assert list(named) == [*CONTRACT_PLUGINS, "audio"]
    assert named["audio"] == ["a/audio", "b/audio"]
    assert "audio" not in contract_plugins({"audio": ["a"]})
