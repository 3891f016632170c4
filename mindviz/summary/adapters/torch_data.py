"""Inspects PyTorch datasets and data loaders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from mindviz.wire.encode_lineage import EvalLineage

_PATHS = ("root", "data_dir", "dataset_dir", "path")
"""Attributes of datasets that name their folder."""


def evaluation(metrics: Mapping[str, object], loader: Any) -> EvalLineage:
    """The lineage of an evaluation on the batches of a loader."""
    path, size = dataset_facts(loader)
    return EvalLineage(metric=metrics, valid_dataset_path=path, valid_dataset_size=size)


def dataset_facts(loader: Any) -> tuple[str | None, int | None]:
    """(path, number of samples) of a loader or a dataset."""
    dataset = getattr(loader, "dataset", loader)
    return _path_of(dataset), _size_of(dataset)


def batch_size_of(loader: Any) -> int | None:
    """Samples per batch, or None if unknown."""
    size = getattr(loader, "batch_size", None)
    if size is None:
        size = getattr(getattr(loader, "batch_sampler", None), "batch_size", None)
    return size if isinstance(size, int) else None


def dataset_graph_of(loader: Any) -> Mapping[str, object] | None:
    """The loader and its datasets, as MindSpore serializes a pipeline."""
    if loader is None:
        return None
    dataset = getattr(loader, "dataset", None)
    if dataset is None:
        return _node(loader)
    names = ("batch_size", "drop_last", "num_workers")
    options = {name: getattr(loader, name, None) for name in names}
    sampler = getattr(loader, "sampler", None)
    return {
        "op_type": type(loader).__name__,
        **{name: value for name, value in options.items() if isinstance(value, bool | int)},
        **({} if sampler is None else {"sampler": {"sampler_name": type(sampler).__name__}}),
        "children": [_node(dataset)],
    }


def batches_of(loader: Any, num_samples: int) -> Iterator[tuple[Any, int]]:
    """(batch, its number of samples) of the first `num_samples` samples."""
    left = num_samples
    for batch in loader:
        size = samples_in(batch)
        yield batch, size
        left -= size
        if left <= 0:
            return


def samples_in(batch: Any) -> int:
    """The length of the first tensor in a batch."""
    for value in _tensors_in(batch):
        return len(value) if value.ndim else 1
    return 1


def moved(batch: Any, device: torch.device) -> Any:
    """The batch with all tensors moved to a device."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, Mapping):
        return {key: moved(value, device) for key, value in batch.items()}
    if isinstance(batch, list | tuple):
        return [moved(value, device) for value in batch]
    return batch


def _tensors_in(batch: Any) -> Iterator[torch.Tensor]:
    if isinstance(batch, torch.Tensor):
        yield batch
    elif isinstance(batch, Mapping | list | tuple):
        for value in batch.values() if isinstance(batch, Mapping) else batch:
            yield from _tensors_in(value)


def _node(dataset: Any) -> dict[str, object]:
    path, size = _path_of(dataset), _size_of(dataset)
    steps = getattr(getattr(dataset, "transform", None), "transforms", ())
    return {
        "op_type": type(dataset).__name__,
        **({} if path is None else {"dataset_dir": path}),
        **({} if size is None else {"num_samples": size}),
        "operations": [{"tensor_op_name": type(one).__name__} for one in steps],
        "children": [_node(child) for child in _children_of(dataset)],
    }


def _path_of(dataset: Any) -> str | None:
    for name in _PATHS:
        path = getattr(dataset, name, None)
        if isinstance(path, str | os.PathLike):
            return os.fspath(path)
    return next(filter(None, map(_path_of, _children_of(dataset))), None)


def _children_of(dataset: Any) -> list[Any]:
    """The datasets inside a wrapper such as Subset (`dataset`) or ConcatDataset (`datasets`)."""
    if getattr(dataset, "dataset", None) is not None:
        return [dataset.dataset]
    children = getattr(dataset, "datasets", ())
    return list(children) if isinstance(children, list | tuple) else []


def _size_of(dataset: Any) -> int | None:
    try:
        return len(dataset)
    except TypeError:  # an iterable dataset
        return None
