"""SF010 mixed-formats.

What it does: reports steps that are written in another format than the rest of their file: a `check` beside gates, a
gate beside checks, `complete` beside `closing`, a nested `address` beside c2 and c3, or the other way round.

Why is this bad: a runner reads one format. To it such a step has neither the prompt nor the transitions that you wrote.

Fix: write the step as the others are, or convert the whole file.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.names import format_name
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    GATE,
    REMOVED,
    STEP,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.text.source import Span

RULE = Rule("SF010", "mixed-formats", ERROR, formats=(*GATE, "checks"), looks_at=STEP, defers_to=("SF205",))

BAD = changed(
    {
        "/steps/initial.issue/structuredGate": REMOVED,
        "/steps/initial.issue/transitions": REMOVED,
        "/steps/initial.issue/check": {
            "prompt": {"c1": "checks", "c2": "issue", "c3": "understood"},
            "onPass": {"next": "continuation.issue"},
            "onFail": {"retry": True},
        },
    }
)
GOOD = changed()

_NEWER_INTENTS = ("closing", "handoff")
_COMPLETE = "complete"
FLAT = ("stepKind", "c2", "c3", "edition")  # by which a step without kind and address is one of an earlier climpt


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """At the key by which the other format is known."""
    own = context.format
    if step.is_section and own not in ADDRESSED:
        return
    found = _in_checks(step) if own == "checks" else _in_gates(step, own)
    if own in ADDRESSED:
        found = _among_addressed(step)
    if found is None:
        return
    other, key, pointer, word = found
    if context.format == "checks":
        text = _("“{step}” has a gate, as in “{other}”; this file is in “{own}”: {era} reads no gates there")
    elif other == "checks":
        text = _("“{step}” has a check, as in “{other}”; this file is in “{own}”: {era} reads no checks there")
    elif own in ADDRESSED:
        text = _(
            "“{step}” has neither kind nor address, as in “{other}”; this file is in “{own}”: climpt-1.14 refuses it"
            " (SR-VALID-005)"
        )
    elif other == "adt-kind-address":
        text = _("“{step}” has an address, as in “{other}”; this file is in “{own}”: {era} finds no c2 and c3")
    else:
        text = _("“{step}” has the intents of “{other}”, and this file is in “{own}”")
    yield Finding(
        text.format(step=step.id, other=format_name(other), own=format_name(own), era=era_for(own).name),
        key,
        pointer,
        step.id,
        cause=("intent", step.id, word) if word else ("format", step.id),
    )


Found = tuple[str, Span, str, str | None] | None
"""The other format, where it shows, its pointer, and the intent by which it shows."""


def _in_checks(step: Step) -> Found:
    gate = step.node.member("structuredGate")
    if gate is None or "check" in step.raw:
        return None
    return "closing", gate.key_span, f"{step.pointer}/structuredGate", None


def _among_addressed(step: Step) -> Found:
    if "kind" in step.raw or "address" in step.raw:
        return None
    flat = next((member for key in FLAT if (member := step.node.member(key))), None)
    return ("c3l", flat.key_span, f"{step.pointer}/{flat.key}", None) if flat else None


def _in_gates(step: Step, own: str) -> Found:
    checked = step.node.member("check")
    if checked and checked.value.kind == "object" and step.gate is None:
        return "checks", checked.key_span, f"{step.pointer}/check", None
    address = step.node.member("address")
    if address and address.value.kind == "object" and step.c2 is None:
        return "adt-kind-address", address.key_span, f"{step.pointer}/address", None
    words = {text.value: text for text in step.gate.intents} if step.gate else {}
    if own == _COMPLETE:
        newer = next((word for word in _NEWER_INTENTS if word in words), None)
        if newer and _COMPLETE not in words:
            return "closing", words[newer].span, words[newer].pointer, newer
    elif _COMPLETE in words and not any(word in words for word in _NEWER_INTENTS):
        return _COMPLETE, words[_COMPLETE].span, words[_COMPLETE].pointer, _COMPLETE
    return None
