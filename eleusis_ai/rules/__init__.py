"""The secret rules: their language, their verdicts, and what can be said about them."""
