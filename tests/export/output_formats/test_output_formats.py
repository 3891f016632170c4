from __future__ import annotations

import pytest

from mindviz.export.exports import FORMATS, data_kinds
from mindviz.export.output_formats import OutputFormat, output_formats
from mindviz.export.table import Kind


def test_the_formats_are_found_by_their_names() -> None:
    assert tuple(output_formats()) == FORMATS
    assert [form.suffix for form in output_formats().values()] == [f".{name}" for name in FORMATS]


@pytest.mark.parametrize("form", output_formats().values(), ids=lambda form: form.name)
def test_a_format_refuses_data_with_a_reason(form: OutputFormat) -> None:
    assert set(form.unsupported) < {*data_kinds(), *Kind}
    assert all(len(reason) > 20 for reason in form.unsupported.values())
