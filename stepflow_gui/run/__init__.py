"""The runner: gate, router and the pure state machine, and who answers in a run."""
