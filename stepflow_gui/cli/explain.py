"""`stepflow explain CODE`: what a rule is about, with examples; upstream's own error codes map to rules."""

from collections.abc import Iterator, Sequence

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.streams import print_error
from stepflow_gui.cli.wrapping import wrapped
from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.config.config import unknown_rule
from stepflow_gui.lint.config.selecting import rule_meant
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.lint.examples.rule_examples import ExampleSnippet, pieces
from stepflow_gui.lint.report.summary import severity_name
from stepflow_gui.lint.rules.table import MODULES, name_of
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES
from stepflow_gui.messages import _

DONE, TROUBLE = 0, 2


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 2 where a word means no rule."""
    options = make_parser().read(arguments)
    code = DONE
    for number, word in enumerate(options.rules):
        lines = list(explanation_lines(word))
        if not lines:
            print_error(f"stepflow explain: {_unknown(word)}")
            code = TROUBLE
            continue
        if number:
            print()
        print("\n".join(lines))
    if code == TROUBLE:
        print_error(_("Run “stepflow rules” for a list."))
    return code


def make_parser() -> Parser:
    """The options of `stepflow explain`."""
    parser = Parser("stepflow explain", _("Explain a rule, with a bad and a good example."))
    parser.words.add_argument(
        dest="rules",
        nargs="+",
        metavar=_("RULE"),
        help=_("codes or names of rules, or error codes of the runner (SR-TRANS-002)"),
    )
    add_language(parser)
    return parser


def explanation_lines(word: str) -> Iterator[str]:
    """The lines about a rule or an upstream code; none where the word is neither."""
    rule = rule_meant(word)
    if rule:
        yield from _rule(rule)
        return
    upstream = word.upper()
    if upstream not in UPSTREAM_CODES:
        return
    rules = [code for code in UPSTREAM_CODES[upstream] if code in MODULES]
    if not rules:
        yield _("{code} is an error of the runner that only occurs in a run.").format(code=upstream)
        return
    yield _("{code} is an error of the runner. These rules find its causes before a run:").format(code=upstream)
    for code in rules:
        yield f"  {code} {name_of(code)}"
    for code in rules:
        yield ""
        yield from _rule(code)


def _rule(code: str) -> Iterator[str]:
    docs = docs_of(code)
    formats = ", ".join(docs.rule.all_formats) or _("all formats")
    yield f"{code} {docs.name} ({severity_name(docs.rule.severity)}; {formats})"
    for heading, text in (
        (_("What it does"), docs.what),
        (_("Why is this bad"), docs.why),
        (_("Fix"), docs.fix),
    ):
        yield ""
        yield f"{heading}:"
        yield from _wrapped(text)
    for heading, shown in ((_("Bad"), pieces(code, "BAD")), (_("Good"), pieces(code, "GOOD"))):
        for piece in shown:
            yield ""
            yield f"{heading}: {_where(piece)}"
            if not piece.text:
                yield "    " + _("(file not found)")
            yield from (f"    {line}".rstrip() for line in piece.text.splitlines())


def _where(piece: ExampleSnippet) -> str:
    return f"{piece.file}#{piece.pointer}" if piece.pointer else piece.file


def _wrapped(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield from (f"  {line}" for line in wrapped(paragraph, 94))


def _unknown(word: str) -> str:
    upper = word.upper()
    meant = nearest(upper, UPSTREAM_CODES) if "-" in upper and any(char.isdecimal() for char in upper) else None
    if meant:
        return _("unknown code “{word}”. Did you mean “{meant}”?").format(word=word, meant=meant)
    return unknown_rule(word)
