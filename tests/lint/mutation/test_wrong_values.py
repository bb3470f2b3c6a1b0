"""A value of a wrong type or an empty one, wherever it is, is one cause and has one finding."""

from pathlib import Path

import pytest

from stepflow_gui.project.creating.templates import template_of

from .originals import of_template
from .wrong_values import MORE, with_more, wrong_values

MEAN, MOST, SAMPLE = 0.01, 5, 20  # of the findings beyond the first, and one case in so many


@pytest.mark.parametrize("name", MORE)
def test_a_wrong_value_has_one_finding(name: str, tmp_path: Path, full: bool) -> None:
    """One place and value in 20, of a new agent that uses most fields; --full: all of them."""
    template = template_of(name)
    assert template is not None
    (original,) = of_template(template, tmp_path)
    found = list(wrong_values(with_more(original, name), 1 if full else SAMPLE))
    further = [each for each in found if each.further]
    assert len(found) > 20
    assert sum(each.further for each in further) <= max(1, MEAN * len(found)), [str(each) for each in further]
    assert [str(each) for each in further if each.further > MOST] == []
