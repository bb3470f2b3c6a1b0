"""What distinguishes steps: the names that refer to them, their prompts and fallback keys."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.lookup import path_of_fields, with_address_parts
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.lint.closest_name import is_likely, nearest, plain

_MOST = 20  # names that are looked for
_MOST_WORDS = 100  # of fallback keys, that one is compared with
_VOWELS = frozenset("aeiouy")
_LOOKED_AT = 100_000  # characters in which pairs of letters are counted
_OF_VERDICTS = frozenset(VALIDATION_STEP_OF_VERDICT.values())  # keys of checks that are no names of steps
_FACETS = ("persona", "instruction", "instruction_template", "agent")
_LONG_NAME = 100  # characters: what is longer is a text
_WORD = re.compile(r"[^\W\d_]{2,}")
WORD_OF_NAME = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+")


class Misnamed(NamedTuple):
    """By the name that is meant: steps whose own is misspelt. `unsure` are names of which nothing tells which it is."""

    steps: dict[str, Step]
    unsure: set[str]


def misnamed_steps(flow: Flow) -> Misnamed:
    """Steps that nothing names as they are called, while a name like theirs is not a step.

    One without blanks at its ends is right, else the one that stands alone in more places of the file: of a step that
    is called rightly the schema, the persona or other transitions have it too. Where both are there as often, it is the
    one of the step's prompt, or that the text has more often, or whose words stand elsewhere as well, or whose letters
    follow each other so elsewhere, or whose words can be spoken.
    """
    unknown: dict[str, None] = {}
    named: set[str] = set()
    for name in _named(flow):
        named.add(name)
        if name and name not in flow.steps:
            unknown[name] = None
    unnamed = [key for key in flow.steps if key not in named] if unknown else []
    evidence = _Evidence(flow) if unnamed else None
    found = Misnamed({}, set())
    for name in list(unknown)[:_MOST]:
        like = nearest(name, unnamed)
        if like is None or evidence is None or not is_likely(like, name):
            continue
        right = evidence.is_right(name, flow.steps[like])
        if right:
            found.steps[name] = flow.steps[like]
            unnamed.remove(like)
        elif right is None:
            found.unsure.add(name)
    return found


def _named(flow: Flow) -> Iterator[str]:
    """The names in entries, transitions, checks and loop monitors, and the `stepId` of steps under another key."""
    for entry in flow.entries:
        if entry.target:
            yield entry.target.value
    for step in flow.steps.values():
        if step.step_id and step.step_id.value != step.id:
            yield step.step_id.value
        for rule in step.transitions:
            targets = (rule.target, *(case.target for case in rule.cases))
            yield from (target.value for target in targets if target and target.value != step.id)
    for monitor in flow.monitors:
        yield from (text.value for text in monitor.cycle)
    checks = flow.document.root.value if flow.document.root is not None else None
    checks = checks.get("validationSteps") if isinstance(checks, dict) else None
    yield from (key for key in checks if key not in _OF_VERDICTS) if isinstance(checks, dict) else ()


class _Evidence:
    """What a file tells of names that a slip parts."""

    def __init__(self, flow: Flow) -> None:
        self.text = flow.document.source.text
        self.alone: Counter[str] = Counter()
        root = flow.document.root
        stack = [root.value] if root is not None else []
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                self.alone.update(value.keys())
                stack.extend(value.values())
            elif isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, str):
                self.alone[value] += 1

    def is_right(self, name: str, step: Step) -> bool | None:
        """Whether a name is more likely right than that of the step; None where nothing tells."""
        own = step.id
        if (own == own.strip()) != (name == name.strip()):
            return name == name.strip()
        pair = step.step_id is not None and step.step_id.value == own  # which goes with its key
        fits = prompt_names(step)
        for wanted, given in (
            ((self.alone[name],), (self.alone[own] - pair,)),
            ((plain(name) in fits,), (plain(own) in fits,)),
            ((count_apart(self.text, name, own),), (count_apart(self.text, own, name) - pair,)),
            (likeliness(name, self.text), likeliness(own, self.text)),
        ):
            if wanted != given:
                return wanted > given
        return None


def prompt_names(step: Step) -> set[str]:
    """The names of a step's prompt, as `plain` makes them: from the parts of its address, its path, its persona."""
    parts = [part.value for part in (step.c2, step.c3, step.edition, step.adaptation) if part]
    names = ["".join(parts[:count]) for count in range(2, len(parts) + 1)]
    if step.prompt_path:
        names.append(step.prompt_path.value.removesuffix(".md"))
    facets = (step.raw.get(key) for key in _FACETS)
    names += [each for each in facets if isinstance(each, str) and len(each) < _LONG_NAME]
    return {plain(each) for each in names} - {""}


