"""Rules about intents, the gate and the output schema's enum (SF2)."""
