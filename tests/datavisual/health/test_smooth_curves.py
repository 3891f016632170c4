from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.health.smooth_curves import FIRST_STOP, curves


@pytest.mark.parametrize("blocks", [20, 24, 28, 32])
def test_smooth_curves_fall_and_have_mean_0_and_norm_1(blocks: int) -> None:
    of = curves(blocks)
    smooth = np.array(of.smooth).reshape(blocks, of.smooth_count)
    assert np.allclose(smooth.mean(axis=0), 0)
    assert np.allclose((smooth**2).sum(axis=0), 1)
    assert (np.diff(smooth, axis=0) <= 1e-12).all()


@pytest.mark.parametrize("blocks", [20, 32])
def test_hinges_are_orthonormal_and_level_after_their_stop(blocks: int) -> None:
    hinges = np.array(curves(blocks).hinges).reshape(-1, 4, blocks)
    assert len(hinges) == 4 * blocks // 9 - FIRST_STOP + 1
    for at, basis in enumerate(hinges):
        assert np.allclose(basis @ basis.T, np.eye(4))
        assert np.allclose(np.diff(basis[:, FIRST_STOP + at :], axis=1), 0)
