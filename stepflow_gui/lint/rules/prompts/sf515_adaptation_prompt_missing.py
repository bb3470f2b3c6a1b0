"""SF515 adaptation-prompt-missing.

What it does: points out adaptations that have no prompt file: those of steps and their addresses, and for closure steps
the agent's defaultClosureAction; for climpt 1.14 (a pre-release) also those of an `adaptationChain`, where “default”
means the plain prompt and needs no file.

Why is this bad: it may be intended. All versions of climpt with gates show the plain prompt, f_{edition}.md, in its
place silently.

Fix: write the file, if the step needs a prompt of its own.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.adaptation_chain import chain_elements, is_chain_element
from stepflow_gui.formats.climpt.new_texts import prompt_text
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, DEFAULT_CHAIN
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.chains import FIELD
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
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
)
from stepflow_gui.lint.rules.prompts.sf506_prompt_missing import misspelt_part
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

RULE = Rule("SF515", "adaptation-prompt-missing", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/adaptationChain": ["again"]}, base="adt-kind-address")
GOOD = changed(
    {"/steps/initial.issue/adaptationChain": ["again"]},
    base="adt-kind-address",
    texts={"prompts/steps/initial/issue/f_default_again.md": "Issue {uv-issue} once more\n"},
)


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file; a step without its plain prompt is SF506's."""
    if context.prompts.known:
        yield from merge_infos(_found(context), RULE, context)


def _found(context: RuleContext) -> Iterator[Finding]:
    for step in context.flow.steps.values():
        if step.is_section or context.era.starts_program(step) or context.prompts.plain(step) is None:
            continue
        for adaptation, pointer in _adaptations(step, context):
            tail = context.prompts.adapted(step, adaptation)
            if tail is not None and "{" not in tail and context.prompts.found(tail) is None:
                finding = _finding(step, adaptation, pointer, tail, context)
                is_own = step.adaptation is not None and pointer == step.adaptation.pointer
                yield _respelt(finding, step, context) if is_own else finding


def _adaptations(step: Step, context: RuleContext) -> Iterator[tuple[str, str]]:
    """Each adaptation that the step's prompt may have, once, and where it is written."""
    seen = set(DEFAULT_CHAIN)
    own = step.adaptation if context.era.plain_prompts else None  # else SF506 speaks
    named = [(own.value, own.pointer)] if own else []
    chain = step.raw.get(FIELD) if context.format in ADDRESSED else None
    own_place = [FIELD] if isinstance(chain, str) else []  # of a text each letter is an element
    for index, each in enumerate(chain_elements(chain)):
        if isinstance(each, str) and is_chain_element(each):
            named.append((each, join(step.pointer, *(own_place or (FIELD, index)))))
    agent = context.folder.agent
    action = agent.default_closure_action if agent else None
    if step.kind == "closure" and action is not None and action.value in CLOSURE_ACTIONS[1:]:
        named.append((action.value, step.pointer))
    for adaptation, pointer in named:
        if adaptation and adaptation not in seen:
            seen.add(adaptation)
            yield adaptation, pointer


def _finding(step: Step, adaptation: str, pointer: str, tail: str, context: RuleContext) -> Finding:
    node = context.registry.tree.at(pointer)
    at_step = pointer == step.pointer
    message = _("“{step}” has no prompt for the adaptation “{adaptation}”: the prompt {plain} is shown instead")
    plain = (context.prompts.adapted(step, "") or "").rpartition("/")[2]
    message = message.format(step=step.id, adaptation=adaptation, plain=plain)
    agent, document = context.folder.agent, context.folder.agent_document
    action = agent.default_closure_action if at_step and agent else None
    sides = [Side(document, action.span, action.pointer, message)] if action and document else []
    path = context.prompts.folders[0] / tail
    title = _("Begin the file {path}").format(path=path.name)
    return Finding(
        message,
        step.key_span if at_step or node is None else node.span,
        pointer,
        step.id,
        sides=sides,
        proposals=[Proposal(title, [(TextFile(path, Source("")), TextEdit(0, 0, prompt_text(step)))])],
    )


def _respelt(finding: Finding, step: Step, context: RuleContext) -> Finding:
    """A warning with the adaptation that a prompt has, where the step's own is a slip away from it."""
    slip = misspelt_part(step, ("adaptation",), context)
    if slip is None:
        return finding
    text, meant = slip
    message = finding.message + _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(context.registry, text.span, meant), *finding.proposals]
    return finding._replace(message=message, severity=WARNING, proposals=proposals, misspelt=True)
