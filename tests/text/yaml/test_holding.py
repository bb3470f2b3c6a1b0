"""A change inside one member of a YAML mapping is checked by its lines alone, with the same answer as by the whole."""

import pytest

from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml import holding
from stepflow_gui.text.yaml.holding import holds
from stepflow_gui.text.yaml.tree import read_yaml_tree

TEXT = """\
# head
name: x   # a comment
steps:
  - name: a
    text: |
      one
      two

  - {name: b}
list:
- 1
- 2
last: end
"""


@pytest.mark.parametrize(
    ("old", "new", "alone"),
    [
        ("name: a", "name: c", True),
        ("      two\n", "", True),
        ("- 2\n", "- 2\n- 3\n", True),
        ("end\n", "over\n", True),
        ("{name: b}", '"{name: b}', False),  # the quote isn't closed
        ("{name: b}", "&a {name: b}", False),  # what is named may be used elsewhere
        ("- 2\n", "- 2\nmore: 1\n", False),  # another member
        ("- 2\n", "- 2\n---\n", False),
        ("name: x   # a comment\n", "", False),  # the whole member
    ],
)
def test_what_is_read(old: str, new: str, alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_yaml_tree(Source(TEXT))
    edit = TextEdit(TEXT.index(old), TEXT.index(old) + len(old), new)
    after = apply(TEXT, [edit])
    tree = read_yaml_tree(Source(after))
    value = tree.root.value if tree.root is not None else None
    reads: list[str] = []

    def reading(source: Source) -> object:
        reads.append(source.text)
        return read_yaml_tree(source)

    monkeypatch.setattr(holding, "read_yaml_tree", reading)
    assert holds(before, [edit], after, value) is (not tree.problems)
    assert (after not in reads) is alone
    assert not holds(before, [edit], after, {"name": "other"})
