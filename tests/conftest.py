"""Settings of all tests: reproducible properties, and no `MINDVIZ_*` from the environment."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.postgresql import stop_postgresql

# `make test`: the same few examples on every machine.
settings.register_profile(
    "bounded",
    max_examples=40,
    derandomize=True,
    deadline=None,  # a slow machine is not a failure
    suppress_health_check=[HealthCheck.too_slow],
)
# `make properties`: many random examples.
settings.register_profile(
    "long", settings.get_profile("bounded"), max_examples=5000, derandomize=False
)
settings.load_profile("bounded")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's `make test &` ignores Ctrl-C; processes that tests start must not inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("test_packaging.py", "test_hostile_logs.py", "test_databases.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest modules first, so that no process ends up with one alone."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Let the garbage collector skip the ten thousand tests: it took a fifth of the time."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Stop the server that tests share."""
    stop_postgresql()


@pytest.fixture(autouse=True)
def no_settings_of_the_developer(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Hide the developer's own settings and workspace."""
    for name in list(os.environ):
        if name.startswith("MINDVIZ_") and not name.startswith("MINDVIZ_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MINDVIZ_WORKSPACE", str(tmp_path_factory.getbasetemp() / "workspace"))


@pytest.fixture(autouse=True, scope="session")
def time_to_fill_caches() -> Iterator[None]:
    """Let a closed store write all to the warm cache, which may take over a second here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mindviz.datavisual.logs.loading.keeper._CLOSE_SECONDS", 60.0)
        yield


@pytest.fixture
def untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't measure coverage of processes that tests start: it would change their imports."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
