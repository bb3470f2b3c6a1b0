"""The configuration: where it is found, what it sets, and the messages about its mistakes."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.config import Configs, Options
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.rules.table import rule_module
from stepflow_gui.project.agent_folder import AgentFolder
from tests.lint.conftest import Open

STEP = "/steps/initial.issue"
BROKEN = {f"{STEP}/fallbackKey": "initial-issue", "/entryStepMapping/poll:state": "gone"}


@pytest.fixture
def broken(open_example: Open) -> AgentFolder:
    """The example with an SF501 and an SF402."""
    return open_example(BROKEN)


def configure(agent: AgentFolder, text: str, name: str = "stepflow.toml") -> Path:
    """Write a configuration two folders above the agent's."""
    path = agent.folder.parent.parent / name
    path.write_text(text, "utf-8")
    return path


def found(*agents: AgentFolder, options: Options | None = None) -> list[Diagnostic]:
    return judge(agents, configs=Configs(options)).diagnostics


def codes(*agents: AgentFolder, options: Options | None = None) -> list[str]:
    return sorted(each.code for each in found(*agents, options=options))


def problems(agent: AgentFolder) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.message) for problem in Configs().of(agent.registry.path).problems]


# Where it is


def test_without_one_all_rules_are_on(broken: AgentFolder) -> None:
    assert codes(broken) == ["SF402", "SF501"]


@pytest.mark.parametrize("name", ["stepflow.toml", ".stepflow.toml"])
def test_it_is_found_upward(name: str, broken: AgentFolder) -> None:
    configure(broken, 'ignore = ["SF501"]', name)
    assert codes(broken) == ["SF402"]


def test_the_nearest_holds_alone(broken: AgentFolder) -> None:
    configure(broken, 'ignore = ["SF501"]')
    (broken.folder / "stepflow.toml").write_text('ignore = ["SF402"]', "utf-8")
    assert codes(broken) == ["SF501"]


def test_in_a_folder_the_hidden_file_goes_first(broken: AgentFolder) -> None:
    configure(broken, 'ignore = ["SF501"]')
    configure(broken, 'ignore = ["SF402"]', ".stepflow.toml")
    assert codes(broken) == ["SF501"]


def test_a_table_of_pyproject_serves_and_others_are_passed_over(broken: AgentFolder) -> None:
    configure(broken, '[tool.stepflow]\nignore = ["SF501"]\n', "pyproject.toml")
    (broken.folder / "pyproject.toml").write_text('[project]\nname = "stepflow"\n[tool.ruff]\n', "utf-8")
    assert codes(broken) == ["SF402"]


def test_comments_alone_are_no_wish(broken: AgentFolder) -> None:
    configure(broken, "# the project's root\n\n")
    assert codes(broken) == ["SF402", "SF501"]
    assert problems(broken) == []


def test_another_file_can_be_named_or_none(broken: AgentFolder, tmp_path: Path) -> None:
    configure(broken, 'ignore = ["SF501"]')
    other = tmp_path / "other.toml"
    other.write_text('ignore = ["SF402"]', "utf-8")
    assert codes(broken, options=Options(file=other)) == ["SF501"]
    assert codes(broken, options=Options(isolated=True)) == ["SF402", "SF501"]


# What it sets


def test_the_command_line_goes_before(broken: AgentFolder) -> None:
    configure(broken, 'select = ["SF4"]\nignore = ["SF402"]')
    assert codes(broken) == []
    assert codes(broken, options=Options(select=["SF402"])) == ["SF402"]
    assert codes(broken, options=Options(extend=["SF501"])) == ["SF501"]
    assert codes(broken, options=Options(select=["ALL"], ignore=["SF4"])) == ["SF501"]


def test_severities(broken: AgentFolder) -> None:
    configure(broken, '[severity]\nSF4 = "info"\nfallback-key-form = "warning"')
    assert {each.code: each.severity for each in found(broken)} == {"SF402": "info", "SF501": "warning"}


def test_settings_for_some_paths(broken: AgentFolder) -> None:
    configure(
        broken,
        '[[per-path]]\npaths = [".agent/issue-flow/"]\nignore = ["SF501"]\n[per-path.severity]\nSF402 = "warning"\n',
    )
    assert [(each.code, each.severity) for each in found(broken)] == [("SF402", "warning")]
    assert codes(broken, options=Options(select=["SF5"])) == []


def test_settings_for_a_schema_meet_the_findings_in_it(open_example: Open) -> None:
    agent = open_example({"issue.schema.json#/odd": "\ud800", f"{STEP}/name": "\ud800"})
    assert codes(agent) == ["SF003", "SF003"]
    configure(agent, '[[per-path]]\npaths = ["**/schemas/*.json"]\nignore = ["SF003"]\n')
    assert [each.file.name for each in found(agent)] == ["steps_registry.json"]


