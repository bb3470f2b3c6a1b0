"""JSON as reports write it: nothing in it ends a line early, and UTF-8 can hold every character."""

import json
import re
from typing import Any

# C1 controls, line and paragraph separators, marks that turn the reading direction, lone surrogates.
_UNFIT = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def json_text(value: Any, indent: int | None = None) -> str:
    """The value as JSON; in one line without `indent`."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
