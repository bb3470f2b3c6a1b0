"""What a release refuses in a converted file, and what it doesn't read there."""

from collections.abc import Iterator

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import ConditionFault
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.migrating.text import Left, as_written
from stepflow_gui.formats.takt.releases.faults import refused_places
from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases
from stepflow_gui.formats.takt.releases.notes import PLACEMENT, Path, ReleaseNote
from stepflow_gui.formats.takt.releases.sets import Releases, named
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join
from stepflow_gui.text.yaml.tree import YamlTree

_KEPT = frozenset(
    {"name", "steps", "movements", "instruction", "persona", "policy", "parallel", "rules", "condition", "next"}
    | {"cycle", "max_steps", "max_movements", "max_iterations", "output_contracts", "required_permission_mode"}
)
"""Keys that a flow can't go without: refused values of them are reported, not removed."""


def refused_keys(held: HeldAgainstReleases, target: Releases) -> Iterator[str]:
    """The pointers of keys that the target refuses, in order; no two are within each other."""
    found: set[Path] = set()
    for note in held.refusals_by(target):
        if note.path and note.reason in {note.path[-1], PLACEMENT} and note.reason not in _KEPT:
            found.add(note.path)
    outermost = [path for path in found if not any(path[:length] in found for length in range(1, len(path)))]
    for path in sorted(outermost, key=lambda path: [str(part).zfill(6) for part in path]):
        yield join("", *path)


def unread_keys(held: HeldAgainstReleases, source: Releases, target: Releases) -> Iterator[str]:
    """The pointers of keys that the target drops silently and that releases of the source read."""
    dropped: dict[Path, Releases] = {}
    for note in held.dropped:
        dropped[note.path] = dropped.get(note.path, 0) | note.releases
    for path, releases in dropped.items():
        if releases & target and source & ~releases:
            yield join("", *path)


def still_refused(held: HeldAgainstReleases, target: Releases, tree: YamlTree) -> list[Left]:
    """Why the target doesn't load the file, one entry a place."""
    found: dict[str, str] = {}
    for note in held.refusals_by(target):
        found.setdefault(join("", *note.path), _why(note, named(target), tree))
    for path in refused_places(tree, era_of_file(tree.root), held, target):
        refused = _("{release} refuses it") if tree.at(join("", *path)) else _("{release} needs it")
        found.setdefault(join("", *path), refused.format(release=named(target)))
    return [Left(pointer, message) for pointer, message in found.items()]


def _why(note: ReleaseNote, release: str, tree: YamlTree) -> str:
    node = tree.at(join("", *note.path))
    if node is None:
        return _("{release} needs it").format(release=release)
    if note.reason == "condition_syntax" and isinstance(node.value, str):
        fault = parse_condition(node.value, "workflow")
        if isinstance(fault, ConditionFault):
            return _("{release} can't read it: {why}").format(release=release, why=fault.message)
    if note.reason == "value":
        return _("{release} doesn't accept the value {value}").format(release=release, value=as_written(node.value))
    return _("{release} refuses it").format(release=release)
