"""The fix of most rules: another string in place of one."""

import json

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.messages import _
from stepflow_gui.text.document import Document
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span


def write(document: Document, span: Span, word: str, safe: bool = False) -> Proposal:
    """Write `word` in place of the string at the span, which holds its quotes."""
    edit = TextEdit(span.start, span.end, json.dumps(word, ensure_ascii=False))
    return Proposal(_("Write “{word}”").format(word=word), ((document, edit),), safe)
