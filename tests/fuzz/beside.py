"""What Stepflow itself reads beside an agent: scripts, traces, settings, places of steps, texts that weren't saved."""

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from stepflow_gui.formats import layout_sidecar
from stepflow_gui.formats.layout_sidecar import Position
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.toml_completion import TomlTable, toml_about, toml_completions
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import apply, inverse
from stepflow_gui.text.files.journal import Journal
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.source import Source
from tests.fuzz.agents import command
from tests.fuzz.cases import Case, Cases, Draw, lay_out
from tests.fuzz.mutations import mutated
from tests.fuzz.originals import Original, template

_TRACE = "trace.jsonl"
_TOML = """# rules
select = ["ALL", 'SF2']
ignore = ["SF605"]
strict = true
baseline = "baseline.json"
fallback-keys = ["a", "b"]
runtime = { closing = "guide", takt = "head" }
[severity]
SF301 = "warning"
[[per-path]]
paths = [".agent/**", "!x", "a[b-c]?/{d,e}"]
ignore = ["SF5"]
[[suppress]]
code = "SF5"
paths = ["**/*.json"]
until = "2030-01-01"
reason = '''why
so'''
"""
_IGNORE = "*.log\n/build/\n!keep\n**/x/*.json\na[!b-d]?\n\\#no\n# yes\ndir/**/\n"


def _mutating(original: Callable[[], Mapping[str, str]], *changed: str) -> Draw:
    """Cases of files of which one of some names has mistakes."""

    def draw(chance: random.Random) -> Case:
        files = dict(original())
        name = chance.choice([name for name in files if name.endswith(changed)])
        files[name] = mutated(files[name], name, chance)
        return Case(files, chance.getrandbits(32))

    return draw


def _opened(original: Original, folder: Path) -> AgentFolder:
    agent = open_agent(folder / original.registry)
    assert isinstance(agent, AgentFolder)
    return agent


# Scripts


@cache
def _scripted() -> dict[str, str]:
    files = dict(template("verified-flow").files)
    lines = [{"step": "initial.task", "intent": "next"}, {"validator": "git-clean", "passed": True, "times": 2}]
    files[f"{_tests_of(files)}/lines.jsonl"] = "".join(json.dumps(line) + "\n" for line in lines)
    return files


def _tests_of(files: Mapping[str, str]) -> str:
    return next(name for name in files if "flow_tests" in name).rpartition("/")[0]


def _check_script(case: Case, folder: Path) -> None:
    files = dict(case.files)
    original = template("verified-flow")
    lay_out({**{name: text for name, text in original.files.items() if "flow_tests" not in name}, **files}, folder)
    command("test", _opened(original, folder), "--simulate", "--max-iterations", "60", "--junit", str(folder / "r.xml"))


@cache
def _scripted_piece() -> dict[str, str]:
    return template("takt-piece").files


def _check_piece_script(case: Case, folder: Path) -> None:
    original = template("takt-piece")
    lay_out({**{name: text for name, text in original.files.items() if "flow_tests" not in name}, **case.files}, folder)
    command("test", _opened(original, folder), "--coverage")


# Traces


@cache
def _traced() -> dict[str, str]:
    import tempfile

    original = template("issue-flow")
    with tempfile.TemporaryDirectory() as folder:
        lay_out(original.files, Path(folder))
        trace = Path(folder) / _TRACE
        command("run", _opened(original, Path(folder)), "--random", "1", "--seed", "3", "--trace", str(trace))
        return {_TRACE: trace.read_text("utf-8")}


def _check_trace(case: Case, folder: Path) -> None:
    original = template("issue-flow")
    lay_out({**original.files, **case.files}, folder)
    if _TRACE in case.files:
        command("run", _opened(original, folder), "--replay", str(folder / _TRACE), "--simulate")


# Settings


def _configured() -> dict[str, str]:
    baseline = '{"version": 1, "findings": [{"file": "a.json", "code": "SF101", "key": "x", "count": 1}]}\n'
    return {"stepflow.toml": _TOML, "baseline.json": baseline, ".gitignore": _IGNORE}


