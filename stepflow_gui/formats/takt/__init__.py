"""TAKT pieces and workflows (seed 004): their fields, conditions and how they become a Flow."""
