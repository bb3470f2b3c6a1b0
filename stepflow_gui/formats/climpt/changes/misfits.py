"""Why a value doesn't fit a field, in words."""

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import Misfit, misfits
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue


def unfit(name: str, value: JsonValue, shape: Shape, known: str) -> Refusal | None:
    """Why a field can't have a value; None where it can. What only a run would miss may be missing."""
    for misfit in misfits(value, shape, known):
        if misfit.kind != "required":
            return Refusal(_reason(name, shape, misfit))
    return None


def _reason(name: str, shape: Shape, misfit: Misfit) -> str:
    where = ".".join([name, *(str(key) for key in misfit.path)])
    inner = _shape_at(shape, misfit.path)
    match misfit.kind:
        case "type" | "one_of":
            return _("“{field}” must be {kind}").format(field=where, kind=_kind(inner))
        case "enum":
            text = _("“{field}” must be one of {choices}")
            return text.format(field=where, choices=", ".join(inner.choices) if inner else "")
        case "minimum":
            return _("“{field}” must be at least {least}").format(field=where, least=inner.least if inner else 0)
        case "pattern":
            text = _("“{field}” doesn’t have the form that is needed: {pattern}")
            return text.format(field=where, pattern=inner.pattern if inner else "")
    return _("“{field}” is not a field there").format(field=where)


def _shape_at(shape: Shape, path: tuple[str | int, ...]) -> Shape | None:
    at: Shape | None = shape
    for key in path:
        if at is None:
            return None
        field = next((field for field in at.fields if field.name == key), None)
        at = field.shape if field else at.of
    return at


def _kind(shape: Shape | None) -> str:
    names = {
        "string": _("a string"),
        "boolean": _("true or false"),
        "integer": _("a whole number"),
        "number": _("a number"),
        "object": _("an object"),
        "map": _("an object"),
        "list": _("a list"),
    }
    return names.get(shape.kind if shape else "", _("of another kind"))
