"""`make fuzz`: mutates the corpus for a given time, guided by coverage.

python -m tests.fuzz.coverage_guided SECONDS

atheris, available for Linux on x86-64, keeps each input that reaches new code. A finding is written
to .cache/fuzz and ends the run; `python -m tests.fuzz.coverage_guided FILE` repeats it.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

WORK = Path(".cache/fuzz")
LARGEST_INPUT = 16_384
LIMITS = ("-timeout=20", "-rss_limit_mb=2048", f"-max_len={LARGEST_INPUT}", "-print_final_stats=1")


def main() -> int:
    """Command line."""
    try:
        import atheris
    except ImportError:
        print(
            "make fuzz needs atheris, which has wheels for CPython 3.11 to 3.14 on Linux x86-64:\n"
            "    .venv/bin/pip install 'atheris>=3'\n"
            "Without it, `make test` mutates the corpus a little, and `make properties` runs the "
            "property tests for long.",
            file=sys.stderr,
        )
        return 2
    with atheris.instrument_imports(include=["mindviz"]):
        from tests.fuzz import inputs, targets
    warnings.simplefilter("error")
    target = sys.argv[1] if len(sys.argv) > 1 else "600"
    found = WORK / "corpus"
    found.mkdir(parents=True, exist_ok=True)
    what = [target]
    if not Path(target).is_file():
        what = [f"-max_total_time={target}", str(found), str(inputs.CORPUS)]

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        return inputs.mutated(data, seed)[:max_size]

    arguments = [sys.argv[0], *LIMITS, f"-artifact_prefix={WORK}/", *what]
    atheris.Setup(arguments, targets.check, custom_mutator=change)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
