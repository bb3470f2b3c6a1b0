"""SF005 unknown-key.

What it does: reports a key that the format doesn't know, in the registry and in agent.json, and says which one is most
like it. Keys that begin with `x-`, `_` or `$` are for whoever writes them; but `x-stepflow`, which holds suppressions,
is reported where none is read: elsewhere than at the root of the registry, in a step or in a transition.

Why is this bad: no runner reads it. A misspelled `transition` or `stepkind` leaves the step without what you wrote.

Fix: write the key that is meant, or remove it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.own_marks import OWN_MARKS
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.lint.closest_name import slip_of
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.field_walk import WalkedObject, objects
from stepflow_gui.lint.rules.prelude import DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

RULE = Rule("SF005", "unknown-key", WARNING, looks_at=DOCUMENT, defers_to=("SF010",))

BAD = changed({"/steps/initial.issue/modle": "opus"})
GOOD = changed({"/steps/initial.issue/model": "opus"})

_ONES_OWN = ("x-", "_", "$", "//")
_BESIDE_AGENT = ("runner", "labels", *(field.name for field in AGENT_FLAT.fields))  # SF804 speaks of what is misplaced


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Compare the keys of each object with all that the table has, whatever the format: other rules know those."""
    root = document.root
    if root is None or not isinstance(root.value, dict) or not document.tree.valid:
        return
    if context.format == "takt":
        return  # T025 speaks there
    if document is context.registry and context.format:
        table = registry_fields(context.format)
        yield from context.by_step(
            RULE.code,
            root.value,
            lambda value: _unknown(table, context.without_valid_steps(table, value), document, context, ()),
        )
    elif document is context.folder.agent_document:
        agent = context.agent_file
        if agent:
            table = AGENT_FLAT if agent.layout == "flat" else AGENT
            yield from _unknown(table, root.value, document, context, _BESIDE_AGENT)


_OF_OLDER_NAMES = ("complete", "c3l-completion")  # in which what has a newer name today is right


def _unknown(
    table: Shape, value: JsonValue, document: ParsedFile, context: RuleContext, beside: tuple[str, ...]
) -> Iterator[Finding]:
    format_id = (
        context.format if document is context.registry else context.era.name
    )  # agent.json has no format of its own
    for place in objects(table, value, format_id):
        names = [
            each.name
            for each in place.fields
            if each.known_in(format_id) and (table is AGENT_FLAT or format_id in _OF_OLDER_NAMES or not each.newer)
        ]
        for key in place.unknown:
            belongs = _is_ones_own(key, place) or has_placeholder(key) or (not place.path and key in beside)
            if not belongs:
                rarer = {*(each.name for each in place.fields), *place.renamed, *(beside if not place.path else ())}
                yield _finding(key, place, names, rarer - place.value.keys(), document, context)


def _finding(
    key: str, place: WalkedObject, names: list[str], rarer: set[str], document: ParsedFile, context: RuleContext
) -> Finding:
    pointer = join(place.pointer, key)
    span = document.tree.key_span(pointer)
    assert span is not None
    keys = split(pointer)
    step = keys[1] if len(keys) > 2 and keys[0] == "steps" and document is context.registry else None
    if key == OWN_MARKS:
        text = _("Suppressions are read at the root of the registry, in steps and in transitions, and not here")
        return Finding(text, span, pointer, step, document)
    meant = context.nearest(RULE.code, key, dict.fromkeys(names), sorted(rarer))
    if meant in place.value:
        meant = None  # what was meant already exists
    text = (
        _("“{step}” has the key “{key}”, which nothing reads").format(step=step, key=key)
        if step
        else _("Nothing reads the key “{key}”").format(key=key)
    )
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    return Finding(
        text,
        span,
        pointer,
        step,
        document,
        proposals=_renamed(document, pointer, meant) if meant else (),
        misspelt=bool(meant),
        cause=("format", step) if step and key in _of_other_formats(context.format) else None,
    )


def _is_ones_own(key: str, place: WalkedObject) -> bool:
    """Whether the key has the mark of those that no runner reads, and isn't one that is read in spite of it."""
    if not key.startswith(_ONES_OWN) or key == OWN_MARKS:
        return False
    return slip_of(key, (each.name for each in place.fields if each.name not in place.value)) is None


def _of_other_formats(format_id: str) -> set[str]:
    """The keys of steps in the other table: of those SF010 speaks, where they make the step one of another format."""
    steps = field_at(registry_fields("closing" if format_id == "checks" else "checks"), "/steps/any", "")
    shape = steps.shape if isinstance(steps, Field) else steps
    return {field.name for field in shape.fields} if shape else set()


def _renamed(document: ParsedFile, pointer: str, name: str) -> Iterator[Proposal]:
    if document.tree.valid:
        from stepflow_gui.text.json.edit import rename_key

        edits = [(document, edit) for edit in rename_key(document.tree, pointer, name)]
        yield Proposal(_("Write “{word}”").format(word=name), edits)
