"""Parts of prompts' paths that are nearly what others have, where no prompt is there to compare with."""

from collections import Counter
from collections.abc import Iterator

from stepflow_gui.flow.model import Step, Text
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.closest_name import is_slip, plain
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import WARNING, Finding, RuleContext, _
from stepflow_gui.lint.rules.steps.phases import PHASES

_EDITION, _C1 = "default", "steps"  # what nearly all files have


def odd_parts(code: str, context: RuleContext) -> Iterator[Finding]:
    """The registry's c1; then each step's edition by those of the others, its c2 and c3 by its own id."""
    root = context.registry.root
    c1 = text_at(root, "c1", "") if root else None
    if c1 is not None and _is_near(c1, _C1):
        text = _("The c1 is “{c1}”, with which all prompts' paths begin. Did you mean “{meant}”?")
        yield _finding(text.format(c1=c1.value, meant=_C1), c1, _C1, None, context)
    counted = Counter(step.edition.value for step in context.flow.steps.values() if step.edition)
    used = Counter(PHASES)
    for step in context.flow.steps.values():
        used.update({*step.id.split("."), *(part.value for part in (step.c2, step.c3) if part)})
    common = {_EDITION, *(each for each, count in counted.items() if count > 1)}
    for step in context.flow.steps.values():
        edition = step.edition
        if edition is not None and counted[edition.value] == 1 and edition.value not in common:
            meant = context.nearest(code, edition.value, sorted(common))
            if not meant or not _is_near(edition, meant):
                meant = next((word for word in step.id.split(".")[1:] if _is_near(edition, word)), None)
            if meant and context.distinct.address_is_free(step, "edition", meant):
                text = _("No other step has the edition “{edition}” of “{step}”. Did you mean “{meant}”?")
                message = text.format(edition=edition.value, step=step.id, meant=meant)
                yield _finding(message, edition, meant, step, context)
        yield from _by_id(step, used, context)


def _by_id(step: Step, used: Counter[str], context: RuleContext) -> Iterator[Finding]:
    """A part that is nearly a word of the id: what isn't alike at all, or is longer, is meant so.

    A word that others use as well may be longer, too.
    """
    words = step.id.split(".")
    for name, part, candidates in (("c2", step.c2, words[:1]), ("c3", step.c3, words[1:])):
        if part is None or used[part.value] > 1:
            continue
        near = (word for word in candidates if _is_near(part, word))
        meant = next((word for word in near if used[word] > 1 or not _extends(part.value, word)), None)
        if meant and context.distinct.address_is_free(step, name, meant):
            text = _("The {part} of “{step}” is “{value}”, which is nearly the “{meant}” of its id")
            message = text.format(part=name, step=step.id, value=part.value, meant=meant)
            yield _finding(message, part, meant, step, context)


def _is_near(part: Text, meant: str) -> bool:
    """A slip away, and not the same words joined otherwise."""
    return not has_placeholder(part.value) and is_slip(part.value, meant) and plain(part.value) != plain(meant)


def _extends(one: str, other: str) -> bool:
    """Whether one is the other with more behind it, as a plural is."""
    return one.startswith(other) or other.startswith(one)


def _finding(message: str, part: Text, meant: str, step: Step | None, context: RuleContext) -> Finding:
    return Finding(
        message,
        part.span,
        part.pointer,
        step.id if step else None,
        severity=WARNING,
        proposals=[write(context.registry, part.span, meant)],
        misspelt=True,
    )
