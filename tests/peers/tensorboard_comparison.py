"""Asks TensorBoard the same about a log directory with its own reader and with mindviz behind it.

    python tests/peers/environments.py --compare-tensorboard LOGDIR

Prints where the answers differ. Nothing is sampled, but for histograms: both choose the same 51.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.peers.tensorboard_differences import Difference, differences, meant
from tests.peers.tensorboard_pages import answers
from tests.peers.tensorboard_servers import with_its_own_reader, with_mindviz


def mistakes(base_dir: Path) -> tuple[list[Difference], Counter[str], int]:
    """Unintended differences, the count of each deliberate one, and the number of answers."""
    with with_its_own_reader(base_dir) as server:
        theirs = answers(server)
    with with_mindviz(base_dir) as server:
        ours = answers(server)
    wrong: list[Difference] = []
    counts: Counter[str] = Counter()
    for difference in differences(theirs, ours):
        name = meant(difference)
        if name is None:
            wrong.append(difference)
        else:
            counts[name] += 1
    return wrong, counts, len(theirs)


def main(base_dir: Path) -> int:
    """Print the differences; 1 if any is not deliberate."""
    wrong, counts, asked = mistakes(base_dir)
    for difference in wrong:
        print(difference)
    print(f"{asked} answers, {len(wrong)} differences, besides those that are meant:")
    for name, count in counts.most_common():
        print(f"{count:8} {name}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
