"""SF011 undocumented-shape.

What it does: reports that a registry is in a shape that climpt once wrote, or writes on a branch, and that none of the
guides describes: older ones with promptPath, flow lists, completionSteps or nothing but prompts, those without gates,
and later ones with entry pairs. It also says that a file is for climpt 1.14, of which there is a pre-release only, and
that the runtime you have chosen can't load files in this shape at all, which is an error.

Why is this bad: it may be intended. A file in one of the older shapes is read, drawn and checked by the rules that are
true of it: not by those about entries or about gates that it hasn't, so a file without findings may still have
mistakes. A file with entry pairs, or one for climpt 1.14, is checked in full, and the released climpt refuses it.

Fix: nothing to fix unless it is an error. `stepflow convert` gives the gates and entries of today to a file with
promptPath, flow lists, completionSteps or nothing but prompts, and lists what it can't know; it also rewrites a file
with entry pairs or for climpt 1.14 for the released one, and a file without gates for climpt 1.14. There is no
conversion of a file with transitions and without gates: climpt-2026-04-20 loads it as it is, and answers choose among
the transitions where each step has a structuredGate and an outputSchemaRef.
"""

from collections.abc import Callable, Iterator

from stepflow_gui.formats.climpt.eras import CLIMPT_1_14
from stepflow_gui.formats.names import format_name
from stepflow_gui.lint.examples.example import whole
from stepflow_gui.lint.rule import FLAT_GATE
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    DOCUMENT,
    ERROR,
    INFO,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.text.document import ParsedFile


def _older() -> str:
    return _(
        "This file is in an older shape, “{shape}”: only what is known of that shape is checked. “stepflow convert"
        " --to c3l” converts it for climpt-2026-04-20"
    )


def _plain() -> str:
    return _("This file is in the shape “{shape}”: without gates, the verdict alone ends a run")


def _pre_release() -> str:
    return _("This file is for {shape}: climpt-2026-04-20, the newest release, refuses to load it")


def _later() -> str:
    return _("This file is in the shape “{shape}”, which a branch of climpt wrote for a few days")


_SHAPES: dict[str, tuple[Callable[[], str], tuple[str, ...]]] = {
    "prompt-path": (_older, ()),
    "flow-array": (_older, ("flow",)),
    "c3l-completion": (_older, ("completionSteps", "completionPatterns")),
    "c3l-flat": (_older, ()),
    "gateless": (_plain, ()),
    "transitions-only": (_plain, ()),
    "entry-pair": (_later, ("entryStepMapping",)),
    "adt-kind-address": (_pre_release, ()),
}
"""Each shape, its message, and the keys by which it is recognized."""

_DOCUMENTED = (*FLAT_GATE, "checks")
RULE = Rule("SF011", "undocumented-shape", INFO, formats=(*_SHAPES, *_DOCUMENTED), looks_at=DOCUMENT)

_STEP = '{"stepId": "%s", "name": "%s", "c2": "%s", "c3": "issue", "edition": "default", "uvVariables": ["issue"]}'
_STEPS = (("work", "initial"), ("validate", "continuation"), ("close", "closure"))
BAD = whole(
    '{"agentId": "issue-flow", "version": "2.0.0", "c1": "steps",\n'
    '"flow": {"issue": ["work", "validate", "close"]}, "steps": {\n'
    + ",\n".join(f'  "{name}": {_STEP % (name, name, phase)}' for name, phase in _STEPS)
    + "\n}}\n"
)
GOOD = changed()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """One finding for the registry, at the key by which the shape is known; none while mistakes may hide gates."""
    root, tree = document.root, document.tree
    if document is not context.registry or root is None or not tree.valid or tree.duplicates():
        return
    message_text, keys = _SHAPES.get(context.format, (None, ()))
    mark = next((member for key in (*keys, "steps") if (member := root.member(key))), None)
    refused = _refused(context)
    if mark is None or (context.format in ADDRESSED and context.settings.runtime == CLIMPT_1_14.name):
        return  # whoever chose that runtime knows
    if refused is not None:
        message = refused.format(shape=format_name(context.format), era=context.era.name)
        yield Finding(message, mark.key_span, f"/{mark.key}", severity=ERROR)
    elif message_text is not None:
        message = message_text().format(shape=format_name(context.format))
        yield Finding(message, mark.key_span, f"/{mark.key}")


def _refused(context: RuleContext) -> str | None:
    """Why the chosen runtime takes no file in this shape; None where it does, or other rules say what it refuses."""
    era, addressed = context.era, context.format in ADDRESSED
    if context.settings.runtime is None or context.settings.guide:
        return None
    if era.gates is (context.format == "checks"):
        return _("This file is in the shape “{shape}”, which {era} doesn't know: it can't run it")
    if era.whole_check and not addressed:
        return _(
            "This file is in the shape “{shape}”: {era} refuses to load steps without kind and address. “stepflow"
            " convert --to adt-kind-address” gives them both"
        )
    if addressed and era.gates and not era.entry_pairs:
        return _("This file is in the shape “{shape}”, which {era} doesn't know: it can't run it")
    return None
