"""Pages about runs that need no other file: rounds to look at, and reports."""
