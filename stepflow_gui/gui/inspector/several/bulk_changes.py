"""One change made in several steps: the edits of all of them together, as one entry of the history."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change, RemoveField, Retarget, SetField
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.gui.document.step_terms import counted_steps
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.form_target import RegistryTarget
from stepflow_gui.lint.diagnostic import RANK, Diagnostic, FileEdit, Fix
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import ordered
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split


class StepsTarget(RegistryTarget):
    """The registry, of which lines of the first of several steps are edited: `plan_in_all` makes it a change of all."""

    def __init__(self, folder: AgentFolder, first: Step, targets: Mapping[str, str]) -> None:
        super().__init__(folder)
        self._first = first
        self._targets = targets

    def set_to(self, line: FormField, value: JsonValue) -> Change:
        intent = self._targets.get(line.pointer)
        if intent is None or not (value is None or isinstance(value, str)):
            return super().set_to(line, value)
        return Retarget(self._first.id, intent, value)


def plan_in_all(folder: AgentFolder, change: Change, steps: Sequence[Step]) -> Plan | Refusal:
    """A change of the first step worked out for all of them; refused where one of them refuses it."""
    edits: Edits = {}
    notes: dict[str, None] = {}
    for step in steps:
        each = change_for(change, steps[0], step)
        if isinstance(each, RemoveField) and folder.registry.tree.at(each.pointer) is None:
            continue  # it has none
        found = plan(folder, each)
        if isinstance(found, Refusal):
            reason = found.reason if step is steps[0] else f"{step.id}: {found.reason}"
            return found._replace(reason=reason)
        notes |= dict.fromkeys(found.notes)
        for path, listed in found.edits.items():
            together = edits.setdefault(path, [])
            together += [edit for edit in listed if edit not in together]  # steps may share a text, as by an anchor
    if not _fit(edits):
        return Refusal(_("These steps share what would be changed, so it can’t be changed in all of them at once"))
    return Plan(title_in_all(folder, change, len(steps)), edits, tuple(notes))


def change_for(change: Change, first: Step, step: Step) -> Change:
    """A change of one step as the same change of another."""
    if step is first:
        return change
    given: dict[str, object] = {}
    values = change._asdict()
    if values.get("step") == first.id:
        given["step"] = step.id
    pointer = values.get("pointer")
    if isinstance(pointer, str) and pointer.startswith(first.pointer + "/"):
        given["pointer"] = step.pointer + pointer.removeprefix(first.pointer)
    return change._replace(**given)  # type: ignore[arg-type]  # fields that it has, of the types that they had


def title_in_all(folder: AgentFolder, change: Change, count: int) -> str:
    """What the history calls a change of several steps."""
    steps = counted_steps(folder.flow, count)
    match change:
        case SetField():
            return _("Set “{field}” in {steps}").format(field=split(change.pointer)[-1], steps=steps)
        case RemoveField():
            return _("Remove “{field}” in {steps}").format(field=split(change.pointer)[-1], steps=steps)
        case Retarget():
            return _("Set target of “{intent}” in {steps}").format(intent=change.intent, steps=steps)
    return _("Change in {steps}").format(steps=steps)


class RuleGroup(NamedTuple):
    """The findings of one rule in several steps, the worst of which is `first`."""

    findings: tuple[Diagnostic, ...]
    steps: int  # that have one

    @property
    def first(self) -> Diagnostic:
        """The finding that stands for all."""
        return self.findings[0]

    @property
    def text(self) -> str:
        """The message, where all say the same; else what the rule is called."""
        messages = {each.message for each in self.findings}
        return f"{self.first.code}  {self.first.message if len(messages) == 1 else self.first.name}"

    def joint_fixes(self) -> list[Fix]:
        """The fixes that write the same for every finding, each as one; none where the values differ."""
        if len(self.findings) < 2:
            return []
        return [fix for each in self.first.fixes if (fix := self._joined(each)) is not None]

    def _joined(self, fix: Fix) -> Fix | None:
        edits: dict[FileEdit, None] = {}
        for found in self.findings:
            like = next((each for each in found.fixes if _written(each) == _written(fix)), None)
            if like is None or like.unmarked:
                return None
            edits |= dict.fromkeys(like.edits)
        by_file: dict[Path, list[FileEdit]] = {}
        for edit in edits:
            by_file.setdefault(edit.file, []).append(edit)
        for listed in by_file.values():
            listed.sort(key=lambda each: each.range.start.offset)
            if any(b.range.start.offset < a.range.end.offset for a, b in pairwise(listed)):
                return None
        return Fix(fix.title, fix.safe, tuple(edits), (), fix.guess)


def groups_of(findings: Sequence[Diagnostic]) -> list[RuleGroup]:
    """Findings by rule, the worst rule first."""
    by_rule: dict[str, list[Diagnostic]] = {}
    for found in sorted(findings, key=lambda each: RANK[each.severity]):
        by_rule.setdefault(found.code, []).append(found)
    return [RuleGroup(tuple(listed), len({each.step for each in listed})) for listed in by_rule.values()]


def _written(fix: Fix) -> tuple[object, ...]:
    """What two fixes have in common that do the same in two places: the texts written; of a removal the title."""
    texts = tuple(edit.text.strip() for edit in fix.edits)
    return fix.safe, fix.guess, texts, "" if any(texts) else fix.title


def _fit(edits: Edits) -> bool:
    try:
        for listed in edits.values():
            ordered(listed)
    except ValueError:
        return False
    return True
