"""Suggestions for a misspelled name, shared by errors, the Python API and the command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import islice

SUGGESTIONS = 3
"""Maximum number of suggestions."""
_CUTOFF = 0.6
"""Minimum similarity, from 0 to 1."""
_SHORTEST_BEGINNING = 4
"""Characters of a name that may be the misspelled beginning of a longer one."""
_LONGEST = 200
"""Characters per name to compare."""
_MOST_SEARCHED, _MOST_ESTIMATED, _MOST_COMPARED = 100_000, 1_000, 20
"""Names per pass, cheapest pass first: a log may contain a million tags."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'a' or 'b'?`, to append to a sentence; empty without similar names."""
    near = [repr(similar) for similar in nearest_names(name, known)]
    return f" Did you mean {' or '.join(near)}?" if near else ""


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """The known names most similar to `name`, nearest first, ignoring case.

    Also finds names that contain `name`, or whose last part is similar or begins like it:
    `train/loss` for `los`, `mindspore/lenet_adam` for `lnet`.
    """
    target = _folded(name)
    if not target:
        return []
    searched = {text: _folded(text) for text in islice(known, _MOST_SEARCHED)}
    containing = [text for text, folded in searched.items() if target in folded]
    matcher = SequenceMatcher(b=target, autojunk=False)
    estimates: dict[str, float] = {}
    for text, folded in islice(searched.items(), _MOST_ESTIMATED):
        for part in _compared(folded, target):
            matcher.set_seq1(part)
            if matcher.real_quick_ratio() >= _CUTOFF:
                estimates[text] = max(matcher.quick_ratio(), estimates.get(text, 0))
    likeness: dict[str, float] = {}
    for text in sorted(estimates, key=estimates.__getitem__, reverse=True)[:_MOST_COMPARED]:
        for part in _compared(searched[text], target):
            matcher.set_seq1(part)
            likeness[text] = max(matcher.ratio(), likeness.get(text, 0))
    for text in sorted(containing, key=len)[:_MOST_COMPARED]:
        likeness[text] = max(likeness.get(text, 0), _CUTOFF)
    near = [text for text, ratio in likeness.items() if ratio >= _CUTOFF]
    return sorted(near, key=lambda text: (-likeness[text], len(text), text))[:SUGGESTIONS]


def _compared(folded: str, target: str) -> set[str]:
    """The name, the last part of a path unless the target is one, too, and how that begins."""
    end = folded if "/" in target else folded.rpartition("/")[2]
    begins = end[: len(target) + 1] if len(target) >= _SHORTEST_BEGINNING else end
    return {folded, end, begins}


def _folded(text: str) -> str:
    return text[:_LONGEST].casefold()
