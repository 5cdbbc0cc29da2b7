"""What holds for all tests: Hypothesis tries the same every time, and no terminal of the caller's shows through."""

import os

from hypothesis import settings

settings.register_profile("gate", derandomize=True, deadline=None)
settings.load_profile("gate")

for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(name, None)
