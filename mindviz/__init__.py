"""mindviz: MindSpore, TensorBoard and VisualDL logs, exactly and at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from mindviz.client.logs import Logs

__version__ = "0.1.0"

__all__ = ["__version__", "open"]


def open(
    location: str | os.PathLike[str],
    experiment: str = "",
    *,
    token: str = "",
    max_tensor_bytes: int = 10 * 1024 * 1024,
) -> Logs:
    """The logs at a place, as tables: `mindviz.open("~/trainings").scalars(tag="loss")`.

    `location` is a directory with logs below it; the URL of a running mindviz, as its page has it;
    or the URL of a database (`sqlite:///file`, `postgresql://user@host/name`) or a SQLite file.
    `token` is what that mindviz asks for, unless the URL is the link that holds it.
    `experiment` is which one, where there are several; the first, if left out. Returns when
    everything has been read. In this process, tensors over `max_tensor_bytes` are left out.

    Raises `mindviz.errors.CannotOpen`, an OSError, if there are no logs to read, and
    `DatabaseUnavailable`.
    """
    # `import mindviz` costs nothing: this is where numpy and the rest come in.
    from mindviz.client.opening import open_logs  # noqa: PLC0415

    return open_logs(location, experiment, token=token, max_tensor_bytes=max_tensor_bytes)
