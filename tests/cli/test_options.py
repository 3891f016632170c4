"""Options: from the command line, else from the environment, else the default."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from mindviz.cli.options import Option, Parsed
from mindviz.config import parse_size


@click.command()
@click.option("--max-memory", cls=Option, type=Parsed("size", parse_size), default="1KiB")
@click.option("--name", "called_otherwise", cls=Option, multiple=True)
@click.option("--fast", cls=Option, is_flag=True)
def show(max_memory: int, called_otherwise: tuple[str, ...], *, fast: bool) -> None:
    click.echo(f"{max_memory} {called_otherwise} {fast}")


@pytest.mark.parametrize(
    ("arguments", "environment", "shown"),
    [
        ([], {}, "1024 () False"),
        (["--max-memory", "2k", "--name", "a", "--fast"], {}, "2048 ('a',) True"),
        ([], {"MINDVIZ_MAX_MEMORY": "3k", "MINDVIZ_FAST": "1"}, "3072 () True"),
        ([], {"MINDVIZ_NAME": "a b"}, "1024 ('a', 'b') False"),
        (["--max-memory", "2k"], {"MINDVIZ_MAX_MEMORY": "3k"}, "2048 () False"),
        ([], {"MINDVIZ_MAX_MEMORY": "", "MINDVIZ_FAST": "no"}, "1024 () False"),
    ],
)
def test_the_command_line_overrides_the_environment(
    arguments: list[str], environment: dict[str, str], shown: str
) -> None:
    assert CliRunner().invoke(show, arguments, env=environment).stdout == shown + "\n"


def test_the_error_names_the_source_of_the_value() -> None:
    typed = CliRunner().invoke(show, ["--max-memory", "x"])
    assert "--max-memory: 'x'" in typed.stderr
    assert "MINDVIZ" not in typed.stderr
    inherited = CliRunner().invoke(show, env={"MINDVIZ_MAX_MEMORY": "x"})
    assert "MINDVIZ_MAX_MEMORY: 'x'" in inherited.stderr


def test_help_names_the_variable() -> None:
    assert "MINDVIZ_MAX_MEMORY" in CliRunner().invoke(show, ["--help"]).stdout
