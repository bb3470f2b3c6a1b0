"""The elements of adaptationChain: the adaptations of a step's prompt when it repeats (climpt-1.14, 2)."""

import re

from stepflow_gui.formats.climpt.vocabulary import CHAIN_ELEMENT
from stepflow_gui.text.json.tree import JsonValue

_ELEMENT = re.compile(CHAIN_ELEMENT, re.ASCII)


def chain_elements(chain: JsonValue) -> list[JsonValue]:
    """The elements in their order: a text counts letter by letter, as JavaScript takes it; of anything else none."""
    return list(chain) if isinstance(chain, list | str) else []


def is_chain_element(element: JsonValue) -> bool:
    """Whether Boot of climpt 1.14 allows an adaptation in a chain."""
    return isinstance(element, str) and _ELEMENT.fullmatch(element) is not None and ".." not in element
