"""SF514 breakdown-config.

What it does: compares the steps' c2 and c3 with what the configuration of the prompt engine allows: the patterns of
directiveType and layerType in .agent/climpt/config/<agent>-steps-app.yml and -user.yml. It reports nothing if there is
none. A pattern that is not a valid regular expression is pointed out: no word is compared with it.

Why is this bad: the engine gives no prompt for a word that the pattern doesn't match, and climpt can silently use a
built-in one in its place. The guide of complete intents forbids that.

Fix: add the word to the pattern.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.c3_patterns import WordPattern
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.project.prompt_engine import Patterns, engine_patterns
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit

RULE = Rule("SF514", "breakdown-config", WARNING, formats=GATE, looks_at=FLOW, defers_to=("SF106", "SF506"))

_FILE = "../climpt/config/issue-flow-steps-app.yml"
_CONFIG = """params:
  two:
    directiveType:
      pattern: "^(initial|continuation|closure)$"
    layerType:
      pattern: "^({topics})$"
"""
BAD = changed(base="c3l", texts={_FILE: _CONFIG.replace("{topics}", "project|polling")})
GOOD = changed(base="c3l", texts={_FILE: _CONFIG.replace("{topics}", "issue|project|polling")})


def check(context: RuleContext) -> Iterator[Finding]:
    """A word is right if the pattern of either file matches it."""
    patterns = engine_patterns(context.folder)
    if not patterns:
        return
    yield from (_unreadable(file, pattern) for file, pattern in patterns if not pattern.is_valid)
    seen: set[tuple[str, str]] = set()
    for step in context.flow.steps.values():
        for name, word in (("directiveType", step.c2), ("layerType", step.c3)):
            if word is None or not word.value or has_placeholder(word.value) or (name, word.value) in seen:
                continue
            allowed = [each for each in patterns if each[1].name == name]
            if allowed and not any(pattern.accepts(word.value) for _file, pattern in allowed):
                seen.add((name, word.value))
                yield _finding(step, name, word, allowed, context)


def _unreadable(file: TextFile, pattern: WordPattern) -> Finding:
    text = _("The pattern of {name} is not a valid regular expression: nothing is matched against it")
    return Finding(text.format(name=pattern.name), pattern.span, None, document=file, severity=WARNING)


def _finding(step: Step, name: str, word: Text, allowed: Patterns, context: RuleContext) -> Finding:
    field = "c2" if name == "directiveType" else "c3"
    text = _("{field} “{word}” of “{step}” isn't among the {name} of the prompt engine's configuration")
    if context.era.spare_prompts:
        text += _(": {era} silently uses a built-in prompt")
    others = sum(_has_word(each, field, word.value) for each in context.flow.steps.values()) - 1
    if others:
        text += _(" (and {count} more steps)")
    return Finding(
        text.format(field=field, word=word.value, step=step.id, name=name, count=others, era=context.era.name),
        word.span,
        word.pointer,
        step.id,
        severity=ERROR if context.format == "complete" else WARNING,
        sides=[Side(file, pattern.span, None, _("what it allows")) for file, pattern in allowed],
        proposals=_added(word.value, allowed),
        cause=("prompt", step.id),
    )


def _has_word(step: Step, field: str, word: str) -> bool:
    own = step.c2 if field == "c2" else step.c3
    return own is not None and own.value == word


def _added(word: str, allowed: Patterns) -> Iterator[Proposal]:
    file, pattern = allowed[-1]
    wider = pattern.with_word(word)
    if wider and word.replace("-", "").isalnum():
        edit = TextEdit(pattern.span.start, pattern.span.end, wider)
        yield Proposal(_("Add “{word}” to the pattern").format(word=word), [(file, edit)])
