"""What programs that import mindviz may rely on."""

from __future__ import annotations

import importlib.metadata
import inspect
import re

import mindviz
from mindviz import errors


def test_mindviz_offers_these_names_and_no_others() -> None:
    public = {name for name in vars(mindviz) if not name.startswith("_")}
    submodules = {name for name in public if inspect.ismodule(getattr(mindviz, name))}
    assert public - submodules == set()


def test_the_version_is_the_distributions() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", mindviz.__version__)
    assert importlib.metadata.version("mindviz") == mindviz.__version__


def test_the_error_tree_drawn_in_errors_is_the_one_there_is() -> None:
    assert errors.__doc__ is not None
    drawn = re.findall(r"^    ([|` -]*)(\w+)", errors.__doc__, re.MULTILINE)
    parents: list[str] = []
    tree = {}
    for rails, name in drawn:
        depth = len(rails) // 4
        tree[name] = parents[depth - 1] if depth else None
        parents[depth:] = [name]
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    there = {
        kind.__name__: next((p.__name__ for p in kind.__bases__ if p in classes), None)
        for kind in classes
    }
    assert tree == there


def test_the_program_is_an_entry_point() -> None:
    (program,) = importlib.metadata.entry_points(group="console_scripts", name="mindviz")
    assert callable(program.load())
