"""The OpenAPI description of the REST interface (`GET /v1/mindviz/openapi.json`) and its reference.

    python build/export_openapi.py            write docs/openapi.json and docs/rest-reference.md
    python build/export_openapi.py --check    exit with 1 if they are out of date

So clients can be generated without a running server, and reviewers see what changes for clients.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any

from rest_reference import reference

ROOT = Path(__file__).resolve().parent.parent


def description() -> Any:
    """The description as a JSON object."""
    from mindviz.backend.app import create_app
    from mindviz.config import Config
    from mindviz.datavisual.logs.log_store import LogStore

    # Never started, so it neither looks at the directory nor needs one.
    config = Config(ROOT)
    client = create_app(config, LogStore(config)).test_client()
    return client.get("/v1/mindviz/openapi.json").get_json()


def files() -> dict[str, str]:
    """The text of each generated file, by its path."""
    routes = description()
    return {
        "docs/openapi.json": json.dumps(routes, indent=1, ensure_ascii=False) + "\n",
        "docs/rest-reference.md": reference(routes),
    }


def main(arguments: list[str]) -> int:
    """Run from a shell; returns the exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    difference: list[str] = []
    for name, text in files().items():
        path = ROOT / name
        if not arguments:
            path.write_text(text, "utf-8")
            continue
        copy = path.read_text("utf-8") if path.exists() else ""
        lines = (copy.splitlines(), text.splitlines())
        difference += difflib.unified_diff(*lines, name, "generated", lineterm="")
    if difference:
        print(*difference, "`make openapi` updates these files.", sep="\n", file=sys.stderr)
    return bool(difference)


if __name__ == "__main__":
    # Describe this checkout, even if another version is installed.
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
