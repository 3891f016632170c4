"""What the gRPC service needs and a plain installation of mindviz does not have."""

from __future__ import annotations

from importlib.util import find_spec

from mindviz.errors import ExtraNotInstalled

EXTRA = "tensorboard"


def require_grpc(what: str) -> None:
    """Raise ExtraNotInstalled if grpcio is not there, for which `what` was asked for."""
    if find_spec("grpc") is None:
        raise ExtraNotInstalled(what, EXTRA)
