"""Regenerates `mindviz/wire/proto/*_pb2.py` and their type stubs from the .proto files beside them.

The generated code is committed, so nobody who installs mindviz needs protoc. It is generated at the
level of protoc 6.31: newer runtimes load it, older ones refuse code from a newer protoc, and
TensorBoard and MindSpore between them leave no other range (see pyproject.toml).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOC_PACKAGE = "grpcio-tools==1.75.1"
"""Carries protoc 31.1, whose Python code is at level 6.31.1."""
PROTOC_VERSION = "libprotoc 31.1"


def main() -> None:
    """Run protoc over every .proto file."""
    protoc = [sys.executable, "-m", "grpc_tools.protoc"]
    version = subprocess.run([*protoc, "--version"], capture_output=True, text=True, check=False)
    if version.stdout.strip() != PROTOC_VERSION:
        found = version.stdout.strip() or "none"
        sys.exit(f"{PROTOC_VERSION} is needed, found {found}: pip install {PROTOC_PACKAGE}")
    sources = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "mindviz/wire/proto").glob("*.proto")
    )
    command = [*protoc, f"-I{ROOT}", f"--python_out={ROOT}", f"--pyi_out={ROOT}", *sources]
    subprocess.run(command, check=True, cwd=ROOT)
    print("\n".join(sources))


if __name__ == "__main__":
    main()
