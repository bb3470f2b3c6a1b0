"""SF606 params-mismatch.

What it does: compares the `params` of a failure pattern with what the validators that name it take out of their output
(`extractParams`). A pattern without `params` says nothing, and is left alone.

Why is this bad: a value that no validator gives stays empty in the retry prompt, so the model doesn't learn what to
fix. One that isn't listed is not expected there.

Fix: list in `params` what the validators give, or let them give what is listed.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import FailurePattern, Named, Validator
from stepflow_gui.formats.climpt.vocabulary import FILE_PARAMS
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked

RULE = Rule("SF606", "params-mismatch", WARNING, formats=GATE, looks_at=FLOW, defers_to=("SF615",))

BAD = checked({"/failurePatterns/git-dirty/params": ["changedFiles", "untrackedFiles"]})
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """A finding a pattern: what one validator of several gives is enough."""
    users: dict[str, list[Validator]] = {}
    for validator in context.validation.validators.values():
        if validator.failure_pattern:
            users.setdefault(validator.failure_pattern.value, []).append(validator)
    for name, pattern in context.validation.patterns.items():
        # What a validator of type `semantic` gives isn't listed in its extractParams.
        if pattern.params is not None and name in users and all(user.type != "semantic" for user in users[name]):
            yield from _compare(pattern, users[name], context)


def _compare(pattern: FailurePattern, users: list[Validator], context: RuleContext) -> Iterator[Finding]:
    listed_params = {text.value: text for text in pattern.params or ()}
    given: dict[str, Named | None] = {at.name: at for user in users for at, _extractor in user.extracts}
    if any(user.type == "file" for user in users):
        given |= {name: given.get(name) for name in FILE_PARAMS}
    missing = [text for name, text in listed_params.items() if name not in given]
    extra = [at for name, at in given.items() if name not in listed_params and at]
    names = {"pattern": pattern.at.name, "validators": listed([user.at.name for user in users])}
    cause = ("params", pattern.at.name)
    if missing:
        message = _(
            "The retry prompt of “{pattern}” uses {params}, which the output of {validators} doesn't contain: they "
            "stay empty"
        ).format(params=listed([text.value for text in missing]), **names)
        proposals = _proposals(pattern, list(given), context)
        sides = [
            Side(context.registry, user.at.key_span, user.at.pointer, _("the validator is here")) for user in users
        ]
        yield Finding(message, missing[0].span, missing[0].pointer, sides=sides, proposals=proposals, cause=cause)
    if extra:
        assert pattern.params_node is not None
        message = _("The params of “{pattern}” don't list {params}, which the output of {validators} gives").format(
            params=listed([at.name for at in extra]), **names
        )
        side = Side(
            context.registry, pattern.params_node.span, f"{pattern.at.pointer}/params", _("the params are here")
        )
        proposals = _proposals(pattern, list(given), context)
        yield Finding(message, extra[0].key_span, extra[0].pointer, sides=[side], proposals=proposals, cause=cause)


def _proposals(pattern: FailurePattern, given: list[str], context: RuleContext) -> Iterator[Proposal]:
    if context.registry.tree.valid:
        from stepflow_gui.text.json.edit import set_value  # only a fix needs it

        edits = set_value(context.registry.tree, f"{pattern.at.pointer}/params", given)
        title = _("List what the validators give")
        yield Proposal(title, tuple((context.registry, edit) for edit in edits))
