"""`mindviz ask`: answer a question about logs, for scripts and agents."""

from __future__ import annotations

from pathlib import Path

import click

from mindviz.asking.answer import DEFAULT_TOKENS, MOST_TOKENS, TEXT
from mindviz.asking.question import SYNTAX, is_link, joined_words
from mindviz.cli.log_sources import experiment_option, open_location, token_option
from mindviz.cli.options import cache_options
from mindviz.errors import StartError

_HELP = "\b\nQuestions:\n" + "\n".join(
    f"  {syntax.usage:<32}{syntax.about}" for syntax in SYNTAX.values()
)


@click.command(epilog=_HELP)
@click.argument("location", metavar="DIR|URL|DB")
@click.argument("words", metavar="QUESTION", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--max-tokens",
    metavar="N",
    type=click.IntRange(1, MOST_TOKENS),
    default=DEFAULT_TOKENS,
    show_default=True,
    help="Maximum size of the answer.",
)
@click.option(
    "--cursor",
    metavar="CURSOR",
    type=click.IntRange(min=0),
    default=0,
    help="Continue an answer that was cut.",
)
@experiment_option
@token_option
@cache_options("Folder of the cache and of the notes about runs.")
def ask(
    *,
    location: str,
    words: tuple[str, ...],
    as_json: bool,
    max_tokens: int,
    cursor: int,
    experiment: str,
    auth_token: str,
    workspace: Path,
    no_cache: bool,
) -> None:
    """Answer a question about the runs in a directory, on a server, or in a database.

    QUESTION may also be a link copied from the page. A link to a running server needs no DIR.
    """
    question = joined_words(words)
    if not words and is_link(location):
        question = location
    if not question.strip():
        usages = "; ".join(syntax.usage for syntax in SYNTAX.values())
        raise StartError(f"Give a question: {usages}.")
    with open_location(location, experiment, auth_token, workspace, no_cache=no_cache) as source:
        click.echo(source.answer(question, cursor, max_tokens, "json" if as_json else TEXT))
