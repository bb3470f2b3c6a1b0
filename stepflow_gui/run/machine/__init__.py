"""The state machine of a run, pure: gate, route, loops, verdict."""
