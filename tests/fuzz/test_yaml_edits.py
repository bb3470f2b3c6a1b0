"""A small budget of the random edits of YAML texts, and faults that the harness must see."""

from collections import Counter
from random import Random

import pytest

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml import edit as yaml_edit
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.fuzz.yaml_edits import Edit, check, run, run_case, seed_texts


def test_random_edits_do_what_was_asked_or_are_refused() -> None:
    chance, seeds, counts = Random(20260314), seed_texts(), Counter[str]()
    while counts.total() < 700:
        run_case(chance.getrandbits(48), seeds, counts)
    assert counts["sound: made"] > 3 * counts["sound: refused"], counts
    assert counts["mixed: made"] > 3 * counts["mixed: refused"], counts
    assert counts["broken: made"] > 50, counts


@pytest.mark.parametrize(
    ("edits", "fault"),
    [
        ([TextEdit(3, 2, "")], "no stretch"),
        ([TextEdit(3, 4, "2\n")], "line end"),
        ([TextEdit(3, 4, "3")], "it holds"),
        ([TextEdit(3, 4, "2\r'")], "a mistake"),
    ],
)
def test_the_harness_sees_a_wrong_edit(monkeypatch: pytest.MonkeyPatch, edits: list[TextEdit], fault: str) -> None:
    monkeypatch.setattr(yaml_edit, "set_value", lambda *_given: edits)
    with pytest.raises(AssertionError, match=fault):
        check(read_yaml_tree(Source("a: 1\rb: 2\r")), Edit("set_value", ("/a", 2), {}))


def test_a_fault_is_shown_with_its_seed_and_a_short_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("set_value", "insert_member", "insert_members", "insert_item", "remove", "rename_key", "move_item"):
        monkeypatch.setattr(yaml_edit, name, lambda *_given, **_named: [TextEdit(1, 0, "")])
    with pytest.raises(AssertionError, match=r"seed 7, case \d+\nAssertionError: no stretch.*\ntext = '.{0,4}'\n"):
        run(7, 10)
