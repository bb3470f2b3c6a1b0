"""SF510 variable-unsourced.

What it does: reports a variable of a step that nothing gives: no parameter of the agent, no variable of the runtime, no
`inputs` entry (which gives it as `step_key`), and an input whose step doesn't hand off that key. One that has to come
from a step that doesn't exist is an error since 2026-04-01. What steps outside the agent's own flow lack, and
parameters that may be left out, is reported once per file as information.

Why is this bad: every variable in uvVariables must have a value, else climpt stops as it fills the prompt in.

Fix: add the parameter, correct the name, or hand the value off.
"""

from collections import Counter
from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.flow.reach import reached
from stepflow_gui.formats.climpt.agent.agent_file import Parameter
from stepflow_gui.formats.climpt.vocabulary import RUNTIME_VARIABLES
from stepflow_gui.lint.closest_name import is_slip, nearest, plain
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rule_context import SUGGESTIONS
from stepflow_gui.lint.rules.entry.verdicts import unmapped
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow import naming
from stepflow_gui.lint.rules.once import SHOWN, merge_places
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    GATE,
    INFO,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.prompts.step_inputs import StepInput, inputs_of
from stepflow_gui.lint.rules.prompts.variables import ISSUE_OF_OLD, Sources, listed

RULE = Rule("SF510", "variable-unsourced", WARNING, formats=GATE, looks_at=FLOW)

