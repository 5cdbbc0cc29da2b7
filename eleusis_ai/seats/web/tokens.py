"""Tokens: unguessable words that open a table or a chair, of which only the mark is kept."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

LONGEST = 64
"""Characters that a token has at most."""


def new_token() -> str:
    """Draw a token of 128 random bits, which may stand in an address."""
    return token_urlsafe(16)


def mark_of(token: str) -> str:
    """Return what is kept of a token: its SHA-256, from which the token cannot be told."""
    return sha256(token.encode()).hexdigest()
