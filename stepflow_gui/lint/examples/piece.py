"""The TAKT piece that rules take for their examples: a small correct one, changed in a few lines."""

from stepflow_gui.lint.examples.example import Example

FILE = "pieces/issue-flow.yaml"
PIECE = """\
name: issue-flow
max_iterations: 20
initial_movement: plan
personas:
  planner: ../personas/planner.md
  coder: ../personas/coder.md
policies:
  coding: ../policies/coding.md
instructions:
  plan: ../instructions/plan.md
report_formats:
  plan: ../formats/plan.md
movements:
  - name: plan
    persona: planner
    edit: false
    instruction: plan
    output_contracts:
      report:
        - name: plan.md
          format: plan
    rules:
      - condition: The plan is clear
        next: implement
      - condition: Requirements are missing
        next: ABORT
  - name: implement
    persona: coder
    policy: coding
    edit: true
    permission_mode: edit
    instruction_template: Implement {task} as {report:plan.md} says.
    rules:
      - condition: Done
        next: review
      - condition: It can't be done
        next: ABORT
  - name: review
    parallel:
      - name: design
        persona: planner
        edit: false
        instruction_template: Review the design.
        rules:
          - condition: approved
          - condition: needs_fix
      - name: tests
        persona: coder
        edit: false
        instruction_template: Review the tests.
        rules:
          - condition: approved
          - condition: needs_fix
    rules:
      - condition: all("approved")
        next: COMPLETE
      - condition: any("needs_fix")
        next: implement
loop_monitors:
  - cycle: [implement, review]
    threshold: 3
    judge:
      persona: planner
      instruction_template: This is round {cycle_count}. Is there progress?
      rules:
        - condition: There is
          next: implement
        - condition: There is none
          next: ABORT
"""
PIECE_FILES = {
    FILE: PIECE,
    **dict.fromkeys(
        ("personas/planner.md", "personas/coder.md", "policies/coding.md", "instructions/plan.md", "formats/plan.md"),
        "As you are used to.\n",
    ),
}


def piece(*changes: tuple[str, str]) -> Example:
    """The piece with some texts replaced, each where it is first. Raises ValueError for one that doesn't exist."""
    text = PIECE
    for old, new in changes:
        if old not in text:
            raise ValueError(old)
        text = text.replace(old, new, 1)
    return Example({}, {FILE: text}, "takt")


def whole_piece(text: str, part: str | None = None) -> Example:
    """Another text as the piece; beside it `part.yaml`, if it is given."""
    return Example({}, {FILE: text} | ({"pieces/part.yaml": part} if part is not None else {}), "takt")
