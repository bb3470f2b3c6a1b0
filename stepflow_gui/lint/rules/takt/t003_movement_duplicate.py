"""T003 movement-duplicate.

What it does: reports a movement, or a sub-step of one movement, that has the name of an earlier one.

Why is this bad: up to TAKT 0.54 only the first is ever run, whatever goes there; later releases refuse to run the
file, and for sub-steps all since 0.51.

Fix: rename one of the two, or remove it.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import path_of, refusing, runner, severity
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join

RULE = Rule("T003", "movement-duplicate", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("      - name: tests\n", "      - name: design\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at the list as it is written: of the flow's steps doubles are not part."""
    root = context.registry.root
    steps = root.get(context.takt.steps) if root is not None else None
    yield from _doubles(steps, join("", context.takt.steps), None, context)
    for index, item in enumerate(steps.items() if steps else ()):
        pointer = join("", context.takt.steps, index, "parallel")
        yield from _doubles(item.get("parallel"), pointer, item.get("name"), context)


def _doubles(items: Node | None, pointer: str, parent: Node | None, context: RuleContext) -> Iterator[Finding]:
    seen: dict[str, Text] = {}
    for index, item in enumerate(items.items() if items else ()):
        name = text_of(item, "name", join(pointer, index))
        if name is None or not name.value:
            continue
        first = seen.setdefault(name.value, name)
        if first is name:
            continue
        refused = refusing(context, path_of(name.pointer))
        if refused:
            text = _("“{step}” is defined twice: {runner} refuses to run the file")
        elif parent is not None:
            text = _("“{step}” appears twice among the sub-steps: their results can't be distinguished")
        else:
            text = _("“{step}” appears twice: only the first is ever run")
        yield Finding(
            text.format(step=name.value, runner=runner(context, refused)),
            name.span,
            name.pointer,
            str(parent.value) if parent is not None else name.value,
            severity=severity(context, refused),
            sides=[Side(context.registry, first.span, first.pointer, _("the first is here"))],
        )
