"""The optional dependency of the gRPC service."""

from __future__ import annotations

from importlib.util import find_spec

from mindviz.errors import ExtraNotInstalled

EXTRA = "tensorboard"


def require_grpc(what: str) -> None:
    """Raise ExtraNotInstalled for the feature `what` if grpcio is not installed."""
    if find_spec("grpc") is None:
        raise ExtraNotInstalled(what, EXTRA)
