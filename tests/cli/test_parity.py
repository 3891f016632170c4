"""`mindviz parity` as its user sees it: exit codes, lines, JSON, and the document's examples."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from mindviz.cli.demo import write_demo
from tests.parity_logs import scalars, write_mindspore, write_visualdl

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "parity.md"
EXAMPLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def parity(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["parity", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two runs in different formats; one value differs."""
    values = scalars(10)
    write_mindspore(tmp_path / "a", values)
    values["train/loss"][4] = 9
    write_visualdl(tmp_path / "b", values)
    return tmp_path / "a", tmp_path / "b"


def test_exit_codes(runs: tuple[Path, Path]) -> None:
    a, b = runs
    assert parity(a, a)[0] == 0
    assert parity(a, b)[0] == 1
    assert parity(a, b, "--atol", 10)[0] == 0
    for arguments in (
        (a, b, "--atol", "-1"),
        (a, b, "--rtol", "nan"),
        (a, b, "--map", "x"),
        (a, b, "--map", "=x"),
        (a, b, "--run-a", "z"),
        (a, b.parent / "missing"),
        (a,),
    ):
        code, output = parity(*arguments)
        assert (code, output.count("\n")) == (2, 1), output


def test_every_tag_is_printed_on_request(runs: tuple[Path, Path]) -> None:
    assert [line.partition(":")[0] for line in parity(*runs)[1].splitlines()] == [
        "train/loss", "different",
    ]  # fmt: skip
    assert "accuracy: equal at 10 common steps\n" in parity(*runs, "--details")[1]


def test_json_has_everything(runs: tuple[Path, Path]) -> None:
    code, output = parity(*runs, "--json", "--rtol", 0.25)
    answer = json.loads(output)
    (run,) = answer["runs"]
    loss, accuracy = run["tags"]
    value = float(scalars(10)["train/loss"][4])
    assert code == 1
    assert (answer["equal"], answer["rtol"], answer["atol"]) == (False, 0.25, 0.0)
    assert (run["train_id_a"], run["train_id_b"]) == ("./", "./")
    assert loss["series"]["first"] == {"step": 4, "a": value, "b": 9.0, "index": []}
    assert loss["series"]["largest_absolute"] == {"size": 9 - value, "step": 4}
    assert (accuracy["status"], accuracy["series"]["common_steps"]) == ("equal", 10)


def test_non_finite_values_are_strings_in_json(runs: tuple[Path, Path], tmp_path: Path) -> None:
    values = scalars(10)
    values["accuracy"][:3] = [1, np.nan, np.nan]
    write_visualdl(tmp_path / "c", values)
    series = json.loads(parity(runs[0], tmp_path / "c", "--json")[1])["runs"][0]["tags"][0][
        "series"
    ]
    assert series["first"] == {"step": 0, "a": "NaN", "b": 1.0, "index": []}
    assert series["non_finite_steps"] == 3


def test_rules_may_be_in_files(runs: tuple[Path, Path], tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("# not ported yet\ntrain/* =\n")
    assert parity(*runs, "--map", rules)[0] == 0
    rules.write_text("a=b\ntrain\n")
    code, output = parity(*runs, "--map", rules)
    assert code == 2
    assert f"{rules}, line 2, 'train': expected NAME=NEW_NAME." in output
    rules.write_bytes(b"\xff")
    assert parity(*runs, "--map", rules)[0] == 2


def test_the_documented_output_is_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_demo(tmp_path / "logs", now=1_700_000_000)
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text("utf-8")
    for name, rules in re.findall(
        r"^`(\w+\.txt)`:\n\n```\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    ):
        Path(name).write_text(rules)
    commands = 0
    for example in EXAMPLE.findall(text):
        for block in example.split("$ mindviz ")[1:]:
            command, _, expected = block.partition("\n")
            arguments = shlex.split(command)
            if arguments[0] == "parity":
                assert parity(*arguments[1:])[1] == expected
                commands += 1
    assert commands == 3
