"""The command line: parses, calls one function, prints. All floors are wired together here.

Results go to stdout, talk to stderr. A mistake of the user is one line on stderr and exit code 2.
"""

from referee.cli.app import app, main

__all__ = ["app", "main"]
