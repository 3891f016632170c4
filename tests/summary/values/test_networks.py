from __future__ import annotations

import sys
from types import ModuleType

import pytest

from mindviz.summary.values.networks import graph_of


class Cell:
    pass


@pytest.fixture
def mindspore(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The relevant parts of MindSpore; tests/peers has the real one."""
    nn, api = ModuleType("mindspore.nn"), ModuleType("mindspore.common.api")
    nn.Cell = Cell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mindspore.nn", nn)
    monkeypatch.setitem(sys.modules, "mindspore.common.api", api)
    return api


def test_an_arbitrary_object_has_no_graph() -> None:
    assert graph_of(None) is None
    assert graph_of(object()) is None


def test_a_compiled_mindspore_network_has_a_graph(mindspore: ModuleType) -> None:
    class Executor:
        @staticmethod
        def get_optimize_graph_proto(network: Cell) -> bytes:
            return b"graph"

    assert graph_of(Cell()) is None
    mindspore._cell_graph_executor = Executor  # type: ignore[attr-defined]
    assert graph_of(Cell()) == b"graph"
    assert graph_of(object()) is None
