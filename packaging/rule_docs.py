"""The pages of the rules, made of their own docs and examples: `python packaging/rule_docs.py` writes them.

English ones are under `docs/rules`, Japanese ones under `docs/ja/rules`. A test fails when they are out of date.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from doc_language import speaking
from rule_docs_words import WORDS, Words
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.lint.examples.rule_examples import ExampleSnippet, pieces
from stepflow_gui.lint.rule import Rule
from stepflow_gui.lint.rules.table import MODULES, rule_module
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDERS = {"en": "rules", "ja": "ja/rules"}  # below the docs
_FAMILY = re.compile(r"SF\d|T")
GUIDES = {  # by the family: the pages about what its rules check
    "SF0": ("formats", "configuration"),
    "SF1": ("formats", "gate"),
    "SF2": ("fix-a-mismatch", "gate"),
    "SF3": ("gate", "fix-a-mismatch"),
    "SF4": ("gate", "formats"),
    "SF5": ("formats",),
    "SF6": ("gate",),
    "SF7": ("formats",),
    "SF8": ("convert", "formats"),
    "SF9": ("debugging", "convert"),
    "T": ("pieces", "takt-releases"),
}


def pages() -> dict[str, str]:
    """Every page in every language, by its path below the docs."""
    made: dict[str, str] = {}
    for language, folder in FOLDERS.items():
        with speaking(language):
            made[f"{folder}/README.md"] = _text(_index(language))
            made |= {f"{folder}/{code}.md": _text(_page(code, language)) for code in MODULES}
    return made


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _page(code: str, shown_in: str) -> Iterator[str]:
    docs, words = docs_of(code), WORDS[shown_in]
    yield f"# {code} {docs.name}"
    yield ""
    yield words.about.format(severity=words.severities[docs.rule.severity], formats=_formats(docs.rule, words))
    for heading, text in ((words.what, docs.what), (words.why, docs.why)):
        yield from ("", f"## {heading}", "", text)
    for heading, shown in ((words.bad, pieces(code, "BAD")), (words.good, pieces(code, "GOOD"))):
        if shown:
            yield from ("", f"## {heading}")
        for piece in shown:
            yield from _piece(piece, words)
    yield from ("", f"## {words.fix}", "", docs.fix)
    reported = [f"`{upstream}`" for upstream, rules in UPSTREAM_CODES.items() if code in rules]
    if reported:
        yield from ("", words.reported.format(codes=words.comma.join(reported)))
    family = _FAMILY.match(code)
    assert family
    guides = [f"[{words.guides[page]}](../{page}.md)" for page in GUIDES[family[0]]]
    yield from ("", " · ".join([f"[{words.all_rules}](README.md)", *guides, _other_languages(shown_in, code)]))


def _piece(piece: ExampleSnippet, words: Words) -> Iterator[str]:
    file = f"`{piece.file}`"
    where = words.where.format(pointer=f"`{piece.pointer}`", file=file) if piece.pointer else file
    kind = Path(piece.file).suffix.removeprefix(".") or "text"
    fence = "````" if "```" in piece.text else "```"
    if piece.text:
        yield from ("", f"{where}:", "", f"{fence}{kind}", piece.text, fence)
    else:
        yield from ("", f"{where}: {words.no_file}")


def _index(shown_in: str) -> Iterator[str]:
    words = WORDS[shown_in]
    yield f"# {words.rules}"
    yield ""
    yield words.introduction
    yield ""
    yield _other_languages(shown_in, "README")
    family = ""
    for code in MODULES:
        rule: Rule = rule_module(code).RULE
        found = _FAMILY.match(code)
        assert found
        if found[0] != family:
            family = found[0]
            yield from ("", f"## {words.families[family]}", "", words.columns, "|---|---|---|---|")
        severity = words.severities[rule.severity]
        yield f"| [{code}]({code}.md) | {rule.name} | {severity} | {_formats(rule, words)} |"
    yield from ("", f"## {words.upstream}", "", words.upstream_columns, "|---|---|")
    for upstream, rules in UPSTREAM_CODES.items():
        known = [f"[{code}]({code}.md)" for code in rules if code in MODULES]
        yield f"| `{upstream}` | {words.comma.join(known) or words.no_rule} |"


def _other_languages(shown_in: str, page: str) -> str:
    here = FOLDERS[shown_in]
    return " · ".join(
        f"[{WORDS[each].this_language}]({Path(os.path.relpath(folder, here)).as_posix()}/{page}.md)"
        for each, folder in FOLDERS.items()
        if each != shown_in
    )


def _formats(rule: Rule, words: Words) -> str:
    return words.comma.join(f"`{each}`" for each in rule.all_formats) or words.all_formats


def write(docs: Path = DOCS) -> None:
    """Write all pages, and remove those of rules that are gone."""
    made = pages()
    for folder in FOLDERS.values():
        (docs / folder).mkdir(parents=True, exist_ok=True)
        for file in (docs / folder).glob("*.md"):
            if f"{folder}/{file.name}" not in made:
                file.unlink()
    for name, text in made.items():
        (docs / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
