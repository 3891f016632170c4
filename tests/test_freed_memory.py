"""Freed blocks, in a separate process: the setting lasts as long as the process."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

KEPT_BEHIND = """
import numpy as np
from pathlib import Path
from mindviz.freed_memory import LARGE_BLOCK, map_large_blocks

def anonymous():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))

map_large_blocks()
for _ in range(3):
    np.ones(3 * LARGE_BLOCK, np.int8)  # would raise the threshold
before = anonymous()
small = []
large = []
for _ in range(50):
    large.append(np.ones(2 * LARGE_BLOCK, np.int8))
    small.append(np.ones(10_000, np.int8))
assert anonymous() - before > 90 * 1024
large.clear()
assert anonymous() - before < 10 * 1024, anonymous() - before
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators differ")
def test_large_blocks_are_given_back_though_small_ones_stay_behind_them() -> None:
    subprocess.run([sys.executable, "-c", KEPT_BEHIND], check=True)
