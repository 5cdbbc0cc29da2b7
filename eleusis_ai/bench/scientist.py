"""A player of the solo protocol that any learner can be seated in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Learner
from eleusis_ai.bench.belief import Guess, best_guess, weighed_rules
from eleusis_ai.bench.solo import FULL_SCORE, TURNS, WRONG_STATEMENT, Commitment, is_right
from eleusis_ai.cards import Card
from eleusis_ai.evidence import Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule


class Scientist:
    """Plays the card whose verdict it is least sure of, and states its best rule when that pays.

    A learner without rules plays all the same; it never has a tentative rule, so that it never states one.
    """

    def __init__(self, learner: Learner, starter: Cards, *, threshold: float, samples: int) -> None:
        """Begin a round.

        Args:
            learner: What infers; it has observed nothing yet.
            starter: What lies on the mainline; each of its cards was legal.
            threshold: The chance of being right from which a rule is stated early in a round, above 0, at most 2/3.
            samples: Rules that are drawn from the learner in a turn.
        """
        self._learner = learner
        self._mainline: Cards = ()
        self._samples = samples
        # Stated with the chance p, a rule pays p for each turn that it saves, and costs 2 with 1 - p. If it is
        # else to be found in `wait` turns more, the two are equal at the threshold.
        self._wait = WRONG_STATEMENT / threshold - 3
        self._refuted: list[tuple[Rule, Cards]] = []
        self._turn = 1
        for card in starter:
            self._observe(card, legal=True)

    def commit(self, hand: Cards) -> Commitment:
        """Choose a card of ``hand``, a tentative rule, and whether to state it."""
        card = most_telling(self.chances(), hand)
        guess = self._guess(card)
        if guess is None:
            return Commitment(card=card)
        return Commitment(
            card=card,
            tentative=guess.rule,
            confidence=round(10 * guess.chance),
            state=self._pays(guess.chance),
        )

    def chances(self) -> NDArray[np.float64]:
        """Return the chance that each card is legal now: shape (52,)."""
        return self._learner.predict(self._mainline)

    def learn(self, commitment: Commitment, *, legal: bool, won: bool = False) -> None:
        """Take in what came of a turn."""
        self._observe(commitment.card, legal=legal)
        if commitment.state and commitment.tentative is not None and not won:
            self._refuted.append((commitment.tentative, self._mainline))
        self._turn += 1

    def _observe(self, card: Card, *, legal: bool) -> None:
        self._learner.observe([Verdict(self._mainline, card, legal=legal)])
        if legal:
            self._mainline = (*self._mainline, card)

    def _guess(self, card: Card) -> Guess | None:
        weights = weighed_rules(self._learner, self._samples)
        left = {rule: weight for rule, weight in weights.items() if not self._is_refuted(rule)}
        total = sum(left.values())
        if not total:
            return None
        share = sum(weights.values()) / total
        return best_guess({rule: weight * share for rule, weight in left.items()}, self._mainline, playing=card)

    def _is_refuted(self, rule: Rule) -> bool:
        """Tell whether ``rule`` would have been stated when something that came to the same was wrong."""
        return any(is_right(rule, stated, line) for stated, line in self._refuted)

    def _pays(self, chance: float) -> bool:
        """Tell whether to state a rule that is right with ``chance`` is worth more than to wait."""
        gain = FULL_SCORE - self._turn - WRONG_STATEMENT * len(self._refuted)
        if gain <= 0:
            return False
        after = TURNS - self._turn
        waited = max(0.0, gain - 1 - self._wait) if after else 0.0
        failed = max(0.0, gain - 1 - self._wait - WRONG_STATEMENT) if after else 0.0
        return chance * gain + (1 - chance) * failed >= waited


def most_telling(chances: NDArray[np.float64], hand: Cards) -> Card:
    """Return the card of ``hand`` whose verdict has the largest entropy; of equals, the first.

    If nothing is in doubt, it is the first card that is probably legal, since that leads on.
    """
    doubt = {card: round(float(entropy(chances[card])), 9) for card in hand}
    best = max(doubt.values())
    equals = [card for card in hand if doubt[card] == best]
    return next((card for card in equals if chances[card] > 0.5), equals[0])


def entropy(chance: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy, in bits, of verdicts that are *legal* with ``chance``."""
    p = np.clip(np.asarray(chance, np.float64), 0, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -p * np.log2(p) - (1 - p) * np.log2(1 - p)
    return np.nan_to_num(bits, nan=0.0)
