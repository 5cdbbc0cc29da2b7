"""Dealers: who choose the secret rule, and a legal card of a hand shown for a wrong no play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from random import Random

from eleusis_agents.designs import scored_designs
from eleusis_ai.cards import Card
from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.rules.catalog import CatalogEntry, select
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review


class NoRuleFits(LookupError):
    """A selection of rules none of which may be dealt."""


class TooFew(ValueError):
    """A number of rules to draw from that leaves none."""


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


class DesignerDealer:
    """Deals a rule that served its dealer best, by a table scored beforehand; nothing is played to choose it.

    The table says for which profile and against which agents; at other tables it is a good guess.

    >>> from eleusis_ai.profiles import HOWELL
    >>> rule, _ = DesignerDealer(among=1).choose(HOWELL, Random(1))
    >>> rule == scored_designs().designs[0].rule
    True
    """

    def __init__(self, among: int = 10) -> None:
        """Draw one of the best ``among`` rules that the profile allows, all equally likely; 1: always the best.

        Raises:
            TooFew: if ``among`` is not at least 1.
        """
        if among < 1:
            raise TooFew(f"among is {among}; at least 1 rule is drawn from, as in among = 10")
        self._among = among

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose a rule, and a hint where the profile requires one.

        Raises:
            NoRuleFits: if ``profile`` allows none of the rules in the table.
        """
        rules = (design.rule for design in scored_designs().designs)
        best = list(islice((rule for rule in rules if _problem(rule, profile) is None), self._among))
        if not best:
            raise NoRuleFits(f"{profile} allows none of the scored rules; use = 'catalog' may have some")
        rule = rng.choice(best)
        return rule, _hint(rule, profile, rng)

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
