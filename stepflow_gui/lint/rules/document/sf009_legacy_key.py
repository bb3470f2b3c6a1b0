"""SF009 legacy-key.

What it does: reports keys that were renamed or dropped: completionSteps, completionPatterns and completionConditions in
a registry, `completion` and what its config had in agent.json. Names that a later format replaced are not reported:
`stepflow convert` knows them. In a registry for climpt 1.14 it reports what a step had before `kind` and
`address`, validationConditions, and in agent.json what the settings file has now.

Why is this bad: a newer climpt reads the new names alone, and does without what is under the old one.

Fix: write the new name.
"""

from collections.abc import Hashable, Iterator

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.layouts import LEFT_OVER
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.formats.fields import Field
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.addressed_keys import in_addressed_agent, in_addressed_registry
from stepflow_gui.lint.rules.document.field_walk import WalkedObject, objects
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import ADDRESSED, DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

RULE = Rule("SF009", "legacy-key", WARNING, looks_at=DOCUMENT)

BAD = changed({"/completionPatterns": {}})
GOOD = changed({"/failurePatterns": {}})

RENAMED_SINCE = ("closing", "c3l", *ADDRESSED)  # those of `complete` had the older names themselves
_DROPPED = ("userPromptsBase", "schemasBase")  # since c3l; SF504 speaks of fallbackKey
_CONFIG = ("/runner/verdict/config", "/runner/completion/config")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """By the field tables: a field that has a newer name, or none any more."""
    root = document.root
    if root is None:
        return
    if context.format in ADDRESSED and document is context.registry:
        yield from in_addressed_registry(document, context)
    if document is context.registry and context.format in RENAMED_SINCE:
        yield from _in_registry(document, context, root.value)
    elif document is context.folder.agent_document and context.agent_file and context.agent_file.layout == "runner":
        yield from _in_agent(document, context, root.value)
        if context.era.settings_file and document.tree.valid:
            yield from in_addressed_agent(document)


def _in_registry(document: ParsedFile, context: RuleContext, value: JsonValue) -> Iterator[Finding]:
    yield from context.by_step(RULE.code, value, lambda seen: _renamed_in(seen, document, context))
    if context.format != "closing":
        for key in _DROPPED:
            if key in value:
                yield _dropped(key, f"/{key}", document)


def _renamed_in(value: JsonValue, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    for place in objects(REGISTRY, context.without_valid_steps(REGISTRY, value), context.format):
        yield from _renamed(place, document)


def _in_agent(document: ParsedFile, context: RuleContext, value: JsonValue) -> Iterator[Finding]:
    if context.format in GATE_FORMATS and context.format not in RENAMED_SINCE:
        return
    for place in objects(AGENT, value, context.era.name):
        yield from _renamed(place, document)
        if place.pointer in _CONFIG:
            for key in LEFT_OVER:
                if key in place.value:
                    yield _dropped(key, join(place.pointer, key), document)


def _renamed(place: WalkedObject, document: ParsedFile) -> Iterator[Finding]:
    for key, field in place.renamed.items():
        if key in place.value:
            pointer = join(place.pointer, key)
            span = document.tree.key_span(pointer)
            assert span is not None
            text = _("“{key}” is now called “{newer}”: newer runners don't read it")
            if field.newer in place.value:
                text = _("“{key}” is now called “{newer}”, which exists as well: it alone is read")
            yield Finding(
                text.format(key=key, newer=field.newer),
                span,
                pointer,
                document=document,
                proposals=_rename(field, place, pointer, document),
                cause=legacy_key(pointer),
            )


def legacy_key(pointer: str) -> Hashable:
    """What makes a finding one mistake with the old name of a place: it speaks once the name is right."""
    return ("legacy", pointer)


def _rename(field: Field, place: WalkedObject, pointer: str, document: ParsedFile) -> Iterator[Proposal]:
    if document.tree.valid and field.newer not in place.value:
        from stepflow_gui.text.json.edit import rename_key

        edits = [(document, edit) for edit in rename_key(document.tree, pointer, field.newer)]
        yield Proposal(_("Write “{word}”").format(word=field.newer), edits, safe=True)


def _dropped(key: str, pointer: str, document: ParsedFile) -> Finding:
    span = document.tree.key_span(pointer)
    assert span is not None
    text = _("“{key}” is left over from an older form: no runner reads it")
    title = _("Remove “{word}”").format(word=key)
    return Finding(
        text.format(key=key),
        span,
        pointer,
        document=document,
        proposals=take_away(document, [pointer], title, safe=True),
    )
