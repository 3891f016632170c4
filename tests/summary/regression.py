"""A linear regression in numpy, collected as an adapter would do it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from mindviz.summary import SummaryCollector, Training, TrainLineage
from mindviz.summary.collecting.training import LossAt
from mindviz.summary.values.arrays import Array
from mindviz.wire.encode_graph import GraphOperator, TensorType, model

LANDSCAPE = {"landscape_size": 3, "intervals": [[1, 2, 3], [4, 5, 6]]}


@dataclass
class Regression(Training):
    """y = x @ w + b, with all methods implemented."""

    total: int | None = 30
    x: Array = field(default_factory=lambda: np.random.default_rng(0).normal(size=(64, 6)))
    w: Array = field(default_factory=lambda: np.zeros((6, 2)))
    b: Array = field(default_factory=lambda: np.zeros(2))

    def __post_init__(self) -> None:
        self.y = self.x @ np.arange(12.0).reshape(6, 2) + 3

    def loss(self) -> float:
        return float(((self.x @ self.w + self.b - self.y) ** 2).mean())

    def step(self) -> float:
        error = self.x @ self.w + self.b - self.y
        self.w -= 0.1 * self.x.T @ error / len(self.x)
        self.b -= 0.1 * error.mean(axis=0)
        return float((error**2).mean())

    def parameters(self) -> Iterable[tuple[str, object]]:
        return [("layer.w", self.w), ("layer.b", self.b)]

    def graph(self) -> object:
        product = GraphOperator(key="m", type="matmul", scope="layer", inputs=["layer.w"])
        total = GraphOperator(key="s", type="add", scope="layer", inputs=["m", "layer.b"])
        kinds = {"layer.w": TensorType((6, 2), "float64"), "layer.b": TensorType((2,), "float64")}
        return model([product, total], kinds)

    def lineage(self) -> TrainLineage:
        return TrainLineage(network="Regression", optimizer="SGD", learning_rate=0.1)

    def dataset_graph(self) -> object:
        return {"op_type": "Normal", "num_samples": 64, "children": []}

    @contextmanager
    def losses(self, num_samples: int) -> Iterator[LossAt]:
        kept = self.w, self.b

        def loss_at(parameters: Mapping[str, Array]) -> float:
            self.w, self.b = parameters["layer.w"], parameters["layer.b"]
            return self.loss()

        yield loss_at
        self.w, self.b = kept


def train(collector: SummaryCollector, training: Regression, steps: int = 30) -> None:
    collector.begin(training)
    for step in range(1, steps + 1):
        loss = training.step()
        collector.step_end(step, loss=loss, inputs=[np.zeros((2, 4, 4, 3), np.uint8), 5])
    collector.epoch_end(1)
    collector.end()
