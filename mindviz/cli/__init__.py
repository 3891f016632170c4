"""The command line: one module per command, imported on demand."""

from __future__ import annotations

import atexit
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from keyword import iskeyword
from typing import Any

import click

from mindviz import __version__
from mindviz.config import spare_threads
from mindviz.errors import MindvizError
from mindviz.gc_control import collect_less_often

COMMANDS = {
    "ask": "Answer a question about runs, for scripts and agents.",
    "cache": "List or clear the cache of logs.",
    "check": "Find anomalies in the logs in a directory.",
    "demo": "Write demo logs.",
    "export": "Export the data of a log directory to one file.",
    "import": "Import a log directory into a database.",
    "inspect": "Summarize the logs in a directory, and their problems.",
    "mcp": "Answer questions as an MCP server, for agents.",
    "parity": "Compare the data and the config of two trainings.",
    "parse-summary": "Export the scalars and images of one MindSpore run.",
    "snapshot": "Save the page and its data as one HTML file.",
    "start": "Serve the logs in a directory.",
    "stop": "Stop a mindviz server.",
    "watch": "Show the runs in a directory, live in the terminal.",
}
"""Name -> help text. The command is `mindviz.cli.<name>.<name>`, with `_` for `-` and after Python
keywords."""

_HELP_WIDTH = 100


class CommandLine(click.Group):
    """The group of all commands; imports a command's module on demand.

    A MindvizError or a usage error is one line on stderr and exit code 2, without usage text or
    traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, D102
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002, D102
        if cmd_name.replace("_", "-") not in COMMANDS:  # MindInsight has a `parse_summary`
            return None
        name = cmd_name.replace("-", "_") + "_" * iskeyword(cmd_name)
        module = importlib.import_module(f"mindviz.cli.{name}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, with a hint for an unknown command."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from mindviz.cli.usage_hints import unknown_command

            raise unknown_command(name, args[1:], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(  # type: ignore[override]  # click's overloads are for standalone_mode
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> None:
        """Run and exit: 0, 2 for an error, 130 after Ctrl-C."""
        extra["standalone_mode"] = False
        try:
            result = super().main(args, prog_name, **extra)
        except click.UsageError as error:
            from mindviz.cli.start import start
            from mindviz.cli.usage_hints import with_hint

            names = [name for option in start.params for name in option.opts]
            _print_error(with_hint(error, names))
            sys.exit(error.exit_code)
        except click.ClickException as error:
            _print_error(error.format_message())
            sys.exit(error.exit_code)
        except MindvizError as error:
            _print_error(str(error))
            sys.exit(2)
        except click.Abort:
            sys.exit(130)
        sys.exit(result if isinstance(result, int) else 0)


def _print_error(message: str) -> None:
    click.echo("mindviz: " + " ".join(message.split()), err=True)


@click.group(
    cls=CommandLine,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _HELP_WIDTH},
)
@click.version_option(__version__, prog_name="mindviz", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """View MindSpore, TensorBoard and VisualDL training logs, live and with every point kept."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Entry point of the `mindviz` program."""
    spare_threads()
    collect_less_often()
    for stream in (sys.stdout, sys.stderr):
        # Tags and paths may hold characters that the terminal's encoding lacks.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli(prog_name="mindviz")
    except SystemExit as end:
        if "mindviz.backend.server" in sys.modules:
            _exit_without_freeing(end.code)
        raise


def _exit_without_freeing(code: str | int | None) -> None:
    """Exit as `sys.exit`, but leave the memory of a server's runs to the system."""
    atexit._run_exitfuncs()  # noqa: SLF001 -- as Python does at exit
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed
            stream.flush()
    os._exit(code if isinstance(code, int) else 0)
