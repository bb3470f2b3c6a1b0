"""The fix that writes another intent where a word stands."""

import json

from stepflow_gui.lint.contract import Word
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit


def replace_word(word: Word, intent: str, safe: bool = False) -> Proposal:
    """Write `intent` in place of the word. The word's span holds its quotes."""
    edit = TextEdit(word.span.start, word.span.end, json.dumps(intent))
    return Proposal(_("Write “{intent}”").format(intent=intent), ((word.document, edit),), safe)
