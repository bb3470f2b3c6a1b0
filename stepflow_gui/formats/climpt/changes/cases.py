"""Transitions that depend on a handed-off value: making them so and back, and their cases."""

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddCase, MakeConditional, MakeUnconditional, RenameCase
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, listed, step_of
from stepflow_gui.formats.climpt.changes.rules import no_case
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.indent import line_indent, same_line
from stepflow_gui.text.json.style import style_of
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.json.write import Writer
from stepflow_gui.text.pointer import join

DEFAULT = "default"
_CONDITIONAL = ("next", "jump")  # for all others some runner reads nothing but a plain target (runtime-semantics 6)


def make_conditional(files: AgentFiles, change: MakeConditional) -> Plan | Refusal:
    """A transition that depends on a handed-off value. Its target becomes the default."""
    found = _rule(files.flow, change.step, change.intent)
    if isinstance(found, Refusal):
        return found
    step, rule = found
    refused = _fixed(rule) or _no_name(change.condition)
    if refused:
        return refused
    targets: dict[str, JsonValue] = dict(change.cases)
    for case, target in change.cases:
        reason = why_not(files.flow, step.id, rule.intent, target)
        refused = Refusal(reason) if reason else _no_name(case)
        if refused:
            return refused
    if rule.target or rule.terminal:
        targets.setdefault(DEFAULT, rule.target.value if rule.target else None)
    if not targets:
        return Refusal(_("“{intent}” has no target yet: give it a case").format(intent=rule.intent))
    draft = Draft(files)
    draft.edit(draft.registry, _rewritten(files.flow, step, rule, {"condition": change.condition, "targets": targets}))
    keys = [field.value.rpartition(".")[2] for field in step.gate.handoff_fields] if step.gate else []
    if change.condition not in keys:
        text = _("“{step}” doesn’t hand off “{key}”: add it to its handoffFields")
        draft.note(text.format(step=step.id, key=change.condition))
    return draft.plan(_("Make “{intent}” of {step} conditional").format(intent=rule.intent, step=step.id))


def make_unconditional(files: AgentFiles, change: MakeUnconditional) -> Plan | Refusal:
    """A conditional transition that goes to one target."""
    found = _rule(files.flow, change.step, change.intent)
    if isinstance(found, Refusal):
        return found
    step, rule = found
    cases = {case.value: case.target.value if case.target else None for case in rule.cases}
    if not cases or (change.case is not None and change.case not in cases):
        return no_case(rule, change.case or DEFAULT)
    chosen = change.case if change.case is not None else DEFAULT if DEFAULT in cases else next(iter(cases))
    if change.case is None and DEFAULT not in cases and len(set(cases.values())) > 1:
        text = _("Choose the case of “{intent}” that stays: {cases}")
        return Refusal(text.format(intent=rule.intent, cases=listed(cases)), options=("case",))
    draft = Draft(files)
    draft.edit(draft.registry, _rewritten(files.flow, step, rule, {"target": cases[chosen]}))
    return draft.plan(_("Make “{intent}” of {step} unconditional").format(intent=rule.intent, step=step.id))


def add_case(files: AgentFiles, change: AddCase) -> Plan | Refusal:
    """One more value of a conditional transition, before the default."""
    found = _conditional(files.flow, change.step, change.intent)
    if isinstance(found, Refusal):
        return found
    step, rule, targets = found
    reason = why_not(files.flow, step.id, rule.intent, change.target)
    refused = Refusal(reason) if reason else _no_name(change.case) or _taken(rule, targets, change.case)
    if refused:
        return refused
    draft = Draft(files)
    tree, where = draft.registry.tree, join(rule.pointer, "targets")
    before = DEFAULT if targets.member(DEFAULT) else None
    draft.edit(draft.registry, json_edit.insert_member(tree, where, change.case, change.target, before=before))
    text = _("Add the case “{case}” to “{intent}” of {step}")
    return draft.plan(text.format(case=change.case, intent=rule.intent, step=step.id))


def rename_case(files: AgentFiles, change: RenameCase) -> Plan | Refusal:
    """Another value for a case."""
    found = _conditional(files.flow, change.step, change.intent)
    if isinstance(found, Refusal):
        return found
    step, rule, targets = found
    if targets.member(change.case) is None:
        return no_case(rule, change.case)
    refused = _no_name(change.new) or (_taken(rule, targets, change.new) if change.new != change.case else None)
    if refused:
        return refused
    draft = Draft(files)
    where = join(rule.pointer, "targets", change.case)
    draft.edit(draft.registry, json_edit.rename_key(draft.registry.tree, where, change.new))
    text = _("Rename the case “{case}” of “{intent}” of {step} to “{new}”")
    return draft.plan(text.format(case=change.case, intent=rule.intent, step=step.id, new=change.new))


def _rule(flow: Flow, step_id: str, intent: str) -> tuple[Step, Transition] | Refusal:
    step = step_of(flow, step_id)
    if isinstance(step, Refusal):
        return step
    rule = step.transition(intent)
    if rule is None:
        return Refusal(_("“{step}” has no transition for “{intent}”").format(step=step.id, intent=intent))
    return step, rule


def _conditional(flow: Flow, step_id: str, intent: str) -> tuple[Step, Transition, Node] | Refusal:
    found = _rule(flow, step_id, intent)
    if isinstance(found, Refusal):
        return found
    targets = found[1].node.get("targets")
    if targets is None or targets.kind != "object":
        return Refusal(_("“{intent}” is not conditional").format(intent=intent))
    return *found, targets


def _fixed(rule: Transition) -> Refusal | None:
    if rule.intent not in _CONDITIONAL:
        return Refusal(_("“{intent}” can’t be conditional: only next and jump can").format(intent=rule.intent))
    return Refusal(_("“{intent}” is conditional already").format(intent=rule.intent)) if rule.cases else None


def _no_name(word: str) -> Refusal | None:
    return None if word.strip() else Refusal(_("A condition and each of its cases need a name"))


def _taken(rule: Transition, targets: Node, case: str) -> Refusal | None:
    taken = targets.member(case) is not None
    return Refusal(_("“{intent}” has a case “{case}” already").format(intent=rule.intent, case=case)) if taken else None


def _rewritten(flow: Flow, step: Step, rule: Transition, value: dict[str, JsonValue]) -> list[TextEdit]:
    """Another rule in place of one, written as a rule of its kind is elsewhere; its `fallback` stays."""
    tree, node = flow.document.tree, rule.node
    if rule.fallback:
        value["fallback"] = rule.fallback.value
    text = tree.source.text
    holder = step.transitions_node
    flat = holder is not None and same_line(text, holder.start, holder.end)
    model = _like(flow, step, rule, "targets" if "targets" in value else "target")
    written = Writer(text, style_of(tree)).value(value, line_indent(text, node.start), model, flat)
    return [TextEdit(node.start, node.end, written)]


def _like(flow: Flow, step: Step, rule: Transition, key: str) -> Node | None:
    """A rule of the kind that has a key: the step's own before others."""
    for holder in (step, *flow.steps.values()):
        for other in holder.transitions:
            if other.pointer != rule.pointer and other.node.member(key):
                return other.node
    return None
