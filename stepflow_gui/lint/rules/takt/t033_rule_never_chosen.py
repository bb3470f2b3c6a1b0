"""T033 rule-never-chosen.

What it does: reports a rule of a movement or sub-step that is never chosen, as whenever it would hold another one does
that is checked first: TAKT 0.1 and 0.2 take the first transition for a status, 0.3 to 0.52 all() and any() before
other rules, and 0.53 to 0.60 the first rule that holds. There a label without another beside it always holds.

Why is this bad: the run goes elsewhere than the rule says, and no message says so.

Fix: put the rule before the one that hides it, or remove it.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions_model import ConditionFault, ConditionForms
from stepflow_gui.formats.takt.piece import OLDER_RULES
from stepflow_gui.formats.takt.release_conditions import condition_as_read
from stepflow_gui.formats.takt.releases.never_chosen import (
    Manner,
    NeverChosen,
    RuleRead,
    RuleReading,
    SubRules,
    never_chosen,
    readings,
    words_for,
)
from stepflow_gui.formats.takt.releases.sets import NONE, Releases
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import in_part, wanted_releases

RULE = Rule("T033", "rule-never-chosen", WARNING, formats=TAKT, looks_at=FLOW, defers_to=("T022",))

BAD = piece(
    (
        'any("needs_fix")\n        next: implement\n',
        'any("needs_fix")\n        next: implement\n      - condition: Nothing to review\n        next: COMPLETE\n',
    )
)
GOOD = piece()

_TELLS = ("covered", "only-label")  # other reasons are those of other rules


def check(context: RuleContext) -> Iterator[Finding]:
    """Every list of rules that a run chooses from; of those that read it alike, all releases at once."""
    kinds = list(readings(wanted_releases(context)))
    for step, parent in all_steps(context):
        if len(step.transitions) > 1 and not step.unread and not _is_dynamic(step):
            yield from _of(step, (parent or step).id, kinds, context)


def _of(step: Step, owner: str, kinds: list[RuleReading], context: RuleContext) -> Iterator[Finding]:
    found: dict[int, tuple[NeverChosen, list[RuleRead], Releases]] = {}
    for reading in reversed(kinds):
        rules = _read(step, reading)
        if rules is None:
            continue
        subs = [_subs_read(sub, reading) for sub in step.subs]
        for place, reason in _reasons(rules, subs, _manner(step, reading)).items():
            newer, its, releases = found.get(place, (reason, rules, NONE))
            if newer.why == reason.why:  # else the newest release's is reported
                by = tuple(sorted({*newer.by, *reason.by}))
                found[place] = NeverChosen(reason.why, by), its, releases | reading.releases
    for place, (reason, rules, releases) in sorted(found.items()):
        rule, others = step.transitions[place], [step.transitions[each] for each in reason.by]
        if any(_is_same(rule, each) for each in others):
            continue  # T022
        text = in_part(_("The rule “{condition}” of “{step}” is never chosen: {why}"), context, releases)
        yield Finding(
            text.format(condition=rule.as_written, step=step.id, why=words_for(reason, rules)),
            rule.key_span,
            f"{rule.pointer}/condition",
            owner,
            sides=[
                Side(context.registry, each.key_span, f"{each.pointer}/condition", _("this one goes first"))
                for each in others
                if each.pointer.startswith(f"{step.pointer}/")
            ],
        )


def _reasons(rules: list[RuleRead], subs: list[SubRules], manner: Manner) -> dict[int, NeverChosen]:
    """The rules that are hidden in runs with a person and, where they count there, in those without one."""
    with_person = never_chosen(rules, subs, manner, interactive=True)
    differs = any(rule.interactive for rule in rules)
    alone = never_chosen(rules, subs, manner, interactive=False) if differs else with_person
    found = {place: reason if rules[place].interactive else alone.get(place) for place, reason in with_person.items()}
    return {place: reason for place, reason in found.items() if reason is not None and reason.why in _TELLS}


def _manner(step: Step, reading: RuleReading) -> Manner:
    return "result" if step.kind == "call" else reading.manner


def _is_dynamic(step: Step) -> bool:
    """Whether it is chosen in the run which sub-steps there are."""
    listed = step.node.get("parallel")
    return listed is not None and listed.kind == "object"


def _is_same(rule: Transition, other: Transition) -> bool:
    return rule.as_written.strip() == other.as_written.strip()


def _subs_read(sub: Step, reading: RuleReading) -> SubRules:
    return None if sub.unread or not sub.transitions else _read(sub, reading)


def _read(step: Step, reading: RuleReading) -> list[RuleRead] | None:
    """The rules as releases read them; None where they don't, or refuse them."""
    found = []
    for rule in step.transitions:
        if (f"/{OLDER_RULES}/" in rule.pointer) is not (reading.manner == "status"):
            return None
        text = _text(rule, reading.forms)
        condition = condition_as_read(text, reading.notation, reading.forms)
        if not text or isinstance(condition, ConditionFault):
            return None
        found.append(RuleRead(text, condition, rule.interactive))
    return found


def _text(rule: Transition, forms: ConditionForms) -> str:
    """The condition as releases have it: an expression with a key of its own stands without when(…) up to 0.49."""
    bare = forms.state == "bare" and rule.node.get("condition") is None
    return rule.as_written.removeprefix("when(").removesuffix(")") if bare else rule.as_written
