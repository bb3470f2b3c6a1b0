"""The format of seed 003: steps whose check decides by onPass and onFail where the flow goes on."""
