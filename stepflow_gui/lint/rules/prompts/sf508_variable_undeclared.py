"""SF508 variable-undeclared.

What it does: reports a `{uv-…}` in a prompt that the step's uvVariables don't list.

Why is this bad: a variable without a value stops the run as the prompt is filled in, and nothing but uvVariables tells
who starts the agent that a value is needed. Where a parameter or the runtime gives it, the run goes on.

Fix: list the variable.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.variables import Sources, listed

RULE = Rule("SF508", "variable-undeclared", ERROR, formats=GATE, looks_at=STEP)

_PROMPT = "prompts/steps/initial/issue/f_default.md"
BAD = changed(texts={_PROMPT: "Issue {uv-issue}, see {uv-guideline}\n"})
GOOD = changed()

_SURE = ("parameter", "runtime", "verdict", "input")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Where the prompt uses it first."""
    if not context.prompts.known or not _is_list(step):
        return
    known = {text.value for text in listed(step)}
    for file, prompt in context.prompts.shown_by(step):
        for use in prompt.used:
            if use.name is None or use.name in known:
                continue
            known.add(use.name)
            is_given = Sources(context).of(use.name, step) in _SURE
            text = (
                _("The prompt of “{step}” uses “{name}”, which its uvVariables don't list")
                if is_given
                else _(
                    "The prompt of “{step}” uses “{name}”, which its uvVariables don't list and nothing gives: the"
                    " run stops there"
                )
            )
            yield Finding(
                text.format(step=step.id, name=use.name),
                use.span,
                None,
                step.id,
                file,
                WARNING if is_given else ERROR,
                sides=[_side(step, context)],
                proposals=_list(use.name, step, context),
            )


def _is_list(step: Step) -> bool:
    return isinstance(step.raw.get("uvVariables", []), list)


def _side(step: Step, context: RuleContext) -> Side:
    member = step.node.member("uvVariables")
    if member:
        return Side(context.registry, member.value.span, f"{step.pointer}/uvVariables", _("what the step lists"))
    return Side(context.registry, step.key_span, step.pointer, _("the step lists none"))


def _list(name: str, step: Step, context: RuleContext) -> Iterator[Proposal]:
    title = _("List “{name}” in uvVariables").format(name=name)
    registry = context.registry
    if "uvVariables" not in step.raw:
        yield from put(registry, step.pointer, "uvVariables", [name], title, safe=True)
    elif registry.tree.valid:
        from stepflow_gui.text.json.edit import insert_item

        edits = insert_item(registry.tree, f"{step.pointer}/uvVariables", name)
        yield Proposal(title, [(registry, edit) for edit in edits], safe=True)
