"""The docs of the rules, split into parts, for `explain`, the reports and the pages."""

import re
from typing import NamedTuple

from stepflow_gui.lint.rule import Rule
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.messages import rule_text

_HEADING = re.compile(r"^(What it does|Why is this bad|Fix): ", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=\.)\s|(?<=。)")


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
    """The docs of a rule in the language in use. Raises KeyError for a code that is none."""
    docs = english_docs_of(code)
    return RuleDocs(docs.rule, rule_text(docs.what), rule_text(docs.why), rule_text(docs.fix))


def english_docs_of(code: str) -> RuleDocs:
    """The docs as the rule's module has them: the ids of the translations. Raises KeyError for a code that is none."""
    module = rule_module(code)
    parts = _HEADING.split(module.__doc__ or "")
    texts = dict(zip(parts[1::2], map(_paragraphs, parts[2::2]), strict=True))
    return RuleDocs(module.RULE, texts["What it does"], texts["Why is this bad"], texts["Fix"])


def first_sentence(text: str) -> str:
    """The first sentence of a text in any of the languages."""
    return _SENTENCE_END.split(text, maxsplit=1)[0]


def _paragraphs(text: str) -> str:
    """Each paragraph in one line; the first letter is a capital, but for the program's name."""
    joined = "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))
    return joined if joined.startswith("climpt") else joined[:1].upper() + joined[1:]
