"""Upstream's own error codes, and the rules that find before a run what they report (runtime-semantics 6 and 11).

A code may have several causes, so it may have several rules; none where only a run can tell.
"""

from collections.abc import Mapping

UPSTREAM_CODES: Mapping[str, tuple[str, ...]] = {
    "SR-INTENT-001": ("SF206",),
    "SR-TRANS-001": ("SF301",),
    "SR-TRANS-002": ("SF306",),
    "SR-TRANS-003": ("SF201", "SF203"),
    "SR-TRANS-004": ("SF203",),
    "SR-TRANS-005": ("SF306",),
    "SR-TRANS-006": ("SF301",),
    "SR-TRANS-007": ("SF203",),
    "SR-TRANS-008": ("SF301",),
    "SR-TRANS-009": ("SF004", "SF306"),
    "SR-TRANS-010": ("SF213", "SF212"),
    "SR-ENTRY-001": ("SF401",),
    "SR-ENTRY-002": ("SF402",),
    "SR-ENTRY-003": ("SF402",),
    "SR-ENTRY-004": ("SF404",),
    "SR-VALID-001": ("SF206", "SF205", "SF223"),
    "SR-VALID-002": ("SF208", "SF209"),
    "SR-VALID-003": ("SF202", "SF701", "SF702", "SF704", "SF705", "SF709"),
    "SR-VALID-004": ("SF101", "SF106", "SF107"),
    "SR-LOAD-001": ("SF004",),
    "SR-LOAD-002": ("SF808",),
    "SR-LOAD-003": ("SF807",),
    "SR-GATE-001": ("SF107",),
    "SR-GATE-002": ("SF404",),
    "SR-GATE-003": ("SF107",),
    "SR-GATE-004": ("SF812",),
    "PR-RESOLVE-001": ("SF402",),
    "PR-RESOLVE-003": ("SF510", "SF511"),
    "PR-RESOLVE-004": ("SF512",),
    "PR-RESOLVE-005": ("SF508",),
    "PR-C3L-002": ("SF506",),
    "PR-C3L-004": ("SF506", "SF511"),
    "AC-VERDICT-001": (),
    "FAILED_STEP_ROUTING": ("SF201", "SF205"),
    "FAILED_SCHEMA_RESOLUTION": ("SF701", "SF702", "SF704"),
    "GATE_INTERPRETATION_ERROR": ("SF205", "SF209", "SF221"),
    "ROUTING_ERROR": ("SF201", "SF206", "SF301"),
    "AGENT_VALIDATION_ABORT": ("SF610",),
    "AGENT_MAX_ITERATIONS": ("SF304", "SF815"),
    "AGENT_QUERY_ERROR": (),
}
