"""Findings that somebody asks not to hear of, for a reason: in the configuration, or in the registry itself."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from stepflow_gui.formats.own_marks import OWN_MARKS
from stepflow_gui.lint.config.globs import Glob
from stepflow_gui.lint.config.selecting import rule_meant
from stepflow_gui.lint.diagnostic import Diagnostic, Range
from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

FIELDS = ("code", "reason", "until")
_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"

Fault = Literal["not-marks", "not-a-list", "not-an-object", "odd-key", "no-code", "unknown-code", "reason", "until"]


class Excuse(NamedTuple):
    """A suppression as reported: why, until when, and where it is; `pointer` is its place in a registry."""

    code: str
    reason: str
    until: str
    file: Path
    range: Range
    pointer: str | None


class Suppressed(NamedTuple):
    """A finding that isn't reported, without fixes, and every suppression that is for it."""

    found: Diagnostic
    excuses: tuple[Excuse, ...]


class Suppression:
    """Findings of one rule that are not to be reported.

    `step`, `pointer` and `files` narrow down which: findings of the step, at the pointer or below it, in files that
    meet. `fault` is why it is invalid, `odd_key` an unknown key; `span` and `pointer_in` show where in
    `document` it stands, `wrong_span` and `wrong_pointer` where in it the fault or odd key does. `used` and `expired`
    are known after a run.
    """

    __slots__ = (
        *("code", "document", "expired", "fault", "fault_about", "files", "odd_key", "pointer", "pointer_in"),
        *("reason", "span", "step", "until", "used", "wrong_pointer", "wrong_span"),
    )

    def __init__(self, raw: JsonValue, document: AnyDocument, span: Span, pointer_in: str | None = None) -> None:
        self.document = document
        self.span = self.wrong_span = span
        self.pointer_in = self.wrong_pointer = pointer_in
        self.step: str | None = None
        self.pointer: str | None = None
        self.files: Glob | None = None
        self.used = False
        self.expired = False
        self.fault: Fault | None = None
        self.fault_about = ""
        entry = raw if isinstance(raw, dict) else {}
        self.code = rule_meant(_text(entry.get("code"))) or ""
        self.reason = _text(entry.get("reason")).strip()
        self.until = _text(entry.get("until"))
        self.odd_key = ""
        self._judge(raw)

    def _judge(self, raw: JsonValue) -> None:
        if not isinstance(raw, dict):
            self.fault = "not-an-object"
        elif not isinstance(raw.get("code"), str) or not raw["code"]:
            self.fault = "no-code"
        elif not self.code:
            self.fault, self.fault_about = "unknown-code", raw["code"]
        elif not isinstance(raw.get("reason"), str | None):
            self.fault = "reason"
        elif raw.get("until") is not None and not _is_date(self.until):
            self.fault, self.fault_about = "until", self.until

    def set_place(self, item: Node, pointer: str) -> None:
        """Note where in a registry what is wrong with it stands."""
        key = {"unknown-code": "code", "no-code": "code"}.get(self.fault or "", self.fault) or self.odd_key
        member = item.member(key) if key else None
        if member:
            self.wrong_span = member.value.span if self.fault else member.key_span
            self.wrong_pointer = join(pointer, key)

    def expire(self, today: str) -> None:
        """Note whether its day is over. The day itself still counts."""
        self.expired = bool(self.until) and self.fault is None and self.until < today

    def meets(self, found: Diagnostic, registry: Path) -> bool:
        """Whether a finding is one of those."""
        if self.fault or self.expired or found.code != self.code:
            return False
        if self.step is not None and found.step != self.step and not self._is_below_step(found):
            return False
        if self.pointer is not None and not is_below(found.pointer, self.pointer):
            return False
        return self.files is None or self.files.meets(found.file) or self.files.meets(registry)

    def _is_below_step(self, found: Diagnostic) -> bool:
        return self.step is not None and is_below(found.pointer, join("/steps", self.step))


def is_below(pointer: str | None, above: str) -> bool:
    """Whether a pointer is another or below it."""
    return pointer is not None and (pointer == above or pointer.startswith(f"{above}/"))


def suppressions_in(registry: ParsedFile) -> Iterator[Suppression]:
    """Those that a registry names in `x-stepflow` of its root, of steps and of transitions; a piece of movements."""
    if OWN_MARKS not in registry.source.text or registry.root is None:
        return
    root = registry.root
    yield from _of(registry, root, "", None, None)
    if registry.is_yaml:
        from stepflow_gui.formats.takt.detect import movements_of  # registries are JSON

        for name, item, where in movements_of(root):
            yield from _of(registry, item, where, name, None)
        return
    steps = root.get("steps")
    for step in steps.members() if steps else []:
        where = join("/steps", step.key)
        yield from _of(registry, step.value, where, step.key, None)
        transitions = step.value.get("transitions")
        for rule in transitions.members() if transitions else []:
            below = join(where, "transitions", rule.key)
            yield from _of(registry, rule.value, below, None, below)


def _of(registry: ParsedFile, holder: Node, where: str, step: str | None, pointer: str | None) -> Iterator[Suppression]:
    marks = holder.member(OWN_MARKS)
    if marks is None:
        return
    where = join(where, OWN_MARKS)
    if marks.value.kind != "object":
        yield _faulty(registry, marks.value.span, where, step, "not-marks")
        return
    for member in marks.value.members():
        if member.key != "ignore":
            yield _faulty(registry, member.key_span, join(where, member.key), step, "odd-key", member.key)
    listed = marks.value.get("ignore")
    if listed is not None and listed.kind != "array":
        yield _faulty(registry, listed.span, join(where, "ignore"), step, "not-a-list")
        return
    for index, item in enumerate(listed.items() if listed else []):
        suppression = Suppression(item.value, registry, item.span, join(where, "ignore", index))
        suppression.step, suppression.pointer = step, pointer
        suppression.odd_key = next((member.key for member in item.members() if member.key not in FIELDS), "")
        suppression.set_place(item, join(where, "ignore", index))
        yield suppression


def _faulty(
    registry: ParsedFile, span: Span, pointer: str, step: str | None, fault: Fault, about: str = ""
) -> Suppression:
    """A value in the place of suppressions that isn't a valid one."""
    made = Suppression({}, registry, span, pointer)
    made.step, made.fault, made.fault_about = step, fault, about
    return made


def today() -> str:
    """The day, as `until` is written."""
    return time.strftime("%Y-%m-%d")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _is_date(text: str) -> bool:
    if not re.fullmatch(_DATE, text):
        return False
    try:
        time.strptime(text, "%Y-%m-%d")
    except ValueError:
        return False
    return True
