from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_description_is_printed_without_a_server(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "build" / "export_openapi.py")]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    description = json.loads(result.stdout)
    assert "/v1/mindviz/status" in description["paths"]
    assert description["info"]["title"] == "mindviz"
