"""Lodgers: counted while they are kept, and dropped once."""

from __future__ import annotations

from mindviz.datavisual.data_transform.lodgers import Lodgers


def test_they_count_until_they_are_dropped_and_each_is_dropped_once() -> None:
    lodgers, gone = Lodgers(), []
    lodgers.take_in("graph", 300, lambda: gone.append("graph"))
    lodgers.take_in("other", 20, lambda: gone.append("other"))
    assert lodgers.nbytes == 320
    lodgers.take_in("graph", 1, lambda: gone.append("newer graph"))
    assert (lodgers.nbytes, gone) == (21, ["graph"])
    lodgers.drop_all(but="graph")
    lodgers.drop_all()
    lodgers.drop_all()
    assert (lodgers.nbytes, gone) == (0, ["graph", "other", "newer graph"])
