"""Why a text is not YAML, as problems with a place and a kind."""

import re
from collections.abc import Iterator

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from stepflow_gui.text.json.tree import SyntaxProblem
from stepflow_gui.text.yaml.lines import with_line_feeds

KINDS = {
    "yaml-alias": "a: *x",
    "yaml-character": "a: \x01",
    "yaml-colon": "a: one: two",
    "yaml-cycle": "a: &x [*x]",
    "yaml-deep": "[" * 200,
    "yaml-documents": "a: 1\n---\nb: 2",
    "yaml-escape": 'a: "\\q"',
    "yaml-indent": "a: 1\n  b: 2",
    "yaml-long": "",  # more than MOST_CHARACTERS
    "yaml-many": "",  # more than MOST_VALUES
    "yaml-missing-colon": "a: 1\nb\nc: 2",
    "yaml-open-bracket": "a: [1, 2",
    "yaml-open-quote": "a: 'x",
    "yaml-start": "a: @x",
    "yaml-tab": "a:\n\tb: 1",
    "yaml-tab-unread": "a: |\t# b\n  c",
    "yaml-other": "a: |x",
}
"""Each kind that a reader of YAML finds, with a text that has it; `empty` and `merge-conflict` are JSON's as well."""

MOST_CHARACTERS = 4_000_000
MOST_VALUES = 200_000
DEEPEST = 100  # lists and mappings inside one another: reading deeper ones takes ever longer
_CONFLICT = re.compile(r"^(?:<{7} .*|={7}|>{7} .*)$", re.MULTILINE)
_TABBED = re.compile(r"^\t+(?=[^\t#\n])", re.MULTILINE)
_INDENTED = re.compile(r" *(?:[-?:] *)*(\t)")  # what a mapping or list that begins in this line is indented by
_MOST_TABS = 20


def problems_of(error: YAMLError, text: str) -> list[SyntaxProblem]:
    """What is wrong, in the order of the text; if one mistake is in several places, each of them."""
    if isinstance(error, ReaderError):
        at = int(error.position)
        return [SyntaxProblem("yaml-character", at, at + 1, f"U+{int(error.character):04X}")]
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if not isinstance(error, MarkedYAMLError) or mark is None:
        return [SyntaxProblem("yaml-other", 0, min(1, len(text)), str(error).partition("\n")[0])]
    at = min(int(mark.index), len(text))
    conflicts = list(_CONFLICT.finditer(text))
    if len(conflicts) > 1 and "<" in text[conflicts[0].start() : conflicts[0].end()]:
        return [SyntaxProblem("merge-conflict", each.start(), each.end()) for each in conflicts]
    context = error.context_mark
    return list(_problems(str(error.problem), at, int(context.index) if context is not None else at, text))


def _problems(message: str, at: int, begun: int, text: str) -> Iterator[SyntaxProblem]:
    text = with_line_feeds(text)
    line = text.rfind("\n", 0, at) + 1
    indented = _INDENTED.match(text, line, max(at, line))
    if indented and ("not allowed" in message or "expected <block end>" in message):
        yield SyntaxProblem("yaml-tab", indented.start(1), indented.end(1))
    elif "mapping values are not allowed" in message:
        inside = ": " in text[line:at] or ":\t" in text[line:at]
        yield SyntaxProblem("yaml-colon" if inside else "yaml-indent", at, at + 1)
    elif "found character '\\t'" in message:
        yield SyntaxProblem("yaml-tab", at, at + 1)
        for each in list(_TABBED.finditer(text, at + 1))[:_MOST_TABS]:
            yield SyntaxProblem("yaml-tab", each.start(), each.end())
    elif "but found '\\t'" in message:  # YAML itself accepts one as a separator there
        yield SyntaxProblem("yaml-tab-unread", at, at + 1)
    elif "cannot start any token" in message:
        yield SyntaxProblem("yaml-start", at, at + 1, text[at : at + 1])
    elif "unknown escape" in message:
        yield SyntaxProblem("yaml-escape", at - 1, at + 1, text[at - 1 : at + 1])
    elif "unexpected end of stream" in message or "unexpected document separator" in message:
        yield SyntaxProblem("yaml-open-quote", begun, begun + 1, text[begun:].partition("\n")[0].strip())
    elif "could not find expected ':'" in message:
        yield SyntaxProblem(
            "yaml-missing-colon", begun, _line_end(text, begun), text[begun:].partition("\n")[0].strip()
        )
    elif "expected ',' or" in message:
        yield SyntaxProblem("yaml-open-bracket", begun, begun + 1, text[begun : begun + 1])
    elif "expected <block end>" in message or "not allowed here" in message or "invalid indentation" in message:
        yield SyntaxProblem("yaml-indent", at, min(at + 1, len(text)))
    else:
        yield SyntaxProblem("yaml-other", at, min(at + 1, len(text)), message)


def _line_end(text: str, at: int) -> int:
    return at + len(text[at:].partition("\n")[0].rstrip())