def test_the_runner_by_format_and_by_path(open_example: Open) -> None:
    agent = open_example(rule_module("SF223").BAD)
    registry = agent.registry.path

    def runtime() -> str | None:
        return Configs().of(registry).runtime(registry, "closing")

    configure(agent, 'runtime = "guide"')
    assert runtime() == "guide"
    assert [(each.code, each.severity) for each in found(agent)] == [("SF223", "info")]
    configure(agent, '[runtime]\nclosing = "climpt-2026-04-20"\nc3l = "guide"')
    assert runtime() == "climpt-2026-04-20"
    configure(agent, 'runtime = "guide"\n[[per-path]]\npaths = ["**"]\nruntime = "climpt-2026-04-01"')
    assert runtime() == "climpt-2026-04-01"
    assert Configs(Options(runtime="guide")).of(registry).runtime(registry, "closing") == "guide"


def test_the_format_of_registries(broken: AgentFolder) -> None:
    registry = broken.registry.path
    configure(broken, 'format = "c3l"\n[[per-path]]\npaths = ["nothing/"]\nformat = "complete"')
    assert Configs().of(registry).format(registry) == "c3l"
    assert Configs(Options(format="closing")).of(registry).format(registry) == "closing"


def test_more_fallback_keys(broken: AgentFolder) -> None:
    configure(broken, 'fallback-keys = ["ours_initial"]')
    settings = Configs().of(broken.registry.path).settings(broken.registry.path, "closing")
    assert settings.fallback_keys == {"ours_initial"}


# What it gets wrong


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (
            'select = ["SF201"]\nignore = [\n  "SF402",\n  "SF20l",\n]',
            4,
            "there is no rule “SF20l”. Did you mean “SF20",
        ),
        ('[severity]\n"enum-mismatch" = "info"', 2, "there is no rule “enum-mismatch”"),
        ('\nigonre = ["SF402"]', 2, "unknown key “igonre”. Did you mean “ignore”?"),
        ('[severity]\nSF201 = "warn"', 2, "“severity.SF201” can't be “warn”; it is one of error, warning, info, off"),
        ('runtime = "climpt-2026-03-15"', 1, "“runtime” can't be “climpt-2026-03-15”"),
        ('runtime = "takt-9-9"', 1, "takt-X.Y, takt-X.Y..X.Y"),
        ('[runtime]\ntakt = "takt-0.27..0.12"', 2, "takt-X.Y..X.Y. Did you mean “takt-0.12..0.27”?"),
        ('[runtime]\nclosing = "x"', 2, "“runtime.closing” can't be “x”"),
        ("select = 7", 1, "“select” must be a list of strings"),
        ("strict = 1", 1, "“strict” must be true or false"),
        ("severity = 3", 1, "“severity” must be a table"),
        ("per-path = [3]", 1, "“per-path” must be a table"),
        ("[per-path]\nignore = []", 1, "“per-path” must be a list of tables, each headed [[per-path]]"),
        ("ignore = [7]", 1, "“ignore” must be a list of strings"),
        ("[[per-path]]\npaths = 7", 2, "“per-path.paths” must be a list of strings"),
        ("[[suppress]]\ncode = nan", 2, "“suppress.code” must be a string"),
        ('[[suppress]]\ncode = ""', 2, "“suppress.code” is empty"),
        ('[[per-path]]\nignore = ["SF402"]\npaths = []', 3, "“paths” names no files"),
        ('[[per-path]]\npaths = [""]', 2, "“per-path.paths” is empty"),
        ('fallback-keys = [""]', 1, "“fallback-keys” is empty"),
        ('baseline = ""', 1, "“baseline” is empty"),
        (
            '[[suppress]]\ncode = "SF501"\nreason = "x"\nuntil = ""',
            4,
            "“until” must be a date such as 2030-12-31, and is “”",
        ),
        ('[runtime]\nclosin = "guide"', 2, "there is no format “closin”. Did you mean “closing”?"),
        ('[[per-path]]\npaths = ["*"]\nruntime = {xyz = "guide"}', 3, "there is no format “xyz”"),
        ('[[per-path]]\nignore = ["SF4"]', 1, "“per-path” has no “paths”"),
        ('[[suppress]]\nreason = "x"', 1, "“suppress” has no “code”"),
        ('[[suppress]]\nreason = "x"\ncode = "SF5"', 3, "there is no rule “SF5”"),
        ('[[suppress]]\ncode = "SF501"\nreason = "x"\nuntil = "soon"', 4, "“until” must be a date such as 2030-12-31"),
        ('[[suppress]]\ncode = "SF501"\nreason = "x"\npointer = "steps"', 4, "a JSON Pointer begins with “/”"),
        ("ignore = [", 1, "not TOML: "),
        ("a = 1\na = 2", 2, "not TOML: "),
    ],
)
def test_errors_name_their_line_and_the_rest_holds(text: str, line: int, says: str, broken: AgentFolder) -> None:
    configure(broken, text)
    ((where, message),) = problems(broken)
    assert where == line
    assert says in message
    assert set(codes(broken)) <= {"SF402", "SF501", "SF095"}


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ('step = ""', "“suppress.step” is empty"),
        ("step = 7", "“suppress.step” must be a string"),
        ('pointer = ""', "“suppress.pointer” is empty"),
        ('path = ""', "“suppress.path” is empty"),
        ("reason = 7", "“suppress.reason” must be a string"),
        ('stepp = "initial.issue"', "unknown key “stepp”. Did you mean “step”?"),
    ],
)
def test_a_suppression_that_is_wrong_in_part_hides_nothing(key: str, says: str, broken: AgentFolder) -> None:
    configure(broken, f'[[suppress]]\ncode = "SF501"\n{key}\n')
    assert problems(broken) == [(3, says)]
    assert codes(broken) == ["SF402", "SF501"]


