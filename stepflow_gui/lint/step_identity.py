"""What distinguishes steps: the names that refer to them, their prompts and fallback keys."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.lookup import path_of_fields, with_address_parts
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.lint.closest_name import is_likely, nearest, plain

if TYPE_CHECKING:
    from stepflow_gui.lint.name_evidence import NameEvidence

WORD_OF_NAME = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+")
_MOST = 20  # names that are looked for
_MOST_WORDS = 100  # of fallback keys, that one is compared with
_OF_VERDICTS = frozenset(VALIDATION_STEP_OF_VERDICT.values())  # keys of checks that are not names of steps
_FACETS = ("persona", "instruction", "instruction_template", "agent")
_IDS = ("stepId", "id")
_LONG_NAME = 100  # characters: what is longer is a text


class Misnamed(NamedTuple):
    """By the name that is meant: steps whose own is misspelt. `unsure` are names of which nothing tells which it is."""

    steps: dict[str, Step]
    unsure: set[str]


def misnamed_steps(flow: Flow, evidence: "Callable[[], NameEvidence]") -> Misnamed:
    """Steps that nothing names as they are called, where evidence is for a name like theirs that is not a step.

    `evidence` is called once a name is unknown.
    """
    unknown: dict[str, None] = {}
    named: set[str] = set()
    for name in _named(flow):
        named.add(name)
        if name and name not in flow.steps:
            unknown[name] = None
    unnamed = [key for key in flow.steps if key not in named] if unknown else []
    found = Misnamed({}, set())
    for name in list(unknown)[:_MOST] if unnamed else ():
        like = nearest(name, unnamed)
        if like is None or not is_likely(like, name):
            continue
        step = flow.steps[like]
        pair = step.step_id is not None and step.step_id.value == like  # which goes with its key
        right = evidence().is_right(name, like, names_of_step(step), pair=pair)
        if right:
            found.steps[name] = step
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


def unused_copies(flow: Flow) -> dict[str, str]:
    """By step: the earlier one that it is a copy of, where nothing goes to it yet. Of it the stepId may be another."""
    alike: dict[Hashable, list[Step]] = {}
    for step in flow.steps.values():
        texts = (step.name, step.c2, step.c3, step.edition, step.adaptation, step.prompt_path)
        alike.setdefault(tuple(text and text.value for text in texts), []).append(step)
    several = [group for group in alike.values() if len(group) > 1]
    named = _led_to(flow) if several else set()
    found = {}
    for first, *others in several:
        found.update({step.id: first.id for step in others if step.id not in named and _is_copy(step, first)})
    return found


def _led_to(flow: Flow) -> set[str]:
    """The steps that entries and other steps' transitions name."""
    named = {move.target for move in flow.moves() if move.target and move.target != move.step}
    return named | {entry.target.value for entry in flow.entries if entry.target}


def _is_copy(step: Step, other: Step) -> bool:
    own, others = ({key: value for key, value in each.raw.items() if key not in _IDS} for each in (step, other))
    return bool(own) and own == others


def names_of_step(step: Step) -> set[str]:
    """What a step is called besides its id, as `plain` makes it: as `prompt_names`, and by its schema."""
    schema = step.schema_ref.schema if step.schema_ref else None
    return prompt_names(step) | ({plain(schema.value.rpartition("/")[2])} - {""} if schema else set())


def prompt_names(step: Step) -> set[str]:
    """The names of a step's prompt, as `plain` makes them: of its address, its path, its built-in one, its persona."""
    parts = [part.value for part in (step.c2, step.c3, step.edition, step.adaptation) if part]
    names = ["".join(parts[:count]) for count in range(2, len(parts) + 1)]
    if step.prompt_path:
        names.append(step.prompt_path.value.removesuffix(".md"))
    if step.fallback_key:
        names.append(step.fallback_key.value)
    facets = (step.raw.get(key) for key in _FACETS)
    names += [each for each in facets if isinstance(each, str) and len(each) < _LONG_NAME]
    return {plain(each) for each in names} - {""}


def name_words(step: Step) -> set[str]:
    """The words of a step's id, and of the parts of its prompt's address or its path, in lower case."""
    parts = (step.c2, step.c3, step.edition, step.adaptation, step.prompt_path)
    names = [step.id, *(part.value for part in parts if part)]
    return {word.lower() for name in names for word in WORD_OF_NAME.findall(name)}


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
