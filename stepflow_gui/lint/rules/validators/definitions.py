"""Names of validators and failure patterns that aren't defined: which of two names that a slip parts is misspelt."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import Named
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import Finding, RuleContext, _


def undefined(finding: Finding, named: Text, meant: Named | None, context: RuleContext, used: Iterable[str]) -> Finding:
    """The finding of a name that isn't defined, with what is meant by it, and at the place that is misspelt.

    A definition that is in use (`used`) is right. Of one that nothing names, the evidence tells which is; where there
    is none, that is for the author to choose.
    """
    if meant is None:
        return finding
    to_named = write(context.registry, named.span, meant.name)
    asked = finding.message + _(". Did you mean “{meant}”?").format(meant=meant.name)
    if meant.name in used or not is_slip(named.value, meant.name):
        return finding._replace(message=asked, proposals=[to_named], misspelt=True)
    title = _("Rename “{name}” to “{to}” where it is defined").format(name=meant.name, to=named.value)
    to_defined = write(context.registry, meant.key_span, named.value)._replace(title=title)
    right = context.evidence.is_right(named.value, meant.name)
    if right:
        text = _(". “{name}”, which nothing refers to, is probably a misspelling of it").format(name=meant.name)
        return finding._replace(
            message=finding.message + text,
            span=meant.key_span,
            pointer=meant.pointer,
            sides=[Side(context.registry, named.span, named.pointer, _("it is named here")), *finding.sides],
            proposals=[to_defined, to_named],
            cause=("definition", meant.pointer),
            misspelt=True,
        )
    if right is False:
        return finding._replace(message=asked, proposals=[to_named, to_defined], misspelt=True)
    side = Side(context.registry, meant.key_span, meant.pointer, _("it is defined here"))
    proposals = [each._replace(guess=True) for each in (to_named, to_defined)]
    return finding._replace(message=asked, sides=[side, *finding.sides], proposals=proposals)
