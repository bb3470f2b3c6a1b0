"""Brings a piece into the words of newer workflows (takt.md 13.1), and reports what can't be carried over."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import AskedOfJudge, ConditionFault
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.edit import remove, rename_key, set_value
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

_TOP = {
    "movements": "steps",
    "initial_movement": "initial_step",
    "max_iterations": "max_steps",
    "max_movements": "max_steps",
    "piece_config": "workflow_config",
}
_STEP = {"permission_mode": "required_permission_mode", "instruction_template": "instruction"}
_FIRST_TOP = {"agents": "personas", "stances": "policies"}  # what the first releases called it, and later ones drop
_FIRST = {"agent": "persona", "agent_name": "persona_name", "stance": "policy"}
_GONE = ("allowed_tools", "provider", "model", "provider_options")  # newer runners refuse them in a workflow
_VARIABLES = {"{max_iterations}": "{max_steps}", "{movement_iteration}": "{step_iteration}"}


class Left(NamedTuple):
    """What isn't carried over as it was: the pointer in the piece as it was, and what becomes of it."""

    pointer: str
    message: str


class ConvertedPiece(NamedTuple):
    """A piece in newer words."""

    text: str
    left: tuple[Left, ...]


class PieceConversionRefusal(NamedTuple):
    """Why a piece stays as it is."""

    message: str


def renewed(source: Source) -> ConvertedPiece | PieceConversionRefusal:
    """A piece as a workflow of newer runners; comments, quotes and order stay. Files that it names aren't touched.

    A workflow that still has some of the older words gets the newer ones for those.
    """
    tree = read_yaml_tree(source)
    if tree.root is None or not tree.valid or tree.root.kind != "object":
        return PieceConversionRefusal(_("The file has to be read without mistakes before it can be converted."))
    work = _Work(tree)
    try:
        work.run()
    except ValueError as error:  # a key in both words, an anchor that the change would break
        return PieceConversionRefusal(_("The file can't be converted: {reason}").format(reason=error))
    if work.text == source.text and "steps" in tree.root.value:
        return PieceConversionRefusal(_("The file has the words of newer runners already."))
    return ConvertedPiece(work.text, tuple(work.left))


class _Work:
    """The text as far as it is converted. Pointers are those of the text as it stands then."""

    def __init__(self, tree: YamlTree) -> None:
        self._tree = tree
        self.left: list[Left] = []

    @property
    def text(self) -> str:
        return self._tree.source.text

    def run(self) -> None:
        for pointer, step in [each for key in ("movements", "steps") for each in self._steps(key)]:
            self._step(pointer, step)
        for index, _monitor in enumerate(_items(self._root.get("loop_monitors"))):
            judge = join("/loop_monitors", index, "judge")
            self._rename(judge, {"instruction_template": "instruction"})
            self._rename_first(judge, _FIRST)
            self._variables(join(judge, "instruction"))
        for section in ("instructions", "report_formats"):
            for key in _object(self._root.get(section)):
                self._variables(join("", section, key))
        if "answer_agent" in self._root:
            self._drop("/answer_agent", _("newer runners don't know it"))
        self._rename_first("", _FIRST_TOP)
        self._rename("", _TOP)

    @property
    def _root(self) -> dict[str, JsonValue]:
        return _object(self._tree.root.value if self._tree.root is not None else None)

    def _steps(self, key: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
        for index, step in enumerate(_items(self._root.get(key))):
            yield join("", key, index), _object(step)
            for number, sub in enumerate(_items(_object(step).get("parallel"))):
                yield join("", key, index, "parallel", number), _object(sub)

    def _step(self, pointer: str, step: dict[str, JsonValue]) -> None:
        if "instruction_template" in step and "instruction" in step:
            self._drop(join(pointer, "instruction"), _("instruction_template stands beside it and has always won"))
        for key in _GONE:
            if key in step:
                reason = _("newer runners refuse it here; it was {value}").format(value=step[key])
                self._drop(join(pointer, key), reason)
        self._rename(pointer, _STEP)
        self._rename_first(pointer, _FIRST)
        self._variables(join(pointer, "instruction"))
        for index, rule in enumerate(_items(step.get("rules"))):
            self._condition(join(pointer, "rules", index, "condition"), _object(rule).get("condition"))
        reports = _items(_object(step.get("output_contracts")).get("report"))
        for index in reversed(range(len(reports))):
            self._report(join(pointer, "output_contracts", "report", index), _object(reports[index]))

    def _condition(self, pointer: str, condition: JsonValue) -> None:
        if not isinstance(condition, str):
            return
        meant = parse_condition(condition, "piece")
        if isinstance(meant, AskedOfJudge):
            self._change(set_value(self._tree, pointer, meant.text))
            self.left.append(Left(pointer, _("ai(…) is a label now: the judge chooses among all labels at once")))
            condition = meant.text
        found = parse_condition(condition, "workflow")
        if isinstance(found, ConditionFault):
            self.left.append(Left(pointer, _("newer runners can't read it: {why}").format(why=found.message)))

    def _report(self, pointer: str, item: dict[str, JsonValue]) -> None:
        if "name" in item:
            if "format" not in item:
                self.left.append(Left(pointer, _("newer runners want a “format” for each report")))
            return
        files = [(label, file) for label, file in item.items() if isinstance(file, str)]
        if len(files) != len(item) or len(files) != 1:
            self.left.append(Left(pointer, _("newer runners want an entry with “name” and “format” for each report")))
            return
        [(label, file)] = files
        self._change(set_value(self._tree, pointer, {"name": file, "format": label}))
        self.left.append(Left(pointer, _("the label “{label}” is its “format” now").format(label=label)))

    def _variables(self, pointer: str) -> None:
        node = self._tree.at(pointer)
        text = node.value if node is not None else None
        if not isinstance(text, str):
            return
        if text.endswith(".md") and "\n" not in text:
            return
        new = text
        for old, name in _VARIABLES.items():
            new = new.replace(old, name)
        if new != text:
            self._change(set_value(self._tree, pointer, new))

    def _rename(self, holder: str, keys: dict[str, str]) -> None:
        for old, new in keys.items():
            node = self._tree.at(holder)
            if node is not None and node.kind == "object" and node.member(old) is not None:
                self._change(rename_key(self._tree, join(holder, old), new))

    def _rename_first(self, holder: str, keys: dict[str, str]) -> None:
        """Where both words stand, the older is one that runners drop."""
        node = self._tree.at(holder)
        for old, new in keys.items():
            if node is None or node.kind != "object" or node.member(old) is None:
                continue
            if node.member(new) is not None:
                self._drop(join(holder, old), _("“{name}” stands beside it and has its place").format(name=new))
            else:
                self._rename(holder, {old: new})
                note = _("it is called “{name}” now; runners between dropped it").format(name=new)
                self.left.append(Left(join(holder, old), note))
            node = self._tree.at(holder)

    def _drop(self, pointer: str, why: str) -> None:
        self._change(remove(self._tree, pointer))
        self.left.append(Left(pointer, why))

    def _change(self, edits: list[TextEdit]) -> None:
        source = self._tree.source
        self._tree = read_yaml_tree(source.with_text(apply(source.text, edits)))


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
