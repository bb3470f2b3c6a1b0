"""The standing campaign: inputs made by chance, target after target, each fault with its seed and a small input."""
