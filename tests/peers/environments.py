"""Virtual environments with other projects, for peer tests and benchmarks.

python tests/peers/environments.py                create missing ones, run all peer tests
python tests/peers/environments.py torch visualdl the same for these two
python tests/peers/environments.py --path torch   create it if necessary, print its interpreter
python tests/peers/environments.py --compare DIR  print where MindInsight and mindviz differ
python tests/peers/environments.py --compare-training    the same of a training that we record

They are in `.cache/peers/` and change only when their requirements change. mindviz is not installed
into them: the checkout is put on `PYTHONPATH`, so no UI build is needed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
CACHE = CHECKOUT / ".cache" / "peers"
LOGS = CACHE / "logs"
"""What our own encoders wrote, for the peers to read; see `write_logs.py`."""


@dataclass(frozen=True, slots=True)
class Environment:
    """One virtual environment."""

    requirements: tuple[str, ...]
    tests: tuple[str, ...]
    """Test modules in this directory that run in it; none: it serves the benchmarks only."""
    beside_mindviz: bool = True
    """Whether mindviz's own dependencies are installed too: both must be importable together."""
    pythons: tuple[str, ...] = ()
    """Interpreters to prefer, best first; the running one is the last resort."""
    tests_beside: tuple[str, ...] = ()
    """Test modules that run with our own interpreter and talk to programs of the environment."""


ENVIRONMENTS = {
    "mindspore": Environment(
        ("mindspore==2.10.0",), ("test_mindspore.py", "test_mindspore_collector.py")
    ),
    "torch": Environment(
        ("tensorboard==2.21.0", "torch==2.13.0", "tensorboardX==2.6.5", "soundfile"),
        (
            "test_torch.py",
            "test_summary_writer.py",
            "test_torch_collector.py",
            "test_tensorboard.py",
        ),
    ),
    # What drives trainings for others; Keras runs on torch and on jax.
    "trainers": Environment(
        (
            "torch==2.13.0",
            "lightning==2.6.6",
            "keras==3.15.1",
            "jax==0.10.2",
            "transformers==5.23.0",
            "accelerate==1.15.0",
        ),
        ("test_lightning.py", "test_keras.py", "test_keras_on_jax.py", "test_transformers.py"),
    ),
    "visualdl": Environment(("visualdl==2.5.3",), ("test_visualdl.py",)),
    "pyarrow": Environment(("pyarrow==26.0.1",), ("test_pyarrow.py",)),
    # MindInsight needs protobuf <= 3.20.1, which conflicts with ours and has compiled wheels
    # only up to Python 3.10; on a later Python it falls back to a much slower protobuf.
    "mindinsight": Environment(
        (
            "mindinsight==2.3.1",
            "protobuf==3.20.1",
            "numpy<2",
            "pandas<2",
            "marshmallow<4",
            "setuptools<81",
        ),
        ("test_mindinsight.py",),
        beside_mindviz=False,
        pythons=("python3.9", "python3.10"),
        tests_beside=("test_mindinsight_contract.py", "test_mindinsight_parse_summary.py"),
    ),
    "tensorboard": Environment(
        ("tensorboard==2.21.0", "tensorboard-data-server==0.7.2"),
        (),
        beside_mindviz=False,
        tests_beside=("test_tensorboard_client.py",),
    ),
    # Other HTTP servers in front of mindviz, for a benchmark.
    "servers": Environment(
        (
            "waitress==3.0.2",
            "granian==2.8.7",
            "gunicorn==27.0.1",
            "cheroot==11.1.2",
            "hypercorn==0.18.0",
        ),
        (),
    ),
}


