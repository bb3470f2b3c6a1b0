"""Values of wrong types in TAKT files, in words: those that no rule of its own judges are SF004's."""

from collections.abc import Iterator

from stepflow_gui.formats.fields import BOOLEAN, Field, Shape, field_at
from stepflow_gui.formats.takt.eras import BY_STEPS
from stepflow_gui.formats.takt.fields import OTHER_RELEASES, PERMISSIONS, PIECE_FILE
from stepflow_gui.formats.takt.load_check import LoadFault
from stepflow_gui.formats.takt.releases.faults import refusing_fault
from stepflow_gui.formats.takt.releases.places import level_of, values_at
from stepflow_gui.formats.takt.releases.sets import Releases, named, value_row
from stepflow_gui.formats.takt.releases.steps import MOST_PARTS
from stepflow_gui.lint.rules.document.json_types import a_kind, expectation, literal_meant
from stepflow_gui.lint.rules.fixes import write, write_literal
from stepflow_gui.lint.rules.prelude import Finding, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import faults_here, span_of, step_at
from stepflow_gui.lint.rules.takt.release_words import WORDS, severity, wanted_releases
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join

_CONTRACTS, _GATES = "output_contracts", "quality_gates"
_HEAD = {("name",), *((word,) for words in WORDS for word in words)}
MODES = ("permission_mode", "required_permission_mode")


def owner_of(fault: LoadFault, context: RuleContext) -> str:
    """The rule that speaks of a fault."""
    path, era = fault.path, context.takt
    if path == (era.steps,) or path in _HEAD:
        return "T001"
    if path[:1] == ("loop_monitors",):
        return "T018"
    if _CONTRACTS in path:
        return "T021"
    return "T020" if path[-1:] and path[-1] in MODES else "SF004"


def faults_for(code: str, context: RuleContext) -> Iterator[LoadFault]:
    """The faults that a rule speaks of, those because of which a release that is wanted refuses the file."""
    return (fault for fault in faults_here(context) if owner_of(fault, context) == code and refused_by(fault, context))


def refused_by(fault: LoadFault, context: RuleContext) -> Releases:
    """The wanted releases that refuse the file for it."""
    return refusing_fault(fault, context.held) & wanted_releases(context)


