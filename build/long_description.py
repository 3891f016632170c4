"""The README for PyPI, with absolute links and images."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_IMAGE = re.compile(r"(!\[[^\]]*\]\()(?![a-z]+:)([^)\s]+)\)")
_LINK = re.compile(r"(?<!!)(\[(?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*\]\()(?![a-z]+:|#)([^)\s]+)\)")


def long_description(root: Path = ROOT) -> str:
    """README.md with links to the repository in `[project.urls]`."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    repository = project["urls"]["Source"]
    text = (root / "README.md").read_text("utf-8")
    text = _IMAGE.sub(rf"\1{repository}/raw/main/\2)", text)
    return _LINK.sub(rf"\1{repository}/blob/main/\2)", text)
