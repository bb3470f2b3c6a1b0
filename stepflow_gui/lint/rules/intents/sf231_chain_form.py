"""SF231 chain-form.

What it does: reports an `adaptationChain` that is not a list, and elements of one that aren't made of letters, digits,
dots, hyphens and underscores.

Why is this bad: climpt 1.14 (a pre-release) refuses to start an agent with such an element: it becomes a part of a
file's name. A text in place of a list is taken letter by letter; any other value is refused as well.

Fix: write a list of names, as ["default", "again"].
"""

import re
from collections.abc import Iterator

from stepflow_gui.formats.climpt.adaptation_chain import chain_elements, is_chain_element
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.chains import FIELD, place
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
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_PART = re.compile(r"[A-Za-z0-9_]+")

RULE = Rule("SF231", "chain-form", ERROR, formats=ADDRESSED, looks_at=STEP)

BAD = changed({"/steps/initial.issue/adaptationChain": ["try again"]}, base="adt-kind-address")
GOOD = changed(
    {"/steps/initial.issue/adaptationChain": ["try-again"]},
    base="adt-kind-address",
    texts={"prompts/steps/initial/issue/f_default_try-again.md": "Issue {uv-issue} once more\n"},
)


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """The list itself, then each element."""
    chain = step.raw.get(FIELD)
    if chain is None or (isinstance(chain, str) and has_placeholder(chain)):
        return
    if not isinstance(chain, list):
        yield _of_no_list(chain, step, context)
        return
    for index, element in enumerate(chain):
        pointer = join(step.pointer, FIELD, index)
        node = context.registry.tree.at(pointer)
        odd = not is_chain_element(element) and not (isinstance(element, str) and has_placeholder(element))
        if odd and node is not None:
            message = (
                _("An element of the adaptationChain of “{step}” holds “..”: climpt-1.14 refuses to start the agent")
                if isinstance(element, str) and ".." in element
                else _(
                    "An element of the adaptationChain of “{step}” isn't made of letters, digits, “.”, “_” and “-”:"
                    " climpt-1.14 refuses to start the agent"
                )
            )
            yield Finding(
                message.format(step=step.id),
                node.span,
                pointer,
                step.id,
                proposals=_named(element, chain, node.span, context),
            )


def _of_no_list(chain: JsonValue, step: Step, context: RuleContext) -> Finding:
    span, pointer = place(step, context)
    odd = next((letter for letter in chain_elements(chain) if not is_chain_element(letter)), None)
    severity = ERROR
    if not isinstance(chain, str):
        message = _("The adaptationChain of “{step}” is {kind}, not a list: climpt-1.14 refuses to start the agent")
    elif odd is not None:
        message = _(
            "The adaptationChain of “{step}” is a text, which climpt-1.14 reads letter by letter: it refuses to start"
            " the agent, as “{letter}” is not a name"
        )
    else:
        severity = WARNING
        message = _("The adaptationChain of “{step}” is a text: climpt-1.14 takes each letter of it for one repeat")
    text = message.format(step=step.id, kind=a_kind(chain), letter=odd)
    proposals = _written([chain], pointer, context) if is_chain_element(chain) else ()
    return Finding(text, span, pointer, step.id, severity=severity, proposals=proposals)


def _named(element: JsonValue, chain: list[JsonValue], span: Span, context: RuleContext) -> Iterator[Proposal]:
    """The same with hyphens between what is left of it, unless another element is called so."""
    parts = _PART.findall(str(element)) if isinstance(element, str | int) and not isinstance(element, bool) else []
    name = "-".join(parts)
    if is_chain_element(name) and name not in chain:
        yield write(context.registry, span, name)


def _written(chain: list[JsonValue], pointer: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid:
        edits = set_value(registry.tree, pointer, chain)
        yield Proposal(_("Write a list"), [(registry, edit) for edit in edits])
