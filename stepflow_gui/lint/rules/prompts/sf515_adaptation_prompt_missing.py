"""SF515 adaptation-prompt-missing.

What it does: points out adaptations that have no prompt file: those of a step's address and of its `adaptationChain`,
and for closure steps the agent's defaultClosureAction. “default” in a chain means the plain prompt and needs no file.

Why is this bad: it needn't be. The plain prompt, f_{edition}.md, is shown in its place without a word.

Fix: write the file, if the step is to be told something else.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.adaptation_chain import is_chain_element
from stepflow_gui.formats.climpt.new_texts import prompt_text
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS, DEFAULT_CHAIN
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.intents.chains import FIELD
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

RULE = Rule("SF515", "adaptation-prompt-missing", INFO, formats=ADDRESSED, looks_at=FLOW)

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
        plain = context.prompts.adapted(step, "")
        if step.is_section or plain is None or "{" in plain or context.prompts.found(plain) is None:
            continue
        for adaptation, pointer in _adaptations(step, context):
            tail = context.prompts.adapted(step, adaptation)
            if tail is not None and "{" not in tail and context.prompts.found(tail) is None:
                yield _finding(step, adaptation, pointer, tail, context)


def _adaptations(step: Step, context: RuleContext) -> Iterator[tuple[str, str]]:
    """Each adaptation that the step's prompt may have, once, and where it is said."""
    seen = set(DEFAULT_CHAIN)
    named = [(step.adaptation.value, step.adaptation.pointer)] if step.adaptation else []
    chain = step.raw.get(FIELD)
    elements = enumerate(chain if isinstance(chain, list) else ())
    named += [(each, join(step.pointer, FIELD, index)) for index, each in elements if is_chain_element(each)]
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
    path = context.prompts.folders[0] / tail
    title = _("Begin the file {path}").format(path=path.name)
    return Finding(
        message.format(step=step.id, adaptation=adaptation, plain=plain),
        step.key_span if at_step or node is None else node.span,
        pointer,
        step.id,
        proposals=[Proposal(title, [(TextFile(path, Source("")), TextEdit(0, 0, prompt_text(step)))])],
    )
