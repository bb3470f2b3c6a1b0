"""T029 return-misplaced.

What it does: reports a `return` where a workflow can't give a result: in a file that isn't callable, in a sub-step,
beside `next`, or of one that `returns` doesn't list; `returns`, `params` or `visibility` of a file that isn't callable;
rules of a call on results that there aren't, and results without one.

Why is this bad: TAKT 0.37 to 0.60 refuse to load the file.

Fix: write `next`, or list the result in `subworkflow.returns` of a callable workflow.
"""

from collections.abc import Iterable, Iterator

from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.formats.takt.releases.results import (
    RETURNING,
    RETURNING_TO_SUBS,
    MisplacedResult,
    Reason,
    misplaced_results,
    results_listed,
)
from stepflow_gui.formats.takt.releases.sets import Releases
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.json_types import literal_meant
from stepflow_gui.lint.rules.fixes import in_yaml, put, take_away, write, write_literal
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, StepPlace, all_steps, name_at, parsed, step_at
from stepflow_gui.lint.rules.takt.release_words import runner, severity, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.project.called_workflow import results_of_called
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join

RULE = Rule("T029", "return-misplaced", ERROR, formats=TAKT, looks_at=FLOW)

BAD = whole_piece(
    "name: review-part\nmax_steps: 5\ninitial_step: review\nsubworkflow:\n  callable: false\n"
    "steps:\n  - name: review\n    instruction: Review the code.\n    edit: false\n"
    "    rules:\n      - condition: approved\n        return: ok\n"
)
GOOD = whole_piece(
    "name: review-part\nmax_steps: 5\ninitial_step: review\nsubworkflow:\n  callable: true\n  returns: [ok]\n"
    "steps:\n  - name: review\n    instruction: Review the code.\n    edit: false\n"
    "    rules:\n      - condition: approved\n        return: ok\n"
)


_HEAD, _CAUSE = "subworkflow", ("not-callable",)
_OF_CALLABLE: frozenset[Reason] = frozenset({"of-callable", "not-callable"})


def check(context: RuleContext) -> Iterator[Finding]:
    """Workflows only: what pieces hold under this key is T025's."""
    root = context.registry.root
    if root is None or not context.registry.tree.sound:
        return
    yield from _without_results(context)
    if not wanted_releases(context) & RETURNING:
        return
    found = list(misplaced_results(root.value, context.takt))
    several = sum(each.reason in _OF_CALLABLE for each in found) > 1 and root.get(_HEAD) is not None
    for each in found:
        node = context.registry.tree.at(join("", *each.path))
        if node is not None:
            finding = _misplaced(each, node, root.value, context)
            yield _of_one_cause(finding, context) if several and each.reason in _OF_CALLABLE else finding
    for place in all_steps(context):
        if place.step.kind == "call":
            yield from _called(place, context)


def _without_results(context: RuleContext) -> Iterator[Finding]:
    """Rules on results for the release that knew calls, and no results yet."""
    for note in context.held.refused:
        node = context.registry.tree.at(join("", *note.path)) if note.reason == "call_result" else None
        step, refused = context.registry.tree.at(join("", *note.path[:2])), note.releases & wanted_releases(context)
        called = step.get("call") if step is not None else None
        if node is not None and called is not None and refused:
            text = _("“{step}” calls “{name}”, which can't end with “{result}”: {runner} refuses to load the file")
            owner = step_at(context, note.path)
            values = {"name": called.value, "result": node.value, "runner": runner(context, refused)}
            pointer = join("", *note.path)
            yield Finding(
                text.format(step=owner, **values), node.span, pointer, owner, severity=severity(context, refused)
            )


def _of_one_cause(found: Finding, context: RuleContext) -> Finding:
    """One of several findings because a file isn't callable: to make it callable helps against all of them."""
    if found.misspelt:
        return found._replace(cause=_CAUSE)
    title = _("Write “{word}”").format(word="callable")
    fixes = put(context.registry, f"/{_HEAD}", "callable", value=True, title=title)
    return found._replace(cause=_CAUSE, proposals=fixes)


