"""The answers in docs/asking.md and docs/anomalies.md are those of the commands above them."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.asking.question import joined_words, parse_question
from mindviz.cli import cli
from mindviz.cli.demo import write_demo
from tests.sample_trainings import write_trainings

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
EXAMPLES = re.findall(
    r"(?ms)^```console\n\$ mindviz (ask [^\n]+)\n(.*?)^```", (DOCS / "asking.md").read_text("utf-8")
)
CHECK = re.compile(
    r"(?ms)^```console\n\$ mindviz demo logs\n\$ mindviz check logs\n(.*?)^\.\.\.\n(.*?)^```"
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


def test_check_prints_what_is_documented_for_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = CHECK.search((DOCS / "anomalies.md").read_text("utf-8"))
    assert example is not None
    first, last = example.groups()
    monkeypatch.chdir(tmp_path)
    write_demo(Path("logs"), now=time.time())
    result = CliRunner().invoke(cli, ["check", "logs"])
    assert result.exit_code == 1
    assert result.output.startswith(first)
    assert result.output.endswith("\n" + last)
    assert len(result.output) > len(first) + len(last)


@pytest.mark.parametrize("path", ["README.md", "docs/asking.md", "docs/command-line.md"])
def test_questions_in_documents_are_questions(path: str) -> None:
    """Also of examples that are not executed, such as `mindviz ask DIR 'compare run1 run2'`."""
    text = (ROOT / path).read_text("utf-8")
    commands = re.findall(r"(?m)(?:`|^)mindviz ask ([^\s`]+ [^`#\n]+)", text)
    questions = [joined_words(shlex.split(command)[1:]) for command in commands]
    placeholders = {"QUESTION", "LINK"}
    for question in {*questions} - placeholders:
        parse_question(question)
    assert questions
