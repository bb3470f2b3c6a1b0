"""The inspector: contract, forms and the condition builder of the selected step."""
