"""SummaryCollector with Hugging Face's transformers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.peers.collected_logs import CollectedLog, run_example, warnings_in

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    Read = Callable[[Path], LogStore]

pytestmark = pytest.mark.filterwarnings("ignore")  # transformers warns about small models


def texts() -> list[dict[str, Any]]:
    """16 texts of 6 tokens."""
    generator = np.random.default_rng(0)
    return [{"input_ids": generator.integers(0, 20, 6), "labels": i % 2} for i in range(16)]


def pictures() -> list[dict[str, Any]]:
    """16 images of 8 x 8."""
    generator = np.random.default_rng(0)
    return [
        {"pixel_values": generator.random((3, 8, 8), np.float32), "labels": i % 2}
        for i in range(16)
    ]


def bert() -> Any:
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=20,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=2,
    )
    return transformers.BertForSequenceClassification(config)


def vit() -> Any:
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.ViTConfig(
        image_size=8,
        patch_size=4,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=2,
    )
    return transformers.ViTForImageClassification(config)


def trainer(directory: Path, model: Any, data: Any, *callbacks: Any, **options: Any) -> Any:
    import transformers

    arguments = transformers.TrainingArguments(
        output_dir=str(directory / "checkpoints"),
        num_train_epochs=2,
        per_device_train_batch_size=4,
        logging_steps=4,
        eval_strategy="epoch",
        save_strategy="epoch",
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        **options,
    )
    return transformers.Trainer(
        model=model, args=arguments, train_dataset=data, eval_dataset=data, callbacks=[*callbacks]
    )


@pytest.mark.parametrize("kind", ["texts", "pictures"])
def test_a_training_with_evaluation(
    tmp_path: Path, read: Read, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    from mindviz.summary.adapters.transformers import SummaryCollector

    requested = {
        "collect_landscape": {"landscape_size": 3, "intervals": [[1, 2, 3]]},
        "collect_input_data": kind == "pictures",
        "histogram_regular": "classifier",
    }
    collector = SummaryCollector(tmp_path / "log", 3, collect_specified_data=requested)
    model, data = (bert(), texts()) if kind == "texts" else (vit(), pictures())
    runs = trainer(tmp_path, model, data, collector)
    runs.train()
    logged = [one for one in runs.state.log_history if "loss" in one]
    assert warnings_in(caplog) == []
    log = CollectedLog(read(tmp_path / "log"))
    assert log.findings() == []

    losses = log.scalars("loss/auto")
    assert list(losses) == [1, 3, 6]
    assert all(np.isfinite(list(losses.values())))
    assert log.scalars("learning_rate/auto") == {
        one["step"]: pytest.approx(one["learning_rate"]) for one in logged
    }
    assert list(log.scalars("eval_loss/auto")) == [4, 8]
    assert log.tags("histogram") == ["classifier.bias/auto", "classifier.weight/auto"]
    if kind == "pictures":
        assert list(log.values("image", "input_data/auto")) == [1, 3, 6]

    facts = log.facts()
    train, evaluation = facts.train, facts.evaluation
    assert train is not None
    assert train.network == type(model).__name__
    assert train.optimizer is not None
    assert train.optimizer.startswith("adamw")
    assert (train.epoch, train.batch_size, train.train_dataset_count) == (2, 4, 16)
    assert train.learning_rate == pytest.approx(runs.args.learning_rate)
    weights = tmp_path / "checkpoints" / "checkpoint-8" / "model.safetensors"
    assert train.model_size == weights.stat().st_size
    assert evaluation is not None
    assert "eval_loss" in evaluation.metric
    assert evaluation.test_dataset_count == 16
    assert facts.dataset_graph is not None

    nodes = log.operators()
    assert "linear" in {node.type for node in nodes}
    assert any("classifier-Linear" in node.name for node in nodes)
    assert set(log.landscapes()) == {"landscape_[1, 3]", "landscape_[3]"}
    assert np.ptp(log.landscapes()["landscape_[3]"].points.z) > 0


def test_the_loss_is_that_of_the_trainer(tmp_path: Path, read: Read) -> None:
    from mindviz.summary.adapters.transformers import SummaryCollector

    collector = SummaryCollector(tmp_path / "log", 1)
    runs = trainer(tmp_path, bert(), texts(), collector, logging_strategy="steps")
    runs.train()
    losses = CollectedLog(read(tmp_path / "log")).scalars("loss/auto")
    for one in runs.state.log_history:
        if "loss" in one:  # the mean since the one before
            mean = np.mean([losses[one["step"] - back] for back in range(4)])
            assert one["loss"] == pytest.approx(mean, abs=1e-3)


def test_a_loss_computed_by_the_trainer_is_recorded(tmp_path: Path, read: Read) -> None:
    import torch
    import transformers

    from mindviz.summary.adapters.transformers import SummaryCollector

    class OwnLoss(transformers.Trainer):
        def compute_loss(self, model: Any, inputs: Any, *_: Any, **__: Any) -> Any:
            labels = inputs.pop("labels")
            output = model(**inputs)
            return torch.nn.functional.cross_entropy(output.logits, labels)

    collector = SummaryCollector(tmp_path / "log", 1)
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path / "checkpoints"),
        num_train_epochs=1,
        per_device_train_batch_size=4,
        logging_steps=2,
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        save_strategy="no",
    )
    OwnLoss(model=bert(), args=arguments, train_dataset=texts(), callbacks=[collector]).train()
    assert list(CollectedLog(read(tmp_path / "log")).scalars("loss/auto")) == [2, 4]


def test_the_documented_example_works(tmp_path: Path, read: Read) -> None:
    run_example("HuggingFace Trainer", tmp_path)
    log = CollectedLog(read(tmp_path / "logs" / "run1"))
    assert list(log.scalars("loss/auto")) == [1, 10, 20]
    assert log.facts().evaluation is not None
    assert log.operators() != []
