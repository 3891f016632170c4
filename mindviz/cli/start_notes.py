"""Notes in the banner of `mindviz start`, about access and missing data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindviz.cli.address import is_loopback
from mindviz.cli.missing_logs import hint_for_missing, log_file_patterns
from mindviz.cli.quantities import printable
from mindviz.config import Config


def start_notes(config: Config, missing: Sequence[Path], *, token_is_new: bool) -> list[str]:
    """One note per line; `missing` are the base dirs that do not exist."""
    notes = []
    for path in missing:
        which = "This directory" if len(config.sources) == 1 else printable(str(path), 200)
        notes.append(
            f"{which} does not exist yet; mindviz waits for it.{hint_for_missing(path)} Log files "
            f"are named like {log_file_patterns()}."
        )
    if config.database and not config.sources[0].experiment_id:
        notes.append("The database has no experiments yet; mindviz waits for an import.")
    if token_is_new:
        notes.append("The link contains a token: anyone who has it can read the logs.")
    elif config.auth_token:
        notes.append("The page asks for the configured token.")
    elif not is_loopback(config.host):
        notes.append("Anyone who can connect to this machine can read the logs.")
    if config.grpc_port is not None:
        notes.append(_tensorboard(config))
    return notes


def _tensorboard(config: Config) -> str:
    if config.auth_token:
        return (
            f"gRPC clients on port {config.grpc_port} must send `authorization: Bearer TOKEN`. "
            "TensorBoard cannot; for TensorBoard, start mindviz without a token."
        )
    command = f"tensorboard --grpc_data_provider localhost:{config.grpc_port}"
    if config.certificate is not None:
        command += " --grpc_creds_type ssl"
    return f"View the logs in TensorBoard with {command}"
