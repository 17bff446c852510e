"""The scripted referee is a plain module beside the tests; `tests` is no package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