def test_errors_are_reported_in_the_order_of_their_lines(broken: AgentFolder) -> None:
    configure(broken, 'ignore = ["SF9x"]\nruntime = 3\nselect = ["SF8x"]\n')
    assert [line for line, _message in problems(broken)] == [1, 2, 3]


def test_errors_in_pyproject_name_their_line_too(broken: AgentFolder) -> None:
    configure(broken, '[project]\nname = "x"\n\n[tool.stepflow]\nignore = ["SF20l"]\n', "pyproject.toml")
    assert problems(broken)[0][0] == 5
    configure(broken, "[tool]\nstepflow = 7\n", "pyproject.toml")
    assert problems(broken) == [(2, "“tool.stepflow” must be a table")]


def test_numbers_and_nesting_without_end_are_reported(broken: AgentFolder) -> None:
    configure(broken, "x = " + "9" * 5000)
    assert problems(broken) == [(None, "a number in it is too long")]
    configure(broken, "x = " + "[" * 5000 + "]" * 5000)
    assert problems(broken) == [(None, "it is nested too deeply")]


def test_what_has_its_name_and_is_no_file_is_reported(broken: AgentFolder) -> None:
    path = configure(broken, "")
    path.unlink()
    path.mkdir()
    assert problems(broken) == [(None, "can't be read (it is a folder)")]
    path.rmdir()
    path.symlink_to("gone.toml")
    assert problems(broken) == [(None, "can't be read (file not found)")]
    path.unlink()
    path.symlink_to(path.name)
    assert problems(broken) == [(None, "can't be read (Too many levels of symbolic links)")]


def test_a_pyproject_that_is_named_must_have_the_table(broken: AgentFolder) -> None:
    path = configure(broken, "[tool.other]\n", "pyproject.toml")
    named = Configs(Options(file=path)).of(broken.registry.path).problems
    assert [problem.message for problem in named] == ["there is no table [tool.stepflow] in it"]


def test_what_is_no_text_is_reported(broken: AgentFolder) -> None:
    configure(broken, "").write_bytes(b"\xff\xfe")
    assert problems(broken) == [(None, "not UTF-8 text")]
    assert codes(broken) == ["SF402", "SF501"]


# What has no effect


def test_a_pattern_that_meets_no_file_is_a_finding(broken: AgentFolder) -> None:
    path = configure(broken, '[[per-path]]\npaths = ["**/*.json", "legacy/**"]\nignore = ["SF402", "SF501"]')
    (finding,) = found(broken)
    assert (finding.code, finding.file) == ("SF095", path)
    assert finding.range.start[:2] == (2, 23)


def test_a_pattern_for_files_outside_the_run_is_none(broken: AgentFolder) -> None:
    other = broken.folder.parent / "other" / "steps_registry.json"
    other.parent.mkdir()
    other.write_text("{}", "utf-8")
    configure(broken, '[[per-path]]\npaths = [".agent/other/"]\nignore = ["SF5"]')
    assert codes(broken) == ["SF402", "SF501"]


def test_rules_about_the_configuration_can_be_off_too(broken: AgentFolder) -> None:
    configure(broken, 'ignore = ["SF095"]\n[[per-path]]\npaths = ["legacy/**"]\nignore = ["SF5"]')
    assert codes(broken) == ["SF402", "SF501"]
