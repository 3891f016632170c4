"""Run names: TensorBoard's names of train jobs."""

from __future__ import annotations

_ROOT, _BELOW = "./", "./"


def run_name(train_id: str) -> str:
    """`.` for the base dir itself, `a/b` for `./a/b`."""
    return "." if train_id == _ROOT else train_id.removeprefix(_BELOW)


def train_id(name: str) -> str:
    """The inverse of `run_name`."""
    return _ROOT if name == "." else _BELOW + name
