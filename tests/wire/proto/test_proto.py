from __future__ import annotations

import re
from pathlib import Path

import pytest

from mindviz.wire.proto import mindspore_pb2, tensorboard_pb2, visualdl_pb2

MODULES = [mindspore_pb2, tensorboard_pb2, visualdl_pb2]
FOLDER = Path(mindspore_pb2.__file__).parent


def ids(module: object) -> str:
    return str(getattr(module, "__name__", "")).rpartition(".")[2]


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_message_names_do_not_clash_with_other_packages(module: object) -> None:
    descriptor = module.DESCRIPTOR  # type: ignore[attr-defined] # generated
    assert descriptor.package.startswith("mindviz.")
    assert descriptor.name.startswith("mindviz/wire/proto/")


def test_the_generated_code_is_at_a_level_that_all_supported_runtimes_load() -> None:
    for module in FOLDER.glob("*_pb2.py"):
        version = re.search(r"^# Protobuf Python Version: (.*)$", module.read_text(), re.MULTILINE)
        assert version is not None
        assert version[1] == "6.31.1", module.name


def test_every_message_file_was_generated() -> None:
    sources = {path.stem for path in FOLDER.glob("*.proto")}
    assert {path.stem.removesuffix("_pb2") for path in FOLDER.glob("*_pb2.py")} == sources
    assert {path.stem.removesuffix("_pb2") for path in FOLDER.glob("*_pb2.pyi")} == sources
