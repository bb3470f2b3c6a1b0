"""Where a file's syntax errors leave nothing to judge: what stands around them may be lost or misread."""

from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node, SyntaxProblem

# Mistakes that leave no doubt about what is meant: the tree holds everything.
_HARMLESS = frozenset({
    "bad-escape", "bad-number", "bare-key", "bare-value", "comment", "control-character", "curly-quotes", "full-width",
    "missing-colon", "missing-comma", "odd-blank", "single-quotes", "trailing-comma", "unescaped-quote", "yaml-colon",
})  # fmt: skip
# Those that leave one value in doubt, and the names around it in their place.
_LOCAL = frozenset({"missing-value", "unclosed-string"})


class BrokenRegion:
    """What the syntax errors of a registry put in doubt."""

    __slots__ = ("_harmful", "anywhere")

    def __init__(self, registry: ParsedFile) -> None:
        self._harmful: list[SyntaxProblem] = [
            problem for problem in registry.tree.problems if problem.kind not in _HARMLESS
        ]
        # Whether steps or entries may be missing, so that nothing can be said of the flow as a whole.
        self.anywhere = any(problem.kind not in _LOCAL for problem in self._harmful)

    def touches(self, node: Node) -> bool:
        """Whether a value, or its end, is in doubt."""
        return bool(self._harmful) and any(node.start <= problem.start <= node.end for problem in self._harmful)
