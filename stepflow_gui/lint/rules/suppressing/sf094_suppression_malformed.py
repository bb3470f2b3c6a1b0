"""SF094 suppression-malformed.

What it does: reports a suppression that can't be applied: one that names no rule or an unknown one, whose `reason` is
not text or whose `until` is not a day (YYYY-MM-DD), that isn't an object, or that is in something other than a list.
Unknown keys, in it and beside `ignore`, are reported too.

Why is this bad: the findings it was written for are reported anyway, or the key that should narrow it down has
no effect.

Fix: write it as `"x-stepflow": {"ignore": [{"code": "SF501", "reason": "…", "until": "2030-12-31"}]}`.
"""

from collections.abc import Iterable, Iterator

from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.config.selecting import nearest_rule
from stepflow_gui.lint.rule import SUPPRESSION
from stepflow_gui.lint.rules.prelude import WARNING, Finding, Rule, _, changed
from stepflow_gui.lint.suppressions.suppressing import FIELDS, Suppression

RULE = Rule("SF094", "suppression-malformed", WARNING, looks_at=SUPPRESSION)

BAD = changed({"/x-stepflow": {"ignore": [{"code": "SF50l", "reason": "our fork has keys with dashes"}]}})
GOOD = changed(
    {
        "/steps/initial.issue/fallbackKey": "initial-issue",
        "/x-stepflow": {"ignore": [{"code": "SF501", "reason": "our fork has keys with dashes"}]},
    }
)


def check(suppression: Suppression) -> Iterator[Finding]:
    """The fault that keeps it from being applied, else a key that means nothing."""
    if suppression.fault:
        message = _fault(suppression)
    elif suppression.odd_key:
        message = _odd(suppression.odd_key, FIELDS)
    else:
        return
    span, pointer = suppression.wrong_span, suppression.wrong_pointer
    yield Finding(message, span, pointer, step=suppression.step, document=suppression.document)


def _fault(suppression: Suppression) -> str:
    match suppression.fault:
        case "not-marks":
            return _("“x-stepflow” must be an object whose “ignore” is a list of suppressions")
        case "not-a-list":
            return _("“ignore” must be a list of objects, each with a “code” and a “reason”")
        case "not-an-object":
            return _("A suppression is an object with a “code” and a “reason”")
        case "odd-key":
            return _odd(suppression.fault_about, ("ignore",))
        case "reason":
            return _("“reason” must be a string that says why the finding doesn't matter here")
        case "no-code":
            return _("The suppression names no rule: give it a “code”")
        case "until":
            return _("“until” must be a date such as 2030-12-31, and is “{text}”").format(text=suppression.fault_about)
    text = _("There is no rule “{code}” to suppress").format(code=suppression.fault_about)
    return _with_guess(text, nearest_rule(suppression.fault_about))


def _odd(key: str, known: Iterable[str]) -> str:
    return _with_guess(_("unknown key “{key}”").format(key=key), nearest(key, known))


def _with_guess(text: str, meant: str | None) -> str:
    return text + _(". Did you mean “{meant}”?").format(meant=meant) if meant else text
