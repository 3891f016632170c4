"""A small training in MindSpore, collected by its own collector or by ours; run as a script.

python mindspore_training.py {theirs|ours} DIRECTORY {graph|pynative|fit}
"""

from __future__ import annotations

import sys
from typing import Any

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.train import Model


class Network(nn.Cell):
    """A convolution and a dense layer, with summary operators between them."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, has_bias=True)
        self.flatten = nn.Flatten()
        self.dense = nn.Dense(256, 3)
        self.log_scalar, self.log_histogram = ops.ScalarSummary(), ops.HistogramSummary()
        self.log_tensor = ops.TensorSummary()

    def construct(self, images: Any) -> Any:
        """Logits."""
        found = self.conv(images)
        self.log_scalar("mean", found.mean())
        self.log_histogram("features", found)
        self.log_tensor("first", found[0])
        return self.dense(self.flatten(found))


def dataset() -> Any:
    """24 images in batches of 4."""
    generator = np.random.default_rng(0)
    images = generator.random((24, 1, 8, 8), np.float32)
    labels = generator.integers(0, 3, 24).astype(np.int32)
    rows = [(image, np.array(label)) for image, label in zip(images, labels, strict=True)]
    source = ds.GeneratorDataset(rows, ["image", "label"], shuffle=False)
    return source.map(lambda image: image / 2, "image").batch(4)


def main(whose: str, directory: str, mode: str) -> None:
    """Train two epochs and evaluate."""
    ms.set_context(mode=ms.PYNATIVE_MODE if mode == "pynative" else ms.GRAPH_MODE)
    ms.set_seed(1)
    requested: dict[str, Any] = {"histogram_regular": "conv|dense.bias"}
    collector: Any
    if whose == "ours":
        from mindviz.summary.adapters.mindspore import SummaryCollector

        requested["collect_landscape"] = {
            "landscape_size": 4,
            "intervals": [[1, 2, 3], [10, 11, 12]],
        }
        collector = SummaryCollector
    else:
        collector = ms.SummaryCollector
        requested["collect_landscape"] = None
    callback = collector(directory, 5, 4, requested, custom_lineage_data={"fold": 1, "rate": 0.5})
    data, network = dataset(), Network()
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    model = Model(network, loss_fn, optimizer, metrics={"accuracy"})
    if mode == "fit":
        model.fit(2, data, data, callbacks=[callback], dataset_sink_mode=False)
        return
    model.train(2, data, callbacks=[callback], dataset_sink_mode=False)
    model.eval(data, callbacks=[callback], dataset_sink_mode=False)
    measured = Model(network, loss_fn, metrics={"loss"}).eval(data, dataset_sink_mode=False)
    sys.stdout.write(f"loss: {float(measured['loss'])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
