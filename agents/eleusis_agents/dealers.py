"""Dealers: who choose the secret rule, and a legal card of a hand shown for a wrong no play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from eleusis_ai.cards import Card
from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.rules.catalog import CatalogEntry, select
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review


class NoRuleFits(LookupError):
    """A selection of rules none of which may be dealt."""


class RefusedRule(ValueError):
    """A rule that a dealer must not use, or one that the profile does not allow."""


class CatalogDealer:
    """Draws one of the published rules, all those that may be dealt being equally likely.

    >>> from eleusis_ai.profiles import HOWELL
    >>> rule, hint = CatalogDealer(ids=["red-only", "strictly-lower"]).choose(HOWELL, Random(1))
    >>> str(rule), hint
    ('card.is_red', None)
    """

    def __init__(self, families: Sequence[str] | None = None, ids: Sequence[str] | None = None) -> None:
        """Deal from whole ``families`` of the catalogue and single ``ids``; from all of it, if neither is given.

        Raises:
            UnknownEntry: if the catalogue lacks one of them.
        """
        self._entries = select(families=families, ids=ids)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose a rule, and a hint where the profile requires one.

        Raises:
            NoRuleFits: if no rule of the selection may be dealt in ``profile``.
        """
        left = list(self._entries)
        while left:
            entry = left.pop(rng.randrange(len(left)))
            if _problem(entry.rule, profile) is None:
                return entry.rule, _hint(entry.rule, profile, rng)
        raise NoRuleFits(
            f"none of {_listed(self._entries)} may be dealt in {profile}; families=['memoryless'] has some that may"
        )

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Choose one of the ``legal`` cards, all being equally likely."""
        return rng.choice(legal)


class FixedDealer:
    """Always deals the same rule.

    >>> from eleusis_ai.profiles import HOWELL
    >>> rule, hint = FixedDealer("card.color != last.color").choose(HOWELL, Random(1))
    >>> str(rule), hint
    ('card.color != last.color', None)
    """

    def __init__(self, rule: str, starter: str | None = None, hint: str | None = None) -> None:
        """Deal ``rule`` with its condition on the first card, and with ``hint`` where the profile has hints.

        Raises:
            InvalidRule: if ``rule`` or ``starter`` is not a rule.
            InvalidHint: if ``hint`` is not a hint.
        """
        self._rule = Rule.parse(rule, starter=starter)
        self._hint = None if hint is None else Hint.parse(hint)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Return the rule, and its hint: the given one, or where one is required and none was given, a true one.

        Raises:
            RefusedRule: if a dealer must not use the rule, or ``profile`` does not allow it.
        """
        problem = _problem(self._rule, profile)
        if problem is not None:
            raise RefusedRule(f"{self._rule} cannot be dealt: {problem}; a rule that can: card.color != last.color")
        if profile.hint is not HintTerms.NONE and self._hint is not None:
            return self._rule, self._hint
        return self._rule, _hint(self._rule, profile, rng)

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Choose one of the ``legal`` cards, all being equally likely."""
        return rng.choice(legal)


def _problem(rule: Rule, profile: Profile) -> str | None:
    """Return why ``rule`` may not be dealt in ``profile``, in a sentence; None: it may."""
    refusals = _refusals(rule, profile)
    if refusals:
        return refusals[0]
    if profile.hint is HintTerms.REQUIRED and not _hints(rule):
        return f"{profile} requires a hint, and there is none that is true of it"
    return None


def _hint(rule: Rule, profile: Profile, rng: Random) -> Hint | None:
    return rng.choice(_hints(rule)) if profile.hint is HintTerms.REQUIRED else None


@cache
def _refusals(rule: Rule, profile: Profile) -> tuple[str, ...]:
    """Return what the review has against ``rule``; it takes long for some rules, and one is dealt many times."""
    return review(rule, profile=profile).refusals


@cache
def _hints(rule: Rule) -> tuple[Hint, ...]:
    return hints_for(rule)


def _listed(entries: Sequence[CatalogEntry]) -> str:
    names = [entry.id for entry in entries]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
