"""The program as a whole: help, version, and one line for what the user can mend."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import mindviz
from mindviz.cli import COMMANDS, cli
from mindviz.errors import StartError
from tests.mindviz_process import run


def test_without_arguments_it_prints_help() -> None:
    result = CliRunner().invoke(cli)
    assert result.exit_code == 0
    assert all(f"\n  {name} " in result.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_exits_with_0(name: str) -> None:
    # In a new process: click keeps what a command's first caller called its help.
    results = [run(name, "--help"), run(name, "-h")]
    assert [result.returncode for result in results] == [0, 0]
    assert results[0].stdout == results[1].stdout != ""


def test_python_m_mindviz_prints_the_version() -> None:
    assert run("--version").stdout == f"mindviz {mindviz.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["strat"], "No such command 'strat'"),
        (["start", "--no-such"], "No such option"),
        (
            ["start", "--port", "65536"],
            "--port: '65536' is not a port: give a number from 0 to 65535.",
        ),
        (["start", "--port", "8080x"], "'8080x' is not a port"),
        (["stop", "--port", "0"], "'0' is not a port: give a number from 1 to 65535."),
        (["start", "--port", "http"], "--port"),
        (["start", "--max-memory", "lots"], "--max-memory: 'lots' is not a size"),
        (["start", "--reload-interval", "nan"], "--reload-interval"),
        (["start", "--url-path-prefix", "a/../b"], "--url-path-prefix"),
        (["start", "--cors-origin", "*"], "--cors-origin"),
        (["start", "--checksum", "never"], "--checksum"),
        (["start", "--max-depth", "-1"], "--max-depth"),
        (["start", "--summary-base-dir", ""], "path is empty"),
        (["start", "--host", "no such host"], "Unknown host"),
        (["start", "logs", "--summary-base-dir", "logs"], "not both"),
        (["inspect"], "Missing argument 'DIR'"),
        (["stop", "--port", "0"], "--port"),
    ],
)
def test_usage_errors_are_one_line_with_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("mindviz: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_a_group_of_commands_prints_its_help() -> None:
    for arguments in ([], ["cache"]):
        result = CliRunner().invoke(cli, arguments)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines()[-2].startswith("  ")


def test_the_error_for_an_invalid_variable_names_it() -> None:
    result = CliRunner().invoke(cli, ["start"], env={"MINDVIZ_PORT": "eighty"})
    assert result.exit_code == 2
    assert "MINDVIZ_PORT" in result.stderr


def test_multi_line_messages_become_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def fail() -> None:
        raise StartError("first\n  second")

    monkeypatch.setattr(cli, "get_command", lambda *_: fail)
    result = CliRunner().invoke(cli, ["fail"])
    assert (result.exit_code, result.stderr) == (2, "mindviz: first second\n")


def test_help_loads_neither_numpy_nor_the_web_framework() -> None:
    program = (
        "import json, sys\n"
        "from click.testing import CliRunner\n"
        "from mindviz.cli import cli\n"
        "assert CliRunner().invoke(cli).exit_code == 0\n"
        "print(json.dumps(list(sys.modules)))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert {"numpy", "flask", "granian", "rich"}.isdisjoint(json.loads(output))


def test_unencodable_characters_are_escaped(tmp_path: Path) -> None:
    job = tmp_path / "\u635f\u5931"
    job.mkdir()
    (job / "events.out.tfevents.1.host").touch()
    result = run("inspect", str(tmp_path), env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0, result.stderr
    assert "./\\u635f\\u5931" in result.stdout
