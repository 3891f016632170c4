"""What PyTorch's datasets and loaders tell about themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import torch

_PATHS = ("root", "data_dir", "dataset_dir", "path")
"""What datasets that come from a folder call it."""


def dataset_facts(loader: Any) -> tuple[str | None, int | None]:
    """Where the samples of a loader, or a dataset, come from, and how many there are."""
    dataset = getattr(loader, "dataset", loader)
    return _path_of(dataset), _size_of(dataset)


def batch_size_of(loader: Any) -> int | None:
    """Samples of a batch."""
    size = getattr(loader, "batch_size", None)
    if size is None:
        size = getattr(getattr(loader, "batch_sampler", None), "batch_size", None)
    return size if isinstance(size, int) else None


def dataset_graph_of(loader: Any) -> Mapping[str, object] | None:
    """The loader over its datasets, as MindSpore serialises such chains."""
    if loader is None:
        return None
    dataset = getattr(loader, "dataset", None)
    if dataset is None:
        return _node(loader)
    wanted = ("batch_size", "drop_last", "num_workers")
    given = {name: getattr(loader, name, None) for name in wanted}
    sampler = getattr(loader, "sampler", None)
    return {
        "op_type": type(loader).__name__,
        **{name: value for name, value in given.items() if isinstance(value, bool | int)},
        **({} if sampler is None else {"sampler": {"sampler_name": type(sampler).__name__}}),
        "children": [_node(dataset)],
    }


def batches_of(loader: Any, num_samples: int) -> Iterator[tuple[Any, int]]:
    """(batch, samples in it): the first ones that together have `num_samples` samples."""
    left = num_samples
    for batch in loader:
        size = samples_in(batch)
        yield batch, size
        left -= size
        if left <= 0:
            return


def samples_in(batch: Any) -> int:
    """How many samples a batch has: what its first tensor says."""
    for value in _tensors_in(batch):
        return len(value) if value.ndim else 1
    return 1


def moved(batch: Any, device: torch.device) -> Any:
    """The batch with all its tensors on a device."""
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
    """Subset has `dataset`, ConcatDataset has `datasets`."""
    if getattr(dataset, "dataset", None) is not None:
        return [dataset.dataset]
    several = getattr(dataset, "datasets", ())
    return list(several) if isinstance(several, list | tuple) else []


def _size_of(dataset: Any) -> int | None:
    try:
        return len(dataset)
    except TypeError:  # an iterable one
        return None
