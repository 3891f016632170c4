"""The public interface of mindviz."""

from __future__ import annotations

import importlib.metadata
import inspect
import re

import mindviz


def test_mindviz_exports_exactly_these_names() -> None:
    public = {name for name in vars(mindviz) if not name.startswith("_")}
    submodules = {name for name in public if inspect.ismodule(getattr(mindviz, name))}
    assert public - submodules == {"open", "load_ipython_extension", "annotations", "TYPE_CHECKING"}
    assert mindviz.__all__ == ["__version__", "open"]


def test_the_version_is_the_distributions() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", mindviz.__version__)
    assert importlib.metadata.version("mindviz") == mindviz.__version__


def test_the_program_is_an_entry_point() -> None:
    (program,) = importlib.metadata.entry_points(group="console_scripts", name="mindviz")
    assert callable(program.load())
