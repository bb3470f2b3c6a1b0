"""SF511 variable-may-be-empty.

What it does: reports a variable of a step that can be empty: `repository`, which poll:state sets to nothing where it
isn't known, and a parameter whose default is an empty text.

Why is this bad: climpt's prompt engine refuses the prompt file as soon as one variable is empty. Then
only a fallbackKey that exists lets the run continue, with a prompt that isn't yours.

Fix: give the variable a value by a parameter, or remove it from the step.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.variables import Sources, listed

RULE = Rule("SF511", "variable-may-be-empty", WARNING, formats=("closing",), looks_at=STEP)

_PROMPT = "prompts/steps/initial/issue/f_default.md"
BAD = changed(
    {"/steps/initial.issue/uvVariables": ["issue", "repository"]},
    texts={_PROMPT: "Issue {uv-issue} of {uv-repository}\n"},
)
GOOD = changed(
    {
        "/steps/initial.issue/uvVariables": ["issue", "repository"],
        "agent.json#/parameters/repository": {
            "type": "string",
            "description": "Where the issue is",
            "required": True,
            "cli": "--repository",
        },
    },
    texts={_PROMPT: "Issue {uv-issue} of {uv-repository}\n"},
)

_EMPTY_WHEN_UNKNOWN = "repository"


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Sections are not prompts of their own."""
    agent = context.folder.agent
    if step.is_section or agent is None:
        return
    sources = Sources(context)
    for text in listed(step):
        parameter = sources.parameters.get(text.value)
        if parameter is None:
            if text.value == _EMPTY_WHEN_UNKNOWN and sources.of(text.value, step) == "verdict":
                message = _(
                    "Under poll:state “{name}” of “{step}” is empty where it isn't known: the prompt file is"
                    " refused then, and only a fallbackKey lets the run continue"
                )
                yield Finding(message.format(name=text.value, step=step.id), text.span, text.pointer, step.id)
            continue
        default = parameter.node.get("default")
        if default is not None and default.value == "":
            message = _(
                "“{name}” of “{step}” is empty by default: the prompt file is refused then, and only a"
                " fallbackKey lets the run continue"
            )
            yield Finding(
                message.format(name=text.value, step=step.id),
                text.span,
                text.pointer,
                step.id,
                sides=[Side(agent.document, default.span, f"{parameter.pointer}/default", _("the default"))],
            )
