"""SF001 syntax-error.

What it does: reports every place at which a file is not valid JSON or YAML, and says what it looks like: a comment, a
trailing comma, single quotes, a merge conflict, a file cut off; in YAML a tab, a colon inside a plain text, …

Why is this bad: no runner can read the file at all. The editor shows what it could make out of it.

Fix: see the message.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.example import whole
from stepflow_gui.lint.rules.document.sf003_encoding import wide
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import SyntaxProblem
from stepflow_gui.text.source import Span

RULE = Rule("SF001", "syntax-error", ERROR, looks_at=DOCUMENT)

BAD = whole('{"agentId": "issue-flow", "version": "1.0.0", "entryStep": "a", "steps": {"a": {},}}')
GOOD = changed()


def check(document: ParsedFile, _context: RuleContext) -> Iterator[Finding]:
    """Say what the reader noticed; nothing of a file in another encoding, which is SF003's."""
    if wide(document.source.text):
        return
    for problem in document.tree.problems:
        message = explain(problem)
        yield Finding(
            message,
            _visible(problem, document),
            document.tree.pointer_at(problem.start),
            document=document,
        )


def explain(problem: SyntaxProblem) -> str:
    """What is wrong, in words."""
    if problem.kind.startswith("yaml-"):
        from stepflow_gui.lint.rules.document.yaml_faults import yaml_message  # only where a file is YAML

        return yaml_message(problem.kind).format(detail=problem.detail)
    return _message(problem.kind).format(detail=problem.detail)


def _visible(problem: SyntaxProblem, document: ParsedFile) -> Span:
    # A caret needs something to stand on: where something is missing, the character before.
    if problem.start < problem.end:
        return Span(problem.start, problem.end)
    if problem.start > 0 and document.source.text[problem.start - 1] not in "\r\n":
        return Span(problem.start - 1, problem.start)
    return Span(problem.start, min(problem.start + 1, len(document.source.text)))


def _message(kind: str) -> str:
    return _of_strings(kind) or _of_values(kind) or _of_structure(kind) or _("This isn't JSON: “{detail}”")


def _of_strings(kind: str) -> str | None:
    return {
        "bad-escape": _("“{detail}” is not an escape in JSON: a backslash itself is written as two"),
        "control-character": _(
            "A string can't hold the character {detail} as it is: write an escape such as \\n or \\t"
        ),
        "curly-quotes": _('JSON requires straight double quotes (") around {detail}'),
        "single-quotes": _("JSON requires double quotes around {detail}"),
        "unclosed-string": _("This string has no closing quotation mark: {detail}"),
        "unescaped-quote": _("A quotation mark inside a string needs a backslash before it"),
    }.get(kind)


def _of_values(kind: str) -> str | None:
    return {
        "bad-number": _("“{detail}” is not a number in JSON"),
        "bare-key": _("A key needs double quotes: {detail}"),
        "bare-value": _("A text needs double quotes: {detail}"),
        "missing-value": _("“{detail}” has no value"),
    }.get(kind)


def _of_structure(kind: str) -> str | None:
    return {
        "comment": _("JSON has no comments"),
        "empty": _("The file is empty"),
        "extra-text": _("Something follows the end of the JSON value"),
        "full-width": _("“{detail}” is a full-width character: JSON requires the plain one"),
        "merge-conflict": _("A merge conflict isn't resolved here"),
        "missing-colon": _("A colon is missing between key and value"),
        "missing-comma": _("A comma is missing here"),
        "odd-blank": _("{detail} is not whitespace in JSON: use a space"),
        "too-deep": _("Lists and objects are nested more than {detail} levels deep: nothing deeper is read"),
        "trailing-comma": _("The comma before the closing bracket is superfluous"),
        "unclosed-array": _("A list isn't closed: “]” is missing"),
        "unclosed-object": _("An object isn't closed: “}}” is missing"),
        "unexpected": _("“{detail}” isn't allowed here"),
        "unopened-object": _("The object's opening “{{” is missing"),
        "wrong-bracket": _("“{detail}” closes what another bracket opened"),
    }.get(kind)
