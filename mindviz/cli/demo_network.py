"""The network of the demo's MindSpore runs: LeNet-5, its dataset and its lineage."""

from __future__ import annotations

import numpy as np

from mindviz.cli.demo_training import Training
from mindviz.summary import EvalLineage, Landscape, TrainLineage
from mindviz.wire.encode_graph import GraphOperator, TensorType, model

BATCH = 32
SAMPLES = 60_000

DATASET: dict[str, object] = {
    "op_type": "BatchDataset",
    "batch_size": BATCH,
    "children": [
        {
            "op_type": "MnistDataset",
            "dataset_dir": "/data/mnist/train",
            "num_samples": SAMPLES,
            "shuffle": True,
            "operations": [
                {"tensor_op_name": "Resize", "size": [32, 32]},
                {"tensor_op_name": "Rescale", "rescale": 1 / 255, "shift": 0.0},
            ],
        }
    ],
}
"""In MindSpore's serialization of datasets."""

_Layer = tuple[str, str, tuple[int, ...], dict[str, tuple[int, ...]]]
"""Name, operator, output shape, shapes of parameters by name."""

_LAYERS: tuple[_Layer, ...] = (
    ("conv1", "Conv2D", (BATCH, 6, 28, 28), {"weight": (6, 1, 5, 5)}),
    ("relu1", "ReLU", (BATCH, 6, 28, 28), {}),
    ("pool1", "MaxPool", (BATCH, 6, 14, 14), {}),
    ("conv2", "Conv2D", (BATCH, 16, 10, 10), {"weight": (16, 6, 5, 5)}),
    ("relu2", "ReLU", (BATCH, 16, 10, 10), {}),
    ("pool2", "MaxPool", (BATCH, 16, 5, 5), {}),
    ("flatten", "Flatten", (BATCH, 400), {}),
    ("fc1", "MatMul", (BATCH, 120), {"weight": (400, 120), "bias": (120,)}),
    ("fc2", "MatMul", (BATCH, 84), {"weight": (120, 84), "bias": (84,)}),
    ("fc3", "MatMul", (BATCH, 10), {"weight": (84, 10), "bias": (10,)}),
)


def graph() -> bytes:
    """LeNet-5 with its loss and optimizer, as a ModelProto."""
    operators: list[GraphOperator] = []
    parameters = {
        "image": TensorType((BATCH, 1, 32, 32)),
        "label": TensorType((BATCH,), "int32"),
    }
    source = "image"

    def add(key: str, kind: str, scope: str, inputs: list[str], shape: tuple[int, ...]) -> None:
        operators.append(
            GraphOperator(key=key, type=kind, scope=scope, inputs=inputs, output=TensorType(shape))
        )

    for name, kind, shape, weights in _LAYERS:
        names = [f"{name}.{weight}" for weight in weights]
        parameters |= {f"{name}.{weight}": TensorType(size) for weight, size in weights.items()}
        scope = f"network-TrainOneStep/network-WithLoss/backbone-LeNet5/{name}-Layer"
        add(name, kind, scope, [source, *names[:1]], shape)
        source = name
        for bias in names[1:]:
            add(f"{name}.add", "BiasAdd", scope, [source, bias], shape)
            source = f"{name}.add"
    scope = "network-TrainOneStep/network-WithLoss/loss-Loss"
    add("loss", "SoftmaxCrossEntropyWithLogits", scope, [source, "label"], ())
    for layer, _, _, weights in _LAYERS:
        for weight, size in weights.items():
            name = f"{layer}.{weight}"
            scope = "network-TrainOneStep/optimizer-Adam"
            add(f"step {name}", "Adam", scope, ["loss", name], size)
    return model(operators, parameters)


def train_lineage(training: Training, optimizer: str, learning_rate: float) -> TrainLineage:
    """How the network was trained."""
    return TrainLineage(
        optimizer=optimizer,
        learning_rate=learning_rate,
        loss_function="SoftmaxCrossEntropyWithLogits",
        epoch=1,
        device_num=1,
        batch_size=BATCH,
        train_dataset_path="/data/mnist/train",
        train_dataset_size=SAMPLES,
        network="LeNet5",
        loss=float(training.curves["train/loss"][-1]),
        model_path="lenet.ckpt",
        model_size=247_000,
    )


def eval_lineage(training: Training) -> EvalLineage:
    """The results of the evaluation."""
    accuracy = float(training.evaluations["validation/accuracy"][-1])
    return EvalLineage(
        metric={"accuracy": accuracy},
        valid_dataset_path="/data/mnist/test",
        valid_dataset_size=10_000,
    )


def landscape(training: Training) -> Landscape:
    """The loss around the path of the training, on a grid of 40 x 40 points."""
    loss = training.curves["train/loss"]
    steps = np.linspace(1, training.steps, 12).astype(int)
    progress = 1 - np.exp(-4 * steps / training.steps)
    path_x = 1.6 * (1 - progress) * np.cos(3 * progress)
    path_y = 1.6 * (1 - progress) * np.sin(3 * progress)
    axis = np.linspace(-2, 2, 40)
    x, y = np.meshgrid(axis, axis)
    surface = 0.1 + 0.7 * (x**2 + 0.6 * y**2) + 0.15 * np.sin(3 * x + training.seed) * np.cos(2 * y)
    return Landscape(
        x=axis,
        y=axis,
        z=surface,
        intervals=steps.tolist(),
        path=(path_x, path_y, loss[steps - 1]),
        convergence_point=(path_x[-1], path_y[-1], loss[-1]),
        unit="step",
        step_per_epoch=training.steps,
    )
