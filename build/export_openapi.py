"""The OpenAPI description of the REST interface, as `GET /v1/mindviz/openapi.json` has it.

    python build/export_openapi.py            write it to docs/openapi.json
    python build/export_openapi.py --check    exit with 1 if what is there is not it

For whoever generates a client without a running server, and for reviewers, who see what a change
means to clients. mindviz has to be importable.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "docs" / "openapi.json"


def description() -> Any:
    """The description as a JSON object."""
    from mindviz.backend.app import create_app
    from mindviz.config import Config
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    # Never started, so it neither looks at the directory nor needs one.
    config = Config(ROOT)
    client = create_app(config, LogStore(config)).test_client()
    return client.get("/v1/mindviz/openapi.json").get_json()


def main(arguments: list[str]) -> int:
    """Run from a shell; returns the exit code."""
    text = json.dumps(description(), indent=1, ensure_ascii=False) + "\n"
    if arguments == ["--check"]:
        copy = COPY.read_text("utf-8") if COPY.exists() else ""
        lines = difflib.unified_diff(
            copy.splitlines(), text.splitlines(), str(COPY.relative_to(ROOT)), "the routes"
        )
        difference = list(lines)
        if difference:
            print(*difference, "`make openapi` writes it anew.", sep="\n", file=sys.stderr)
        return bool(difference)
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    COPY.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    # Run from a checkout, it describes that checkout, whatever is installed.
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
