"""The parser of all commands: any order, one name a thing, what was probably meant, what values may be."""

from pathlib import Path

import pytest

from stepflow_gui.cli.main import COMMANDS
from stepflow_gui.cli.parser import RENAMED, Parser, ValueType, integer, number

from .conftest import Run, Write

PIECE = """\
name: p
initial_movement: only
movements:
  - name: only
    instruction: Work.
    rules:
      - condition: done
        next: COMPLETE
"""


@pytest.fixture
def parser() -> Parser:
    made = Parser("stepflow try", "A command.")
    made.words.add_argument("paths", nargs="*")
    made.options.add_argument("-o", "--output")
    made.options.add_argument("-q", "--quiet", action="store_true")
    made.options.add_argument("--format", choices=("text", "json"), default="text")
    made.options.add_argument("--seed", type=integer(), default=0)
    made.options.add_argument("--only", action="append")
    return made


@pytest.mark.parametrize(
    ("words", "paths", "output", "quiet"),
    [
        (["a", "--output", "f", "b", "-q", "c"], ["a", "b", "c"], "f", True),
        (["--output=f", "a", "b", "c", "--quiet"], ["a", "b", "c"], "f", True),
        (["a", "-qo", "f", "b"], ["a", "b"], "f", True),
        (["a", "-of", "b"], ["a", "b"], "f", False),
        (["a", "-o=f", "b"], ["a", "b"], "f", False),
        (["a", "-o", "-", "-"], ["a", "-"], "-", False),
        (["-q", "--", "-q", "--output"], ["-q", "--output"], None, True),
        (["a", "--", "b"], ["a", "b"], None, False),
        (["a", "--output="], ["a"], "", False),
    ],
)
def test_arguments_and_options_in_any_order(
    parser: Parser, words: list[str], paths: list[str], output: str | None, quiet: bool
) -> None:
    found = parser.read(words)
    assert (found.paths, found.output, found.quiet) == (paths, output, quiet)


def test_a_negative_number_is_a_value(parser: Parser) -> None:
    assert parser.read(["a", "--seed", "-3", "b"]).seed == -3


