"""How a value is shown in a sentence."""

import json

from stepflow_gui.text.json.tree import JsonValue


def shown(value: JsonValue) -> str:
    """A text as it is, anything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
