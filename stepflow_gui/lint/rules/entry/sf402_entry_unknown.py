"""SF402 entry-unknown.

What it does: reports an `entryStep`, or a value of `entryStepMapping`, that names no step.

Why is this bad: the runner looks at all of them when it loads the registry, also at those of verdict types that the
agent doesn't use, and refuses to go on.

Fix: write the step that was meant.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Entry, Text
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import ALL, FLOW, Finding, Rule
from stepflow_gui.lint.rules.flow.step_names import is_step
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

RULE = Rule("SF402", "entry-unknown", ERROR, formats=ALL, looks_at=FLOW)

BAD = changed({"/entryStepMapping": {"poll:state": "initial.issues"}})
GOOD = changed()


def check(scope: RuleContext) -> Iterator[Finding]:
    """Look at every entry."""
    for entry in scope.flow.entries if scope.format != "takt" else ():  # T002 speaks there
        for target in _names(entry, scope):
            if entry.key is None and not target.value:
                continue  # an empty entryStep counts as absent
            if not is_step(target.value, scope.flow) and not has_placeholder(target.value):
                yield _finding(entry, target, scope)


def _names(entry: Entry, scope: RuleContext) -> Iterator[Text]:
    """The step names of an entry; some registries map a type to a pair of an initial and a continuation step."""
    if entry.target:
        yield entry.target
    elif scope.format == "entry-pair":
        node = scope.registry.tree.at(entry.pointer)
        for member in node.members() if node else []:
            if member.key in {"initial", "continuation"} and isinstance(member.value.value, str):
                yield Text(member.value.value, member.value.span, join(entry.pointer, member.key))


def _finding(entry: Entry, target: Text, scope: RuleContext) -> Finding:
    message = (
        _("entryStep is “{target}”, which is no step: the runner refuses to load the registry")
        if entry.key is None
        else _("The entry for “{type}” is “{target}”, which is no step: the runner refuses to load the registry")
    )
    text = message.format(type=entry.key, target=target.value)
    meant = scope.nearest(RULE.code, target.value, scope.flow.steps)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(scope.registry, target.span, meant)] if meant else []
    return Finding(text, target.span, target.pointer, proposals=proposals)
