"""The cases of filters and orders that Python and the page share: golden/run_lists.json."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

CASES = json.loads(Path(__file__).with_name("golden").joinpath("run_lists.json").read_text("utf-8"))
RUNS: list[dict[str, Any]] = CASES["runs"]
_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def value_of(cell: Any) -> Any:
    """A cell, with the numbers that JSON lacks."""
    return _NUMBERS.get(cell, cell) if isinstance(cell, str) else cell
