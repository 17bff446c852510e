"""A run as JSON lines that a stranger can recompute."""
