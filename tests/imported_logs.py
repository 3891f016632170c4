"""Imports logs for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions, ImportProgress


def imported(
    database: Database, base_dir: Path, experiment: str = "e", **options: Any
) -> ImportProgress:
    """Import everything below a base dir."""
    importer = Importer(database, ImportOptions(base_dir, experiment, **options))
    importer.run()
    return importer.progress
