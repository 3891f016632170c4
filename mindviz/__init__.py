"""mindviz: view MindSpore, TensorBoard and VisualDL training logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from IPython.core.interactiveshell import InteractiveShell

    from mindviz.client.logs import Logs

__version__ = "0.1.0"

__all__ = ["__version__", "open"]


def open(
    location: str | os.PathLike[str],
    experiment: str = "",
    *,
    token: str = "",
    max_tensor_bytes: int = 10 * 1024 * 1024,
    cache: bool = True,
) -> Logs:
    """Logs as tables: `mindviz.open("~/trainings").scalars(tag="loss")`.

    `location` is a log directory, the URL of a mindviz server, the URL of a database
    (`sqlite:///file`, `postgresql://user@host/name`) or a SQLite file. `token` is the server's
    access token, unless the URL contains it. `experiment` defaults to the first one. Returns when
    everything is loaded. Tensors over `max_tensor_bytes` are omitted, except from a server. With
    `cache`, logs that have not changed are taken from the cache of `mindviz start`.

    Raises `mindviz.errors.CannotOpen`, an OSError, if there are no readable logs, and
    `DatabaseUnavailable`.
    """
    # Imported late, so that `import mindviz` is fast.
    from mindviz.client.opening import open_logs  # noqa: PLC0415

    return open_logs(
        location, experiment, token=token, max_tensor_bytes=max_tensor_bytes, cache=cache
    )


def load_ipython_extension(ipython: InteractiveShell) -> None:
    """`%load_ext mindviz`: adds the magic `%mindviz`; see docs/notebooks.md."""
    from mindviz.notebook.magic import register  # noqa: PLC0415

    register(ipython)
