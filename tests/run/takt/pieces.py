"""Small pieces to run."""

from stepflow_gui.formats.takt.conditions_model import Notation
from stepflow_gui.formats.takt.runners import PIECES, WORKFLOWS
from stepflow_gui.run.takt.loading import PieceRefusal, load_piece
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

TWO = """
name: two
max_iterations: 6
movements:
  - name: work
    instruction_template: "{task}, run {movement_iteration} of {iteration}"
    output_contracts:
      report:
        - name: notes.md
          format: plain
    rules:
      - {condition: done, next: check}
      - {condition: stop, next: ABORT}
  - name: check
    instruction_template: "Look at {report:notes.md} again."
    rules:
      - {condition: good, next: COMPLETE}
      - {condition: ask, next: work, requires_user_input: true}
      - {condition: 'ai("it is worse")', next: work}
"""

PARALLEL = """
name: review
max_iterations: 12
movements:
  - name: reviewers
    parallel:
      - name: style
        rules: [{condition: approved}, {condition: needs_fix}]
      - name: safety
        rules: [{condition: approved}, {condition: needs_fix}]
    rules:
      - {condition: 'all("approved")', next: COMPLETE}
      - {condition: 'any("needs_fix")', next: fix}
  - name: fix
    rules: [{condition: fixed, next: reviewers}]
loop_monitors:
  - cycle: [reviewers, fix]
    threshold: 2
    judge:
      rules:
        - {condition: goes on, next: reviewers}
        - {condition: stuck, next: ABORT}
"""


def loaded(text: str, files: dict[str, str] | None = None, notation: Notation = "piece") -> Piece | PieceRefusal:
    """The piece of a text, or why it is refused; `files` by their path beside it."""
    tree = read_yaml_tree(Source(text))
    assert tree.root is not None
    return load_piece(tree.root.value, (files or {}).get, PIECES if notation == "piece" else WORKFLOWS)


def piece_of(text: str, files: dict[str, str] | None = None, notation: Notation = "piece") -> Piece:
    """The piece of a text that can be run."""
    found = loaded(text, files, notation)
    assert isinstance(found, Piece), found
    return found
