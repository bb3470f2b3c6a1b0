"""SF508 variable-undeclared.

What it does: reports a `{uv-…}` in a prompt that the step's uvVariables don't list.

Why is this bad: a variable without a value stops the run as the prompt is filled in, and nothing but uvVariables tells
who starts the agent that a value is needed. Where a parameter or the runtime gives it, the run goes on. A `section.*`
step is a part of other prompts and not a step of a run: there it is a warning.

Fix: list the variable.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put, write
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.replacing import replacement
from stepflow_gui.lint.rules.prompts.variables import Sources, listed
from stepflow_gui.text.edit import TextEdit

RULE = Rule("SF508", "variable-undeclared", ERROR, formats=GATE, looks_at=STEP)

_PROMPT = "prompts/steps/initial/issue/f_default.md"
BAD = changed(texts={_PROMPT: "Issue {uv-issue}, see {uv-guideline}\n"})
GOOD = changed()

_SURE = ("parameter", "runtime", "verdict", "section", "input")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Where the prompt uses it first."""
    if not context.prompts.known or not _is_list(step) or context.era.starts_program(step):
        return
    known = {text.value for text in listed(step)}
    for file, prompt in context.prompts.shown_by(step):
        for use in prompt.used:
            if use.name is None or use.name in known:
                continue
            known.add(use.name)
            text, severity, instead = _consequence(use.name, step, context)
            message = text.format(step=step.id, name=use.name, instead=instead)
            finding = Finding(message, use.span, None, step.id, file, severity, sides=[_side(step, context)])
            like = _like(use.name, step, context)
            if like is None:
                cause = ("unlisted", step.id) if not listed(step) else None  # all of them, where none is listed
                yield finding._replace(proposals=_list(use.name, step, context), cause=cause)
            else:
                yield _misspelt(
                    finding,
                    use.name,
                    like,
                    _is_given(use.name, step, context) or not _is_given(like.value, step, context),
                    context,
                )


def _consequence(name: str, step: Step, context: RuleContext) -> tuple[str, Severity, str | None]:
    """The message, its severity, and what is shown in place of the prompt where the variable is missing."""
    origin = Sources(context).of(name, step)
    if origin in _SURE:
        return _("The prompt of “{step}” uses “{name}”, which its uvVariables don't list"), WARNING, ""
    if origin == "optional":
        text = _(
            "The prompt of “{step}” uses “{name}”, which its uvVariables don't list and only a parameter that isn't"
            " required gives"
        )
        return text, WARNING, ""
    if step.is_section:
        text = _("The prompt of “{step}” uses “{name}”, which its uvVariables don't list and nothing gives")
        return text, WARNING, ""
    instead, severity = replacement(step, context, unfilled=True)
    text = (
        _(
            "The prompt of “{step}” uses “{name}”, which its uvVariables don't list and nothing gives: the run stops"
            " there"
        )
        if severity == ERROR
        else _(
            "The prompt of “{step}” uses “{name}”, which its uvVariables don't list and nothing gives: it can't be"
            " filled in{instead}"
        )
    )
    return text, severity, instead


def _is_given(name: str, step: Step, context: RuleContext) -> bool:
    return Sources(context).of(name, step) in _SURE


def _like(name: str, step: Step, context: RuleContext) -> Text | None:
    """A variable that the step lists, that no prompt of it uses, and that is a slip away."""
    used = {each for _file, prompt in context.prompts.shown_by(step) for each in prompt.names}
    return next((each for each in listed(step) if each.value not in used and is_slip(each.value, name)), None)


def _misspelt(finding: Finding, name: str, like: Text, in_list: bool, context: RuleContext) -> Finding:
    """The slip is in the list, or in the prompt where it is the list's name that has a source."""
    text = _(". uvVariables lists “{meant}” instead") if in_list else _(". Did you mean “{meant}”?")
    message = finding.message + text.format(meant=like.value)
    prompt = finding.document or context.registry
    if in_list:
        proposal = write(context.registry, like.span, name)
        use = Side(prompt, finding.span, None, _("the prompt uses it here"))
        finding = finding._replace(document=None, span=like.span, pointer=like.pointer, sides=[use])
    else:
        edit = TextEdit(*finding.span, f"{{uv-{like.value}}}")
        proposal = Proposal(_("Write “{word}”").format(word=like.value), [(prompt, edit)])
    return finding._replace(message=message, proposals=[proposal], misspelt=True)


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
