"""`make sanitize`: tests the native modules with AddressSanitizer and UBSan.

The sanitized modules are built into .build/sanitized and replace the normal ones. Needs GCC or
Clang with sanitizer runtimes.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from build_native import MODULES, ROOT

BUILT = ROOT / ".build" / "sanitized"
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1"
TESTS = ("tests/datavisual/logs/scanner", "tests/wire", "tests/fuzz")


def build(environment: Mapping[str, str]) -> None:
    """Build all modules. Raises CalledProcessError."""
    places = ["--build-lib", str(BUILT / "lib"), "--build-temp", str(BUILT / "temp"), "--force"]
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", *places],
        cwd=ROOT,
        env={**environment, "CFLAGS": FLAGS, "LDFLAGS": FLAGS},
        check=True,
    )


def built_module(name: str) -> Path:
    """The path of a sanitized module."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return BUILT / "lib" / (name.replace(".", "/") + str(suffix))


class SanitizedModules:
    """Finds the sanitized modules."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As in `sys.meta_path`."""
        if name not in MODULES:
            return None
        return importlib.util.spec_from_file_location(name, built_module(name))


def runtime() -> str:
    """The library to load before Python, which is not sanitized itself."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    found = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


def main() -> int:
    """Command line: build, then run the tests in a process with the runtime."""
    if "--run" in sys.argv:
        import pytest

        sys.meta_path.insert(0, SanitizedModules)
        return int(pytest.main(["-q", "-p", "no:cacheprovider", *TESTS]))
    environment = {
        **os.environ,
        # Python does not free all memory at exit.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    build(environment)
    missing = [name for name in MODULES if not built_module(name).exists()]
    if missing:
        print(f"Not built: {', '.join(missing)}. Is there a C compiler?", file=sys.stderr)
        return 1
    command = [sys.executable, __file__, "--run"]
    environment["LD_PRELOAD"] = runtime()
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
