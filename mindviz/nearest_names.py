"""Suggestions for a misspelled name, shared by errors, the Python API and the command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import islice

SUGGESTIONS = 3
"""Maximum number of suggestions."""
_CUTOFF = 0.6
"""Minimum similarity, from 0 to 1."""
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

    Also finds names that contain `name`: `train/loss` for `loss`.
    """
    wanted = _folded(name)
    if not wanted:
        return []
    searched = {one: _folded(one) for one in islice(known, _MOST_SEARCHED)}
    containing = [one for one, folded in searched.items() if wanted in folded]
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    estimates = {}
    for one, folded in islice(searched.items(), _MOST_ESTIMATED):
        matcher.set_seq1(folded)
        if matcher.real_quick_ratio() >= _CUTOFF:
            estimates[one] = matcher.quick_ratio()
    likeness = {}
    for one in sorted(estimates, key=estimates.__getitem__, reverse=True)[:_MOST_COMPARED]:
        matcher.set_seq1(searched[one])
        likeness[one] = matcher.ratio()
    for one in sorted(containing, key=len)[:_MOST_COMPARED]:
        likeness[one] = max(likeness.get(one, 0), _CUTOFF)
    near = [one for one, ratio in likeness.items() if ratio >= _CUTOFF]
    return sorted(near, key=lambda one: (-likeness[one], len(one), one))[:SUGGESTIONS]


def _folded(name: str) -> str:
    return name[:_LONGEST].casefold()
