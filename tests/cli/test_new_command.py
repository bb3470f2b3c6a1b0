"""`stepflow new`: what each template makes lints clean and runs to its end."""

import json
from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.messages import LANGUAGES
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.templates import templates
from stepflow_gui.run.agent_run import RunOptions
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.scripts.flow_tests import flow_test_files, run_flow_test

from .conftest import Run

EVERY = tuple(template.id for template in templates())
AGENTS = tuple(template.id for template in templates() if template.opened("x").startswith(".agent/"))
PIECES = tuple(each for each in EVERY if each not in AGENTS)
RUNTIMES = {
    "closing": ("guide", "climpt-2026-03-14", "climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20"),
    "complete": ("guide", "climpt-2026-01-18"),
    "checks": ("guide", "climpt-2026-01-09"),
    "adt-kind-address": ("guide", "climpt-1.14"),
}
"""Every runtime that loads registries of a format."""


@pytest.fixture(scope="module", params=LANGUAGES)
def project(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder with an agent of every template, named by it, in either language."""
    from stepflow_gui.cli.main import main

    folder = tmp_path_factory.mktemp("project")
    for template in EVERY:
        words = [template, str(folder), "--name", f"{template}-1", "--title", f"The “{template}”"]
        assert main(["new", *words, "--lang", request.param]) == 0
    return folder


def agent(project: Path, template: str) -> AgentFolder:
    (path,) = (project / each.opened(f"{template}-1") for each in templates() if each.id == template)
    found = open_agent(path)
    assert isinstance(found, AgentFolder)
    return found


@pytest.mark.parametrize("template", EVERY)
def test_what_it_makes_has_neither_errors_nor_warnings(template: str, project: Path, run: Run) -> None:
    found = agent(project, template)
    meant = next(each for each in templates() if each.id == template)
    assert found.format == meant.format
    code, out, _err = run("lint", "--strict", "--format", "json", found.registry.path)
    severe = [each for each in json.loads(out)["diagnostics"] if each["severity"] != "info"]
    assert (code, severe) == (0, [])


@pytest.mark.parametrize("template", EVERY)
def test_an_agent_alone_in_its_project_is_clean_too(template: str, tmp_path: Path, run: Run) -> None:
    assert run("new", template, tmp_path).code == 0
    assert (tmp_path / "stepflow.toml").is_file() == (template in AGENTS)
    code, out, _err = run("lint", "--strict", "--format", "json", tmp_path)
    assert (code, [each for each in json.loads(out)["diagnostics"] if each["severity"] != "info"]) == (0, [])


@pytest.mark.parametrize("template", PIECES)
def test_every_rule_of_a_piece_has_a_target_and_one_path_completes_it(template: str, project: Path, run: Run) -> None:
    piece = agent(project, template).registry.path
    assert run("test", piece).code == 0
    code, out, _err = run("run", "--explore", piece)
    assert code == 0
    taken, _of, rules = next(line for line in out.splitlines() if "rules are taken" in line).split()[:3]
    assert taken == rules
    assert "The piece is complete." in out


@pytest.mark.parametrize("template", AGENTS)
def test_its_scripts_visit_every_step_and_end_well(template: str, project: Path) -> None:
    found = agent(project, template)
    tested = [run_flow_test(found, file, Simulated(), RunOptions()) for file in flow_test_files(found)]
    assert tested, f"resources/templates/{template} has no script in flow_tests of its agent"
    assert [test.failures for test in tested] == [()] * len(tested)
    left = set(found.flow.steps) - {step for test in tested for step in test.path}
    assert not left, f"no script in flow_tests of resources/templates/{template} visits {left}"
    assert all(test.ran is not None and test.ran.state.outcome and test.ran.state.outcome.success for test in tested)


@pytest.mark.parametrize(
    ("template", "runtime"),
    [(each.id, runtime) for each in templates() if each.id in AGENTS for runtime in RUNTIMES[each.format]],
)
def test_it_loads_and_passes_its_flow_tests_under_every_runtime_of_its_format(
    template: str, runtime: str, project: Path, run: Run
) -> None:
    found = agent(project, template)
    assert not [each for each in lint(found, LintSettings(runtime)) if each.severity == "error"]
    code, out, err = run("test", found.folder, "--runtime", runtime, "--simulate")
    assert code == 0, out + err
    assert err == ""


def test_every_step_has_a_prompt_and_the_prompt_engine_knows_its_words(project: Path) -> None:
    for template in AGENTS:
        found = agent(project, template)
        for step in found.flow.steps.values():
            assert any(path.is_file() for path in found.prompt_candidates(step)), step.id
        if found.format != "checks":
            words = (project / ".agent/climpt/config" / f"{template}-1-steps-user.yml").read_text("utf-8")
            assert all(step.c3 and step.c3.value in words for step in found.flow.steps.values())


def test_it_names_what_it_wrote_and_how_to_open_it(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("new", "minimal")
    assert (code, err) == (0, "")
    *files, last = out.splitlines()
    assert sorted(files) == sorted(
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*") if path.is_file()
    )
    assert last == "Open it: stepflow .agent/my-agent"
    code, out, err = run("new", "minimal")
    assert (code, out) == (2, "")
    assert err == (
        "stepflow new: An agent “my-agent” already exists\nChoose another with --name: “my-agent-2” is free.\n"
    )


def test_the_templates_are_listed_in_both_languages(run: Run) -> None:
    code, out, _err = run("new", "--list")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == list(EVERY)
    assert "プロジェクトフロー" in run("new", "--list", "--lang", "ja").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("projct-flow",), "Did you mean “project-flow”?"),
        (("zzz",), "--list"),
        ((), "--list"),
        (("minimal", ".", "--name", "../up"), "lower-case letters"),
        (("minimal", "file"), "is a file"),
        (("minimal", "--title", "a\nb"), "one line"),
    ],
)
def test_a_wrong_word_is_reported_and_nothing_written(
    words: tuple[str, ...], said: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    code, out, err = run("new", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_hint_where_the_configuration_is_not_ours_to_change(tmp_path: Path, run: Run) -> None:
    (tmp_path / "stepflow.toml").write_text("strict = true\n")
    code, out, _err = run("new", "complete-flow", tmp_path / "part")
    assert code == 0
    assert "is unchanged" in out
    assert (tmp_path / "stepflow.toml").read_text() == "strict = true\n"
