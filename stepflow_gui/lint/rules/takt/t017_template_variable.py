"""T017 template-variable.

What it does: reports variables of instructions that releases of TAKT 0.1 to 0.60 which the file is for don't replace,
misspelt or of others; `{cycle_count}` where no loop monitor asks; `{report:x}` of a report that no movement writes, or
since 0.53 may not have written yet. Other braces are left alone.

Why is this bad: the model reads the braces as they are, or the path of a file that is never there.

Fix: write the variable as it is known.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.files import NEWER_FACETS, facet_path, path_of
from stepflow_gui.formats.takt.releases.sets import Releases, named, since, spoken
from stepflow_gui.formats.takt.releases.variables import SAME, VARIABLES, WITH_NAMES, replaced_by
from stepflow_gui.formats.takt.sections import SectionEntry, is_path, is_word, report_names, sections_of
from stepflow_gui.lint.closest_name import slip_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.keyed_objects import unread_nodes
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, judges
from stepflow_gui.lint.rules.takt.release_words import runner, takes_any, wanted_releases
from stepflow_gui.lint.rules.takt.reports_written import reports_written_before
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

RULE = Rule("T017", "template-variable", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("Implement {task} as", "Implement {Task} as"))
GOOD = piece()

_BRACES = re.compile(r"\{([^{}\n]{1,80})\}")
_REPORT = "report:"
_READING_REPORTS = since("0.53.0")  # the text, where there was only a path before
_MARKS = re.compile(r"\d+|(?<![^\W\d_])[^\W\d_](?![^\W\d_])")  # names that differ in them are of different reports
_PLAIN = re.compile(r"[A-Za-z_]+")


_SECTION = "instructions"


class _InstructionText(NamedTuple):
    """An instruction: the text of a span. `pointer` is None in a file of its own, and `named` then where it is named.

    `step` is the first that it belongs to, None for that of a judge; `in_judge` whether a judge is asked with it.
    """

    document: AnyDocument
    span: Span
    pointer: str | None
    step: str | None
    in_judge: bool
    named: Text | None = None

    def sides(self, context: RuleContext) -> list[Side]:
        """Where the piece names its file."""
        if self.named is None:
            return []
        return [Side(context.registry, self.named.span, self.named.pointer, _("the piece names the file here"))]


def _templates(context: RuleContext) -> list[_InstructionText]:
    """Every instruction that can be read, each once."""
    found: dict[tuple[Path, int], _InstructionText] = {}
    entries = sections_of(context.registry.root).get(_SECTION, {})
    owned = [(place.step, (place.parent or place.step).id) for place in all_steps(context)]
    for step, owner in [*owned, *((judge, None) for judge in judges(context))]:
        for each in _of(step, owner, entries, context):
            key = each.document.path, each.span.start
            first = found.setdefault(key, each)
            if each.in_judge and not first.in_judge:
                found[key] = first._replace(in_judge=True)
    return list(found.values())


def _of(
    step: Step, owner: str | None, entries: dict[str, SectionEntry], context: RuleContext
) -> Iterator[_InstructionText]:
    for key in ("instruction_template", "instruction"):
        node = step.node.get(key)
        if node is None or not isinstance(node.value, str):
            continue
        text = Text(node.value, node.span, join(step.pointer, key))
        entry = entries.get(text.value) if key == "instruction" else None
        if entry is not None and entry.value is not None and entry.value.value:
            text = entry.value
        if is_path(text.value):
            yield from _file(path_of(text.value, context.flow), text, owner, context)
        elif key == "instruction" and entry is None and is_word(text.value):
            if context.takt.facets:
                yield from _file(facet_path(text.value, _SECTION, context.flow, NEWER_FACETS), text, owner, context)
        else:
            yield _InstructionText(context.registry, text.span, text.pointer, owner, owner is None)


def _file(path: Path, named: Text, owner: str | None, context: RuleContext) -> Iterator[_InstructionText]:
    """A file's text; T014 and SF707 speak of those that don't exist or lie outside."""
    document = context.folder.text(path) if context.folder.exists(path) else None
    if document is not None and not isinstance(document, ReadProblem):
        yield _InstructionText(document, Span(0, len(document.source.text)), None, owner, owner is None, named)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every instruction: those in the file, and those in files of their own."""
    steps = [step for step, _parent in all_steps(context)]
    reports = {name.value for step in steps for name in report_names(step)}
    for unread in unread_nodes(context):  # T025 and T021 speak of those
        reports |= {node.value for node in unread.nodes() if isinstance(node.value, str)}
    whole = not any(step.unread or step.node.get("uses") or step.kind == "call" for step in steps)
    reading = wanted_releases(context) & _READING_REPORTS
    before = reports_written_before(context) if whole and reports and reading else {}
    # Where no movement writes one, another workflow may have done so, or no release reads it.
    wanted, root = wanted_releases(context), context.registry.root
    alone = reading >> max(wanted.bit_length() - 1, 0) & 1 and root is not None and root.get("subworkflow") is None
    known = reports if whole and (reports or alone) else None
    templates = _templates(context)
    meant = _meant(templates, context)
    for template in templates:
        yield from _look(template, known, meant, context)
        if template.step in before:
            yield from _too_early(template, reports - before[template.step], context)