def name_words(step: Step) -> set[str]:
    """The words of a step's id, and of the parts of its prompt's address or its path, in lower case."""
    parts = (step.c2, step.c3, step.edition, step.adaptation, step.prompt_path)
    names = [step.id, *(part.value for part in parts if part)]
    return {word.lower() for name in names for word in WORD_OF_NAME.findall(name)}


def likeliness(name: str, text: str) -> tuple[int, int, int]:
    """How likely a name is no slip, to be compared with that of another name that the text has."""
    spoken = sum(not _VOWELS.isdisjoint(word.lower()) for word in _WORD.findall(name))
    return _known_words(name, text), _rarest_pair(name, text), spoken


def _known_words(name: str, text: str) -> int:
    """How many of a name's words a text has elsewhere, less those that it hasn't."""
    times, words = text.count(name), set(_WORD.findall(name))
    return 2 * sum(text.count(word) > times * name.count(word) for word in words) - len(words)


def _rarest_pair(name: str, text: str) -> int:
    """How often a text has elsewhere the two letters of a name that it has least often."""
    looked_at = text[:_LOOKED_AT]
    times = looked_at.count(name)
    pairs = {name[at : at + 2] for at in range(len(name) - 1)}
    return min((looked_at.count(pair) - times * name.count(pair) for pair in pairs), default=0)


def count_apart(text: str, name: str, other: str) -> int:
    """How often a text has a name, those left out that are part of the other one."""
    count = text.count(name)
    return count - text.count(other) if name in other else count


class DistinctValues:
    """The prompts and fallback keys of a flow's steps: no suggestion may give a step those of another."""

    __slots__ = ("_common", "_flow", "_keys", "_tails", "_words")

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        steps = flow.steps.values()
        self._tails = Counter(tail for step in steps if (tail := path_of_fields(flow, step.raw)))
        self._keys = Counter(step.fallback_key.value for step in steps if step.fallback_key)
        self._words: Counter[str] | None = None
        self._common: set[str] = set()

    @property
    def words(self) -> Counter[str]:
        """In how many names the words of fallback keys are: in keys, and in the ids of steps with their addresses."""
        if self._words is None:
            self._words = Counter()
            in_keys: Counter[str] = Counter()
            for step in self._flow.steps.values():
                self._words.update(name_words(step))
                if step.fallback_key:
                    in_keys.update({word.lower() for word in WORD_OF_NAME.findall(step.fallback_key.value)})
            self._words.update(in_keys)
            self._common = {word for word, count in in_keys.most_common(_MOST_WORDS) if count > 1}
        return self._words

    @property
    def common_words(self) -> set[str]:
        """The words that several fallback keys have, the most frequent of very many."""
        return self._common if self.words else set()

    def address_is_free(self, step: Step, field: str, value: str) -> bool:
        """Whether no step has the prompt that the step would have with another part of its address."""
        tail = path_of_fields(self._flow, with_address_parts(step.raw, {field: value}))
        return tail is None or not self._tails[tail]

    def key_is_free(self, key: str) -> bool:
        """Whether no step has this fallback key."""
        return not self._keys[key]

    def may_have_key(self, key: str) -> bool:
        """Whether a step may be given this fallback key: none has it, or several share it already."""
        return self._keys[key] != 1

    def clear(self, wished: list[tuple[Step, str, str]]) -> set[str]:
        """Of steps with a field and the value wished for it: the ids of those that stay apart from all others."""
        tails = {
            step.id: path_of_fields(self._flow, with_address_parts(step.raw, {field: value}))
            for step, field, value in wished
        }
        counted = Counter(tails.values())
        return {step for step, tail in tails.items() if tail is None or (counted[tail] == 1 and not self._tails[tail])}
