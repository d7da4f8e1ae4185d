"""The expression graph: operations, rules, construction, expressions and their cost."""
