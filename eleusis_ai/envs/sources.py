"""Where an environment's secret rules come from: the catalogue, a rule set, fresh draws, or a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from eleusis_ai.agent import Dealer
from eleusis_ai.cards import Card
from eleusis_ai.moves import InvalidMove, parse_rule
from eleusis_ai.profiles import HintTerms, Profile
from eleusis_ai.registry import make_dealer
from eleusis_ai.rules.grammar import FAMILIES
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.numbers import uses_numbers_only
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.rules.sampling import sample

Rules = str | Rule | Dealer | Sequence[str | Rule]
"""``"catalog"``, ``"train"``, ``"test"`` or ``"sampler"``, the first and the last with families behind a colon; a
rule, or its text; several of these; or a dealer."""

SHIPPED = ("train", "test")
"""Rule sets that are installed with the package."""


class InvalidRules(ValueError):
    """What does not say where rules come from, or rules none of which may be dealt."""


def dealer_of(rules: Rules) -> Dealer:
    """Return the dealer that chooses from ``rules``.

    Raises:
        InvalidRules: if they are neither a source nor a rule.
        LookupError: if a family or a dealer is not known.
    """
    if isinstance(rules, Rule):
        return RulesDealer((rules,))
    if isinstance(rules, Dealer):
        return rules
    if not isinstance(rules, str):
        return RulesDealer(tuple(map(_rule, rules)))
    source, colon, names = rules.partition(":")
    families = tuple(name.strip() for name in names.split(",")) if colon else None
    match source.strip():
        case "catalog":
            return make_dealer("catalog", {"families": families})
        case "sampler":
            return SamplingDealer(families or tuple(FAMILIES))
        case name if name in SHIPPED and not colon:
            return RulesDealer(tuple(entry.rule for entry in load_rule_set(name).rules))
    return RulesDealer((_rule(rules),))


class UniformPick:
    """Picks any of the legal cards."""

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Choose one of the ``legal`` cards, all being equally likely."""
        return rng.choice(legal)


class RulesDealer(UniformPick):
    """Draws one of some rules, all those that the profile allows being equally likely."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Deal from ``rules``.

        Raises:
            InvalidRules: if there are none.
        """
        if not rules:
            raise InvalidRules("no rules to deal from; name at least one, as in ['card.color != last.color']")
        self._rules = tuple(rules)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose a rule, and a hint where the profile requires one.

        Raises:
            InvalidRules: if ``profile`` allows none of the rules.
        """
        left = list(self._rules)
        while left:
            rule = left.pop(int(rng.random() * len(left)))
            if not _may_be_dealt(rule, profile):
                continue
            if profile.hint is not HintTerms.REQUIRED:
                return rule, None
            if hints := _hints(rule):
                return rule, rng.choice(hints)
        raise InvalidRules(f"{profile} allows none of the rules; it does allow card.rank >= last.rank")


class SamplingDealer(UniformPick):
    """Draws a new rule each time, from the grammar of `rules.sampling`; each family is equally likely."""

    def __init__(self, families: Sequence[str]) -> None:
        """Draw from ``families``.

        Raises:
            InvalidRules: if one of them is not a family.
        """
        if unknown := [name for name in families if name not in FAMILIES]:
            raise InvalidRules(f"there is no family {unknown[0]!r} to draw from; write one of {', '.join(FAMILIES)}")
        self._families = tuple(families)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Draw a rule that ``profile`` allows, and a hint where it requires one.

        Raises:
            InvalidRules: if none is found among a hundred.
        """
        for _ in range(100):
            family, seed = rng.choice(self._families), f"{rng.getrandbits(64):x}"
            drawn = next(sample(family, 1, seed=seed))
            if _may_be_dealt(drawn.rule, profile):
                return RulesDealer((drawn.rule,)).choose(profile, rng)
        raise InvalidRules(f"{profile} allows none of 100 rules drawn of the families {', '.join(self._families)}")


def _rule(text: str | Rule) -> Rule:
    if isinstance(text, Rule):
        return text
    try:
        return parse_rule(text)
    except InvalidMove as error:
        raise InvalidRules(
            f"{text!r} is neither a source of rules (catalog, train, test, sampler, catalog:markov1) "
            f"nor a rule; {error}"
        ) from None


def _may_be_dealt(rule: Rule, profile: Profile) -> bool:
    """Tell whether a round of ``profile`` can be dealt with ``rule``."""
    if rule.reads_rejected and not profile.reads_rejected:
        return False
    return not profile.numbers_only or uses_numbers_only(rule)


@cache
def _hints(rule: Rule) -> tuple[Hint, ...]:
    return hints_for(rule)
