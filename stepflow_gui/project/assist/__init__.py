"""Help while a registry's text is edited: completion, definitions, references, what a field means."""
