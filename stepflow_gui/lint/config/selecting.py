"""Which rules are on, and how bad their findings are: selectors, and layers of wishes about them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.table import MODULES, name_of

EVERY = "ALL"
OFF: Literal["off"] = "off"
Level = Severity | Literal["off"]
LEVELS: tuple[Level, ...] = ("error", "warning", "info", OFF)

_PREFIX = re.compile(r"[A-Z]{1,2}\d{0,3}")
_EXACT = 9  # how closely a code or a name fits; a prefix as closely as it is long, ALL least


class SelectionLayer(NamedTuple):
    """One layer. `select` starts over, the others change the layers before it. None: nothing is set.

    `paths` are the files that it applies to; None: all.
    """

    origin: str  # where it is written, for people
    select: Sequence[str] | None = None
    extend: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severity: Mapping[str, Level] | None = None
    paths: Callable[[Path], bool] | None = None


class RuleVerdict(NamedTuple):
    """Whether a rule is on, its severity (None: the rule's own), and where that is set."""

    on: bool
    severity: Severity | None
    origin: str | None  # None: not set, it is the default


_DEFAULT = RuleVerdict(True, None, None)


class RuleSelection:
    """Which rules are on for which files. Of selectors that contradict each other in one layer the closer fit holds.

    Without layers every rule is on.
    """

    __slots__ = ("_known", "layers")

    def __init__(self, layers: Iterable[SelectionLayer] = ()) -> None:
        self.layers = [layer for layer in layers if _is_set(layer)]
        self._known: dict[tuple[str, tuple[int, ...]], RuleVerdict] = {}

    def verdict(self, code: str, files: Iterable[Path]) -> RuleVerdict:
        """What holds for a rule's findings in a file: of `files` (the file, its registry) any may meet a layer."""
        if not self.layers:
            return _DEFAULT
        asked = list(files)
        meeting = tuple(
            number
            for number, layer in enumerate(self.layers)
            if layer.paths is None or any(layer.paths(file) for file in asked)
        )
        if (code, meeting) not in self._known:
            self._known[code, meeting] = _decided(code, [self.layers[number] for number in meeting])
        return self._known[code, meeting]

    def may_be_on(self, code: str) -> bool:
        """Whether a rule may be on for some file; where it can't, it need not be run."""
        everywhere = [layer for layer in self.layers if layer.paths is None]
        return _decided(code, everywhere).on or any(
            _fit(code, layer.extend) >= 0 for layer in self.layers if layer.paths is not None
        )


def _is_set(layer: SelectionLayer) -> bool:
    return layer.select is not None or bool(layer.extend or layer.ignore or layer.severity)


def _decided(code: str, layers: Iterable[SelectionLayer]) -> RuleVerdict:
    on, severity, origin = _DEFAULT
    for layer in layers:
        selected = max(_fit(code, layer.select or ()), _fit(code, layer.extend))
        ignored = _fit(code, layer.ignore)
        if layer.select is not None or selected >= 0:
            on, origin = selected >= 0, layer.origin
        if ignored >= 0 and ignored >= selected:
            on, origin = False, layer.origin
        level = _level(code, layer.severity or {})
        if level == OFF:
            on, origin = False, layer.origin
        elif level is not None:
            severity, origin = level, layer.origin
    return RuleVerdict(on, severity, origin)


def _level(code: str, levels: Mapping[str, Level]) -> Level | None:
    best = max(levels, key=lambda selector: fit(code, selector), default=None)
    return levels[best] if best is not None and fit(code, best) >= 0 else None


def _fit(code: str, selectors: Iterable[str]) -> int:
    return max((fit(code, selector) for selector in selectors), default=-1)


def fit(code: str, selector: str) -> int:
    """How closely a selector means a rule; -1 where it doesn't."""
    if selector == EVERY:
        return 0
    if selector in {code, name_of(code)}:
        return _EXACT
    return len(selector) if code.startswith(selector) else -1


def selector_meant(word: str) -> str | None:
    """A selector as written by a person in its plain form; None where it means no rule."""
    upper = word.upper()
    if upper == EVERY:
        return EVERY
    if _PREFIX.fullmatch(upper) and any(code.startswith(upper) for code in MODULES):
        return upper
    return word.lower() if any(name_of(code) == word.lower() for code in MODULES) else None


def rule_meant(word: str) -> str | None:
    """The code of the one rule that a code or name means; None where it means none."""
    if word.upper() in MODULES:
        return word.upper()
    return next((code for code in MODULES if name_of(code) == word.lower()), None)


def nearest_rule(word: str) -> str | None:
    """The code or name most like a word that means no rule."""
    upper = word.upper()
    if re.search(r"\d", upper):
        alike = [(sum(map(str.__eq__, code, upper)), code) for code in MODULES if len(code) == len(upper)]
        best = max((count for count, _code in alike), default=0)
        if best and best >= len(upper) - 1:
            return next(code for count, code in alike if count == best)
    return nearest(word.lower(), map(name_of, MODULES))
