"""What steps had before they had kind and address, and where it is used instead climpt 1.14."""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, Finding, RuleContext, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_KIND = "stepKind"
_PARTS = ("c2", "c3", "edition", "adaptation")
_CONDITIONS = "validationConditions"
_BOUNDARIES = ("allowedTools", "permissionMode")


def in_addressed_registry(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Each key of before, of steps and of validation steps."""
    root = document.root
    value: JsonValue = root.value if root else None
    if not isinstance(value, dict) or not document.tree.valid:
        return
    for step in context.flow.steps.values():
        for key in (_KIND, *_PARTS):
            if key in step.raw and ("kind" in step.raw or "address" in step.raw):
                yield _of_step(step.id, step.raw, key, step.pointer, document)
    steps = value.get("validationSteps")
    for name, step in steps.items() if isinstance(steps, dict) else ():
        if isinstance(step, dict) and _CONDITIONS in step:
            yield _of_conditions(name, step, document)


def in_addressed_agent(document: ParsedFile) -> Iterator[Finding]:
    """What `boundaries` had before the settings file."""
    for key in _BOUNDARIES:
        pointer = join("/runner/boundaries", key)
        span = document.tree.key_span(pointer)
        if span is not None:
            text = _("“{key}” is dropped unread: climpt-1.14 has it in a settings file of the project")
            yield Finding(text.format(key=key), span, pointer, document=document, severity=WARNING)


def _of_step(step: str, raw: dict[str, JsonValue], key: str, pointer: str, document: ParsedFile) -> Finding:
    newer = "kind" if key == _KIND else "address"
    text = _("“{step}” has “{key}” beside kind and address: climpt-1.14 has it in “{newer}”, and refuses the registry")
    where = join(pointer, key)
    span = document.tree.key_span(where)
    assert span is not None
    if key != _KIND and "address" not in raw:
        proposals = _gathered(raw, pointer, document)
    else:
        proposals = _moved(raw, key, newer, pointer, document)
    return Finding(text.format(step=step, key=key, newer=newer), span, where, step, severity=ERROR, proposals=proposals)


def _moved(raw: dict[str, JsonValue], key: str, newer: str, pointer: str, document: ParsedFile) -> Iterator[Proposal]:
    """Move it; where its newer place is taken by the same, take it away."""
    from stepflow_gui.text.json.edit import remove, rename_key

    address = raw.get("address")
    taken = raw.get(newer) if newer == "kind" else address.get(key) if isinstance(address, dict) else None
    edits: list[TextEdit] = []
    if taken == raw[key]:
        edits = remove(document.tree, join(pointer, key))
    elif key == _KIND and "kind" not in raw:
        edits = rename_key(document.tree, join(pointer, key), "kind")
    elif key != _KIND and isinstance(address, dict) and taken is None:
        from stepflow_gui.text.json.edit import insert_member

        edits = [
            *insert_member(document.tree, join(pointer, "address"), key, raw[key]),
            *remove(document.tree, join(pointer, key)),
        ]
    if edits:
        title = _("Move “{key}” into “{newer}”").format(key=key, newer=newer)
        yield Proposal(title, [(document, edit) for edit in edits], safe=True)


def _gathered(raw: dict[str, JsonValue], pointer: str, document: ParsedFile) -> Iterator[Proposal]:
    """The address out of all its parts, in the place of the first; its c1 is the registry's, and nobody reads it."""
    from stepflow_gui.text.json.edit import remove, rename_key, set_value

    c1 = document.root.get("c1") if document.root else None
    parts = {key: value for key, value in raw.items() if key in _PARTS and isinstance(value, str) and value}
    if c1 is None or not isinstance(c1.value, str) or not {"c2", "c3"} <= parts.keys():
        return
    first, *others = (key for key in raw if key in _PARTS)
    address = {"c1": c1.value, "edition": "default"} | parts
    ordered: dict[str, JsonValue] = {key: address[key] for key in ("c1", *_PARTS) if key in address}
    tree, at = document.tree, join(pointer, first)
    edits = [*set_value(tree, at, ordered), *rename_key(tree, at, "address")]
    edits += remove(tree, *(join(pointer, key) for key in others))
    title = _("Move {keys} into “{newer}”").format(keys=listed([first, *others]), newer="address")
    yield Proposal(title, [(document, edit) for edit in edits], safe=True)


def _of_conditions(name: str, step: dict[str, JsonValue], document: ParsedFile) -> Finding:
    from stepflow_gui.text.json.edit import rename_key

    newer = CONDITIONS_OF_PHASE["postllm"]
    pointer = join("/validationSteps", name, _CONDITIONS)
    span = document.tree.key_span(pointer)
    assert span is not None
    text = _("“{key}” of “{step}” is never run: climpt-1.14 runs preflightConditions and postLLMConditions")
    proposals = []
    if newer not in step:
        edits = rename_key(document.tree, pointer, newer)
        title = _("Write “{word}”").format(word=newer)
        proposals = [Proposal(title, [(document, edit) for edit in edits], safe=True)]
    return Finding(text.format(key=_CONDITIONS, step=name), span, pointer, severity=WARNING, proposals=proposals)