_PROMPT = "prompts/steps/initial/issue/f_default.md"
BAD = changed({"/steps/initial.issue/uvVariables": ["isue"]}, texts={_PROMPT: "Issue {uv-isue}\n"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Without an agent.json that can be read the parameters are unknown."""
    document = context.folder.agent_document
    if document is None or not document.tree.valid:
        return
    sources = Sources(context)
    misnamed = _misnamed_parameters(sources, context)
    own_flow = _own_flow(context)
    aside: list[Side] = []
    unsourced: dict[str, list[Finding]] = {}
    for step in context.flow.steps.values():
        is_aside = step.is_section or (own_flow is not None and step.id not in own_flow)
        for text, message, weak in _unsourced(step, sources):
            if has_placeholder(text.value):
                continue
            if is_aside or weak:
                aside.append(Side(context.registry, text.span, text.pointer, message))
            else:
                finding = _finding(step, text, message, sources, context, misnamed.get(text.value))
                if finding.proposals or text.value in {"", ISSUE_OF_OLD} or sources.of(text.value, step) is not None:
                    yield finding
                else:
                    unsourced.setdefault(text.value, []).append(finding)
        if not is_aside:
            for given in inputs_of(step):
                yield from _input(given, step, context)
    yield from _of_all_steps(unsourced, context)
    if aside:
        several = _("Variables that nothing gives, or only some runs, in {count} places: {first}")
        message = several.format(count=len(aside), first=aside[0].message) if len(aside) > 1 else aside[0].message
        yield merge_places(message, aside[: SHOWN + 1], severity=INFO)


def _own_flow(context: RuleContext) -> dict[str, None] | None:
    """The steps that the agent's own entry goes to; None if unknown."""
    if unmapped(context):
        return {}  # no run gets anywhere: SF404
    agent = context.folder.agent
    entry = context.flow.entry_target(agent.verdict_type.value if agent and agent.verdict_type else None)
    if entry and entry not in context.flow.steps:
        return {}  # nor here: SF402
    if not entry:
        return context.run_paths.reached() if context.run_paths.entries and not context.run_paths.vague_entry else None
    return reached([entry], context.run_paths.open_successors)


def _unsourced(step: Step, sources: Sources) -> Iterator[tuple[Text, str, bool]]:
    """The variable, the message, and whether some runs have it anyway."""
    for text in listed(step):
        origin = sources.of(text.value, step)
        names = {"name": text.value, "step": step.id}
        if origin == "later":
            yield (
                text,
                _("“{name}” of “{step}” is known from the second iteration on, not at the first").format(**names),
                False,
            )
        elif origin == "optional":
            message = _("“{name}” of “{step}” is a parameter that may be left out and has no default")
            yield text, message.format(**names), True
        elif origin is None and not text.value:
            yield text, _("“{step}” lists a variable without a name").format(**names), False
        elif origin is None and text.value == ISSUE_OF_OLD and "issue" in sources.parameters:
            message = _(
                "“{name}” of “{step}” is filled in from --issue by climpt until 2026-03-14 alone: it is “issue” today"
            )
            yield text, message.format(**names), False
        elif origin is None:
            message = _("Nothing gives the variable “{name}” of “{step}”: no parameter, no input, not the runtime")
            yield text, message.format(**names), False


def _misnamed_parameters(sources: Sources, context: RuleContext) -> dict[str, Parameter]:
    """Parameters that no step uses as they are called, by the variable that is nearly called so and has no source.

    Its flag, or other evidence, must be for the variable's name.
    """
    uses = Counter(text.value for step in context.flow.steps.values() for text in listed(step))
    unused = {name: each for name, each in sources.parameters.items() if name not in uses}
    unknown = [name for name in uses if name and name not in sources.parameters] if unused else []
    found: dict[str, Parameter] = {}
    for name in unknown[:SUGGESTIONS]:
        like = nearest(name, unused)
        if like is None or not is_slip(like, name):
            continue
        flag = unused[like].cli
        fits = {plain(flag.value)} if flag else set()
        if context.evidence.is_right(name, like, fits, defined=1):
            found[name] = unused.pop(like)
    return found


def _finding(
    step: Step, text: Text, message: str, sources: Sources, context: RuleContext, misnamed: Parameter | None
) -> Finding:
    proposals: list[Proposal] = []
    if misnamed is not None and (document := context.folder.agent_document):
        message += _(". Is the parameter “{parameter}” meant?").format(parameter=misnamed.name)
        title = _("Rename the parameter “{parameter}” to “{name}”").format(parameter=misnamed.name, name=text.value)
        proposals.append(write(document, misnamed.key_span, text.value)._replace(title=title))
        sides = [Side(context.registry, text.span, text.pointer, _("the variable is listed here"))]
        place = (misnamed.key_span, misnamed.pointer, step.id, document, WARNING, sides)
        return Finding(message, *place, proposals=proposals, misspelt=True)
    meant = "issue" if text.value == ISSUE_OF_OLD and "issue" in sources.parameters else None
    if meant is None and text.value and sources.of(text.value, step) is None:
        given = [*sources.parameters, *(each.variable for each in inputs_of(step) if each.gives), *RUNTIME_VARIABLES]
        meant = context.nearest(RULE.code, text.value, given)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
    if meant and meant not in {each.value for each in listed(step)}:
        proposals.append(_renamed(step, text, meant, context))
    finding = Finding(message, text.span, text.pointer, step.id, severity=WARNING)
    return finding._replace(proposals=proposals, misspelt=bool(proposals) and text.value != ISSUE_OF_OLD)


def _of_all_steps(by_variable: dict[str, list[Finding]], context: RuleContext) -> Iterator[Finding]:
    """One finding for what a step lacks, however many steps list it: parameters or inputs are missing."""
    by_step: dict[str | None, list[str]] = {}
    for name, findings in by_variable.items():
        by_step.setdefault(findings[0].step, []).append(name)
    for step, names in by_step.items():
        first, *others = (finding for name in names for finding in by_variable[name])
        text = first.message
        if len(names) > 1:
            text = _("Nothing gives the variables {names} of “{step}”: no parameter, no input, not the runtime")
            text = text.format(names=naming.listed(names), step=step)
        if count := len({each.step for each in others} - {step}):
            more = ngettext(". {count} other step lists it too", ". {count} other steps list it too", count)
            if len(names) > 1:
                more = ngettext(". {count} other step lists some too", ". {count} other steps list some too", count)
            text += more.format(count=count)
        sides = [Side(context.registry, each.span, each.pointer, each.message) for each in others]
        yield first._replace(message=text, sides=sides)


def _renamed(step: Step, text: Text, name: str, context: RuleContext) -> Proposal:
    """The name in the list and in the prompts."""
    from stepflow_gui.text.edit import TextEdit

    listed_there = write(context.registry, text.span, name)
    uses = [
        (file, TextEdit(use.span.start, use.span.end, f"{{uv-{name}}}"))
        for file, prompt in (context.prompts.shown_by(step) if context.prompts.known else ())
        for use in prompt.used
        if use.name == text.value
    ]
    return listed_there._replace(edits=[*listed_there.made, *uses])


def _input(given: StepInput, step: Step, context: RuleContext) -> Iterator[Finding]:
    """An input that finds nothing where it looks (runtime-semantics 12 and 15)."""
    if not given.source:
        return  # SF004 says what can never have a value
    stops = context.era.applies_inputs and given.required is True and not given.has_default
    names = {"name": given.name, "step": step.id, "source": given.source, "key": given.key}
    if given.required is False:
        return
    source = context.flow.steps.get(given.source)
    if source is None:
        text = (
            _("The input “{name}” of “{step}” comes from “{source}”, which is not a step: the run stops there")
            if stops
            else _("The input “{name}” of “{step}” comes from “{source}”, which is not a step")
        )
    elif source.gate is None:
        text = _("The input “{name}” of “{step}” comes from “{source}”, which has no gate and hands nothing off")
    elif not source.gate.handoff_fields:
        text = _("The input “{name}” of “{step}” comes from “{source}”, which hands nothing off")
    elif any(field.value.rpartition(".")[2] == given.key for field in source.gate.handoff_fields):
        return
    else:
        text = _("The input “{name}” of “{step}” reads “{key}” of “{source}”, which hands off other keys")
    sides = [Side(context.registry, source.key_span, source.pointer, _("the step it comes from"))] if source else []
    severity = ERROR if stops and source is None else WARNING
    yield Finding(text.format(**names), given.at.span, given.at.pointer, step.id, severity=severity, sides=sides)