def _called(place: StepPlace, context: RuleContext) -> Iterator[Finding]:
    """Rules on results that the called workflow can't have, and results without one; nothing where it isn't found."""
    name = text_of(place.step.node, "call", place.step.pointer)
    calling = RETURNING if place.parent is None else RETURNING_TO_SUBS
    if name is None or not wanted_releases(context) & calling:
        return
    results = results_of_called(name.value, context.flow.document.path, context.folder)
    if results is None:
        return
    yield from _without_rule(place, name.value, results, calling, context)
    for rule in place.step.transitions:
        asked = rule.as_written
        if not asked or asked in results or asked in ENDS or not isinstance(parsed(rule, context), Label):
            continue
        meant = meant_for(asked, results, context, RULE.code)
        text = _("“{step}” calls “{name}”, which can't end with “{result}”: {runner} refuses to load the file")
        text = text.format(step=place.step.id, name=name.value, result=asked, runner=runner(context, calling))
        if meant:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        yield Finding(
            text,
            rule.key_span,
            f"{rule.pointer}/condition",
            (place.parent or place.step).id,
            proposals=[write(context.registry, rule.key_span, meant)] if meant else [],
            misspelt=bool(meant),
        )


def _without_rule(
    place: StepPlace, name: str, results: list[str], calling: Releases, context: RuleContext
) -> Iterator[Finding]:
    """What the called workflow may return, and no rule of the step is for."""
    rules = place.step.transitions
    possible = {*results, *ENDS}
    if not rules or not all(isinstance(parsed(rule, context), Label) and rule.as_written in possible for rule in rules):
        return  # of a result that can't be, another finding speaks
    missing = [result for result in results if result not in {rule.as_written for rule in rules}]
    if missing:
        text = _("“{step}” has no rule for {results}, which “{name}” may return: {runner} aborts the run then")
        listed = _(", ").join(_("“{word}”").format(word=each) for each in missing)
        text = text.format(step=place.step.id, results=listed, name=name, runner=runner(context, calling))
        owner = (place.parent or place.step).id
        yield Finding(text, place.step.key_span, place.step.pointer, owner, severity=WARNING)


def _misplaced(each: MisplacedResult, node: Node, root: JsonValue, context: RuleContext) -> Finding:
    """A `return`, or what a file says of itself as a called one, that can't be there."""
    pointer, field, value = join("", *each.path), str(each.path[-1]), str(node.value)
    is_result = each.reason == "end-listed"
    removed = _("Remove “{field}”").format(field=value if is_result else field)
    fixes: Iterable[Proposal] = take_away(context.registry, [pointer], removed)
    text, span, meant = _texts()[each.reason], node.span, None
    if each.reason == "of-callable":
        span = context.registry.tree.key_span(pointer) or span
        written = context.registry.tree.at("/subworkflow/callable")
        if written is not None and literal_meant("boolean", str(written.value)) == "true":
            fixes, meant = write_literal(context.registry, written.span, "boolean", written.value), "true"
    elif each.reason in {"not-callable", "is-an-end"}:
        fixes = _with_next(node, pointer, value if each.reason == "is-an-end" else ENDS[0], context)
    elif each.reason == "not-listed":
        meant = meant_for(value, results_listed(root), context, RULE.code)
        if meant:
            text += _(". Did you mean “{meant}”?")
            fixes = [write(context.registry, span, meant)]
    owner = step_at(context, each.path)
    return Finding(
        text.format(step=name_at(context, each.path) or owner, result=value, meant=meant, field=field)
        + _(": {runner} refuses to load the file").format(runner=runner(context, RETURNING)),
        span,
        pointer,
        owner,
        proposals=fixes,
        misspelt=bool(meant) and each.reason == "of-callable",
    )


def _texts() -> dict[Reason, str]:
    return {
        "in-a-sub": _("“{step}” is a sub-step, whose rules can't have “return”"),
        "beside-next": _("A rule of “{step}” has both “next” and “return”"),
        "not-callable": _(
            "“{step}” returns “{result}”, and no other workflow can call this one: “callable” isn't true"
        ),
        "is-an-end": _("“{step}” returns “{result}”, which only “next” may use as a target"),
        "not-listed": _("“{step}” returns “{result}”, which “returns” doesn't list"),
        "of-callable": _("“{field}” is for callable workflows, and “callable” isn't true"),
        "end-listed": _("“{result}” is what every workflow may return, and can't be listed"),
    }


def _with_next(given: Node, pointer: str, end: str, context: RuleContext) -> Iterator[Proposal]:
    """`next` with an end instead of `return`: without both the rule would have no target."""

    def edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.write import rewritten  # only a fix needs it

        words = ((context.registry.tree.key_span(pointer), "next"), (given.span, end))
        text = context.registry.source.text
        return [TextEdit(*span, rewritten(text, span, word)) for span, word in words if span is not None]

    return in_yaml(context.registry, edits, _("Write “{word}”").format(word=f"next: {end}"))
