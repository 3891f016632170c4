"""`mindviz mcp`, used by the client of the official SDK as a program would."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner

from mindviz.asking.question import TOOLS
from mindviz.asking.token_count import count_tokens
from mindviz.cli import cli
from tests.sample_trainings import write_trainings
from tests.written_logs import tensorboard_log, write

pytest.importorskip("mcp", reason="needs mcp: pip install mindviz[mcp]")
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult

RUNS = ["resnet/lr_0.1", "resnet/lr_0.01"]
CALLS: Mapping[str, tuple[dict[str, Any], str]] = {
    "list_runs": ({"sort": "-points"}, "list sort points desc"),
    "find_runs": ({"filter": "lr < 0.05"}, "find 'lr < 0.05'"),
    "describe_run": ({"run": "lenet"}, "run lenet"),
    "describe_series": ({"run": "spiked", "tag": "train/loss"}, "series spiked train/loss"),
    "around_step": ({"run": "spiked", "step": 9000}, "around spiked 9000"),
    "compare_runs": ({"runs": RUNS, "tag": "loss"}, f"compare {' '.join(RUNS)} of loss"),
    "config_differences": ({"runs": RUNS}, f"config {' '.join(RUNS)}"),
    "health": ({}, "health"),
}


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    text: str = content.text
    return text


def test_a_client_asks_all_eight_questions(tmp_path: Path) -> None:
    base = write_trainings(tmp_path / "trainings")
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mindviz", "mcp", str(base), "--workspace", str(tmp_path / "work")],
    )

    async def converse() -> None:
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            assert {tool.name for tool in tools} == set(TOOLS) == set(CALLS)
            assert all(tool.description for tool in tools)
            while "checked so far" in text_of(await session.call_tool("health", {})):
                pass  # each answer waits for the check
            for name, (arguments, question) in CALLS.items():
                result = await session.call_tool(name, arguments)
                assert not result.is_error
                command = CliRunner().invoke(
                    cli, ["ask", str(base), question, "--workspace", str(tmp_path / "work")]
                )
                assert text_of(result) + "\n" == command.output
            await check_limits_and_errors(session)
            await check_that_new_runs_are_seen(session, base)

    anyio.run(converse)


async def check_limits_and_errors(session: ClientSession) -> None:
    short = await session.call_tool("list_runs", {"max_tokens": 300})
    assert count_tokens(text_of(short)) <= 300
    assert "more: --cursor " in text_of(short)
    wrong = await session.call_tool("describe_run", {"run": "spike"})
    assert wrong.is_error
    assert "Did you mean 'spiked'?" in text_of(wrong)
    tiny = await session.call_tool("health", {"max_tokens": 5})
    assert tiny.is_error
    assert "takes at least" in text_of(tiny)


async def check_that_new_runs_are_seen(session: ClientSession, base: Path) -> None:
    write(base / "later", "tfevents.1", tensorboard_log([(1, 0.5)]))
    result = await session.call_tool("list_runs", {})
    assert "matching runs: 6" in text_of(result)


def test_the_extra_is_named_if_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindviz.cli.mcp.find_spec", lambda _name: None)
    result = CliRunner().invoke(cli, ["mcp", str(tmp_path)])
    assert result.exit_code == 2
    assert "pip install 'mindviz[mcp]'" in result.output
