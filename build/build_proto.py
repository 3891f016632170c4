"""Regenerates `*_pb2.py` and their type stubs from the .proto files, for mindviz and its tests.

The generated code is committed, so installing mindviz does not require protoc. It has the level of
protoc 6.31: newer runtimes load it, older ones reject code of a newer protoc, and the versions
that TensorBoard and MindSpore require leave no other range (see pyproject.toml).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOC_PACKAGE = "grpcio-tools==1.75.1"
"""Contains protoc 31.1, which generates Python code of level 6.31.1."""
PROTOC_VERSION = "libprotoc 31.1"


def main() -> None:
    """Run protoc over every .proto file."""
    protoc = [sys.executable, "-m", "grpc_tools.protoc"]
    version = subprocess.run([*protoc, "--version"], capture_output=True, text=True, check=False)
    if version.stdout.strip() != PROTOC_VERSION:
        found = version.stdout.strip() or "none"
        sys.exit(f"{PROTOC_VERSION} is needed, found {found}: pip install {PROTOC_PACKAGE}")
    sources = sorted(
        path.relative_to(ROOT).as_posix()
        for folder in ("mindviz/wire/proto", "tests/proto")
        for path in (ROOT / folder).glob("*.proto")
    )
    command = [*protoc, f"-I{ROOT}", f"--python_out={ROOT}", f"--pyi_out={ROOT}", *sources]
    subprocess.run(command, check=True, cwd=ROOT)
    print("\n".join(sources))


if __name__ == "__main__":
    main()
