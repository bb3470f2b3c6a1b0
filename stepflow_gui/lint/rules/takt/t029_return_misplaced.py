"""T029 return-misplaced.

What it does: reports a `return` where a workflow can't give a result: in a file that isn't callable, in a sub-step,
beside `next`, or of one that `returns` doesn't list; `returns`, `params` or `visibility` of a file that isn't callable;
rules of a call on results that there aren't, and results without one.

Why is this bad: TAKT 0.37 to 0.60 refuse to load the file.

Fix: write `next`, or list the result in `subworkflow.returns` of a callable workflow.
"""

import re
from collections.abc import Iterable, Iterator

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.formats.takt.files import called_workflows, is_workflow_path
from stepflow_gui.formats.takt.piece import RETURN, text_of
from stepflow_gui.formats.takt.releases.sets import Releases, since
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.json_types import literal_meant
from stepflow_gui.lint.rules.fixes import in_yaml, take_away, write, write_literal
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, StepPlace, all_steps, parsed
from stepflow_gui.lint.rules.takt.release_words import runner, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

RULE = Rule("T029", "return-misplaced", ERROR, formats=TAKT, looks_at=FLOW)

BAD = whole_piece(
    "name: review-part\nmax_steps: 5\ninitial_step: review\nsubworkflow:\n  callable: false\n"
    "steps:\n  - name: review\n    instruction: Review the code.\n    edit: false\n"
    "    rules:\n      - condition: approved\n        return: ok\n"
)
GOOD = whole_piece(
    "name: review-part\nmax_steps: 5\ninitial_step: review\nsubworkflow:\n  callable: true\n  returns: [ok]\n"
    "steps:\n  - name: review\n    instruction: Review the code.\n    edit: false\n"
    "    rules:\n      - condition: approved\n        return: ok\n"
)

_RETURNING, _IN_SUBS = since("0.37.0"), since("0.51.0")
_HEAD = re.compile(r"^subworkflow[ \t]*:.*?(?=^[^\s#]|\Z)", re.MULTILINE | re.DOTALL)
_OF_CALLABLE = ("visibility", "returns", "params")


def check(context: RuleContext) -> Iterator[Finding]:
    """Workflows only: what pieces hold under this key is T025's."""
    root = context.registry.root
    if root is None or not wanted_releases(context) & _RETURNING or not context.registry.tree.sound:
        return
    called = root.get("subworkflow")
    callable_ = called.get("callable") if called is not None else None
    is_callable = callable_ is not None and callable_.value is True
    results = list(_results(called))
    if called is not None:
        yield from _head(called, results, context, is_callable=is_callable)
    for place in all_steps(context):
        if place.step.kind == "call":
            yield from _called(place, context)
        for rule in place.step.transitions:
            given = text_of(rule.node, RETURN, rule.pointer)
            if given is not None and rule.pointer.startswith(place.step.pointer + "/"):  # a fragment's are its own
                yield from _rule(given, rule, place, results, context, is_callable=is_callable)


def _called(place: StepPlace, context: RuleContext) -> Iterator[Finding]:
    """Rules on results that the called workflow can't have, and results without one; nothing where it isn't found."""
    name = text_of(place.step.node, "call", place.step.pointer)
    calling = _RETURNING if place.parent is None else _IN_SUBS
    if name is None or not wanted_releases(context) & calling or is_workflow_path(name.value):
        return  # what is called by a path is found when it is run
    child = next(filter(context.folder.exists, called_workflows(name.value, context.flow.document.path)), None)
    document = context.folder.text(child) if child is not None else None
    if not isinstance(document, TextFile):
        return
    head = _HEAD.search(document.source.text)  # the rest of the file needn't be read
    root = read_yaml_tree(Source(head[0])).root if head else None
    results = [text.value for text in _results(root.get("subworkflow"))] if root is not None else []
    yield from _without_rule(place, name.value, results, calling, context)
    for rule in place.step.transitions:
        asked = rule.as_written
        if not asked or asked in results or asked in ENDS or not isinstance(parsed(rule, context), Label):
            continue
        meant = meant_for(asked, results, context, RULE.code)
        text = _("“{step}” calls “{name}”, which can't end with “{result}”: {runner} refuses to load the file")
        text = text.format(step=place.step.id, name=name.value, result=asked, runner=runner(context, calling))
        if meant:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        yield Finding(
            text,
            rule.key_span,
            f"{rule.pointer}/condition",
            (place.parent or place.step).id,
            proposals=[write(context.registry, rule.key_span, meant)] if meant else [],
            misspelt=bool(meant),
        )


