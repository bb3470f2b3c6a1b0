"""Agents and pieces with mistakes in them: read, linted, fixed, exported, converted, explored, run, changed."""

import contextlib
import io
import json
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from stepflow_gui.cli.main import COMMANDS
from stepflow_gui.export.formats import FORMATS as EXPORTS
from stepflow_gui.formats.change import plan
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.memory import LintMemory
from stepflow_gui.lint.fixing import any_fixes, fix_all, safe_fixes
from stepflow_gui.lint.report.table import FORMATS as REPORTS
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.completion import completions_at
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.hover import about
from stepflow_gui.project.assist.renaming import renamable_at
from stepflow_gui.project.converting.conversion import TARGETS, convert
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.edit import TextEdit, apply, inverse
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source
from tests.fuzz import originals
from tests.fuzz.cases import Case, Cases, Draw, lay_out
from tests.fuzz.changes import check_claims, random_change
from tests.fuzz.mutations import mutated, tree_of

_MUTABLE = (".json", ".yaml", ".yml", ".toml", ".md")
_DEEDS_A_CASE = 3
_PLACES = 6  # of the caret
_CHANGES = 8
_FIXES = 15
_EDITS = 4


def of_kind(original: Callable[[random.Random], originals.Original]) -> Draw:
    """Cases of such projects: most often the registry or piece has the mistakes, else any file."""

    def draw(chance: random.Random) -> Case:
        files, registry = original(chance)
        names = [name for name in files if name.endswith(_MUTABLE)]
        chosen = registry if chance.random() < 0.7 else chance.choice(names)
        return Case({**files, chosen: mutated(files[chosen], chosen, chance)}, chance.getrandbits(32))

    return draw


def check(case: Case, folder: Path) -> None:
    """Do with a project what a person might."""
    lay_out(case.files, folder)
    chance = random.Random(case.choices)
    registry = _registry(case.files, folder)
    for deed in chance.sample(DEEDS, _DEEDS_A_CASE):
        agent = open_agent(registry)  # again: one of them may have written the files
        if isinstance(agent, ReadProblem):
            assert describe(agent)
            return
        with _in(folder):
            deed(agent, chance)


def _registry(files: Mapping[str, str], folder: Path) -> Path:
    marks = ("steps_registry.json", "/pieces/", "/workflows/")
    found = next((name for name in files if any(mark in f"/{name}" for mark in marks)), "")
    return folder / found


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


# What is done


def _lint(agent: AgentFolder, chance: random.Random) -> None:
    found = lint_as_configured(agent.registry.path)
    assert not isinstance(found, ReadProblem)
    for each in found:
        _inside(each, agent)
    fixes = [fix for each in found for fix in each.fixes]
    for fix in chance.sample(fixes, min(_FIXES, len(fixes))):
        edits: dict[Path, list[TextEdit]] = {}
        for edit in fix.edits:
            span = TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text)
            edits.setdefault(edit.file, []).append(span)
        _laid(agent, edits)


def _fix(agent: AgentFolder, chance: random.Random) -> None:
    choosing = chance.choice((safe_fixes, any_fixes))
    fixed = fix_all([agent], lint, choosing)
    for change in fixed.changes:
        assert change.before is None or change.before != change.after
        if change.before is not None and _is_sound(change.path, change.before):
            assert _is_sound(change.path, change.after), f"fixes break {change.path.name}: {change.after.text!r}"
    if fixed.converged:
        again = fix_all(fixed.agents, lint, choosing, {change.path: change.after for change in fixed.changes})
        assert not again.changes, "what was fixed to the end is fixed once more"


def _change(agent: AgentFolder, chance: random.Random) -> None:
    for _time in range(_CHANGES):
        change = random_change(agent, chance)
        planned = plan(agent, change)
        if isinstance(planned, Refusal):
            assert planned.reason, change
            continue
        after = _laid(agent, planned.edits)
        if after is not None:
            check_claims(agent, after, change)


def _assist(agent: AgentFolder, chance: random.Random) -> None:
    documents = [agent.registry, *([agent.agent_document] if agent.agent_document else [])]
    for _time in range(_PLACES):
        document = chance.choice(documents)
        offset = chance.randint(0, len(document.source.text))
        found = completions_at(agent, document, offset)
        assert 0 <= found.span.start <= found.span.end <= len(document.source.text)
        definitions_at(agent, document, offset)
        references_at(agent, document, offset)
        why_no_definition(agent, document, offset)
        about(agent, document, offset)
        renamable_at(agent, document, offset)


def _convert(agent: AgentFolder, chance: random.Random) -> None:
    if agent.format == "takt":
        command("convert", agent, "--to", "workflow", *chance.choice(([], ["--format", "json"], ["--write"])))
        return
    found = convert(agent, chance.choice(TARGETS), chance.choice(("verification", "enum")))
    if isinstance(found, Refusal):
        assert found.reason
        return
    _laid(agent, found.edits)
    lint(found.after)


def _export(agent: AgentFolder, chance: random.Random) -> None:
    name = chance.choice([name for name, each in EXPORTS.items() if not each.painted])
    file = Path(f"out{EXPORTS[name].endings[0]}")
    done = command("export", agent, "--output", str(file))
    if done.code == 0 and name == "json":
        json.loads(file.read_text("utf-8"))
    elif done.code == 0 and name == "svg":
        ET.parse(file)


def _explore(agent: AgentFolder, chance: random.Random) -> None:
    if chance.random() < 0.5:
        command("run", agent, "--explore", *chance.choice(([], ["--format", "json"], ["--all-entries"])))
        return
    folder = f"{agent.folder}/flow_tests/found"
    found = command("run", agent, "--explore", "--write-scripts", folder)
    if found.code < 2 and agent.format != "takt" and Path(folder).is_dir():
        tested = command("test", agent, "--simulate", "--only", "found")
        assert "FAILED  found" not in tested.out, tested.out


