from __future__ import annotations

import sys

import pytest

from mindviz.errors import ExtraNotInstalled
from mindviz.rpc.requirement import require_grpc


def test_with_grpcio_there_is_no_message() -> None:
    require_grpc("--grpc-port")


def test_without_grpcio_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(ExtraNotInstalled) as caught:
        require_grpc("--grpc-port")
    assert str(caught.value) == "--grpc-port needs an extra: pip install 'mindviz[tensorboard]'."
