"""SF512 stdin-mismatch.

What it does: reports a prompt that uses `{input_text}` where usesStdin is false, and the other way round.

Why is this bad: without usesStdin the text is replaced by nothing, without a message. With usesStdin climpt refuses to
show the prompt while there is no input text, though nothing in it needs one.

Fix: set usesStdin to what the prompt does.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.prompts import INPUT_TEXT
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF512", "stdin-mismatch", WARNING, formats=GATE, looks_at=STEP)

BAD = changed(texts={"prompts/steps/initial/issue/f_default.md": "Issue {uv-issue}\n\n{input_text}\n"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Over all the prompts that the step can show."""
    shown = context.prompts.written(step) if context.prompts.known else []
    declared = step.raw.get("usesStdin", False)
    if not shown or not isinstance(declared, bool):
        return
    use = next(((file, use) for file, prompt in shown for use in prompt.used if use.name is None), None)
    if declared == (use is not None):
        return
    member = step.node.member("usesStdin")
    span, pointer = (member.value.span, f"{step.pointer}/usesStdin") if member else (step.key_span, step.pointer)
    if use:
        file, place = use
        text = _("The prompt of “{step}” uses {input}, and its usesStdin isn't true: {era} puts nothing in its place")
        sides = [Side(file, place.span, None, _("it is used here"))]
    else:
        text = _("“{step}” has usesStdin, and its prompt doesn't use {input}: {era} asks for a text that nothing reads")
        sides = []
    yield Finding(
        text.format(step=step.id, input=INPUT_TEXT, era=context.climpt.name),
        span,
        pointer,
        step.id,
        sides=sides,
        proposals=_set(step, context, value=use is not None),
    )


def _set(step: Step, context: RuleContext, *, value: bool) -> Iterator[Proposal]:
    registry = context.registry
    title = _("Write “{word}”").format(word=f"usesStdin: {str(value).lower()}")
    if "usesStdin" not in step.raw:
        yield from put(registry, step.pointer, "usesStdin", value, title, safe=True)
    elif registry.tree.valid:
        from stepflow_gui.text.json.edit import set_value

        edits = set_value(registry.tree, f"{step.pointer}/usesStdin", value)
        yield Proposal(title, [(registry, edit) for edit in edits], safe=True)
