"""SummaryCollector with Keras 3 on jax, which keeps variables elsewhere during training."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.peers.collected_logs import CollectedLog

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

TRAIN = """
import sys
import keras
import numpy as np
from mindviz.summary.adapters.keras import SummaryCollector

keras.utils.set_random_seed(0)
inputs, targets = np.random.rand(48, 4).astype("float32"), np.arange(48) % 3
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("adam", loss=loss, steps_per_execution=3)
asked = {"collect_input_data": False, "collect_landscape": {"intervals": [[3, 6, 9, 12, 15]]}}
asked["collect_landscape"]["landscape_size"] = 3
collector = SummaryCollector(
    sys.argv[1], 6, collect_specified_data=asked, data=(inputs, targets), histogram_values=True
)
model.fit(inputs, targets, batch_size=4, epochs=2, verbose=0, shuffle=False, callbacks=[collector])
print("kernel:", float(np.asarray(model.layers[0].kernel).sum()))
"""


def test_a_training_that_runs_several_steps_at_once(
    tmp_path: Path, read: Callable[[Path], LogStore]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRAIN, str(tmp_path)],
        env=os.environ | {"KERAS_BACKEND": "jax"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "not collected" not in done.stderr
    log = CollectedLog(read(tmp_path))
    assert list(log.scalars("loss/auto")) == [3, 6, 12, 18, 24]
    kernels = log.values("tensor", "sequential/dense/kernel/auto")
    sums = [float(np.asarray(one.data).sum()) for one in kernels.values()]
    assert len(set(sums)) == 5  # they are those of each step, not the initial ones
    assert sums[-1] == float(np.float32(done.stdout.rpartition("kernel: ")[2]))
    assert set(log.landscapes()) == {"landscape_[3, 15]", "landscape_[15]"}
    assert "Dense" in {node.type for node in log.operators()}
