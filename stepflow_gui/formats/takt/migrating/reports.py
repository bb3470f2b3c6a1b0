"""The reports of a step as another release reads them."""

from stepflow_gui.formats.takt.migrating.places import as_object, items
from stepflow_gui.formats.takt.migrating.text import PieceText
from stepflow_gui.formats.takt.releases.sets import Releases, named, row, since
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_CONTRACTS = since("0.8.0-alpha.1")


def migrate_reports(text: PieceText, step: str, target: Releases) -> None:
    """Bring the reports of a step into the target's form: a list of contracts, with a format where that is needed."""
    old, new = join(step, "report"), join(step, "output_contracts")
    labels = row("step", "output_contracts.report label form")
    needs_format = labels is not None and bool(labels.refused & target)
    if target & _CONTRACTS and text.has(old) and not text.has(new):
        listed = _as_list(text.value(old))
        if needs_format and not all(_has_format(each) for each in listed):
            text.note(
                old,
                _("write it as output_contracts: {release} needs a “format” for each report").format(
                    release=named(target)
                ),
            )
        elif listed:
            text.rename(old, "output_contracts")
            text.set(old, {"report": [_with_format(text, old, each) if needs_format else each for each in listed]})
    elif needs_format and text.has(join(new, "report")):
        for index, report in enumerate(items(text.value(join(new, "report")))):
            place = join(new, "report", index)
            text.set(place, _with_format(text, place, report))


def _has_format(report: JsonValue) -> bool:
    """Whether a report says its format, or has a label that can be it."""
    item = as_object(report)
    return "format" in item or ("name" not in item and len(item) == 1)


def _as_list(value: JsonValue) -> list[JsonValue]:
    """A report of 0.3–0.7 as entries of a contract; none for what is not a report."""
    if isinstance(value, str):
        return [{"name": value}]
    if isinstance(value, list):
        return value
    return [value] if "name" in as_object(value) else []


def _with_format(text: PieceText, pointer: str, report: JsonValue) -> JsonValue:
    """A report under a label as an entry with a format; others as they are."""
    files = [(label, file) for label, file in as_object(report).items() if isinstance(file, str)]
    if "name" in as_object(report) or len(files) != len(as_object(report)) or len(files) != 1:
        return report
    [(label, file)] = files
    text.note(pointer, _("the label “{label}” is its “format” now").format(label=label))
    return {"name": file, "format": label}
