"""Lineage: how one job was trained and its results, independent of the log format."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson

from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    Fact,
    JobLineage,
    TrainFacts,
)
from mindviz.datavisual.store import ScalarSummaries

_NOTHING: Mapping[str, Fact] = {}
"""Shared by all runs without lineage: there may be 100,000."""


def _nothing() -> Mapping[str, Fact]:
    return _NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """The facts about one job; None where the logs have none."""

    summary_dir: str
    """The train_id."""
    version: int
    create_time: float
    """Unix seconds."""
    update_time: float
    """Unix seconds."""
    is_logged: bool
    """Whether the logs contain any lineage."""
    loss_function: str | None = None
    train_dataset_path: str | None = None
    train_dataset_count: int | None = None
    test_dataset_path: str | None = None
    test_dataset_count: int | None = None
    network: str | None = None
    optimizer: str | None = None
    learning_rate: float | None = None
    epoch: int | None = None
    batch_size: int | None = None
    device_num: int | None = None
    loss: float | None = None
    model_size: int | None = None
    """Bytes."""
    metric: Mapping[str, Fact] = field(default_factory=_nothing)
    user_defined: Mapping[str, Fact] = field(default_factory=_nothing)
    """User-defined values, including hyperparameters."""
    dataset_graph: Mapping[str, Fact] | None = None
    session_status: str | None = None
    """`unknown`, `success`, `failure` or `running`, from TensorBoard's HParams."""
    session_group: str | None = None
    """Name of the session group, from TensorBoard's HParams."""


FACT_FIELDS = (
    *("loss_function", "train_dataset_path", "train_dataset_count", "test_dataset_path"),
    *("test_dataset_count", "network", "optimizer", "learning_rate", "epoch", "batch_size"),
    *("device_num", "loss", "model_size", "session_status", "session_group"),
)
"""Facts of a lineage that have a field each."""

SPELLINGS = {
    "learning_rate": ("learning_rate", "learningrate", "lr"),
    "batch_size": ("batch_size", "batchsize"),
    "epoch": ("epoch", "epochs", "num_epochs"),
    "optimizer": ("optimizer", "optimiser"),
    "loss_function": ("loss_function", "loss_fn"),
    "network": ("network", "model"),
}
"""Field -> unambiguous names of hyperparameters for it, by precedence."""


def lineage_of(job: JobLineage, metrics: Mapping[str, float]) -> Lineage:
    """The lineage of a job; `metrics` are from its scalars."""
    facts = job.facts
    if facts is NO_FACTS:
        return Lineage(job.train_id, job.version, job.create_time, job.update_time, is_logged=False)
    train = facts.train or TrainFacts()
    evaluation = facts.evaluation or EvaluationFacts()
    named = _named_fields(facts.hyper_parameters)
    return Lineage(
        summary_dir=job.train_id,
        version=job.version,
        create_time=job.create_time,
        update_time=job.update_time,
        is_logged=True,
        loss_function=_first(train.loss_function, named["loss_function"]),
        train_dataset_path=train.train_dataset_path,
        train_dataset_count=train.train_dataset_count,
        test_dataset_path=evaluation.test_dataset_path,
        test_dataset_count=evaluation.test_dataset_count,
        network=_first(train.network, named["network"]),
        optimizer=_first(train.optimizer, named["optimizer"]),
        learning_rate=_first(train.learning_rate, named["learning_rate"]),
        epoch=_first(train.epoch, named["epoch"]),
        batch_size=_first(train.batch_size, named["batch_size"]),
        device_num=train.device_num,
        loss=train.loss,
        model_size=train.model_size,
        metric=_merged(metrics, evaluation.metric),
        user_defined=_merged(facts.hyper_parameters, facts.user_defined),
        dataset_graph=facts.dataset_graph,
        session_status=facts.session_status,
        session_group=facts.session_group or None,
    )


def _merged(some: Mapping[str, Fact], others: Mapping[str, Fact]) -> Mapping[str, Fact]:
    """Both; without a copy if one is empty, because there may be 100,000 of them."""
    if some and others:
        return {**some, **others}
    return some or others or _NOTHING


def _first(logged: Any, derived: Any) -> Any:
    return derived if logged is None else logged


def _named_fields(hyper_parameters: Mapping[str, Fact]) -> dict[str, Any]:
    """Fields of a lineage from hyperparameters with unambiguous names; None for the others."""
    if not hyper_parameters:
        return dict.fromkeys(SPELLINGS)
    normal = {
        re.sub(r"[\s\-]+", "_", name.strip().lower()): value
        for name, value in hyper_parameters.items()
    }
    fields: dict[str, Any] = {}
    for name, spellings in SPELLINGS.items():
        fitting = (_fitting(name, normal.get(spelling)) for spelling in spellings)
        fields[name] = next((value for value in fitting if value is not None), None)
    return fields


def _fitting(name: str, value: Fact) -> Any:
    """The value if it suits the field, else None."""
    if name in ("learning_rate", "batch_size", "epoch"):
        if isinstance(value, str):
            value = _parse_number(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if name == "learning_rate":
            return value
        # Tables store 64-bit integers.
        return int(value) if abs(value) < 2**63 and value == int(value) else None
    return value if isinstance(value, str) else None


def _parse_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def last_values(summaries: ScalarSummaries) -> dict[str, float]:
    """The last value of each series, by tag."""
    return dict(zip(summaries.tags, shortest(summaries.stats.last), strict=True))


def shortest(values: Sequence[float] | Float64s) -> list[float]:
    """The shortest decimal for each value that was logged as float32: 0.1, not 0.10000000149.

    Other values are unchanged.
    """
    numbers = np.array(values, dtype=np.float64)
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.float32)
    is_narrow = np.isfinite(numbers) & (narrow == numbers)
    texts = orjson.dumps(narrow[is_narrow], option=orjson.OPT_SERIALIZE_NUMPY)
    numbers[is_narrow] = orjson.loads(texts)
    plain: list[float] = numbers.tolist()
    return plain