def test_an_option_given_twice_keeps_both_values_in_order(parser: Parser) -> None:
    assert parser.read(["--only", "x", "a", "--only=y"]).only == ["x", "y"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ouptut", "f"], "unknown option --ouptut. Did you mean “--output”?"),
        (["--out", "f"], "unknown option --out. Did you mean “--output”?"),
        (["-x"], "unknown option -x"),
        (["-qx"], "unknown option -x"),
        (["--zzz"], "unknown option --zzz"),
        (["--output"], "--output needs a value"),
        (["-o"], "-o needs a value"),
        (["--output", "--quiet"], "--output needs a value"),
        (["--quiet=yes"], "--quiet doesn't take a value"),
        (["--format", "jsn"], "invalid value 'jsn' for --format: choose from text, json. Did you mean “json”?"),
        (["--seed", "x"], "invalid value 'x' for --seed: expected an integer"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_meant(
    parser: Parser, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        parser.read(words)
    assert stopped.value.code == 2
    assert capsys.readouterr().err == f"stepflow try: {said}\nTry “stepflow try --help”.\n"


def _fits(kind: ValueType, text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "good", "bad", "expected"),
    [
        (integer(1), {"1": 1, "20": 20}, ["0", "-1", "1.5", "x", ""], "an integer ≥ 1"),
        (integer(), {"-4": -4}, ["x", "1.0"], "an integer"),
        (number(0), {"0": 0.0, "2.5": 2.5}, ["-1", "nan", "inf", "x"], "a number ≥ 0"),
        (number(0, above=True), {"0.1": 0.1}, ["0", "-1", "nan", "inf"], "a number > 0"),
        (number(0.05, 20), {"0.05": 0.05, "20": 20.0}, ["0.04", "20.1", "nan"], "a number from 0.05 to 20"),
    ],
)
def test_ranges_are_held_and_named(kind: ValueType, good: dict[str, float], bad: list[str], expected: str) -> None:
    assert {text: kind(text) for text in good} == good
    for text in bad:
        assert not _fits(kind, text), text
    assert kind.expected() == expected


# One name a thing


def test_earlier_names_stand_for_the_present_ones(parser: Parser) -> None:
    assert parser.read(["--output-file", "f"]).output == "f"
    assert parser.read(["--output-file=f"]).output == "f"
    assert parser.read(["--json"]).format == "json"


def test_earlier_names_are_shown_nowhere(run: Run) -> None:
    for command in COMMANDS:
        out = run(command, "--help").out
        assert [name for name in RENAMED if name in out.replace(",", " ").split()] == [], command


def test_an_option_means_the_same_in_all_commands() -> None:
    """Short names, and whether there is a value, are those of the first command that has the option."""
    seen: dict[str, tuple[tuple[str, ...], bool]] = {}
    other = {"--coverage"}  # traces to draw in export, a list to print in test
    for name, command in COMMANDS.items():
        for section in command.parser().sections:
            for action in section.actions:
                if not action.option_strings:
                    continue
                long = Parser.name_of(action)
                shape = (tuple(action.option_strings), action.nargs == 0)
                if long not in other:
                    assert seen.setdefault(long, shape) == shape, (name, long)


@pytest.mark.parametrize("option", [["--format", "json"], ["--json"]])
def test_machine_output_is_chosen_alike(option: list[str], run: Run, write_agent: Write) -> None:
    agent = write_agent()
    for command in (
        ["rules"],
        ["diff", agent, agent],
        ["run", agent, "--explore"],
        ["convert", agent, "--to", "c3l"],
    ):
        out = run(*command, *option).out
        assert out.startswith("{"), command


# What applies to which file


def test_options_of_the_other_kind_of_file_are_refused(run: Run, write_agent: Write) -> None:
    agent = write_agent()
    for words, said in (
        (["run", agent, "--random", "1", "--task", "x"], "--task is only for TAKT pieces"),
        (["run", agent, "--random", "1", "--interactive"], "--interactive is only for TAKT pieces"),
        (["convert", agent, "--to", "closing", "--move-settings"], "--move-settings is only for TAKT pieces"),
        (["run", agent, "--random", "1", "--max-cost", "1"], "--max-cost needs --anthropic"),
        (["run", agent, "--explore", "--seed", "3"], "--seed needs --random"),
        (["run", agent, "--random", "1", "--format", "json"], "--format needs --explore"),
        (["run", agent, "--random", "1", "--runtime", "takt-0.27"], "invalid value 'takt-0.27' for --runtime: choose"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert said in err


def test_options_of_agents_are_refused_for_a_piece(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / "p.yaml"
    piece.write_text(PIECE, "utf-8")
    assert run("run", piece, "--random", "1").code == 0
    for words, said in (
        (["run", piece, "--random", "1", "--arg", "a=b"], "--arg is only for agents"),
        (["run", piece, "--explore", "--all-entries"], "--all-entries is only for agents"),
        (["run", piece, "--random", "1", "--runtime", "climpt-2026-03-14"], "invalid value 'climpt-2026-03-14'"),
        (["run", piece, "--explore", "--task", "x"], "--task can't be used with --explore"),
        (["test", piece, "--junit", "x.xml"], "--junit is only for agents"),
        (["convert", piece, "--checks", "enum"], "--checks is only for agents"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert said in err


def test_a_script_in_yaml_is_not_what_is_run(run: Run, write_agent: Write, tmp_path: Path) -> None:
    """Only the argument names what is run, whatever other files the options name."""
    piece = tmp_path / "script.yaml"
    piece.write_text(PIECE, "utf-8")
    code, _out, err = run("run", "--script", piece, write_agent())
    assert code == 2
    assert "script.yaml" in err
    assert "TAKT" not in err


def test_the_help_of_a_run_shows_all_options_in_groups(run: Run) -> None:
    out = run("run", "--help").out
    titles = [line for line in out.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles[2:] == [
        "Responder (you, in a terminal, if none is chosen):",
        "Run:",
        "With --explore or --log:",
        "Logs of real runs:",
        "With --anthropic:",
        "Agents only:",
        "TAKT pieces only:",
    ]
    assert "--arg NAME=VALUE" in out
    assert "--task TEXT" in out


# Help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_its_help(command: str, run: Run) -> None:
    assert run("help", command) == run(command, "--help")


def test_help_alone_lists_the_commands(run: Run) -> None:
    assert run("help") == run("--help")


def test_help_of_an_unknown_command_names_the_nearest(run: Run) -> None:
    code, out, err = run("help", "exprot")
    assert (code, out) == (2, "")
    assert err.splitlines()[0] == "stepflow help: unknown command “exprot”. Did you mean “export”?"
