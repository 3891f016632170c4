"""Options that the environment can set as `MINDVIZ_<NAME>`, and those of several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import click
from click.core import ParameterSource

from mindviz.cli.summary_base_dir import absolute, location
from mindviz.config import environment_value, environment_variable
from mindviz.errors import StartError

T = TypeVar("T")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Option(click.Option):
    """An option that the environment can set; an empty variable counts as not set."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        attributes.setdefault("show_envvar", True)
        super().__init__(*args, **attributes)
        self.envvar = environment_variable(self._long_name)

    @property
    def _long_name(self) -> str:
        return max(self.opts, key=len).lstrip("-")

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:  # noqa: ARG002
        """The variable's text, which click parses like an argument."""
        return environment_value(self._long_name) or None

    def get_error_hint(self, ctx: click.Context | None, **extra: Any) -> str:  # noqa: ARG002
        """The source of the value for error messages: the option or the variable."""
        if ctx is not None and self.name is not None:
            source = ctx.get_parameter_source(self.name)
            if source is ParameterSource.ENVIRONMENT:
                return str(self.envvar)
        return f"--{self._long_name}"


def option(*names: str, **attributes: Any) -> Decorator:
    """A click option that the environment can set; help shows its default unless empty."""
    attributes.setdefault("show_default", bool(attributes.get("default")))
    return click.option(*names, cls=Option, **attributes)


class Parsed(click.ParamType, Generic[T]):  # type: ignore[type-arg] # generic since click 8.4
    """An option type with a parser such as those of `mindviz.config`."""

    def __init__(self, name: str, parse: Callable[[str], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """The value. A StartError becomes a click error, which names the option."""
        try:
            return self._parse(str(value))
        except StartError as error:
            self.fail(str(error), param, ctx)


def is_default(ctx: click.Context, name: str) -> bool:
    """Whether neither the command line nor the environment sets this option."""
    return ctx.get_parameter_source(name) is ParameterSource.DEFAULT


DIRECTORY = Parsed("dir", absolute)
FILE = Parsed("file", absolute)
"""Absolute paths, which need not exist."""
LOGS = Parsed("dir", location)
"""A directory, or the URL of objects."""


def workspace_option(text: str) -> Decorator:
    """`--workspace`; `text` is its help."""
    return option("--workspace", type=DIRECTORY, default="~/mindviz", help=text)


def cache_options(text: str = "Folder of the cache.") -> Decorator:
    """`--workspace`, whose help is `text`, and `--no-cache`."""
    no_cache = option("--no-cache", is_flag=True, help="Read all logs again; keep nothing of them.")
    return lambda command: workspace_option(text)(no_cache(command))


def checksum_option(default: str, text: str) -> Decorator:
    """`--checksum`, one of `always` and `lazy`."""
    return option("--checksum", type=click.Choice(["always", "lazy"]), default=default, help=text)


VERIFIED = checksum_option("always", "Whether to verify records over 64 KiB, too.")
"""`--checksum` of commands that read everything once."""


def discovery_options(base_dir: str) -> Decorator:
    """`--max-depth` and `--follow-external-links`; `base_dir` is the directory's name in help."""
    max_depth = option(
        "--max-depth",
        metavar="LEVELS",
        type=click.IntRange(min=0),
        help=f"Maximum depth of runs in {base_dir}.  [default: any depth]",
    )
    follow_links = option(
        "--follow-external-links",
        is_flag=True,
        help=f"Follow symbolic links that lead out of {base_dir}.",
    )
    return lambda command: max_depth(follow_links(command))


def rules_option(base_dir: str) -> Decorator:
    """`--rules`; `base_dir` is the directory's name in help."""
    return option(
        "--rules",
        "rules_file",
        metavar="FILE",
        type=FILE,
        help=f"File of anomaly rules.  [default: mindviz.toml in {base_dir}, if it exists]",
    )