def _too_early(template: _InstructionText, unsure: set[str], context: RuleContext) -> Iterator[Finding]:
    """Reports that some path to the movement doesn't write."""
    for found in _BRACES.finditer(template.document.source.text, template.span.start, template.span.end):
        name = found[1].removeprefix(_REPORT)
        if found[1].startswith(_REPORT) and name in unsure:
            text = _("A run may reach “{step}” without the report “{file}”, which is read here: {runner} aborts it")
            yield Finding(
                text.format(step=template.step, file=name, runner=runner(context, _READING_REPORTS)),
                Span(found.start(), found.end()),
                template.pointer,
                template.step,
                document=template.document,
                sides=template.sides(context),
            )


def _meant(templates: list[_InstructionText], context: RuleContext) -> Releases:
    """The releases that the file is for by its variables, too, where nothing else chooses among those of its keys."""
    meant = wanted_releases(context)
    if takes_any(context):
        for template in templates:
            for found in _BRACES.finditer(template.document.source.text, template.span.start, template.span.end):
                meant = meant & (_replacing(found[1]) or meant) or meant
    return meant


def _replacing(name: str) -> Releases | None:
    """The releases that replace a variable; None for what none does."""
    scope, colon, rest = name.partition(":")
    return VARIABLES.get(name) or (WITH_NAMES.get(scope + colon) if rest else None)


def _look(
    template: _InstructionText, reports: set[str] | None, meant_for: Releases, context: RuleContext
) -> Iterator[Finding]:
    written = template.document.source.text
    for found in _BRACES.finditer(written, template.span.start, template.span.end):
        name, span = found[1], Span(found.start(), found.end())
        wrong = _message_of(name, reports, meant_for, context, in_judge=template.in_judge)
        if wrong is None:
            continue
        message, meant = wrong
        proposals: list[Proposal] = []
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=f"{{{meant}}}")
            edit = TextEdit(span.start, span.end, f"{{{meant}}}")
            proposals = [Proposal(_("Write “{word}”").format(word=f"{{{meant}}}"), [(template.document, edit)])]
        yield Finding(
            message,
            span,
            template.pointer,
            template.step,
            document=template.document,
            sides=template.sides(context) if name.startswith(_REPORT) else (),
            proposals=proposals,
        )


def _message_of(
    name: str, reports: set[str] | None, wanted: Releases, context: RuleContext, *, in_judge: bool
) -> tuple[str, str | None] | None:
    """The message about what is used instead of braces, and what was meant; None for what is right, or prose."""
    replacing = _replacing(name)
    if name == "cycle_count" and not in_judge:
        return _("“{{cycle_count}}” is replaced for judges of loop monitors only").format(), None
    if replacing is not None:
        if not wanted & ~replacing or not context.releases:  # unknown for a broken text
            return None
        text = _("{runner} leaves “{{{name}}}” as it is: it is replaced by TAKT {releases}")
        text = text.format(name=name, runner=named(wanted & ~replacing), releases=spoken(replacing))
        words = next((group for group in SAME if name in group), ())
        return text, next((word for word in words if not wanted & ~VARIABLES[word]), None)
    known = replaced_by(wanted)
    if name.startswith(_REPORT):
        file = name.removeprefix(_REPORT)
        if reports is None or file in reports or "{" in file:
            return None
        meant = slip_of(file, (each for each in reports if _marks(each) == _marks(file)))
        text = _("No movement writes the report “{file}”").format(file=file)
        return text, f"report:{meant}" if meant else None
    tidy = name.strip().lower().replace(" ", "_").replace("-", "_")
    if tidy in known:
        return _("“{{{name}}}” is not a variable: it stays as it is").format(name=name), tidy
    if tidy.startswith("report:") and tidy != name and not name.startswith(_REPORT):
        return _("“{{{name}}}” is not a variable: it stays as it is").format(
            name=name
        ), f"report:{name.partition(':')[2].strip()}"
    meant = _near(name, known)
    return (_("“{{{name}}}” is not a variable: it stays as it is").format(name=name), meant) if meant else None


def _marks(report: str) -> list[str]:
    """The numbers and single letters of a report's name: by them reports of one kind differ, and not by a slip."""
    return _MARKS.findall(PurePosixPath(report).stem)


def _near(name: str, known: tuple[str, ...]) -> str | None:
    """A variable that differs in no more than a letter or two of a long word."""
    if not _PLAIN.fullmatch(name):
        return None
    if "_" not in name:
        return slip_of(name, (word for word in known if "_" not in word and name != f"{word}s"))
    from difflib import get_close_matches  # few texts have such braces

    close = get_close_matches(name, known, n=1, cutoff=0.88)
    return close[0] if close else None
