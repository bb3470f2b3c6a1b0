"""A sound piece or workflow of each generation of TAKT, and the releases that messages name."""

import re

from stepflow_gui.formats.takt.releases.sets import NONE, Releases, between
from stepflow_gui.formats.takt.releases.table import GENERATIONS, RELEASES

AGENT = "    agent: ../personas/coder.md\n    instruction: Write {task}.\n"
PERSONA = "    persona: You write.\n    instruction: Write {task}.\n    edit: true\n"
RULES = "    rules:\n      - condition: done\n        next: COMPLETE\n      - condition: stuck\n        next: ABORT\n"
TRANSITIONS = "    transitions:\n      - condition: done\n        next_step: COMPLETE\n"
LABELS = "    output_contracts:\n      report:\n        - Plan: plan.md\n"
ITEMS = "    output_contracts:\n      report:\n        - name: plan.md\n          format: As you like it.\n"
STEPS, MOVEMENTS = "steps:\n  - name: write\n", "movements:\n  - name: write\n"
OLD = "name: flow\ninitial_step: write\nmax_iterations: 5\n"
PIECE = "name: flow\ninitial_movement: write\nmax_iterations: 5\n"
CAPPED = PIECE.replace("max_iterations", "max_movements")
WORKFLOW = OLD.replace("max_iterations", "max_steps")

FILES = {
    "t0.1": f"{OLD}{STEPS}{AGENT}{TRANSITIONS}",
    "t0.3": f"{OLD}{STEPS}{AGENT}    report: plan.md\n{RULES}",
    "t0.4": f"{PIECE}{MOVEMENTS}{AGENT}    report: plan.md\n{RULES}",
    "t0.8": f"{PIECE}{MOVEMENTS}{PERSONA}    permission_mode: edit\n{LABELS}{RULES}",
    "t0.12": f"{CAPPED}{MOVEMENTS}{PERSONA}    permission_mode: edit\n{LABELS}{RULES}",
    "t0.16": f"{CAPPED}{MOVEMENTS}{PERSONA}    required_permission_mode: edit\n{LABELS}{RULES}",
    "t0.17": f"{CAPPED}{MOVEMENTS}{PERSONA}    required_permission_mode: edit\n"
    f"    allowed_tools: [Read]\n{ITEMS}{RULES}",
    "t0.30": f"{CAPPED}{MOVEMENTS}{PERSONA}    required_permission_mode: edit\n    provider: copilot\n"
    f"    provider_options: {{claude: {{allowed_tools: [Read]}}}}\n{ITEMS}{RULES}",
    "t0.34": f"{WORKFLOW}{MOVEMENTS}{PERSONA}    required_permission_mode: edit\n{ITEMS}{RULES}",
    "t0.36": f"{WORKFLOW}{STEPS}{PERSONA}    provider: claude\n    rules:\n      - when: context.a.b == 1\n"
    "        next: COMPLETE\n      - condition: stuck\n        next: ABORT\n",
    "t0.50": f"{WORKFLOW}{STEPS}{PERSONA}    session_key: a\n    session: compact\n"
    '    rules:\n      - condition: ai("ok")\n'
    "        next: COMPLETE\n      - condition: stuck\n        next: ABORT\n",
    "t0.53": f"{WORKFLOW}{STEPS}{PERSONA}    provider: claude\n    companion: {{}}\n{RULES}",
    "t0.60": f"{WORKFLOW}{STEPS}{PERSONA.replace('Write {task}.', '[Write.]')}    companion: {{}}\n{RULES}",
}
"""By the generation in which they are read in full."""

_BEFORE = [RELEASES[RELEASES.index(first) - 1] for first in GENERATIONS.values()]
NEWEST = dict(zip(FILES, [*_BEFORE[1:], RELEASES[-2]], strict=True))
"""The newest release of each generation; its file is back in the words of this one after it was taken to 0.60."""

_RELEASE = r"0\.\d+(?:\.\d+)?(?:-(?:alpha\.|rc)\d+)?"
_RANGE = rf"(?:after {_RELEASE}|{_RELEASE}(?:–{_RELEASE}|\+)?)"
_NAMED = rf"TAKT (?:{_RANGE}, )*{_RANGE}"
_RANGES = re.compile(rf"TAKT ((?:{_RANGE}, )*{_RANGE})")
_ABOUT_OTHERS = re.compile(
    rf"{_NAMED} reads it|replaced by {_NAMED}|\({_NAMED}\)|{_NAMED} loads (?:it|the file)|it is for {_NAMED}"
    rf"|{_NAMED}, which the rest is for"
)


def releases_spoken_of(message: str) -> Releases:
    """The releases for which a message says something, what it says of others left out."""
    found = NONE
    for ranges in _RANGES.findall(_ABOUT_OTHERS.sub("", message)):
        for each in ranges.split(", "):
            first, _dash, last = each.partition("–")
            start = "head" if first.startswith("after ") else _end(first.removesuffix("+"), 0)
            newest = each.endswith("+") or start == "head"
            found |= between(start, "head" if newest else _end(last or first, -1))
    return found


def _end(name: str, index: int) -> str:
    """The first or last release of a minor version."""
    if name in RELEASES:
        return name
    return [release for release in RELEASES if release.startswith(f"{name}.")][index]
