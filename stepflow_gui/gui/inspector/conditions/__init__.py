"""The builder of conditions: a small form over the window, made of the parts that a condition consists of."""