def _check_settings(case: Case, folder: Path) -> None:
    original = template("issue-flow-broken")
    lay_out({**original.files, **case.files}, folder)
    (folder / ".git").mkdir()
    agent = _opened(original, folder)
    config = Configs().of(agent.registry.path)
    assert all(problem.message for problem in config.problems)
    found = lint_as_configured(agent.registry.path)
    assert isinstance(found, list | ReadProblem)
    find_registries(folder)
    command("lint", agent, "--jobs", "1", "--exit-zero")
    text = case.files.get("stepflow.toml", "")
    chance = random.Random(case.choices)
    table = TomlTable(CONFIG, (), lambda _path: [])
    for _time in range(4):
        caret = chance.randint(0, len(text))
        offered = toml_completions(table, text, caret)
        assert 0 <= offered.span.start <= caret <= offered.span.end <= len(text)
        toml_about(table, text, caret)


# Places of steps


def _placed() -> dict[str, str]:
    places = {"a": [1, 2], "b": [3.5, -4], "closure.issue": [0, 0], "initial.issue": [1e3, 2]}
    lines = ",\n".join(f"    {json.dumps(step)}: {json.dumps(place)}" for step, place in places.items())
    return {"x.layout.json": f'{{\n  "version": 1,\n  "steps": {{\n{lines}\n  }}\n}}\n'}


def _check_places(case: Case, folder: Path) -> None:
    chance = random.Random(case.choices)
    text = case.files.get("x.layout.json", "")
    document = ParsedFile(folder / "x.layout.json", read_json(Source(text)))
    before = layout_sidecar.positions(document)
    if layout_sidecar.problem(document) is not None:
        return
    steps = [*before, "new", "a", "b"]
    wanted: dict[str, Position | None] = {
        chance.choice(steps): None if chance.random() < 0.3 else (chance.uniform(-1e4, 1e4), float(chance.randrange(9)))
        for _time in range(chance.randint(1, 4))
    }
    edits = layout_sidecar.with_positions(document, wanted)
    after = apply(text, edits)
    assert apply(after, inverse(text, edits)) == text
    now = layout_sidecar.positions(ParsedFile(document.path, read_json(Source(after))))
    expected = {**before, **{step: place for step, place in wanted.items() if place is not None}}
    for step, place in expected.items():
        if wanted.get(step, ()) is None:
            assert step not in now, step
        else:
            assert now[step] == tuple(round(part, 1) for part in place) or step not in wanted, step
    layout_sidecar.renamed(document, chance.choice(steps), chance.choice(steps))


# Texts that weren't saved


@cache
def _unsaved() -> dict[str, str]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        for name in ("one", "two", "three"):
            journal.note(Path(f"/nowhere/{name}.json"), Source(f"text of {name}"), Source("before"))
        journal.leave()
        found = {
            file.relative_to(folder).as_posix(): file.read_text("utf-8")
            for file in sorted(Path(folder).rglob("*"))
            if file.is_file()
        }
    home = next(iter(found)).partition("/")[0]
    return {name.replace(home, "left"): text for name, text in found.items()}


def _check_journal(case: Case, folder: Path) -> None:
    lay_out(case.files, folder)
    journal = Journal(folder)
    whole = {name for name, text in case.files.items() if name.endswith(".json") and _unsaved().get(name) == text}
    found = journal.left()
    if "left/lock" in case.files:
        assert len(found) >= len(whole), "a damaged entry hides others"
    for each in found:
        assert each.fits in {True, False}
        journal.discard_left(each)
    assert {each.path for each in journal.left()} == set()
    journal.close()


SCRIPTS = Cases("scripts", _mutating(_scripted, "flow_tests/happy.yaml", "uncommitted.yaml", ".jsonl"), _check_script)
PIECE_SCRIPTS = Cases("piece-scripts", _mutating(_scripted_piece, "happy.yaml"), _check_piece_script)
TRACES = Cases("traces", _mutating(_traced, _TRACE), _check_trace)
SETTINGS = Cases("settings", _mutating(_configured, ".toml", ".json", ".gitignore"), _check_settings)
PLACES = Cases("places", _mutating(_placed, ".json"), _check_places)
JOURNALS = Cases("journals", _mutating(_unsaved, ".json", ".base", "lock"), _check_journal)
