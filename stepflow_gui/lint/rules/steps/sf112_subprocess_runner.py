"""SF112 subprocess-runner.

What it does: looks at steps whose `runner` names a program that runs in place of the model. It reports one on a step
that isn't a closure, one without a command, and a `${context.x}` in its arguments that no parameter of the agent gives.

Why is this bad: only closure steps start a program; on others climpt never looks at it and asks the model. Without a
command the model is asked as well. A value that is missing is an error in that iteration, and the step is tried again
up to the limit.

Fix: put the program on a closure step, name its command, and declare the parameter.
"""

import re
from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

RULE = Rule("SF112", "subprocess-runner", ERROR, formats=("c3l", *ADDRESSED), looks_at=STEP)

_PROGRAM = {"command": "gh", "args": ["pr", "view", "${context.issue}"]}
BAD = changed(
    {"/steps/closure.issue/runner": _PROGRAM, "/steps/closure.issue/runner/args/2": "${context.number}"}, base="c3l"
)
GOOD = changed({"/steps/closure.issue/runner": _PROGRAM}, base="c3l")

_VALUE = r"\$\{context\.([^}]*)\}"


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A runner that is not an object is SF004's matter."""
    member = step.node.member("runner")
    if member is None or member.value.kind != "object":
        return
    runner = member.value
    pointer = join(step.pointer, "runner")
    if not context.era.subprocesses:
        text = _("“{step}” has a program to run, and {era} starts none: it asks the model")
        yield _finding(text.format(step=step.id, era=context.climpt.name), step, pointer, member.key_span)._replace(
            severity=WARNING
        )
    elif step.kind != "closure":
        text = _("“{step}” has a program to run, but isn't a closure step: {era} never starts it, and asks the model")
        yield _finding(text.format(step=step.id, era=context.climpt.name), step, pointer, member.key_span)
    elif not _has_command(runner):
        text = _("The program of “{step}” has no command: {era} starts none, and asks the model")
        yield _finding(text.format(step=step.id, era=context.climpt.name), step, pointer, member.key_span)
    else:
        yield from _values(step, runner, pointer, context)


def _has_command(runner: Node) -> bool:
    command = runner.get("command")
    return command is not None and isinstance(command.value, str) and bool(command.value.strip())


def _values(step: Step, runner: Node, pointer: str, context: RuleContext) -> Iterator[Finding]:
    """The payload of an orchestrator may hold more than the parameters; a run of the agent alone has only these."""
    arguments, agent = runner.get("args"), context.folder.agent
    if agent is None or arguments is None:
        return
    known = {parameter.name for parameter in agent.parameters}
    for index, argument in enumerate(arguments.items()):
        if not isinstance(argument.value, str) or has_placeholder(argument.value):
            continue
        for found in re.finditer(_VALUE, argument.value):
            name = found[1].strip()
            if name not in known:
                yield _missing(name, found[0], argument, join(pointer, "args", index), step, context)


def _missing(name: str, written: str, argument: Node, pointer: str, step: Step, context: RuleContext) -> Finding:
    agent = context.folder.agent
    assert agent is not None
    meant = context.nearest(RULE.code, name, [parameter.name for parameter in agent.parameters])
    text = _(
        "The program of “{step}” takes “{name}”, which is not a parameter of the agent: it isn't started, and the "
        "step is tried again up to the limit"
    ).format(step=step.id, name=name)
    proposals: list[Proposal] = []
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
        changed_text = argument.value.replace(written, f"${{context.{meant}}}")
        proposals.append(write(context.registry, argument.span, changed_text))
    return Finding(text, argument.span, pointer, step.id, proposals=proposals)


def _finding(message: str, step: Step, pointer: str, span: Span) -> Finding:
    return Finding(message, span, pointer, step.id)
