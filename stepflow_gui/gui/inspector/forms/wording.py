"""The texts of a form's line: its value as text and back, a summary of what is folded, its help."""

import json

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.takt.card import cycle_text
from stepflow_gui.gui.inspector.forms.choices import the_end
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.widgets.editors import number_of
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

_SUMMED_UP = 6  # members


def text_of(line: FormField) -> str:
    """A value as its editor shows it."""
    value = line.value
    if line.absent or line.differs:
        return ""
    if line.control == "json":
        return json.dumps(value, ensure_ascii=False, indent=2)
    if value is None:
        return the_end()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def value_of(line: FormField, text: str) -> JsonValue | Refusal:
    """What a person means who enters a text in a line's editor."""
    if line.control == "json":
        try:
            return json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return _meant(line, text)
    if line.control == "number":
        return number_of(text)
    if line.shape is not None and line.shape.nullable and text == the_end():
        return None
    return text.strip() if line.shape is not None and line.shape.choices else text


def summary(line: FormField) -> str:
    """What is in a folded line."""
    value = line.value
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict) and set(value) == {"target"}:
        return f"→ {the_end() if value['target'] is None else value['target']}"
    if isinstance(value, dict) and isinstance(value.get("targets"), dict):
        return "{} → {}".format(value.get("condition", "?"), ", ".join(value["targets"]))
    if isinstance(value, dict) and isinstance(value.get("cycle"), list):
        threshold = value.get("threshold")
        return cycle_text([str(each) for each in value["cycle"]], threshold if isinstance(threshold, int) else None)
    plain = [
        each if isinstance(each, str) else json.dumps(each) for each in inside if not isinstance(each, dict | list)
    ]
    return ", ".join(text for text in plain[:_SUMMED_UP] if text) or ("–" if not inside else f"{len(inside)}")


def placeholder(line: FormField) -> str:
    """The placeholder of an empty editor: the default, where there is one."""
    if line.differs:
        return _("different")
    if line.absent and line.field is not None and line.field.default is not None:
        return _("default: {value}").format(value=json.dumps(line.field.default, ensure_ascii=False).strip('"'))
    if not line.absent:
        return ""
    return _("needed") if line.needed else _("not set")


def inside(line: FormField, *, folded: bool) -> str:
    """The text of a line that others belong to."""
    if not line.absent:
        return summary(line) if folded else ""
    if line.control == "list":
        return placeholder(line)
    return "" if line.needed or (line.field is not None and line.field.default is not None) else _("not set")


def help_of(line: FormField) -> str:
    """What a line is for, and what is wrong with it as far as the table alone shows."""
    parts = [line.meaning] if line.meaning else []
    if line.field is not None and line.field.newer:
        parts.append(_("An older name: it is now “{newer}”").format(newer=line.field.newer))
    if not line.known:
        parts.append(_("Stepflow knows no such field here; it is kept as it is"))
    elif not line.fits:
        parts.append(_("The value has another type than this field expects"))
    return "\n".join(parts)


def name_of_form(shape: Shape) -> str:
    """An alternative of a union as a menu calls it."""
    if shape.fields:
        return shape.fields[0].name
    return _("a string") if shape.kind == "string" else shape.kind


def _meant(line: FormField, text: str) -> JsonValue | Refusal:
    """A plain word where a text is wanted needs no quotes."""
    if line.shape is not None and line.shape.kind == "string" and not line.fits:
        return text
    return Refusal(_('That isn’t JSON. A text needs quotation marks: "…"'))


def _no_constant(constant: str) -> JsonValue:
    raise ValueError(constant)
