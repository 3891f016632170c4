"""`mindviz parity`: whether two trainings logged the same series and config."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mindviz.cli.options import cache_options


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--run-a", metavar="RUN", help="The run to compare if A has several.")
@click.option("--run-b", metavar="RUN", help="The run to compare if B has several.")
@click.option(
    "--map",
    "rules",
    metavar="RULES",
    multiple=True,
    help="NAME_IN_A=NAME_IN_B, or a file with such rules; repeatable.",
)
@click.option("--rtol", type=float, default=0.0, show_default=True, help="Relative tolerance.")
@click.option("--atol", type=float, default=0.0, show_default=True, help="Absolute tolerance.")
@click.option(
    "--only",
    metavar="PLUGIN",
    multiple=True,
    help="Compare only these series, such as scalar or histogram; repeatable.",
)
@click.option("--no-config", is_flag=True, help="Leave the config out.")
@click.option("--details", is_flag=True, help="Print every tag, also equal ones.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@cache_options()
def parity(
    *,
    a: str,
    b: str,
    run_a: str | None,
    run_b: str | None,
    rules: tuple[str, ...],
    rtol: float,
    atol: float,
    only: tuple[str, ...],
    no_config: bool,
    details: bool,
    as_json: bool,
    workspace: Path,
    no_cache: bool,
) -> int:
    """Compare the series and the config of the runs in A and B.

    Compared are scalars, tensors, histograms, images, audio and texts.

    A and B are run directories, or anything else that mindviz.open accepts: directories of runs,
    s3:// URLs, databases, URLs of servers. If they have several runs, those with the same path are
    compared.

    The exit code is 0 if all are equal, 1 if something differs or data is lost, and 2 for errors.
    """
    from mindviz.cli.compared_locations import ParityOptions, compare_locations, parity_lines
    from mindviz.datavisual.analysis.series_parity import Tolerance

    options = ParityOptions(
        Tolerance(rtol, atol),
        _lines_of(rules),
        run_a,
        run_b,
        only=only,
        with_config=not no_config,
        cache=None if no_cache else workspace,
    )
    compared = compare_locations(a, b, options)
    if as_json:
        # ASCII with escapes, because tags may contain lone surrogates.
        click.echo(json.dumps(compared.as_json(), allow_nan=False))
    else:
        for line in parity_lines(compared, details=details):
            click.echo(line)
    return int(not compared.equal)


def _lines_of(rules: tuple[str, ...]) -> tuple[tuple[str, list[str]], ...]:
    """(source for errors, lines) of each `--map`."""
    from mindviz.errors import StartError

    lines = []
    for rule in rules:
        file = Path(rule)
        try:
            if file.is_file():
                lines.append((f"{rule}, line", file.read_text("utf-8").splitlines()))
            elif "=" in rule:
                lines.append(("--map", [rule]))
            else:
                raise StartError(f"--map {rule!r} is neither a rule NAME=NEW_NAME nor a file.")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StartError(f"Cannot read the rules in {rule!r}: {reason}.") from None
    return tuple(lines)
