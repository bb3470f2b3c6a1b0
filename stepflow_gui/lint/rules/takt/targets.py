"""The movement or end that a name which is none was meant for."""

from collections.abc import Iterable, Sequence

from stepflow_gui.lint.rule_context import RuleContext


def meant_for(
    name: str, candidates: Sequence[str], context: RuleContext, code: str, rarer: Iterable[str] = ()
) -> str | None:
    """The one that only its letter case tells apart, else the most alike; none where a movement's name is misspelt.

    One of the `rarer` names is meant only where a slip parts it from the name, and no candidate.
    """
    misnamed = context.misnamed.steps.get(name)
    if misnamed is not None and misnamed.id in candidates:
        return None
    same = [each for each in candidates if each != name and each.lower() == name.strip().lower()]
    return same[0] if same else context.nearest(code, name, candidates, rarer)