def general_faults(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """SF004's part."""
    if document is context.registry:
        for fault in faults_for("SF004", context):
            yield finding_of(fault, context)


def finding_of(fault: LoadFault, context: RuleContext) -> Finding:
    """A fault as a finding. The true, false, number or word is offered that a text was meant for."""
    span, text = span_of(context, fault), describe(fault, context)
    shape, node = _shape(fault, context), context.registry.tree.at(fault.pointer)
    kinds = sorted({shape.kind, *(each.kind for each in shape.either)}) if shape is not None else []
    value = node.value if node is not None else None
    proposals = [each for kind in kinds for each in write_literal(context.registry, span, kind, value)]
    word = None if proposals else _word_meant(fault, context)
    if word is not None:
        text += _(". Did you mean “{meant}”?").format(meant=word)
        proposals = [write(context.registry, span, word)]
    return Finding(
        text,
        span,
        fault.pointer,
        step_at(context, fault.path),
        severity=severity(context, refused_by(fault, context)),
        proposals=proposals,
        misspelt=bool(proposals),
    )


def _is_own(fault: LoadFault) -> bool:
    """Whether what is missing would stand in the step itself, not in an object of it."""
    return fault.kind != "required" or (isinstance(fault.path[-2:-1][0], int) and _GATES not in fault.path)


def _word_meant(fault: LoadFault, context: RuleContext) -> str | None:
    """The word that a misspelt one was meant for, where a field takes certain words alone."""
    shape, node = _shape(fault, context), context.registry.tree.at(fault.pointer)
    if shape is None or node is None or not isinstance(node.value, str) or (fault.path and fault.path[-1] in MODES):
        return None
    words = _choices(fault, context) or [word for each in (shape, *shape.either) for word in each.choices]
    return context.nearest("SF004", node.value, words) if words else None


def describe(fault: LoadFault, context: RuleContext) -> str:
    """What is wrong, and that the loader refuses it."""
    if not fault.path:
        root = context.registry.root
        text = _("A piece is a mapping, but this file holds {kind}: {runner} refuses to load it")
        kind = a_kind(root.value if root else None)
        return text.format(kind=kind, runner=named(refused_by(fault, context)))
    field = next((str(key) for key in reversed(fault.path) if isinstance(key, str)), "")
    shape = _shape(fault, context)
    values = {"field": field, "step": step_at(context, fault.path)}
    runner = named(refused_by(fault, context))
    text = _text(
        fault, shape, in_step=values["step"] is not None and _is_own(fault), item=isinstance(fault.path[-1], int)
    )
    node = context.registry.tree.at(fault.pointer)
    other_mode = fault.kind == "form" and field in MODES and node is not None and node.value not in PERMISSIONS
    if other_mode:  # a word of other releases is none of the words of these
        fault = fault._replace(kind="enum")
        text = _text(fault, shape, in_step=values["step"] is not None, item=False)
    if node is not None and isinstance(node.value, str) and not node.value.strip() and fault.kind != "enum":
        return _text(fault._replace(kind="pattern"), shape, in_step=False, item=False).format(runner=runner, **values)
    if shape == BOOLEAN and node is not None and literal_meant("boolean", str(node.value)):
        text = (
            _("“{field}” of “{step}” must be true or false, and “{value}” is a text: {runner} refuses to load the file")
            if values["step"] is not None
            else _("“{field}” must be true or false, and “{value}” is a text: {runner} refuses to load the file")
        )
        return text.format(value=node.value, runner=runner, **values)
    wanted = ""
    if fault.kind == "enum":
        wanted = _(", ").join(_choices(fault, context) or (shape.choices if shape is not None else ()))
    elif shape is not None and shape.kind != "any" and fault.kind != "form":  # which form it must be differs
        if shape.kind == "either" and (word := next(iter(shape.either[-1].choices), None)):
            wanted = _("a whole number of at least 1 or “{word}”").format(word=word)
        elif any(each.kind == "list" for each in shape.either) or (fault.kind == "one_of" and not shape.either):
            wanted = _("a string or a list of strings")
        elif shape.kind == "either":
            wanted = expectation(shape.either[0])
        else:
            wanted = expectation(shape)
    return text.format(
        expected=wanted,
        least=shape.least if shape is not None else 1,
        most=MOST_PARTS,
        kind=a_kind(node.value if node else None),
        value=node.value if node else "",
        runner=runner,
        **values,
    )


def _choices(fault: LoadFault, context: RuleContext) -> list[str]:
    """The values that the newest of the refusing releases takes, where releases differ in them."""
    refused = refused_by(fault, context)
    newest = 1 << (refused.bit_length() - 1)
    level, key = level_of(fault.path)
    rows = (
        (value, value_row(f"{level if level != 'sub' else 'step'}.{key}", value))
        for value in values_at(fault.path) or ()
    )
    return [value for value, each in rows if each is not None and each.read & newest]


def _text(fault: LoadFault, shape: Shape | None, *, in_step: bool, item: bool) -> str:
    match fault.kind:
        case "required":
            return (
                _("“{step}” lacks “{field}”: {runner} refuses to load the file")
                if in_step
                else _("“{field}” is missing: {runner} refuses to load the file")
            )
        case "form":
            return (
                _("“{field}” of “{step}” is of a form that {runner} doesn't accept: it refuses to load the file")
                if in_step
                else _("“{field}” is of a form that {runner} doesn't accept: it refuses to load the file")
            )
        case "pattern":
            return _("“{field}” is empty: {runner} refuses to load the file")
        case "minimum":
            if shape is not None and shape.kind == "list":
                return _("“{field}” must hold at least {least}: {runner} refuses to load the file")
            return _("“{field}” is {value}, and must be at least {least}: {runner} refuses to load the file")
        case "maximum":
            return _("“{field}” is {value}, and must be at most {most}: {runner} refuses to load the file")
        case "enum":
            return _("“{field}” is “{value}”, and must be one of {expected}: {runner} refuses to load the file")
    if item and shape is not None and shape.kind != "any":
        return _("An item of “{field}” must be {expected} but is {kind}: {runner} refuses to load the file")
    if shape is None or shape.kind == "any":
        return _("“{field}” has an invalid value: {runner} refuses to load the file")
    return (
        _("“{field}” of “{step}” must be {expected} but is {kind}: {runner} refuses to load the file")
        if in_step
        else _("“{field}” must be {expected} but is {kind}: {runner} refuses to load the file")
    )


def _shape(fault: LoadFault, context: RuleContext) -> Shape | None:
    """What stands at its place by the table of the file's notation, else by that of the other words that it uses."""
    own = context.takt
    found = field_at(PIECE_FILE, fault.pointer, own.notation)
    shape = found.shape if isinstance(found, Field) else found
    if shape is None or shape.kind == "any":
        for other in (era for era in BY_STEPS.values() if era is not own):
            pointer = fault.pointer.replace(join("", own.steps), join("", other.steps), 1)
            found = field_at(PIECE_FILE, pointer, other.notation) or shape
            shape = found.shape if isinstance(found, Field) else found
    if shape is None:
        found = field_at(PIECE_FILE, fault.pointer, *OTHER_RELEASES)
        shape = found.shape if isinstance(found, Field) else found
    return shape
