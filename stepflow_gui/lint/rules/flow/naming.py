"""Several steps in a sentence."""

from collections.abc import Sequence

from stepflow_gui.lint.rules.prelude import RuleContext, _, ngettext

SHOWN = 5


def listed(steps: Sequence[str]) -> str:
    """“a”, “b” and “c”; after some of many how many more there are."""
    named = [_("“{word}”").format(word=step) for step in steps]
    if len(named) > SHOWN:
        more = len(named) - SHOWN + 1
        text = ngettext("{names} and {count} more", "{names} and {count} more", more)
        return text.format(names=_(", ").join(named[: SHOWN - 1]), count=more)
    if len(named) < 2:
        return "".join(named)
    return _("{names} and {last}").format(names=_(", ").join(named[:-1]), last=named[-1])


def round_trip(steps: Sequence[str]) -> str:
    """“a” → “b” → “a”; the middle of a long one is left out."""
    named = [_("“{word}”").format(word=step) for step in (*steps, *steps[:1])]
    if len(named) > 2 * SHOWN:
        named[SHOWN:-SHOWN] = ["…"]
    return " → ".join(named)


def runner(context: RuleContext) -> str:
    """The subject of a sentence: the version of climpt by its public name, or the guide."""
    return _("the guide") if context.settings.guide else context.era.name
