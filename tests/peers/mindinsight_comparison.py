"""Sends the same requests to MindInsight and mindviz and prints where the answers differ.

python tests/peers/environments.py --compare BASE_DIR

The logs must be within MindInsight's limits; beyond them, its random sample differs.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.peers.contract_differences import Difference, compare
from tests.peers.contract_questions import questions
from tests.peers.contract_servers import Pair, both
from tests.peers.deliberate_differences import deliberate


def mistakes(pair: Pair) -> tuple[list[Difference], Counter[str]]:
    """Unintended differences, and the count of each deliberate one."""
    for server in (pair.ours, pair.theirs):
        server.wait_until_loaded()
    # MindInsight determines the requests.
    return sort_out(compare(pair, list(questions(pair.theirs))))


def sort_out(found: Iterable[Difference]) -> tuple[list[Difference], Counter[str]]:
    """Tell the deliberate ones from the others."""
    wrong: list[Difference] = []
    counts: Counter[str] = Counter()
    for difference in found:
        name = deliberate(difference)
        if name is None:
            wrong.append(difference)
        else:
            counts[name] += 1
    return wrong, counts


def main(base_dir: Path) -> int:
    """Print the differences; 1 if any is not deliberate."""
    with tempfile.TemporaryDirectory() as workspace, both(base_dir, Path(workspace)) as pair:
        wrong, counts = mistakes(pair)
    for difference in wrong:
        print(difference)
    print(f"{len(wrong)} differences, besides deliberate ones:")
    for name, count in counts.most_common():
        print(f"{count:8} {name}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
