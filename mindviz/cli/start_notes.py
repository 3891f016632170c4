"""Start notes: what `mindviz start` tells at once, besides where the page is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindviz.cli.address import is_loopback
from mindviz.cli.log_search import hint_for_missing, names_of_logs
from mindviz.cli.quantities import printable
from mindviz.config import Config


def start_notes(config: Config, to_come: Sequence[Path], *, token_is_new: bool) -> list[str]:
    """Sentences, one a line; `to_come` are the base dirs that do not exist."""
    notes = [_missing(path, one_of_many=len(config.sources) > 1) for path in to_come]
    if config.database and not config.sources[0].experiment_id:
        notes.append("This database holds no experiments yet; mindviz waits for an import.")
    if token_is_new:
        notes.append("The page's link holds a token: who has it can read these logs.")
    elif config.auth_token:
        notes.append("The page asks for the token that it was started with.")
    elif not is_loopback(config.host):
        notes.append("Everybody who reaches this machine can read these logs.")
    if config.grpc_port is not None:
        notes.append(_tensorboard(config))
    return notes


def _missing(path: Path, *, one_of_many: bool) -> str:
    which = printable(str(path), 200) if one_of_many else "This directory"
    return (
        f"{which} does not exist yet; mindviz waits for it.{hint_for_missing(path)} Logs are files "
        f"named like {names_of_logs()}."
    )


def _tensorboard(config: Config) -> str:
    if config.auth_token:
        return (
            f"gRPC clients on port {config.grpc_port} send the token, `authorization: Bearer "
            "TOKEN`. TensorBoard cannot: it needs a mindviz without one."
        )
    command = f"tensorboard --grpc_data_provider localhost:{config.grpc_port}"
    if config.certificate is not None:
        command += " --grpc_creds_type ssl"
    return f"{command} shows them too."