def _run(agent: AgentFolder, chance: random.Random) -> None:
    chosen = ["--seed", str(chance.randrange(99)), "--max-iterations", "40", "--simulate"]
    if agent.format == "takt" or chance.random() < 0.3:
        command("run", agent, "--random", "3", *chosen)
        return
    before = command("run", agent, "--random", "1", *chosen, "--trace", "run.jsonl")
    if before.code < 2:
        again = command("run", agent, "--replay", "run.jsonl", "--max-iterations", "40", "--simulate")
        assert "parts from the trace" not in again.out, again.out


def _test(agent: AgentFolder, _chance: random.Random) -> None:
    command("test", agent, "--simulate", "--coverage", "--max-iterations", "40")


def _report(agent: AgentFolder, chance: random.Random) -> None:
    form = chance.choice(tuple(REPORTS))
    said = command("lint", agent, "--format", form, "--jobs", "1").out
    if form in {"json", "sarif", "gitlab"}:
        json.loads(said)
    elif form == "junit":
        ET.fromstring(said)


def _write(agent: AgentFolder, chance: random.Random) -> None:
    """Fix or convert on disk: files that could be read can be read then."""
    sound = {path: _is_sound(path, source) for path, source in _on_disk(agent).items()}
    way = chance.choice((["lint", "--unsafe-fixes"], ["lint", "--fix"], ["convert", "--write"]))
    target = [] if way[0] == "lint" else ["--to", "workflow" if agent.format == "takt" else chance.choice(TARGETS)]
    command(way[0], agent, *way[1:], *target)
    for path, source in _on_disk(agent).items():
        assert not sound.get(path) or _is_sound(path, source), f"{way} breaks {path.name}: {source.text!r}"


def _on_disk(agent: AgentFolder) -> dict[Path, Source]:
    found = {path: read(path) for path in agent.root.rglob("*.[jy]*") if path.is_file()}
    return {path: source for path, source in found.items() if isinstance(source, Source)}


def _baseline(agent: AgentFolder, _chance: random.Random) -> None:
    """What a baseline was written of isn't found again."""
    if command("lint", agent, "--write-baseline", "known.json").code == 0:
        again = command("lint", agent, "--baseline", "known.json", "--format", "concise")
        assert again.code == 0, again.out


def _type(agent: AgentFolder, chance: random.Random) -> None:
    """Lint after each of some edits, with a memory of those before, as a window does."""
    memory, path, text = LintMemory(), agent.registry.path, agent.registry.source.text
    for _time in range(_EDITS):
        text = mutated(text, path.name, chance) if chance.random() < 0.7 else agent.registry.source.text
        unsaved = {path: Source(text)}
        assert lint_as_configured(path, unsaved, memory=memory) == lint_as_configured(path, unsaved)


def _compare(agent: AgentFolder, chance: random.Random) -> None:
    copy = agent.registry.path.with_name(f"copy-{agent.registry.path.name}")
    copy.write_bytes(mutated(agent.registry.source.text, copy.name, chance).encode("utf-8", "replace"))
    command("diff", agent, str(copy), "--format", chance.choice(("text", "json")))


Deed = Callable[[AgentFolder, random.Random], None]
DEEDS: Sequence[Deed] = (
    *(_lint, _lint, _fix, _fix, _change, _assist, _convert, _convert),
    *(_export, _explore, _run, _test, _report, _compare, _type, _write, _write, _baseline),
)


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str


def command(name: str, agent: AgentFolder, *options: str) -> Said:
    """Run a command as on the command line; whatever it can't do it reports by its exit code."""
    out, errors = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = COMMANDS[name].run([str(agent.registry.path), *options])
    except SystemExit as stop:
        code = 2 if stop.code == 2 else 99
    assert code in {0, 1, 2}, f"{name} ends with {code}"
    assert code != 2 or errors.getvalue().strip(), f"{name} {options} says nothing of what it can't do"
    assert "failed inside" not in errors.getvalue(), errors.getvalue()
    return Said(code, out.getvalue())


# What is looked at


def _inside(found: Diagnostic, agent: AgentFolder) -> None:
    assert found.message.strip()
    source = _source(agent, found.file)
    if source is not None:
        assert 0 <= found.range.start.offset <= found.range.end.offset <= len(source.text), found


def _source(agent: AgentFolder, path: Path) -> Source | None:
    document = agent.document(path) if path.suffix == ".json" or path == agent.registry.path else agent.text(path)
    return None if isinstance(document, ReadProblem) else document.source


def _is_sound(path: Path, source: Source) -> bool:
    if path.suffix not in {".json", ".yaml", ".yml"}:
        return True
    tree = tree_of(source.text, path.name)
    return tree.valid


def _laid(agent: AgentFolder, edits: Edits) -> AgentFolder | None:
    """Apply edits to the texts and take them back. Gives the agent after them; None where a text has mistakes."""
    sound = True
    buffers: dict[Path, Source] = {}
    for path, listed in edits.items():
        before = _source(agent, path) or Source("")
        for edit in listed:
            assert 0 <= edit.start <= edit.end <= len(before.text), (path.name, edit)
        after = apply(before.text, listed)
        assert apply(after, inverse(before.text, listed)) == before.text, path.name
        buffers[path] = before.with_text(after)
        if _is_sound(path, before):
            assert _is_sound(path, buffers[path]), (path.name, listed)
        else:
            sound = False
    after_all = agent.with_buffers(buffers)
    return after_all if sound else None


AGENTS = Cases("agents", of_kind(originals.agent), check)
PIECES = Cases("pieces", of_kind(originals.piece), check)
