from __future__ import annotations

import re
from pathlib import Path

import pytest

from mindviz.wire.proto import mindspore_pb2, tensorboard_pb2
from tests.proto import visualdl_pb2

MODULES = [mindspore_pb2, tensorboard_pb2, visualdl_pb2]
ROOT = Path(__file__).parents[3]
FOLDERS = [ROOT / "mindviz/wire/proto", ROOT / "tests/proto"]


def ids(module: object) -> str:
    return str(getattr(module, "__name__", "")).rpartition(".")[2]


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_message_names_do_not_clash_with_other_packages(module: object) -> None:
    descriptor = module.DESCRIPTOR  # type: ignore[attr-defined] # generated
    assert descriptor.package.startswith("mindviz.")
    assert descriptor.name.startswith(("mindviz/wire/proto/", "tests/proto/"))


def test_the_generated_code_is_at_a_level_that_all_supported_runtimes_load() -> None:
    for module in (path for folder in FOLDERS for path in folder.glob("*_pb2.py")):
        version = re.search(r"^# Protobuf Python Version: (.*)$", module.read_text(), re.MULTILINE)
        assert version is not None
        assert version[1] == "6.31.1", module.name


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_message_file_was_generated(folder: Path) -> None:
    sources = {path.stem for path in folder.glob("*.proto")}
    assert {path.stem.removesuffix("_pb2") for path in folder.glob("*_pb2.py")} == sources
    assert {path.stem.removesuffix("_pb2") for path in folder.glob("*_pb2.pyi")} == sources
