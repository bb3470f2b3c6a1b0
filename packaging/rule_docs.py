"""The pages under `docs/rules`, made of the rules' own docs and examples: `python packaging/rule_docs.py` writes them.

A test tells when they are out of date.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.rule import Rule
from stepflow_gui.lint.rule_docs import docs_of
from stepflow_gui.lint.rule_examples import Piece, pieces
from stepflow_gui.lint.rules.table import MODULES, rule_module
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"
_FAMILIES = {
    "SF0": "Documents",
    "SF1": "Steps",
    "SF2": "Intents and the gate",
    "SF3": "Flow",
    "SF4": "Entries",
    "SF5": "Prompts and variables",
    "SF6": "Validators and failure patterns",
    "SF7": "Output schemas",
    "SF8": "agent.json",
    "SF9": "Registries with checks",
    "T": "TAKT pieces",
}
_FAMILY = re.compile(r"[A-Z]+\d?|T")


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {"README.md": "\n".join(_index()) + "\n"} | {f"{code}.md": page(code) for code in MODULES}


def page(code: str) -> str:
    """The page of a rule."""
    return "\n".join(_page(code)) + "\n"


def _page(code: str) -> Iterator[str]:
    docs = docs_of(code)
    yield f"# {code} {docs.name}"
    yield ""
    yield f"Severity: {docs.rule.severity} · Formats: {_formats(docs.rule)}"
    for heading, text in (("What it does", docs.what), ("Why is this bad", docs.why)):
        yield from ("", f"## {heading}", "", text)
    for heading, which in (("Example", "BAD"), ("Use instead", "GOOD")):
        shown = pieces(code, "BAD" if which == "BAD" else "GOOD")
        if shown:
            yield from ("", f"## {heading}")
        for piece in shown:
            yield from _piece(piece)
    yield from ("", "## Fix", "", docs.fix)
    reported = [upstream for upstream, rules in UPSTREAM_CODES.items() if code in rules]
    if reported:
        yield from ("", f"The runner reports it as {', '.join(f'`{each}`' for each in reported)}.")
    yield from ("", "[All rules](README.md)")


def _piece(piece: Piece) -> Iterator[str]:
    where = f"`{piece.pointer}` in `{piece.file}`" if piece.pointer else f"`{piece.file}`"
    kind = Path(piece.file).suffix.removeprefix(".") or "text"
    fence = "````" if "```" in piece.text else "```"
    if piece.text:
        yield from ("", f"{where}:", "", f"{fence}{kind}", piece.text, fence)
    else:
        yield from ("", f"{where}: there is no such file.")


def _index() -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield "What `stepflow lint` finds. A code never changes its meaning; `stepflow explain CODE` shows the same pages."
    family = ""
    for code in MODULES:
        rule: Rule = rule_module(code).RULE
        found = _FAMILY.match(code)
        assert found
        if found[0] != family:
            family = found[0]
            yield from ("", f"## {_FAMILIES[family]}", "", "| code | name | severity | formats |", "|---|---|---|---|")
        yield f"| [{code}]({code}.md) | {rule.name} | {rule.severity} | {_formats(rule)} |"
    yield from ("", "## Error codes of the runner", "", "| code | found before a run by |", "|---|---|")
    for upstream, rules in UPSTREAM_CODES.items():
        known = [f"[{code}]({code}.md)" for code in rules if code in MODULES]
        yield f"| `{upstream}` | {', '.join(known) or 'nothing: only a run can tell'} |"


def _formats(rule: Rule) -> str:
    return ", ".join(f"`{each}`" for each in rule.formats) or "all"


def write(folder: Path = FOLDER) -> None:
    """Write all pages, and remove those of rules that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for file in folder.glob("*.md"):
        if file.name not in made:
            file.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
