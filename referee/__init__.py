"""Tournament referee for bots that play six-player Schmier."""

__version__ = "0.1.0"
