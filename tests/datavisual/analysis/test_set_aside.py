from __future__ import annotations

from pathlib import Path

import numpy as np

from mindviz.datavisual.analysis.set_aside import MAX_PIECES, Piece, Reason, pieces_of
from tests.restart_suite import LOGS, TAG
from tests.written_logs import loaded, tensorboard_log, write


def pieces(directory: Path, tag: str = "loss", max_points: int = 1000) -> list[Piece]:
    store = loaded(directory)
    written = store.read_scalars("./", tag, restarts="all")
    return pieces_of(store, "./", tag, written, max_points)


def written(directory: Path, *steps: int) -> list[Piece]:
    write(directory, "tfevents.1", tensorboard_log([(step, i) for i, step in enumerate(steps)]))
    return pieces(directory)


def test_nothing_is_set_aside_of_a_series_that_rises(tmp_path: Path) -> None:
    assert written(tmp_path, 1, 2, 3) == []


def test_each_rewrite_leaves_a_piece(tmp_path: Path) -> None:
    found = written(tmp_path, *range(100), *range(90, 120), *range(95, 130))
    assert [piece.step.tolist() for piece in found] == [[*range(95, 120)], [*range(90, 100)]]
    assert {piece.reason for piece in found} == {Reason.REPLACED}


def test_strays_of_a_second_counter_form_one_piece(tmp_path: Path) -> None:
    found = written(tmp_path, 10, 1, 20, 2, 30, 3, 40)
    assert [(piece.reason, piece.step.tolist()) for piece in found] == [(Reason.STRAY, [1, 2, 3])]
    assert found[0].value.tolist() == [1, 3, 5]


def test_another_writer_is_a_separate_piece() -> None:
    (piece,) = pieces(LOGS / "torch" / "two_at_once", TAG)
    assert (piece.reason, piece.count) == (Reason.WRITER, 20)
    assert piece.writer
    assert piece.writer.startswith("events.out.tfevents.")


def test_pieces_are_reduced_and_the_longest_are_kept(tmp_path: Path) -> None:
    short = [step for number in range(MAX_PIECES + 100) for step in (5 + number, 3 + number)]
    write(tmp_path, "tfevents.1", tensorboard_log([(step, step) for step in range(10_000)]))
    again = [(step, -1.0) for step in [*range(10_000), *short]]
    write(tmp_path, "tfevents.2", tensorboard_log(again, start=1e6))
    found = pieces(tmp_path, max_points=100)
    assert found[0].count == 10_000
    assert len(found[0].step) <= 100
    assert {0, 9_999} <= set(found[0].step.tolist())
    assert len(found) <= MAX_PIECES
    assert sum(len(piece.step) for piece in found) <= 100 + 4 * MAX_PIECES
    assert all((np.diff(piece.step) > 0).all() for piece in found)
