"""Running TAKT pieces in the window: by hand, rule by rule, with steps back."""
