"""The fix of a suppression that isn't needed: it is taken out, with what would be left empty around it."""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.suppressions.suppressing import Suppression
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import parent


def take_out(suppression: Suppression) -> Iterator[Proposal]:
    """Only of a registry: the configuration is a person's own."""
    document, pointer = suppression.document, suppression.pointer_in
    if not isinstance(document, ParsedFile) or pointer is None or not document.tree.valid:
        return
    for _level in range(2):  # the list, then what holds it
        holder = document.tree.at(parent(pointer))
        if holder is not None and len(holder.value) == 1:
            pointer = parent(pointer)
    yield from take_away(document, [pointer], _("Remove the suppression"), safe=True)
