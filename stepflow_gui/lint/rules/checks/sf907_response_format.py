"""SF907 response-format.

What it does: reports a `responseFormat` without `result`, and results other than ok, ng, pass, fail, true and false.

Why is this bad: climpt looks for `result` in the answer to the check, and takes ok, pass and true for a success,
everything else for a failure: letter case counts. It doesn't hold the answer against the responseFormat.

Fix: write `ok|ng`, and ask for these words in the check's prompt.
"""

from collections.abc import Iterator

from stepflow_gui.formats.checks.drafting import RESPONSE_FORMAT
from stepflow_gui.formats.checks.vocabulary import RESULTS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.checks.outcomes import check_of, reader
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join

RULE = Rule("SF907", "response-format", WARNING, formats=("checks",), looks_at=FLOW)

BAD = changed({"/steps/s_a8f3/check/responseFormat/result": "OK|NG"}, base="checks")
GOOD = changed(base="checks")

_USUAL = str(RESPONSE_FORMAT["result"])
_WORDS = frozenset(str(word).lower() if isinstance(word, bool) else word for word in RESULTS)


def check(context: RuleContext) -> Iterator[Finding]:
    """A check needs no responseFormat; one of a wrong type is SF004's."""
    for step in context.flow.steps.values():
        inner = check_of(step)
        member = inner.value.member("responseFormat") if inner else None
        if member is None or member.value.kind != "object":
            continue
        where = join(step.pointer, "check", "responseFormat")
        if member.value.member("result") is None:
            text = _("The responseFormat of “{step}” has no “result”: it is what {era} reads of the answer")
            proposals = put(context.registry, where, "result", _USUAL, _("Add “{field}”").format(field="result"))
            yield Finding(
                text.format(step=step.id, era=reader(context)), member.key_span, where, step.id, proposals=proposals
            )
        else:
            yield from _of_result(step, member.value, join(where, "result"), context)


def _of_result(step: Step, node: Node, pointer: str, context: RuleContext) -> Iterator[Finding]:
    unread = [word for word in _words(node.value.get("result")) if word not in _WORDS]
    if unread:
        text = _("The responseFormat of “{step}” asks for {words}: {era} counts only ok, pass and true as a success")
        message = text.format(step=step.id, words=listed(list(dict.fromkeys(unread))), era=reader(context))
        yield Finding(message, node.member_span("result"), pointer, step.id, proposals=_proposals(pointer, context))


def _words(value: JsonValue) -> list[str]:
    """The words that a result may be: `a|b`, or a list of them."""
    if isinstance(value, str):
        return [] if has_placeholder(value) else [word.strip() for word in value.split("|")]
    if isinstance(value, list):
        return [word for each in value for word in _words(each)]
    return ["true" if value is True else "false" if value is False else str(value)]


def _proposals(pointer: str, context: RuleContext) -> Iterator[Proposal]:
    def edits() -> DocumentEdits:
        from stepflow_gui.text.json.edit import set_value

        return [(context.registry, edit) for edit in set_value(context.registry.tree, pointer, _USUAL)]

    if context.registry.tree.valid:
        yield Proposal(_("Write “{word}”").format(word=_USUAL), Later(edits, [_USUAL]))
