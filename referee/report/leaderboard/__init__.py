"""One table in four formats, and what it says of its event."""
