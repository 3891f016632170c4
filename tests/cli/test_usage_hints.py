"""Usage hints: what was meant by commands and options that do not exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.cli import cli


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["strat"], "Did you mean 'start'?"),
        (["Inspekt", "x"], "Did you mean 'inspect'?"),
        (
            ["tensorboard"],
            "Commands: ask, cache, check, demo, export, import, inspect, mcp,",
        ),
        (["logs"], "`mindviz start logs`"),
        (["."], "`mindviz start .`"),
        (["/no/such dir", "--port", "0"], "`mindviz start '/no/such dir' --port 0`"),
        (["~/trainings"], "`mindviz start '~/trainings'`"),
        (["--logdir", "logs"], "Instead, pass the directory as an argument: `mindviz start DIR`."),
        (["start", "--logdir=logs"], "Instead, pass the directory as an argument"),
        (["start", "--dir", "logs"], "'--dir'. Instead, pass the directory as an argument"),
        (["--port", "8080"], "`mindviz start --port ...`"),
        (["--nothing"], "No such option '--nothing'."),
        (["start", "--bind_all"], "--host 0.0.0.0"),
        (["start", "--path_prefix", "/x"], "--url-path-prefix"),
        (["start", "--prot", "1"], "No such option '--prot'. Did you mean '--port'"),
        (["start", "--hots", "x"], "No such option '--hots'. Did you mean '--host'"),
        (["start", "a", "b", "c"], "use the parent directory instead"),
        (["inspect", "a", "b"], "mindviz finds logs at any depth"),
    ],
    ids=" ".join,
)
def test_hints_are_one_line(
    arguments: list[str], hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("mindviz: No such") or "unexpected" in result.stderr
    assert hint in result.stderr
    assert "--db" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_odd_names_are_unknown_commands() -> None:
    for name in ("\0", "a" * 5000, "ü", "st/art", " "):
        assert CliRunner().invoke(cli, [name]).exit_code == 2
