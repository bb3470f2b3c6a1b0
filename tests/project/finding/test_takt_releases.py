"""What lies around a piece narrows the releases of TAKT that it is for; what contradicts it is said."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.takt.releases.sets import written
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.outcome import judge, judge_one
from stepflow_gui.lint.report.json import json_report
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.takt_releases import name_of_releases, releases_of_piece

STEPS = "  - name: a\n    persona: You work.\n    instruction: Do it.\n    rules: [{condition: ok, next: COMPLETE}]\n"
PIECE = f"name: x\ninitial_movement: a\nmovements:\n{STEPS}"
WORKFLOW = f"name: x\ninitial_step: a\nsteps:\n{STEPS}"
OWN = {"pieces": "0.8.0-alpha.1–0.35.4", "workflows": "0.34.0–head"}
ON_GITHUB = '{"dependencies": {"takt": "github:nrslib/takt#v0.28.1"}}'
PNPM = "packages:\n\n  takt@0.35.4:\n    resolution: {}\n"
LOCKED = {"packages": {"node_modules/takt": {"version": "0.35.3"}}}


def _agent(tmp_path: Path, files: dict[str, str], folder: str = "pieces") -> AgentFolder:
    text = PIECE if folder == "pieces" else WORKFLOW
    for name, content in {**files, f".takt/{folder}/x.yaml": text}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    agent = open_agent(tmp_path / ".takt" / folder / "x.yaml")
    assert isinstance(agent, AgentFolder)
    return agent


def _found(agent: AgentFolder, runtime: str | None = None) -> tuple[str, list[str], list[str]]:
    found = releases_of_piece(agent.registry.path, agent.registry.tree, runtime)
    by, against = ([each.source for each in some] for some in (found.narrowed_by, found.against))
    return written(found.releases), by, against


@pytest.mark.parametrize(
    ("folder", "files", "releases", "by"),
    [
        ("pieces", {}, OWN["pieces"], []),
        ("pieces", {"package.json": '{"devDependencies": {"takt": "0.27.0"}}'}, "0.27.0", ["package.json"]),
        ("pieces", {"package.json": '{"dependencies": {"takt": "^0.35.1"}}'}, "0.35.1–0.35.4", ["package.json"]),
        (
            "pieces",
            {"package.json": ON_GITHUB},
            "0.28.1",
            ["package.json"],
        ),
        ("pieces", {"package-lock.json": json.dumps(LOCKED, indent=2)}, "0.35.3", ["package-lock.json"]),
        ("pieces", {"yarn.lock": 'takt@^0.35.0:\n  version "0.35.2"\n'}, "0.35.2", ["yarn.lock"]),
        (
            "pieces",
            {"pnpm-lock.yaml": PNPM},
            "0.35.4",
            ["pnpm-lock.yaml"],
        ),
        ("workflows", {"node_modules/takt/package.json": '{"version": "0.39.0"}'}, "0.39.0", ["node_modules/takt"]),
        ("pieces", {".tool-versions": "nodejs 22.1.0\nnpm:takt 0.27.0\n"}, "0.27.0", [".tool-versions"]),
        ("workflows", {"mise.toml": '[tools]\n"npm:takt" = "0.50.0"\n'}, "0.50.0", ["mise.toml"]),
        ("workflows", {".github/workflows/ci.yml": "run: npx takt@0.41.0 x\n"}, "0.41.0", [".github/workflows/ci.yml"]),
        ("pieces", {".takt/facets/personas/a.md": "A"}, "0.22.0–0.35.4", [".takt/facets"]),
        ("pieces", {".takt/personas/a.md": "A"}, "0.9.0–0.21.0", [".takt/personas"]),
        ("workflows", {".takt/runtime.yaml": "{}"}, "0.56.0–head", [".takt/runtime.yaml"]),
        ("pieces", {".takt/config.yaml": "piece: x\n"}, "0.8.0-alpha.1–0.29.0", [".takt/config.yaml"]),
        ("workflows", {".takt/config.yaml": "workflow_command_gates: {}\n"}, "0.43.0–head", [".takt/config.yaml"]),
        ("pieces", {".takt/pieces/b.yaml": PIECE + "max_movements: 5\n"}, "0.12.0–0.35.4", ["pieces/"]),
        ("workflows", {".takt/config.yaml": "piece: x\n"}, OWN["workflows"], []),
    ],
)
def test_what_lies_around_narrows_the_releases(
    folder: str, files: dict[str, str], releases: str, by: list[str], tmp_path: Path
) -> None:
    assert _found(_agent(tmp_path, files, folder))[:2] == (releases, by)


def test_a_setting_counts_for_more(tmp_path: Path) -> None:
    agent = _agent(tmp_path, {"package.json": '{"dependencies": {"takt": "0.27.0"}}'})
    assert _found(agent, "takt-0.20") == ("0.20.1", [], [])


def test_what_contradicts_the_file_is_said_beside_it(tmp_path: Path) -> None:
    agent = _agent(tmp_path, {"package.json": '{"dependencies": {"takt": "0.50.0"}}', ".takt/runtime.yaml": "{}"})
    assert _found(agent) == (OWN["pieces"], [], ["package.json", ".takt/runtime.yaml"])
    assert name_of_releases(agent.flow) == "TAKT 0.8–0.35, against package.json, .takt/runtime.yaml"
    said = sorted([(each.severity, each.message) for each in lint(agent) if each.code == "T030"], reverse=True)
    assert said == [
        ("warning", "package.json pins TAKT 0.50, and the file is for TAKT 0.8–0.35"),
        ("info", ".takt/runtime.yaml is for TAKT 0.56+, and the file is for TAKT 0.8–0.35"),
    ]


def test_a_pin_of_a_release_that_drops_something_is_what_findings_are_about(tmp_path: Path) -> None:
    agent = _agent(tmp_path, {"package.json": '{"dependencies": {"takt": "0.35.4"}}'})
    agent.registry.path.write_text(PIECE + "max_iterations: 5\n", encoding="utf-8")
    opened = open_agent(agent.registry.path)
    assert isinstance(opened, AgentFolder)
    (found,) = [each.message for each in lint(opened) if each.code == "T025"]
    assert found.startswith("TAKT 0.35.4 doesn't know “max_iterations” here") or "0.35.4 drops it" in found


def test_the_json_report_names_it(tmp_path: Path) -> None:
    agent = _agent(tmp_path, {"package.json": '{"dependencies": {"takt": "0.27.0"}}', ".takt/runtime.yaml": "{}"})
    assert judge_one(agent, None).releases is not None
    report = json.loads(json_report(judge([agent]), tmp_path))
    assert report["releases"] == {".takt/pieces/x.yaml": "0.27.0"}
    assert report["evidence"] == {
        ".takt/pieces/x.yaml": {"narrowedBy": ["package.json"], "against": [".takt/runtime.yaml"]}
    }


@pytest.mark.parametrize("text", ["{", "[]", '{"dependencies": []}', '{"dependencies": {"takt": 3}}', "\x00"])
def test_a_file_that_cant_be_read_tells_nothing(text: str, tmp_path: Path) -> None:
    files = dict.fromkeys(("package.json", "package-lock.json", ".takt/config.yaml", ".takt/pieces/b.yaml"), text)
    assert _found(_agent(tmp_path, files)) == (OWN["pieces"], [], [])
