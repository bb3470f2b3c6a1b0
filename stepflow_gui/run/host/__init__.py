"""What a run does on the machine it runs on: commands, validators, programs."""
