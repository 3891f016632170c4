"""The two dialects."""

from __future__ import annotations

from mindviz.backend.services import MINDINSIGHT, MINDVIZ


def test_each_dialect_has_its_prefix() -> None:
    assert (MINDVIZ.prefix, MINDINSIGHT.prefix) == ("/v1/mindviz", "/v1/mindinsight")
    assert MINDVIZ.extras
    assert not MINDINSIGHT.extras
