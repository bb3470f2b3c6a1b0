"""The names of what TAKT brings along, as far as they are known: those of two releases."""

from functools import cache

from stepflow_gui.formats.takt.releases.sets import HEAD

_OF: dict[str, dict[str, str]] = {
    "0.8.0-alpha.1": {
        "personas": (
            "ai-antipattern-reviewer architect-planner architecture-reviewer balthasar casper coder conductor "
            "cqrs-es-reviewer expert-supervisor frontend-reviewer melchior planner pr-commenter qa-reviewer "
            "research-digger research-planner research-supervisor security-reviewer supervisor"
        ),
        "policies": "ai-antipattern coding qa review testing",
        "knowledge": "architecture backend cqrs-es frontend security",
        "instructions": (
            "ai-fix ai-review arbitrate architect fix fix-supervisor implement plan plan-investigate review-ai "
            "review-arch review-cqrs-es review-frontend review-qa review-security supervise"
        ),
        "report_formats": (
            "ai-review architecture-design architecture-review coder-decisions coder-scope cqrs-es-review "
            "frontend-review plan qa-review review-summary security-review summary validation"
        ),
        "workflows": (
            "coding coding-hybrid-codex default default-hybrid-codex expert expert-cqrs expert-cqrs-hybrid-codex "
            "expert-hybrid-codex magi minimal minimal-hybrid-codex passthrough passthrough-hybrid-codex research "
            "review-fix-minimal review-fix-minimal-hybrid-codex review-only"
        ),
    },
    HEAD: {
        "personas": (
            "ai-antipattern-reviewer architecture-reviewer balthasar casper coder coding-reviewer "
            "companion-round-adjudicator conductor cqrs-es-reviewer dual-supervisor exec-assistant exec-worker "
            "frontend-reviewer loop-analysis-reviewer loop-analyzer melchior planner research-analyzer research-digger "
            "research-planner research-supervisor review-adjudicator security-reviewer supervisor terraform-coder "
            "terraform-reviewer test-planner testing-reviewer"
        ),
        "policies": (
            "ai-antipattern architecture backend coding companion-review companion-round-adjudication contract-change "
            "cqrs-es design-fidelity design-planning existing-system-respect frontend implementation-semantics react "
            "research review review-adjudication screen-api security-review takt takt-testing task-decomposition "
            "terraform testing"
        ),
        "knowledge": (
            "architecture backend cqrs-es e2e-testing existing-system frontend implementation-semantics loop-analysis "
            "react research security security-api security-data security-dependencies security-local security-web takt "
            "task-decomposition terraform-aws unit-testing"
        ),
        "instructions": (
            "adjudicate-review-findings ai-antipattern-fix ai-antipattern-review apply-fix-plan apply-fix-verification "
            "arbitrate architect architecture-audit-plan architecture-audit-review architecture-audit-supervise "
            "architecture-audit-team-leader architecture-review audit-security-plan audit-security-review "
            "audit-security-supervise audit-security-team-leader coding-review companion-moderate-review "
            "companion-watch-review companion-watch-testing cqrs-es-review e2e-audit-plan e2e-audit-review "
            "e2e-audit-supervise e2e-audit-team-leader exec-loop-monitor exec-replan exec-review exec-worker fix "
            "fix-completion-retry fix-maintenance fix-plan fix-plan-from-review-resolution fix-supervisor "
            "follow-up-ai-antipattern-review follow-up-architecture-review follow-up-coding-review "
            "follow-up-cqrs-es-review follow-up-frontend-review follow-up-review-completion-retry "
            "follow-up-security-review follow-up-testing-review frontend-review gather-review implement "
            "implement-after-tests implement-maintenance implement-terraform initial-ai-antipattern-review "
            "initial-review-completion-retry loop-analysis loop-monitor-reviewers-fix plan plan-maintenance "
            "reanalyze-loop-analysis replan-implementation request-replan research-analyze research-dig research-plan "
            "research-supervise review-arch review-coding review-completion-retry review-cqrs-es review-frontend "
            "review-loop-analysis review-security review-terraform review-test "
            "scenario-based-fix-plan-from-review-resolution scenario-based-plan scenario-based-plan-maintenance "
            "scenario-based-replan-implementation scenario-based-supervise-review-resolution "
            "scenario-based-write-tests-first security-review select-applicable-candidates simple-implement "
            "simple-implement-after-tests simple-plan simple-review-coding simple-supervise simple-write-tests-first "
            "supervise supervise-maintenance supervise-review-resolution team-leader-fix team-leader-fix-plan "
            "team-leader-fix-verification team-leader-implement testing-review unit-audit-plan unit-audit-review "
            "unit-audit-supervise unit-audit-team-leader verify-fix write-tests-first"
        ),
        "report_formats": (
            "ai-antipattern-review architecture-audit architecture-audit-plan architecture-review audit-security "
            "coder-decisions coder-scope coding-review cqrs-es-review e2e-audit e2e-audit-plan exec-review-result "
            "fix-plan fix-report fix-verification frontend-review implementation-report implementation-report-order "
            "loop-analysis maintenance-scope plan plan-frontend research-report review-decision review-gather "
            "scenario-based-fix-plan scenario-based-plan scenario-based-test-report security-review supervisor-summary "
            "supervisor-validation terraform-review test-report testing-review unit-audit unit-audit-plan"
        ),
        "workflows": (
            "audit-architecture audit-architecture-backend audit-architecture-dual audit-architecture-frontend "
            "audit-e2e audit-security audit-unit auto-improvement-loop backend backend-cqrs backend-cqrs-mini "
            "backend-maintenance backend-mini cli compound-eye deep-research default development-core "
            "development-implement development-implement-dynamic development-implement-team development-remediation "
            "development-remediation-dynamic development-remediation-team development-review dual dual-cqrs "
            "dual-cqrs-mini dual-mini final-gate frontend frontend-maintenance frontend-mini loop-analysis magi "
            "maintenance mini-core peer-review peer-review-suite-base peer-review-suite-cqrs "
            "peer-review-suite-frontend peer-review-suite-frontend-cqrs pure research review review-backend "
            "review-backend-cqrs review-dual "
            "review-dual-cqrs review-fix review-fix-backend review-fix-backend-cqrs review-fix-dual "
            "review-fix-dual-cqrs review-fix-frontend review-fix-takt-default review-frontend review-remediation "
            "review-takt-default simple simple-backend simple-core simple-cqrs simple-dual simple-dual-cqrs "
            "simple-frontend simple-mini takt-default takt-default-team takt-development-review terraform"
        ),
        "steps": (
            "ai-antipattern-arbitration ai-antipattern-first-pass development-ai-antipattern-reviewer "
            "development-architecture-reviewer development-backend-reviewer development-coding-reviewer "
            "development-core-implement development-core-plan development-core-write-tests development-review "
            "development-security-reviewer development-testing-reviewer fix-with-provider-tools gather "
            "implementation-reviewers-second-pass mini-fix-both peer-review-adjudication peer-review-cqrs-reviewer "
            "peer-review-final-gate peer-review-fix peer-review-fix-plan peer-review-fix-verifier "
            "peer-review-frontend-reviewer peer-review-reviewers peer-review-suite-call request-replan "
            "review-gather-to-reviewers review-gather-with-clarification-to-reviewers review-remediation "
            "review-supervise-to-complete review-synthesis-to-complete"
        ),
        "provider-options": "edit enable-skills readonly",
        "schemas": "decomposition evaluation followup-task judgment more-parts pr-followup-task",
    },
}


@cache
def shipped(kind: str) -> frozenset[str]:
    """The names of a section of facets, or of `workflows`, `steps`, `schemas` or `provider-options`."""
    return frozenset(name for release in _OF.values() for name in release.get(kind, "").split())
