"""Dealers: who choose the secret rule, and a legal card of a hand shown for a wrong no play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Protocol

from eleusis_agents.designs import scored_designs
from eleusis_ai.cards import Card
from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.rules.catalog import select
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.rules.rule_sets import RuleSet, load_rule_set


class NoRuleFits(LookupError):
    """A selection of rules none of which may be dealt."""


class UnknownFamily(LookupError):
    """A family of rules that a set does not have."""


class TooFew(ValueError):
    """A number of rules to draw from that leaves none."""


class RefusedRule(ValueError):
    """A rule that a dealer must not use, or one that the profile does not allow."""


class Offered(Protocol):
    """A rule that a dealer may draw."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def family(self) -> str:
        """What kind of rule it is."""

    @property
    def rule(self) -> Rule:
        """The rule itself."""


class _DrawingDealer:
    """Draws one of the rules on offer that may be dealt."""

    def __init__(self, offered: Sequence[Offered], by_family: bool) -> None:
        self._offered, self._by_family = offered, by_family

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose a rule, and a hint where the profile requires one.

        Raises:
            NoRuleFits: if no rule of the selection may be dealt in ``profile``.
        """
        left = list(self._offered)
        while left:
            pool = left
            if self._by_family:
                family = rng.choice(list(dict.fromkeys(each.family for each in left)))
                pool = [each for each in left if each.family == family]
            drawn = pool[rng.randrange(len(pool))]
            left.remove(drawn)
            if _problem(drawn.rule, profile) is None:
                return drawn.rule, _hint(drawn.rule, profile, rng)
        raise NoRuleFits(
            f"none of {_listed(self._offered)} may be dealt in {profile}; families=['memoryless'] has some that may"
        )

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Choose one of the ``legal`` cards, all being equally likely."""
        return rng.choice(legal)


class CatalogDealer(_DrawingDealer):
    """Draws one of the published rules, all those that may be dealt being equally likely.

    >>> from eleusis_ai.profiles import HOWELL
    >>> rule, hint = CatalogDealer(ids=["red-only", "strictly-lower"]).choose(HOWELL, Random(1))
    >>> str(rule), hint
    ('card.is_red', None)
    """

    def __init__(
        self, families: Sequence[str] | None = None, ids: Sequence[str] | None = None, *, by_family: bool = False
    ) -> None:
        """Deal from whole ``families`` of the catalogue and single ``ids``; from all of it, if neither is given.

        With ``by_family`` a family is drawn first, all being equally likely, and then a rule of it.

        Raises:
            UnknownEntry: if the catalogue lacks one of them.
        """
        super().__init__(select(families=families, ids=ids), by_family)


class GeneratedDealer(_DrawingDealer):
    """Draws one rule of a generated set, all those that may be dealt being equally likely.

    >>> from eleusis_ai.profiles import HOWELL
    >>> rule, hint = GeneratedDealer(families=["memoryless"]).choose(HOWELL, Random(1))
    >>> rule.lookback, hint
    (0, None)
    """

    def __init__(
        self, rules: str = "test", families: Sequence[str] | None = None, *, by_family: bool = False
    ) -> None:
        """Deal from ``families`` of the set ``rules``, a shipped one (train, test) or a TOML file; None: from all.

        With ``by_family`` a family is drawn first, all being equally likely, and then a rule of it.

        Raises:
            UnknownConfig: if there is no such set.
            InvalidRuleSet: if the file holds something else.
            UnknownFamily: if the set has no such family.
        """
        offered = _rule_set(rules).rules
        known = list(dict.fromkeys(each.family for each in offered))
        for family in families or ():
            if family not in known:
                raise UnknownFamily(
                    f"the set {rules!r} has no family {family!r}; its families are {', '.join(known)}"
                )
        super().__init__([each for each in offered if families is None or each.family in families], by_family)


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
def _rule_set(name: str) -> RuleSet:
    """Return a rule set; reading one takes long, and a dealer is made for every round."""
    return load_rule_set(name)


@cache
def _refusals(rule: Rule, profile: Profile) -> tuple[str, ...]:
    """Return what the review has against ``rule``; it takes long for some rules, and one is dealt many times."""
    return review(rule, profile=profile).refusals


@cache
def _hints(rule: Rule) -> tuple[Hint, ...]:
    return hints_for(rule)


def _listed(entries: Sequence[Offered]) -> str:
    names = [entry.id for entry in entries]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
