"""Who answers a step: a person, a script, a model."""
