"""Options: each can be given on the command line or as `MINDVIZ_<NAME>` in the environment.

Those of several commands are declared here, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import click
from click.core import ParameterSource

from mindviz.cli.summary_base_dir import absolute
from mindviz.config import environment_value, environment_variable
from mindviz.errors import StartError

T = TypeVar("T")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Option(click.Option):
    """An option that the environment can set; one that is set but empty counts as not set."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        attributes.setdefault("show_envvar", True)
        super().__init__(*args, **attributes)
        self.envvar = environment_variable(self._long_name)

    @property
    def _long_name(self) -> str:
        return max(self.opts, key=len).lstrip("-")

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:  # noqa: ARG002
        """The variable's text, which click then reads like an argument's."""
        return environment_value(self._long_name) or None

    def get_error_hint(self, ctx: click.Context | None, **extra: Any) -> str:  # noqa: ARG002
        """What a complaint names: the option, or the variable if the value came from there."""
        if ctx is not None and self.name is not None:
            source = ctx.get_parameter_source(self.name)
            if source is ParameterSource.ENVIRONMENT:
                return str(self.envvar)
        return f"--{self._long_name}"


class Parsed(click.ParamType, Generic[T]):  # type: ignore[type-arg] # generic since click 8.4
    """A type of option whose text is read by one of `mindviz.config`'s functions."""

    def __init__(self, name: str, parse: Callable[[str], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """The value; a StartError becomes click's complaint, which names the option too."""
        try:
            return self._parse(str(value))
        except StartError as error:
            self.fail(str(error), param, ctx)


def is_default(ctx: click.Context, name: str) -> bool:
    """Whether nobody set this option: neither the command line nor the environment."""
    return ctx.get_parameter_source(name) is ParameterSource.DEFAULT


DIRECTORY = Parsed("directory", absolute)
"""Made absolute; it need not exist."""


def workspace_option(text: str) -> Decorator:
    """`--workspace`: `text` says what the command does with it."""
    return click.option(
        "--workspace",
        cls=Option,
        metavar="DIR",
        type=DIRECTORY,
        default="~/mindviz",
        show_default=True,
        help=text,
    )


def checksum_option(default: str, text: str) -> Decorator:
    """`--checksum`, one of `always` and `lazy`."""
    return click.option(
        "--checksum",
        cls=Option,
        type=click.Choice(["always", "lazy"]),
        default=default,
        show_default=True,
        help=text,
    )


VERIFIED = checksum_option("always", "Whether records over 64 KiB are verified as well.")
"""`--checksum` of commands that read everything once."""


def discovery_options(base_dir: str) -> Decorator:
    """`--max-depth` and `--follow-external-links`; help calls the directory `base_dir`."""
    deep = click.option(
        "--max-depth",
        cls=Option,
        metavar="LEVELS",
        type=click.IntRange(min=0),
        help=f"How deep below {base_dir} train jobs are looked for.  [default: any depth]",
    )
    far = click.option(
        "--follow-external-links",
        cls=Option,
        is_flag=True,
        help=f"Follow symbolic links that lead out of {base_dir}.",
    )
    return lambda command: deep(far(command))
