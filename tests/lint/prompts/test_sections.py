"""Variables of prompt sections: `section.*` steps, which are not steps of a run."""

import pytest

from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint
from tests.lint.prompts.test_prompts import INITIAL, STEP, of

PROJECT_FACTS = ["project_number", "project_title", "label_info", "current_index", "total_issues"]
SECTION = {
    "/steps/section.project": {
        "stepId": "section.project",
        "name": "Project",
        "c2": "section",
        "c3": "project",
        "edition": "default",
        "uvVariables": PROJECT_FACTS,
    }
}
SECTION_PROMPT = "prompts/steps/section/project/f_default.md"


def test_a_section_knows_the_project_of_the_issue(lint_example: Lint) -> None:
    used = " ".join(f"{{uv-{name}}}" for name in PROJECT_FACTS)
    found = lint_example(changed(SECTION, texts={SECTION_PROMPT: f"Project {used}\n"}))
    assert not [each for each in found if each.code in {"SF508", "SF509", "SF510"}]
    step = {f"{STEP}/uvVariables": ["project_title"]}
    (of_step,) = of("SF510", lint_example(changed(step, texts={INITIAL: "{uv-project_title}\n"})))
    assert of_step.severity == "warning"


@pytest.mark.parametrize(("name", "known"), [("project_title", True), ("project_titel", False)])
def test_what_a_section_uses_and_does_not_list_stops_no_run(name: str, known: bool, lint_example: Lint) -> None:
    changes = {**SECTION, "/steps/section.project/uvVariables": []}
    (found,) = of("SF508", lint_example(changed(changes, texts={SECTION_PROMPT: f"{{uv-{name}}}\n"})))
    assert found.severity == "warning"
    assert ("nothing gives" in found.message) is not known
    assert "stops" not in found.message
