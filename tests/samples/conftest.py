"""The sample bots, and the scripted referee of the SDK's tests, are plain modules."""

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "sdk"), str(TESTS.parent / "sample_bots" / "python")]
