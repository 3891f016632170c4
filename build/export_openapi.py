"""Prints the OpenAPI description of the REST interface, as `GET /v1/mindviz/openapi.json` has it.

    python build/export_openapi.py > openapi.json

For whoever generates a client, without a running server; mindviz has to be importable.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def description() -> Any:
    """The description as a JSON object."""
    from mindviz.backend.app import create_app
    from mindviz.config import Config
    from mindviz.datavisual.data_transform.log_directory_provider import LogDirectoryProvider

    # Never started, so it neither looks at the directory nor needs one.
    config = Config(ROOT)
    client = create_app(config, LogDirectoryProvider(config)).test_client()
    return client.get("/v1/mindviz/openapi.json").get_json()


if __name__ == "__main__":
    # Run from a checkout, it describes that checkout, whatever is installed.
    sys.path.insert(0, str(ROOT))
    print(json.dumps(description(), indent=2, ensure_ascii=False))
