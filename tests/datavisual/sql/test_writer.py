from __future__ import annotations

from mindviz.datavisual.sql.records import Piece, TensorRow
from mindviz.datavisual.sql.writer import Budget


def piece(nbytes: int) -> Piece:
    return Piece((), tensors=(TensorRow(1, 1, 1.0, "uint8", "[]", bytes(nbytes)),))


def test_a_full_commit_ends_and_the_next_starts_empty() -> None:
    budget = Budget(nbytes=10_000, seconds=60.0)
    budget.start(piece(6_000))
    assert not budget.used_up
    budget.take(piece(6_000))
    assert budget.used_up
    budget.start(piece(6_000))
    assert not budget.used_up


def test_a_small_commit_ends_after_its_time() -> None:
    budget = Budget(seconds=0.0)
    budget.start(piece(1))
    assert budget.used_up


def test_a_budget_of_nothing_is_used_up_by_the_first_part() -> None:
    budget = Budget(nbytes=0, seconds=60.0)
    budget.start(piece(1))
    assert budget.used_up