def _without_rule(
    place: StepPlace, name: str, results: list[str], calling: Releases, context: RuleContext
) -> Iterator[Finding]:
    """What the called workflow may return, and no rule of the step is for."""
    rules = place.step.transitions
    possible = {*results, *ENDS}
    if not rules or not all(isinstance(parsed(rule, context), Label) and rule.as_written in possible for rule in rules):
        return  # of a result that can't be, another finding speaks
    missing = [result for result in results if result not in {rule.as_written for rule in rules}]
    if missing:
        text = _("“{step}” has no rule for {results}, which “{name}” may return: {runner} aborts the run then")
        listed = _(", ").join(_("“{word}”").format(word=each) for each in missing)
        text = text.format(step=place.step.id, results=listed, name=name, runner=runner(context, calling))
        owner = (place.parent or place.step).id
        yield Finding(text, place.step.key_span, place.step.pointer, owner, severity=WARNING)


def _results(called: Node | None) -> Iterator[Text]:
    returns = called.get("returns") if called is not None else None
    for index, item in enumerate(returns.items() if returns is not None else ()):
        if isinstance(item.value, str):
            yield Text(item.value, item.span, join("", "subworkflow", "returns", index))


def _head(called: Node, results: list[Text], context: RuleContext, *, is_callable: bool) -> Iterator[Finding]:
    """What the file says of itself as a called one."""
    for key in () if is_callable else _OF_CALLABLE:
        if called.get(key) is not None:
            text = _(
                "“{field}” is for callable workflows, and “callable” isn't true: {runner} refuses to load the file"
            )
            pointer = join("", "subworkflow", key)
            written = called.get("callable")
            is_meant = written is not None and literal_meant("boolean", str(written.value)) == "true"
            fixes: Iterable[Proposal] = take_away(context.registry, [pointer], _("Remove “{field}”").format(field=key))
            if is_meant and written is not None:
                fixes = write_literal(context.registry, written.span, "boolean", written.value)
            yield Finding(
                text.format(field=key, runner=runner(context, _RETURNING)),
                called.key_span(key),
                pointer,
                proposals=fixes,
                misspelt=is_meant,
            )
    for result in results if is_callable else ():
        if result.value in ENDS:
            text = _(
                "“{result}” is what every workflow may return, and can't be listed: {runner} refuses to load the file"
            )
            fixes = take_away(context.registry, [result.pointer], _("Remove “{field}”").format(field=result.value))
            yield Finding(
                text.format(result=result.value, runner=runner(context, _RETURNING)),
                result.span,
                result.pointer,
                proposals=fixes,
            )


def _rule(
    given: Text, rule: Transition, place: StepPlace, results: list[Text], context: RuleContext, *, is_callable: bool
) -> Iterator[Finding]:
    """The first thing that is wrong with a `return`."""
    listed = [each.value for each in results]
    fixes = take_away(context.registry, [given.pointer], _("Remove “{field}”").format(field=RETURN))
    meant: str | None = None
    if place.parent is not None:
        text = _("“{step}” is a sub-step, whose rules can't have “return”")
    elif rule.node.get("next") is not None:
        text = _("A rule of “{step}” has both “next” and “return”")
    elif not is_callable:
        text = _("“{step}” returns “{result}”, and no other workflow can call this one: “callable” isn't true")
        fixes = _with_next(given, rule, ENDS[0], context)
    elif given.value in ENDS:
        text = _("“{step}” returns “{result}”, which only “next” may lead to")
        fixes = _with_next(given, rule, given.value, context)
    elif given.value not in listed:
        text = _("“{step}” returns “{result}”, which “returns” doesn't list")
        meant = meant_for(given.value, listed, context, RULE.code)
        if meant:
            text += _(". Did you mean “{meant}”?")
            fixes = iter([write(context.registry, given.span, meant)])
    else:
        return
    yield Finding(
        text.format(step=place.step.id, result=given.value, meant=meant)
        + _(": {runner} refuses to load the file").format(runner=runner(context, _RETURNING)),
        given.span,
        given.pointer,
        (place.parent or place.step).id,
        proposals=fixes,
    )


def _with_next(given: Text, rule: Transition, end: str, context: RuleContext) -> Iterator[Proposal]:
    """`next` with an end instead of `return`: without both the rule would lead nowhere."""

    def edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.write import rewritten  # only a fix needs it

        words = ((rule.node.key_span(RETURN), "next"), (given.span, end))
        return [TextEdit(*span, rewritten(context.registry.source.text, span, word)) for span, word in words]

    return in_yaml(context.registry, edits, _("Write “{word}”").format(word=f"next: {end}"))
