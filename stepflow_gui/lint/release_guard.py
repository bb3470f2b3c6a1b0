"""Keeps fixes from TAKT files that would be worse for a release of TAKT that the file is for."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

if TYPE_CHECKING:
    from stepflow_gui.formats.takt.releases.loading import ReleaseGuard


def release_guard(tree: YamlTree, runtime: str | None = None) -> "ReleaseGuard | None":
    """What tells which changes of a YAML file harm releases; None for one that is neither piece nor workflow."""
    from stepflow_gui.formats.takt.detect import is_piece  # most files are of other formats
    from stepflow_gui.formats.takt.releases.loading import ReleaseGuard

    return ReleaseGuard(tree, runtime) if tree.root is not None and is_piece(tree.root.value) else None


def without_harmful_fixes(
    found: list[Diagnostic], document: ParsedFile, runtime: str | None = None
) -> list[Diagnostic]:
    """The findings about a piece without fixes after which a release that it is for doesn't load it, or drops more."""
    alternatives = [each.fixes for each in found if each.fixes]
    guard = release_guard(document.tree, runtime) if alternatives and isinstance(document.tree, YamlTree) else None
    if guard is None:
        return found
    harmful: set[int] = set()
    for fixes in zip_longest(*alternatives):  # first the first of each finding: alternatives exclude each other
        harmful.update(map(id, _harmful([fix for fix in fixes if fix is not None], document, guard)))
    if not harmful:
        return found
    return [each._replace(fixes=tuple(fix for fix in each.fixes if id(fix) not in harmful)) for each in found]


def _harmful(fixes: Sequence[Fix], document: ParsedFile, guard: "ReleaseGuard") -> Iterable[Fix]:
    """Those of the fixes that harm a release, found by halves: nearly always none does, and reading a file is slow."""
    edits = [
        TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text)
        for fix in fixes
        for edit in fix.edits
        if edit.file == document.path
    ]
    try:
        if not edits or not guard.harmed(read_yaml_tree(Source(apply(document.source.text, edits)))):
            return
    except ValueError:  # some exclude each other
        if len(fixes) == 1:
            return
    if len(fixes) == 1:
        yield fixes[0]
        return
    half = len(fixes) // 2
    yield from _harmful(fixes[:half], document, guard)
    yield from _harmful(fixes[half:], document, guard)
