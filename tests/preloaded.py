"""Imports mindviz and its libraries: most of a start, which forks of this process are spared."""

from __future__ import annotations

import gc
import pkgutil
from importlib import import_module

import mindviz

LAZY = (
    "markdown_it.presets",
    "pandas",
    "PIL.GifImagePlugin",
    "PIL.PngImagePlugin",
    "pyarrow.parquet",
    "rich.progress",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "yaml",
)
"""Modules that mindviz imports when it needs them."""

SKIPPED = ("mindviz.summary", "mindviz.notebook", "mindviz.backend.server", "mindviz.__main__")
"""Adapters and notebooks need their frameworks; commands end otherwise after importing a server."""

for module in pkgutil.walk_packages(mindviz.__path__, "mindviz."):
    if not module.name.startswith(SKIPPED):
        import_module(module.name)
for name in LAZY:
    import_module(name)
# Forks share the memory of objects that the collector does not touch.
gc.freeze()
