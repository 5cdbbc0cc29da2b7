"""Eleusis, whole: the engine, its views, and what runs it."""
