"""What a learner takes for the rule: its rules by weight, and which of them come to the same from here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from eleusis_ai.agent import Learner
from eleusis_ai.cards import ALL_CARDS, CARDS, Card
from eleusis_ai.layout import Cards
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule

WALKS = 18
"""Lines that are walked from a mainline to tell rules apart."""
STEPS = 6
"""Cards on each of them."""

Fingerprint = tuple[int, ...]
"""The verdicts of a rule along lines that it allows itself: equal for rules that are the same from there on."""


class Guess(NamedTuple):
    """A rule and the chance that it is right, in the sense in which a statement is."""

    rule: Rule
    chance: float


def weighed_rules(learner: Learner, samples: int) -> dict[Rule, float]:
    """Return the rules of ``learner`` by weight, heaviest first; the weights sum to 1 at most.

    They are a sample if it gives one, else the rules among what it explains; none if it has no rules.
    """
    sampled = learner.sample(samples)
    if sampled:
        counts = Counter(sampled)
        found = {rule: count / len(sampled) for rule, count in counts.items()}
    else:
        found = {rule: weight for rule, weight in learner.explain() if isinstance(rule, Rule)}
        total = max(1.0, sum(found.values()))
        found = {rule: weight / total for rule, weight in found.items()}
    return dict(sorted(found.items(), key=lambda item: -round(item[1], 9)))


@lru_cache(maxsize=4_096)
def fingerprint(rule: Rule, mainline: Cards) -> Fingerprint:
    """Return the verdicts of ``rule`` along walks that begin at ``mainline``.

    Each step goes to the first legal card at or after a place of the pack that depends on the walk and the
    step alone, so that rules that are the same walk the same lines.
    """
    masks = [rule.mask(mainline)]
    for walk in range(WALKS if masks[0] else 0):
        line, mask = mainline, masks[0]
        for step in range(STEPS):
            place = (walk * 3 + step * 17) % 52
            line = (*line, _at_or_after(mask, place))
            mask = rule.mask(line)
            masks.append(mask)
            if not mask:
                break
    return tuple(masks)


def best_guess(weights: Mapping[Rule, float], mainline: Cards, *, playing: Card | None = None) -> Guess | None:
    """Return the rule most probably right after ``mainline``; None if there are no rules.

    With ``playing`` a card is about to be judged, and what counts is what can be reached after that: each rule,
    if it is the secret one, says itself where the mainline then ends. The rules that stand behind the answer
    are compared with it in earnest, not by their fingerprints alone.
    """
    behind: dict[tuple[Cards, Fingerprint], list[Rule]] = defaultdict(list)
    lines = {rule: _after(rule, mainline, playing) for rule in weights}
    for rule, line in lines.items():
        behind[line, fingerprint(rule, line)].append(rule)
    mass = {key: sum(weights[rule] for rule in rules) for key, rules in behind.items()}
    places = list(dict.fromkeys(lines.values()))
    best, chance = None, 0.0
    for rule in weights:
        # A rule is right for every secret that agrees with it where the mainline ends by that secret.
        found = sum(mass.get((line, fingerprint(rule, line)), 0.0) for line in places)
        if round(found, 9) > round(chance, 9):
            best, chance = rule, found
    if best is None:
        return None
    false = sum(
        weights[other]
        for line in places
        for other in behind.get((line, fingerprint(best, line)), ())
        if not equivalent(best, other, line).same
    )
    return Guess(best, min(1.0, chance - false))


def _after(rule: Rule, mainline: Cards, playing: Card | None) -> Cards:
    """Return the mainline once ``playing`` is judged by ``rule``."""
    if playing is None or not rule.allows(mainline, playing):
        return mainline
    return (*mainline, playing)


def _at_or_after(mask: int, place: int) -> Card:
    """Return the first card of ``mask`` at or after ``place``, the pack being laid in a ring."""
    turned = (mask >> place | mask << (52 - place)) & ALL_CARDS
    return CARDS[((turned & -turned).bit_length() - 1 + place) % 52]
