"""`mindviz mcp`: the questions of `mindviz ask` as tools of the Model Context Protocol."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from mindviz.cli.log_sources import experiment_option, open_location, token_option
from mindviz.cli.options import cache_options
from mindviz.errors import ExtraNotInstalled


@click.command()
@click.argument("location", metavar="DIR|URL|DB")
@experiment_option
@token_option
@cache_options("Folder of the cache and of the notes about runs.")
def mcp(
    *, location: str, experiment: str, auth_token: str, workspace: Path, no_cache: bool
) -> None:
    """Answer the questions of `mindviz ask` as an MCP server on stdin and stdout."""
    if find_spec("mcp") is None:
        raise ExtraNotInstalled("The Model Context Protocol", "mcp")
    from mindviz.cli.mcp_server import make_server

    with open_location(location, experiment, auth_token, workspace, no_cache=no_cache) as source:
        source.prepare()
        make_server(source).run("stdio")
