"""What a YAML file that is not a TAKT piece holds, in words: so that whoever named it sees why."""

from itertools import islice

from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

_KEYS = 5  # shown in a message
_LONGEST = 30  # characters of a key that are shown


def what_it_holds(source: Source) -> str:
    """The kind of the top-level value of a YAML text, as a noun."""
    if "\0" in source.text[:4]:
        return _("UTF-16 or UTF-32 instead of UTF-8")
    tree = read_yaml_tree(source)
    problem = next((each for each in tree.problems if each.kind != "empty"), None)
    if problem is not None:
        line = source.position(problem.start).line
        return _("YAML with a mistake in line {line}").format(line=line)
    return _kind(tree.root)


def _kind(root: Node | None) -> str:
    if root is None or root.value is None:
        return _("nothing")
    if root.kind == "object":
        names = [_short(member.key) for member in islice(root.members(), _KEYS + 1)]
        shown = names[:_KEYS] + (["…"] if len(names) > _KEYS else [])
        text = ngettext("the key “{keys}”", "the keys “{keys}”", len(shown))
        return text.format(keys=_("”, “").join(shown)) if shown else _("an empty mapping")
    if root.kind == "array":
        return _("a list")
    return _("a string") if isinstance(root.value, str) else _("a single value")


def _short(key: str) -> str:
    return key if len(key) <= _LONGEST else key[: _LONGEST - 1] + "…"
