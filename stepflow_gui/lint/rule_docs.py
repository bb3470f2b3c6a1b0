"""What the rules say about themselves: their docs, taken apart, for `explain`, the reports and the pages."""

import re
from typing import NamedTuple

from stepflow_gui.lint.rule import Rule
from stepflow_gui.lint.rules.table import rule_module

_HEADING = re.compile(r"^(What it does|Why is this bad|Fix): ", re.MULTILINE)


class RuleDocs(NamedTuple):
    """A rule's docs. The texts are Markdown of one paragraph or more, each in one line."""

    rule: Rule
    what: str
    why: str
    fix: str

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.rule.name


def docs_of(code: str) -> RuleDocs:
    """The docs of a rule. Raises KeyError for a code that is none."""
    module = rule_module(code)
    parts = _HEADING.split(module.__doc__ or "")
    texts = dict(zip(parts[1::2], map(_paragraphs, parts[2::2]), strict=True))
    return RuleDocs(module.RULE, texts.get("What it does", ""), texts.get("Why is this bad", ""), texts.get("Fix", ""))


def _paragraphs(text: str) -> str:
    """Each paragraph in one line; the first letter is a capital, but for the program's name."""
    joined = "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))
    return joined if joined.startswith("climpt") else joined[:1].upper() + joined[1:]
