"""`make test-wheel`: runs the Python tests against an installed wheel.

For each supported Python that is installed: build the wheel of the sdist, install it into a clean
environment and run the tests. Options are pytest's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / ".cache" / "wheel"
VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"


def versions() -> list[str]:
    """The supported Pythons, such as "3.11"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    last_words = [classifier.rpartition(" :: ")[2] for classifier in project["classifiers"]]
    return [word for word in last_words if word.startswith("3.")]


def interpreter(version: str) -> str | None:
    """The command of this Python, or None if it is not installed."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    of_pyenv = sorted(pyenv.glob(f"{version}.*/bin/python"))
    for command in (f"python{version}", sys.executable, *map(str, of_pyenv)):
        if not shutil.which(command):
            continue
        result = subprocess.run(
            [command, "-c", VERSION], capture_output=True, text=True, check=False
        )
        if result.stdout.strip() == version:  # pyenv's shims may be dangling
            return command
    return None


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command, and show its output if it fails. Raises SystemExit."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode:
        raise SystemExit(f"{result.stdout}\n{command} failed with code {result.returncode}")


def environment(command: str, version: str, sdist: Path) -> Path:
    """The Python of a clean environment with the sdist's wheel and the test tools."""
    folder = ENVIRONMENTS / version
    shutil.rmtree(folder, ignore_errors=True)
    run(command, "-m", "venv", folder)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, sdist)
    (wheel,) = folder.glob("*.whl")
    run(*pip, "install", "--quiet", f"mindviz[dev] @ {wheel.as_uri()}")
    return python


def check(python: Path, arguments: list[str]) -> bool:
    """Whether all tests pass with the installed mindviz instead of the checkout's."""
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    # The last entry: `tests` is in the checkout, `mindviz` in the environment.
    (packages / "checkout.pth").write_text(f"{ROOT}\n", "utf-8")
    options = ["-c", str(ROOT / "pyproject.toml"), "-o", "pythonpath=build", "--numprocesses=auto"]
    with tempfile.TemporaryDirectory() as elsewhere:
        at = Path(elsewhere)
        run(python, "-c", f"import mindviz as m; assert {str(packages)!r} in m.__file__", cwd=at)
        command = [str(python), "-m", "pytest", "--quiet", *options, str(ROOT / "tests")]
        command += arguments
        return subprocess.run(command, cwd=at, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Test each Python; 1 if any fails."""
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder)
        (sdist,) = Path(folder).glob("*.tar.gz")
        for version in versions():
            command = interpreter(version)
            if command is None:
                print(f"Python {version}: skipped, it is not installed here", flush=True)
                continue
            print(f"Python {version}: installing the wheel ...", flush=True)
            if not check(environment(command, version, sdist), arguments):
                failed.append(version)
    print(f"Failed with Python {', '.join(failed)}" if failed else "The wheel passes all tests.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
