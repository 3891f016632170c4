"""Metadata of PR curves."""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.payloads.curve_message import curve_content


def test_the_metadata_has_the_number_of_thresholds() -> None:
    assert curve_content(np.zeros((6, 201))) == b"\x10\xc9\x01"
