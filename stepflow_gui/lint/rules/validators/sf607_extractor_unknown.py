"""SF607 extractor-unknown.

What it does: reports values of `extractParams` that climpt can't take out of a validator's output.

Why is this bad: an extractor that doesn't exist gives null, and the retry prompt shows nothing in that place. climpt's
own agents name three such: parseBranchName, parseRemoteStatus and parseMergeStatus.

Fix: write one of those that there are, such as `parseChangedFiles`, `stdout` or `errorOutput`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import EXTRACTORS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked

RULE = Rule("SF607", "extractor-unknown", WARNING, formats=GATE, looks_at=FLOW)

BAD = checked({"/validators/git-clean/extractParams/changedFiles": "parseChangedFile"})
GOOD = checked()

_VERB = "parse"


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every value that is a text."""
    for validator in context.validation.validators.values():
        for param, extractor in validator.extracts:
            if extractor is None or extractor.value in EXTRACTORS or has_placeholder(extractor.value):
                continue
            message = _(
                "“{validator}” extracts “{param}” with “{extractor}”, an extractor {era} doesn't have: the retry prompt"
                " shows nothing there"
            ).format(validator=validator.at.name, param=param.name, extractor=extractor.value, era=context.climpt.name)
            meant = _meant(extractor.value, context)
            if meant:
                message += _(". Did you mean “{meant}”?").format(meant=meant)
            proposals = [write(context.registry, extractor.span, meant)] if meant else []
            yield Finding(message, extractor.span, extractor.pointer, proposals=proposals, misspelt=bool(meant))


def _meant(word: str, context: RuleContext) -> str | None:
    """The extractor most like a word; that both begin with “parse” says nothing."""
    bare = word.removeprefix(_VERB)
    known = {name.removeprefix(_VERB): name for name in EXTRACTORS if name.startswith(_VERB) == word.startswith(_VERB)}
    alike = context.nearest(RULE.code, bare, known)
    return known[alike] if alike else None
