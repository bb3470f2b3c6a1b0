"""What a conversion leaves has no finding that the agent hadn't, where a fix of Stepflow's own would settle it."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.migrating.migration import MigrationRefusal, migrated
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.conversion import TARGETS, convert
from stepflow_gui.project.converting.writing import changes_of
from stepflow_gui.project.creating.templates import templates
from stepflow_gui.text.source import Source
from tests.conftest import Thin
from tests.lint.prompts.test_corpus import laid_out
from tests.project.converting.agents import from_template, on_disk, opened
from tests.seeds.documents import CHECKS

PROMPTS = {  # a begun one says nearly nothing, and the model would be shown it
    "SF506": "a prompt that doesn't exist: today the run stops or a built-in one is used instead",
    "SF608": "a retry prompt that doesn't exist: today a more general one is shown",
    "T013": "a label of an older report, which becomes a format: which text is meant is for the author to choose",
}
AS_BEFORE = {  # true of the agent before, too, where these rules don't speak of its format: a fix would change the run
    "SF606": "which values a retry prompt asks for, and validators give",
    "SF816": "a limit of one iteration: with two the model is asked once more",
}
TEMPLATES = tuple(each.id for each in templates() if each.format != "takt")


def counted(found: Iterable[Diagnostic]) -> Counter[str]:
    return Counter(each.code for each in found if each.severity in {"error", "warning"})


def settled(before: AgentFolder, after: AgentFolder, texts: dict[Path, Source]) -> dict[str, int]:
    """The findings that the agent has after and hadn't before, by code, which their own fixes settle."""
    had, has = counted(lint(before)), counted(lint(after))
    new = has - had
    left_alone = {*PROMPTS, *(code for code in AS_BEFORE if not rule_module(code).RULE.applies_to(before.format))}
    if not new.keys() - left_alone:
        return {}
    fixed = fix_all([after], lint, any_fixes, texts)
    fixable = {each.diagnostic.code for each in fixed.applied} - left_alone
    left = counted(lint(fixed.agents[0])) - had
    return {code: count - left[code] for code, count in new.items() if code in fixable and count > left[code]}


def after_conversions(agent: AgentFolder) -> dict[str, object]:
    """What `settled` gives for each conversion that is offered; only those where it is something."""
    found: dict[str, object] = {}
    for target in TARGETS:
        for checks in ("verification", "enum") if agent.flow.format == "checks" else ("verification",):
            made = convert(agent, target, checks)
            if isinstance(made, Refusal):
                continue
            assert made.after.flow.format == target
            texts = {change.path: change.after for change in changes_of(made)}
            new = settled(agent, agent.with_buffers(texts).read_as(target), texts)
            found |= {f"{target}, {checks}": new} if new else {}
    return found


@pytest.mark.parametrize("template", TEMPLATES)
def test_of_templates(template: str, tmp_path: Path, checkout: Path) -> None:
    assert after_conversions(from_template(tmp_path, checkout, template)) == {}


def test_of_the_documented_flow_with_checks(tmp_path: Path) -> None:
    assert after_conversions(on_disk(tmp_path, CHECKS)) == {}


@pytest.mark.slow
def test_of_real_agents(corpus: Path, tmp_path: Path, thin: Thin) -> None:
    """One agent in twenty; --full: each. Their prompts are laid out empty."""
    snapshots = sorted(file.parent for file in (corpus / "climpt").rglob("prompts.txt"))
    assert len(snapshots) > 80
    found = {
        str(each): after_conversions(laid_out(each, tmp_path / str(n))) for n, each in enumerate(thin(snapshots, 20))
    }
    assert {name: new for name, new in found.items() if new} == {}


@pytest.mark.slow
def test_of_real_pieces(corpus: Path, thin: Thin) -> None:
    """One piece in three; --full: each."""
    pieces = sorted((corpus / "takt").rglob("pieces/*.yaml"))
    assert len(pieces) > 20
    for path in thin(pieces, 3):
        agent = opened(path)
        made = migrated(agent.registry.source, releases_of_runtime("takt-latest") or 0)
        if agent.format == "takt" and not isinstance(made, MigrationRefusal):
            texts = {agent.registry.path: agent.registry.source.with_text(made.text)}
            assert settled(agent, agent.with_buffers(texts), texts) == {}, path


def test_an_empty_prompt_moves_too(tmp_path: Path, checkout: Path) -> None:
    agent = from_template(tmp_path, checkout, "complete-flow")
    (agent.folder / "prompts/steps/complete/issue/f_default.md").write_text("", "utf-8")
    made = convert(opened(agent.folder), "closing")
    assert not isinstance(made, Refusal)
    moved = agent.folder / "prompts/steps/closure/issue/f_default.md"
    assert {change.path: change.after.text for change in changes_of(made)}[moved] == ""


def test_what_moves_twice_is_written_once(tmp_path: Path, checkout: Path) -> None:
    agent = from_template(tmp_path, checkout, "complete-flow")
    text = agent.registry.source.text.replace('"c3": "issue"', '"c3": "bigIssue"')
    agent.registry.path.write_text(text, "utf-8")
    for c2 in ("initial", "continuation", "complete"):
        folder = agent.folder / "prompts/steps" / c2
        (folder / "issue").rename(folder / "bigIssue")
    made = convert(opened(agent.folder), "c3l")
    assert not isinstance(made, Refusal)
    written = {path.parent.name for path in made.edits if path.suffix == ".md"}
    assert written == {"big-issue"}
    assert all(path.exists() for path in made.unused)
