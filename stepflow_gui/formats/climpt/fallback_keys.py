"""The keys of the built-in fallback prompts (seed 000, fallbackKey)."""

_PAIRED = ("iterate", "issue", "issue_label_only", "project", "keyword", "manual", "structured_signal")

FALLBACK_KEYS = frozenset(
    {
        *(f"initial_{name}" for name in _PAIRED),
        *(f"continuation_{name}" for name in _PAIRED),
        "continuation_project_preparation",
        "continuation_project_processing",
        "continuation_project_review",
        "issue_closure_default",
        "project_closure_default",
        "polling_closure_default",
        "review_closure_default",
        "iteration_closure_default",
        "facilitation_closure_default",
        "project_continuation_closure_default",
        "statuscheck_continuation_default",
        "system",
        "issue_initial_default",  # in the guide's example of a step
    }
)
