"""What holds for all tests: what Hypothesis tries in the gate is the same every time."""

from hypothesis import settings

settings.register_profile("gate", derandomize=True, deadline=None)
settings.load_profile("gate")