def own_dependencies() -> tuple[str, ...]:
    """Runtime dependencies of mindviz, from `pyproject.toml`."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    return tuple(project["dependencies"])


def interpreter(wanted: tuple[str, ...]) -> str:
    """The first of these interpreters that runs, else the running one."""
    for name in wanted:
        candidates = [shutil.which(name)]
        version = name.removeprefix("python")
        candidates += sorted(
            str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
        )
        for candidate in filter(None, candidates):
            if not subprocess.run(
                [candidate, "-c", ""], capture_output=True, check=False
            ).returncode:
                return candidate
    return sys.executable


def create(name: str) -> Path:
    """Path of the environment's interpreter; creates it when it is missing or out of date."""
    environment = ENVIRONMENTS[name]
    root = CACHE / name
    python = root / "bin" / "python"
    requirements = [
        *environment.requirements,
        "pytest==9.2.0" if environment.beside_mindviz else "pytest",
    ]
    if environment.beside_mindviz:
        requirements += own_dependencies()
    stamp, contents = root / "requirements.txt", "\n".join(requirements) + "\n"
    if stamp.is_file() and stamp.read_text("utf-8") == contents:
        return python
    print(f"Preparing the environment {name} in {root} ...", file=sys.stderr, flush=True)
    if not python.is_file():
        subprocess.run([interpreter(environment.pythons), "-m", "venv", root], check=True)
    # Twice quiet: only pip's errors are of interest.
    command = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*command, *requirements], check=True, stdout=sys.stderr)
    stamp.write_text(contents, "utf-8")
    return python


def run_tests(name: str, arguments: list[str]) -> int:
    """Run the environment's tests, with its own interpreter and with ours; pytest's exit code."""
    environment = ENVIRONMENTS[name]
    python = create(name)
    print(f"== {name}", flush=True)
    return (
        (environment.tests and run_modules(python, python, environment.tests, arguments))
        or (
            environment.tests_beside
            and run_modules(Path(sys.executable), python, environment.tests_beside, arguments)
        )
        or 0
    )


def run_modules(runner: Path, peer: Path, tests: tuple[str, ...], arguments: list[str]) -> int:
    """Run test modules with one interpreter next to that of an environment; pytest's exit code."""
    paths = [str(Path(__file__).with_name(test)) for test in tests]
    command = [str(runner), "-m", "pytest", "-c", os.devnull, "-p", "no:cacheprovider", "-q"]
    # tests/conftest.py needs our own development environment.
    command += [f"--confcutdir={Path(__file__).parent}", f"--rootdir={CHECKOUT}"]
    command += ["--import-mode=importlib", *arguments, *paths]
    return subprocess.run(command, check=False, env=variables(peer), cwd=CHECKOUT).returncode


def compare(peer: str, base_dir: str) -> int:
    """Print where a peer and mindviz answer differently about a base dir; 1 if they do."""
    command = [sys.executable, "-m", f"tests.peers.{peer}_comparison", base_dir]
    return subprocess.run(
        command, check=False, env=variables(create(peer)), cwd=CHECKOUT
    ).returncode


def compare_training() -> int:
    """Record a small training with torch and compare how it is shown; 1 if that differs."""
    with tempfile.TemporaryDirectory(prefix="mindviz-training-") as base_dir:
        python = create("torch")
        command = [str(python), str(Path(__file__).with_name("torch_training.py")), base_dir]
        subprocess.run(command, check=True, env=variables(python), cwd=CHECKOUT)
        return compare("mindinsight", base_dir)


def variables(peer: Path) -> dict[str, str]:
    """Environment variables for processes of a peer."""
    return os.environ | {
        "PYTHONPATH": str(CHECKOUT),
        "MINDVIZ_PEER_LOGS": str(LOGS),
        # For tests that run with our interpreter and need the peer next to it.
        "MINDVIZ_PEER_PYTHON": str(peer),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ENVIRONMENTS))
    parser.add_argument("--path", metavar="NAME", choices=ENVIRONMENTS)
    parser.add_argument("--compare", metavar="DIR")
    parser.add_argument("--compare-training", action="store_true")
    parser.add_argument("--compare-tensorboard", metavar="DIR")
    parser.add_argument("--pytest", action="append", default=[], metavar="ARGUMENT")
    options = parser.parse_args()
    if options.path:
        print(create(options.path))
        return 0
    if options.compare:
        return compare("mindinsight", options.compare)
    if options.compare_training:
        return compare_training()
    if options.compare_tensorboard:
        return compare("tensorboard", options.compare_tensorboard)
    unknown = set(options.names) - set(ENVIRONMENTS)
    if unknown:
        parser.error(f"no such environment: {', '.join(sorted(unknown))}")
    shutil.rmtree(LOGS, ignore_errors=True)
    subprocess.run(
        [sys.executable, str(Path(__file__).with_name("write_logs.py")), str(LOGS)],
        check=True,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
    )
    failed = [name for name in options.names or ENVIRONMENTS if run_tests(name, options.pytest)]
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main())
