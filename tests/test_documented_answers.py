"""The answers in docs/asking.md are those of the commands above them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from tests.sample_trainings import write_trainings

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "asking.md"
EXAMPLES = re.findall(
    r"(?ms)^```console\n\$ mindviz (ask [^\n]+)\n(.*?)^```", DOCUMENT.read_text("utf-8")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documented")
    write_trainings(folder / "trainings")
    return folder


def test_there_are_examples_of_all_questions() -> None:
    kinds = ("list", "find", "run", "series", "around", "compare", "config", "health")
    assert {command.split()[2] for command, _ in EXAMPLES} >= set(kinds)


@pytest.mark.parametrize(("command", "output"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples_print_what_is_documented(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    monkeypatch.chdir(folder)
    arguments = [*shlex.split(command), "--workspace", "work"]
    assert CliRunner().invoke(cli, arguments).output == output
