"""T016 instruction-twice.

What it does: reports movements with both `instruction` and `instruction_template`. It points out those with neither,
and parallel movements with an instruction, a persona or reports of their own.

Why is this bad: of two instructions one wins silently, and without any the prompt is the task alone. Of a parallel
movement only the sub-steps and rules are read.

Fix: keep one of the two.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.sets import ALL, before
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import FLOW, INFO, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import in_part, wanted_releases
from stepflow_gui.text.pointer import join

RULE = Rule("T016", "instruction-twice", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("    instruction: plan\n", "    instruction: plan\n    instruction_template: Plan {task}.\n"))
GOOD = piece()

_TEMPLATE_WINS = before("0.32.0")
_OWN_WAYS = ("call", "uses", "team_leader", "arpeggio", "instruction", "instruction_template")
_UNREAD = ("instruction", "instruction_template", "persona", "output_contracts")


def check(context: RuleContext) -> Iterator[Finding]:
    """Warnings as they are, the rest as one note a file."""
    yield from merge_infos(_found(context), RULE, context)


def _found(context: RuleContext) -> Iterator[Finding]:
    for step, parent in all_steps(context):
        node, owner = step.node, (parent or step).id
        if step.kind == "parallel" and parent is not None:
            continue  # a sub-step has none: it is dropped, or refused
        if step.kind == "parallel":
            yield from _unread(step)
        elif node.get("instruction") is not None and node.get("instruction_template") is not None:
            wanted = wanted_releases(context)
            if wanted & before("0.34.0"):  # later ones refuse one of them anyway
                unread = "instruction" if wanted & _TEMPLATE_WINS else "instruction_template"
                pointer = join(step.pointer, unread)
                text = (
                    _("“{step}” has an instruction and a template: the instruction is never read")
                    if wanted & _TEMPLATE_WINS
                    else _("“{step}” has an instruction and a template: the template is never read")
                )
                text = in_part(text.format(step=step.id), context, _TEMPLATE_WINS if wanted & _TEMPLATE_WINS else ALL)
                title = _("Remove “{field}”").format(field=unread)
                fixes = take_away(context.registry, [pointer], title)
                yield Finding(text, node.key_span(unread), pointer, owner, proposals=fixes)
        elif step.kind == "movement" and not step.unread and not any(node.get(key) for key in _OWN_WAYS):
            text = _("“{step}” has no instruction: its prompt is the task alone").format(step=step.id)
            yield Finding(text, step.key_span, step.pointer, owner, severity=INFO)


def _unread(step: Step) -> Iterator[Finding]:
    for key in _UNREAD:
        if step.node.get(key) is not None:
            text = _("“{field}” of the parallel movement “{step}” isn't read").format(field=key, step=step.id)
            yield Finding(text, step.node.key_span(key), join(step.pointer, key), step.id, severity=INFO)
