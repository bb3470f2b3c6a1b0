"""What releases refuse in a file besides what their tables note: types and values, kinds of steps, results."""

from collections.abc import Iterator
from itertools import takewhile

from stepflow_gui.formats.takt.eras import TaktEra
from stepflow_gui.formats.takt.load_check import Kind, LoadFault, blank_names, load_faults
from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases
from stepflow_gui.formats.takt.releases.notes import FORM, Path
from stepflow_gui.formats.takt.releases.places import level_of, readers_of, values_at
from stepflow_gui.formats.takt.releases.results import RETURNING, misplaced_results
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, since
from stepflow_gui.formats.takt.step_kinds import Misplaced, Reason, misplaced
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import join

BESIDE = {"provider_requires_model", "auto_requires_routing"}  # reasons that lie beside the value
LISTS = {("steps",), ("movements",)}  # a file has one of them
_KINDS: dict[str, Kind] = {
    "value": "enum",
    "type": "type",
    "minimum": "minimum",
    "maximum": "maximum",
    "required": "required",
    FORM: "form",
    "parameter": "form",
}
"""By the reason of a note: the kind of fault that it is."""
_STRICT = since("0.60.0")  # what earlier ones refuse is in the tables, or isn't known
_OF_KINDS: dict[Reason, Releases] = {
    "call-is-missing": since("0.36.0"),
    "only-system": since("0.36.0"),
    "not-in-subs": since("0.55.0"),
    "one-of-these": since("0.13.0-alpha.1"),
}
"""By the reason for which a field can't be in a step of its kind: the releases that look."""


def faults_of(tree: JsonTree, era: TaktEra, held: HeldAgainstReleases, wanted: Releases) -> list[LoadFault]:
    """What loaders refuse of types and values, one a place; nothing in a text with mistakes."""
    if tree.root is None or not tree.sound:
        return []
    found = [*load_faults(tree.root.value, era), *blank_names(tree.root.value, era)]
    found = [fault for fault in found if not _is_of_a_key(fault)]  # the tables speak of keys
    forms = {note.path for note in held.refused if note.reason == FORM and note.releases & wanted}
    reports = "output_contracts"  # reported by the form that it must have
    found = [fault for fault in found if reports in fault.path or not forms.intersection(_up(fault.path))]
    # a word that these releases know, and refuse for what is beside it
    words = {note.path for note in held.refused if note.reason == "value" and note.releases & wanted}
    found = [each for each in found if each.kind != "enum" or each.path in words or not _is_beside(each.path, held)]
    known = {fault.path for fault in found}
    for note in held.refused:
        kind = _KINDS.get(note.reason) if note.path not in LISTS else None
        if kind is not None and note.path not in known and note.releases & wanted:
            known.add(note.path)
            there = tree.at(join("", *note.path)) is not None
            found.append(LoadFault(kind if there else "required", note.path))
    return found


def refusing_fault(fault: LoadFault, held: HeldAgainstReleases) -> Releases:
    """The releases that refuse the file for a fault: those of the tables, else those that read its place."""
    place = level_of(fault.path)
    above = [fault.path[:length] for length in range(len(fault.path), 0, -1)]
    above = list(takewhile(lambda path: level_of(path) == place, above))
    known = ALL if fault.path in LISTS else next(filter(None, map(held.refusing_value, above)), NONE)
    if not known and values_at(fault.path) is None:
        known = readers_of(fault.path)
        for length in range(1, len(fault.path) + 1):
            known &= ~held.dropping(fault.path[:length])
    return known


def refusing_kind(each: Misplaced, held: HeldAgainstReleases) -> Releases:
    """The releases that refuse the file for a field that a step of its kind can't have."""
    return held.refusing(each.path) | _OF_KINDS.get(each.reason, _STRICT)


def refused_places(tree: JsonTree, era: TaktEra, held: HeldAgainstReleases, wanted: Releases) -> Iterator[Path]:
    """The places for which all of some releases refuse the file, besides those of the tables."""
    if tree.root is None or not tree.sound:
        return
    for fault in faults_of(tree, era, held, wanted):
        if not wanted & ~refusing_fault(fault, held):
            yield fault.path
    for each in misplaced(tree.root.value, era):
        if not wanted & ~refusing_kind(each, held):
            yield each.path
    for result in misplaced_results(tree.root.value, era):
        if not wanted & ~RETURNING:
            yield result.path


def _is_beside(path: Path, held: HeldAgainstReleases) -> bool:
    """Whether a value is refused for what is, or isn't, beside it."""
    return any(note.path == path and note.reason in BESIDE for note in held.refused)


def _is_of_a_key(fault: LoadFault) -> bool:
    """Whether it is a key that isn't allowed, be it that of sub-steps in a sub-step, which loaders tell at the list."""
    return fault.kind in {"unknown", "removed"} or (fault.kind == "one_of" and fault.path[-1:] == ("parallel",))


def _up(path: Path) -> Iterator[Path]:
    """A path and those of what holds it."""
    return (path[:length] for length in range(len(path), 0, -1))
