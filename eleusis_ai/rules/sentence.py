"""A rule in English, made from its terms."""

from __future__ import annotations

from eleusis_ai.rules import terms


def sentence_of(term: terms.Term, starter: terms.Term | None) -> str:
    """Return a sentence that says what ``term`` demands."""
    return terms.write(term) if starter is None else f"{terms.write(term)}; first {terms.write(starter)}"
