"""TLS: the options `--certfile` and `--keyfile`, and the certificate they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mindviz.cli.options import DIRECTORY, Decorator, Option

if TYPE_CHECKING:
    from mindviz.certificate import Certificate


def tls_options() -> Decorator:
    """`--certfile` and `--keyfile`."""
    certfile = click.option(
        "--certfile",
        cls=Option,
        metavar="FILE",
        type=DIRECTORY,
        help="Encrypt HTTP and gRPC with this certificate in PEM, followed by its chain if it has "
        "one.",
    )
    keyfile = click.option(
        "--keyfile",
        cls=Option,
        metavar="FILE",
        type=DIRECTORY,
        help="The certificate's private key in PEM, not encrypted.  [default: in --certfile]",
    )
    return lambda command: certfile(keyfile(command))


def certificate_in(certfile: Path | None, keyfile: Path | None) -> Certificate | None:
    """The certificate in these files, if they are given. Raises UsageError, StartError."""
    if certfile is None:
        if keyfile is not None:
            raise click.UsageError("--keyfile needs --certfile.")
        return None
    from mindviz.certificate import Certificate

    certificate = Certificate(certfile, keyfile)
    certificate.server_context()
    return certificate
