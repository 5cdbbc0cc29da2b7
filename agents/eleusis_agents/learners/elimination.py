"""A learner that weighs every rule of a factorised space: predicates by branch, branches by guard."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.branching import Branching
from eleusis_agents.learners.candidates import Candidates
from eleusis_agents.learners.classes import gathered, reached
from eleusis_agents.learners.doubts import Choice, Fact, NotAll
from eleusis_agents.learners.memory import latest
from eleusis_agents.learners.predicates import Masks
from eleusis_agents.learners.restriction import Held, held_by
from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.space import Space, coarse, part, space
from eleusis_agents.learners.survivors import Likelihood, Sieve, Survivors
from eleusis_ai.cards import ALL_CARDS, Card, mask_of
from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

Judgement: TypeAlias = Callable[[Masks], Likelihood]
"""From the cards that are legal by each predicate to the chance of what was seen."""

EXPLAINED = 10
"""Rules that ``explain`` names."""
HEAVIEST = 64
"""Rules of which the probabilities are worked out one by one."""
DRAWN = 200
"""Rules that are drawn to stand for all others."""
DOUBT = 0.1
"""The noise that is assumed once no rule explains everything."""
ROUNDING = 1e-12
"""A chance as near to 0 or 1 is taken for it."""


class EliminationLearner:
    """Weighs all rules of its space by all evidence; rules vote by their posterior probability.

    With ``noise`` a verdict is taken to be false with that chance. Without, a rule that is contradicted once is
    out; if none is left the secret rule is outside the space, and the simplest rules come back under `DOUBT`.

    >>> from eleusis_ai.cards import Card
    >>> learner = EliminationLearner()
    >>> line = (Card.parse("7H"),)
    >>> learner.observe([Verdict(line, Card.parse("2D"), legal=False), Verdict(line, Card.parse("KC"), legal=True)])
    >>> bool(learner.predict(line)[Card.parse("QS")] > 0.6)
    True
    """

    provenance = "prior fitted without the 26 rules of the LLM protocol; space designed with the list known"

    def __init__(
        self,
        noise: float = 0.0,
        predicates: int | None = None,
        *,
        memory: int | None = None,
        rules: Space | None = None,
    ) -> None:
        """Take all rules in.

        Args:
            noise: The chance that a verdict is false.
            predicates: How many predicates the space has in each role, the likeliest; None: all of them.
            memory: Of how many of the latest mainline cards is known what was played after them; None: of all.
            rules: The space; None: the package's.

        Raises:
            InvalidOptions: if ``predicates`` or ``memory`` is not at least 1, or ``noise`` not in 0 to below a half.
        """
        if predicates is not None and predicates < 1:
            raise InvalidOptions(f"predicates is {predicates}; at least 1 is needed, as in predicates = 500")
        if memory is not None and memory < 1:
            raise InvalidOptions(f"memory is {memory}; at least 1 mainline card is needed, as in memory = 6")
        if not 0 <= noise < 0.5:
            raise InvalidOptions(f"noise is {noise}; it is a chance from 0 to below 0.5, as in noise = 0.05")
        self._log: list[Evidence] = []
        self._digest = hashlib.sha256()
        self._memory = memory
        self._doubting = False
        every = rules or space()
        self._given = every if predicates is None else part(every, predicates, len(every.guards)), noise
        self._start(*self._given)

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Sift the rules by ``evidence``."""
        items = list(evidence)
        self._log += items
        self._digest.update("".join(map(repr, items)).encode())
        if self._memory is not None and len(kept := list(latest(self._log, self._memory))) < len(self._log):
            self._log, items = kept, kept
            self._doubting = False
            self._start(*self._given)
        self._learn(items)
        if not self._doubting and not self._total():
            self._doubting = True
            self._start(coarse(self._space), max(DOUBT, self._noise))
            self._learn(self._log)

    def remembered(self) -> list[Evidence]:
        """Return the evidence that counts: what was not forgotten."""
        return self._log.copy()

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the weight of the rules by which each card is legal after ``mainline``: shape (52,).

        With noise it is the chance that the card would be called legal.
        """
        known = self._memo.get(mainline)
        if known is None:
            known = self._memo[mainline] = self._predict(mainline)
        return known.copy()

    def sample(self, n: int) -> list[Rule] | None:
        """Return ``n`` rules drawn by their weight, the same for the same evidence.

        None if no rule explains everything: those left are known to be false.
        """
        if self._doubting or not self._total():
            return None
        return [self._space.rule(guard, chosen) for guard, chosen in self._draw(n)]

    def worlds(self, n: int) -> Candidates | None:
        """Return ``n`` rules drawn as by ``sample``, those drawn more than once as one; weights sum to 1."""
        if self._doubting or not self._total():
            return None
        counts = Counter(self._draw(n))
        return Candidates(self._space, list(counts), [count / n for count in counts.values()])

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return the most probable rules; those that are the same everywhere count as one."""
        return [*self.classes()[:EXPLAINED]]

    def classes(self, mainline: Cards | None = None) -> list[tuple[Rule, float]]:
        """Return the most probable rules, each with the probability of all that agree with it.

        Rules agree if they do so on all that can be reached from ``mainline``; without one, everywhere. The
        probabilities sum to 1; beyond those of the heaviest rules they are estimated by a sample.
        """
        found = self._candidates()
        if found is None:
            return []
        return [(found.rule(members[0]), mass) for members, mass in gathered(found, found.weights, mainline)]

    def _start(self, rules: Space, noise: float) -> None:
        """Take all rules back."""
        self._space = rules
        self._noise = noise
        self._memo: dict[Cards, NDArray[np.float64]] = {}
        self._latest: tuple[Cards, tuple[Masks, ...]] | None = None
        self._branchings = [
            Branching(index, guard, float(rules.guard_prior[index]), root)
            for index, (guard, root) in enumerate(zip(rules.guards, _roots(rules), strict=True))
        ]

    def _learn(self, items: Sequence[Evidence]) -> None:
        self._memo.clear()
        for several in _runs(items) if not self._noise else ([item] for item in items):
            match several[0]:
                case Verdict(mainline):
                    self._sift(mainline, self._as_judged([item for item in several if isinstance(item, Verdict)]))
                case SomeLegal(mainline, hand):
                    self._sift(mainline, self._as_shown(mask_of(hand)))
                case SomeIllegal(pairs):
                    self._add(pairs)
                case HintGiven(hint):
                    self._restrict(held_by(self._space, hint))
                case NotTheRule(rule, mainline):
                    self._deny(rule, mainline)
                case _:
                    assert_never(several[0])

    def _as_judged(self, verdicts: Sequence[Verdict]) -> Judgement:
        right = mask_of(item.card for item in verdicts if item.legal)
        wrong = mask_of(item.card for item in verdicts if not item.legal)
        if right & wrong and not self._noise:
            return lambda masks: np.zeros(len(masks), np.bool_)
        legal, judged = np.uint64(right), np.uint64(right | wrong)
        if not self._noise:
            return lambda masks: ((masks ^ legal) & judged) == 0
        return lambda masks: self._chance(((masks ^ legal) & judged) != 0)

    def _as_shown(self, hand: int) -> Judgement:
        """Judge by a hand of which some card is legal."""
        shown = np.uint64(hand)
        if not self._noise:
            return lambda masks: (masks & shown) != 0
        return lambda masks: self._chance((masks & shown) == 0)

    def _chance(self, wrong: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.where(wrong, self._noise, 1 - self._noise)

    def _sift(self, mainline: Cards, judgement: Judgement) -> None:
        """Take in what was seen after ``mainline``."""
        sieves = [Sieve(judgement(masks)) for masks in self._masks(mainline)]
        free = float(judgement(np.array([ALL_CARDS], np.uint64))[0])
        branches = self._space.situations.branches(mainline).tolist()
        for branching, branch in zip(self._branchings, branches, strict=True):
            if branch == FREE:
                branching.factor *= free
            elif branching.factor:
                branching.sift(branch, sieves[branching.readings[branch][1]])
        self._drop()

    def _add(self, pairs: Sequence[tuple[Cards, Card]]) -> None:
        """Take in that one of ``pairs`` is illegal."""
        facts = []
        for mainline, card in pairs:
            true = tuple((masks & np.uint64(card.bit)) != 0 for masks in self._masks(mainline))
            facts.append(Fact(self._space.situations.branches(mainline), true, free=True))
        self._doubt(NotAll(facts, self._noise))

    def _deny(self, rule: Rule, mainline: Cards) -> None:
        """Take in that another rule than ``rule`` judges what can be reached from ``mainline``."""
        facts = []
        for line in reached(rule, mainline):
            mask = rule.mask(line)
            true = tuple(masks == np.uint64(mask) for masks in self._masks(line))
            facts.append(Fact(self._space.situations.branches(line), true, free=mask == ALL_CARDS))
        self._doubt(NotAll(facts, 0.0))

    def _doubt(self, doubt: NotAll) -> None:
        for branching in self._branchings:
            if branching.factor:
                branching.add(doubt)
        self._drop()

    def _restrict(self, held: Held) -> None:
        """Keep the rules made of what is held to be true."""
        sieves = [Sieve(flags) for flags in self._space.turned_too(held.predicates, held.back)]
        for branching in self._branchings:
            branching.factor *= float(held.guards[branching.index])
            for branch, (_, reading) in enumerate(branching.readings):
                branching.sift(branch, sieves[reading])
        self._drop()

    def _drop(self) -> None:
        """Have no more to do with guards that cannot be."""
        for branching in self._branchings:
            if not branching.weight:
                branching.factor = 0.0

    def _masks(self, mainline: Cards) -> tuple[Masks, ...]:
        """Return by reading the legal cards by each predicate: by all as they are, otherwise by the local ones."""
        if self._latest is None or self._latest[0] != mainline:
            self._latest = mainline, self._space.masks(mainline)
        return self._latest[1]

    def _total(self) -> float:
        return sum(branching.weight for branching in self._branchings)

    def _predict(self, mainline: Cards) -> NDArray[np.float64]:
        branches = self._space.situations.branches(mainline).tolist()
        shared: tuple[dict[int, tuple[Survivors, float]], ...] = tuple({} for _ in self._masks(mainline))
        total = free = 0.0
        for branching, branch in zip(self._branchings, branches, strict=True):
            if not branching.factor:
                continue
            for term in branching.terms:
                weight = branching.factor * term.weight
                total += weight
                if branch == FREE:
                    free += weight
                elif weight:
                    slot, reading = branching.readings[branch]
                    survivors, votes = term.chosen[slot], shared[reading]
                    _, before = votes.get(id(survivors), (survivors, 0.0))
                    votes[id(survivors)] = survivors, before + weight / survivors.total
        if total <= 0:
            return np.full(52, 0.5)
        found = np.full(52, free)
        for masks, votes in zip(self._masks(mainline), shared, strict=True):
            found += _votes(masks, votes.values())
        found /= total
        found = np.where(found < ROUNDING, 0.0, np.where(found > 1 - ROUNDING, 1.0, found))
        chances: NDArray[np.float64] = self._noise + (1 - 2 * self._noise) * found
        return chances

    def _draw(self, n: int) -> list[tuple[int, Choice]]:
        """Draw rules: guards at evenly spaced places of their weights laid end to end, predicates likewise."""
        rng = generator(f"elimination/{self._digest.hexdigest()}/{n}")
        ends = np.cumsum([branching.weight for branching in self._branchings])
        places = np.searchsorted(ends, (np.arange(n) + 0.5) / n * ends[-1])
        found: list[tuple[int, Choice]] = []
        for guard, count in zip(*np.unique(places, return_counts=True), strict=True):
            found += [(int(guard), chosen) for chosen in self._branchings[guard].draw(int(count), rng)]
        return found

    def _candidates(self) -> Candidates | None:
        """Return the heaviest rules with their probabilities, and drawn ones that share the rest of it."""
        total = self._total()
        if not total:
            return None
        heaviest = [
            (weight / total, (branching.index, chosen))
            for branching in self._branchings
            if branching.weight > total / 1_000
            for chosen, weight in branching.heaviest(HEAVIEST // 2)
        ]
        heaviest = sorted(heaviest, key=lambda item: (-item[0], item[1]))[:HEAVIEST]
        weights, choices = [weight for weight, _ in heaviest], [choice for _, choice in heaviest]
        rest = 1 - sum(weights)
        known = set(choices)
        others = [choice for choice in self._draw(DRAWN) if choice not in known] if rest > 0.01 else []
        weights += [rest / max(1, len(others))] * len(others)
        return Candidates(self._space, choices + others, weights)


@lru_cache(maxsize=8)
def _roots(rules: Space) -> list[Survivors]:
    """Return all predicates for each guard of ``rules``; those with the same prior share them."""
    priors = [rules.prior(index) for index in range(len(rules.guards))]
    roots = {id(prior): Survivors.of(prior) for prior in {id(prior): prior for prior in priors}.values()}
    return [roots[id(prior)] for prior in priors]


def _runs(items: Sequence[Evidence]) -> Iterable[list[Evidence]]:
    """Put verdicts after one mainline together; all other evidence stands alone."""
    for _, several in groupby(enumerate(items), lambda pair: _key(*pair)):
        yield [item for _, item in several]


def _key(place: int, item: Evidence) -> object:
    return item.mainline if isinstance(item, Verdict) else place


def _votes(masks: Masks, votes: Iterable[tuple[Survivors, float]]) -> NDArray[np.float64]:
    """Return for each card the weight of the predicates by which it is legal: shape (52,)."""
    weights = np.zeros(len(masks))
    for survivors, factor in votes:
        weights[survivors.rows] += factor * survivors.weights
    rows = weights.nonzero()[0]
    weights, columns = weights.take(rows), masks.take(rows).view(np.uint8).reshape(-1, 8)
    found = [np.bincount(columns[:, byte], weights, 256) @ _BITS for byte in range(7)]
    return np.concatenate(found)[:52]


_BITS = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.float64)
"""Shape (256, 8): the bits of each byte, the lowest first."""
