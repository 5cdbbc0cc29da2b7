"""How probable is each part of a rule, to a dealer? Fits the prior of the elimination learner on published rules.

Writes agents/eleusis_agents/learners/prior.toml, the same bytes each time. A rule of the catalogue counts once, one
of the generated set `train` a little; the 26 rules of the LLM protocol, what equals them, and the set `test` count
not at all. The probability of a rule is the sum over all its spellings in the space; expectation maximisation
raises it, while `GUESS` holds back what few rules speak for.

Run it with: python experiments/fit_prior.py [--search]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import logsumexp

from eleusis_agents.learners.predicates import Masks, sights
from eleusis_agents.learners.prior import Prior, features
from eleusis_agents.learners.space import Space, grammar, make_rules, weigh
from eleusis_ai.cards import CARDS
from eleusis_ai.layout import Cards
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.seeds import generator

PRIOR = Path(__file__).parent.parent / "agents" / "eleusis_agents" / "learners" / "prior.toml"
GENERATED = 0.02
"""What a generated rule counts; a published one counts 1."""
SPREAD = 2.0
"""Standard deviation, in bits, of a feature from its guess before any rule is seen."""
GUESSED = 20.0
"""Rules that the guesses of the guards count as."""
ROUNDS = 8
"""Rounds of expectation and maximisation."""
DIGITS = 2
"""Digits of the bits that are kept."""
FOLDS = 5
"""Parts of the published rules, each of which is held out in turn."""
LINES = 208
"""Random lines, besides ``sights``, on which rules are told apart."""
SEARCH = {"generated": (0.0, 0.005, 0.02, 0.05), "spread": (1.0, 2.0, 4.0), "guessed": (10.0, 20.0, 40.0)}
"""What ``--search`` tries."""
GUESS = {
    "alike both": 0.5,
    "alike none": 1.5,
    "alike one": 1.5,
    "back": 2.5,
    "branch alone": 0,
    "branch and": 5,
    "branch or": 5,
    "branch share 0": 2,
    "branch share 1": 0.5,
    "branch share 2": 0,
    "branch share 3": 0,
    "branch share 4": 0,
    "branch share 5": 0.2,
    "branch share 6": 0,
    "branch xor": 5,
    "by-count": 8,
    "by-position": 8,
    "by-sum": 8,
    "color": 2,
    "cyclic-either": 8,
    "cyclic-range": 9,
    "cyclic-step": 8.5,
    "difference-not": 9.5,
    "difference-rest": 9,
    "difference-zero": 8,
    "distance-from": 6.5,
    "distance-range": 8.5,
    "distance-to": 6.5,
    "divides": 9,
    "face": 3,
    "false": 5,
    "half": 1,
    "modulus-not": 7.5,
    "modulus-rest": 7,
    "modulus-zero": 5.5,
    "no-three": 7,
    "not-face": 3.5,
    "not-prime": 5,
    "not-suit": 4.7,
    "order": 3,
    "other-color": 2,
    "other-face": 4,
    "other-parity": 3,
    "other-prime": 7,
    "other-rank": 4,
    "other-suit": 2.5,
    "other-suit-pair": 6,
    "parity": 2.5,
    "prime": 4.5,
    "product": 9,
    "rank-any": 7.5,
    "rank-but": 8,
    "rank-end": 6.3,
    "rank-half": 5,
    "rank-one": 6,
    "rank-range": 8,
    "rank-set": 8,
    "same-color": 2,
    "same-face": 4,
    "same-parity": 3,
    "same-prime": 7,
    "same-rank": 4,
    "same-suit": 2.5,
    "same-suit-pair": 6,
    "seen": 6,
    "step": 6,
    "suit": 4,
    "suit-cycle": 6,
    "suit-cycle-not": 8,
    "suit-pair": 5,
    "sum": 9,
    "sum-not": 9.5,
    "sum-of-three": 8,
    "sum-rest": 9,
    "sum-set": 8,
    "sum-zero": 8,
    "test": 1,
    "true": 3,
    "unlike both": 0,
    "unlike none": 0,
    "unlike one": 0.5,
    "whole alone": 0,
    "whole and": 2.5,
    "whole or": 2.5,
    "whole share 0": 3,
    "whole share 1": 1,
    "whole share 2": 0,
    "whole share 3": 0,
    "whole share 4": 0,
    "whole share 5": 0.3,
    "whole share 6": 2,
    "whole xor": 2,
    "window-color": 7,
    "window-parity": 8,
    "window-rank": 7,
    "window-suit": 7,
}
"""Bits of the features of predicates as we guess them: a natural thought costs 2, a strange one 9."""
GUARDS = {
    "always": 0.6,
    "always-back": 5,
    "back-color": 6,
    "back-face": 7.5,
    "back-parity": 7,
    "count": 6.5,
    "count-of-three": 7,
    "last-both": 7,
    "last-color": 3,
    "last-end": 7,
    "last-face": 4.5,
    "last-half": 6,
    "last-modulus": 7.5,
    "last-one-suit": 6,
    "last-parity": 4,
    "last-prime": 6.5,
    "last-suit": 5.5,
    "last-suit-pair": 7,
    "last-thirds": 7,
    "last-two-attributes": 7,
    "position-2": 4.5,
    "position-3": 5.5,
    "position-4": 7,
    "position-5": 8,
    "position-6": 8,
    "position-blocks": 7,
    "position-first": 8,
    "position-one": 6,
    "run": 6.5,
    "run-modulus": 6.5,
    "sum": 7,
    "two-color": 6,
    "two-face": 8,
    "two-order": 6,
    "two-parity": 7,
    "two-suit": 7,
}
"""Bits of the families of guards as we guess them."""
GUESS |= {family: bits - 1 for family, bits in GUARDS.items()}
"""A guard's test may also turn a predicate round, as in ``card.is_face != last.is_red``."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A guard with which the space can say a rule, and the predicates for each branch that make it that rule."""

    guard: int
    branches: tuple[NDArray[np.intp], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A rule that the space can say."""

    id: str
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """The features of predicates as a matrix, once for each role."""

    names: tuple[str, ...]
    whole: csr_array
    branch: csr_array
    looking: NDArray[np.intp]
    """The local predicates that look at a card: what the guard `always-back` chooses from."""


def main() -> None:
    """Fit the prior, write it, and print how probable it makes rules that it has not seen."""
    published, generated = told_rules()
    print(f"{len(published)} published and {len(generated)} generated rules are in the space")
    if "--search" in sys.argv:
        for spread in SEARCH["spread"]:
            for share in SEARCH["generated"]:
                for guessed in SEARCH["guessed"]:
                    found = held_out(published, generated, share, spread, guessed)
                    print(f"spread {spread}, generated {share}, guessed {guessed}: {found:.2f} bits a rule held out")
    print(f"guess: {-log_likelihood(published, guess()):.2f} bits a published rule")
    print(f"held out: {held_out(published, generated, GENERATED, SPREAD, GUESSED):.2f} bits a published rule")
    prior = fit(published, generated, GENERATED, SPREAD, GUESSED)
    print(f"fitted: {-log_likelihood(published, prior):.2f} bits a published rule")
    test = [told for rule in load_rule_set("test").rules if (told := spelled(rule.id, rule.rule)).spellings]
    print(f"test: {len(test)} of 500 rules are in the space: {-log_likelihood(test, prior):.2f} bits a rule")
    print(f"test, by guess: {-log_likelihood(test, guess()):.2f} bits a rule")
    PRIOR.write_text(text_of(prior), encoding="utf-8", newline="\n")


def fitted() -> str:
    """Return the text of the table."""
    return text_of(fit(*told_rules(), GENERATED, SPREAD, GUESSED))


def guess() -> Prior:
    """Return the prior before any rule is seen."""
    return Prior(provenance="guessed", predicates=GUESS, guards=GUARDS)


def text_of(prior: Prior) -> str:
    """Write a prior as TOML."""
    lines = [f'provenance = "{prior.provenance}"', "", "[predicates]"]
    lines += [f'"{name}" = {bits:.{DIGITS}f}' for name, bits in sorted(prior.predicates.items())]
    lines += ["", "[guards]"]
    lines += [f'"{name}" = {bits:.{DIGITS}f}' for name, bits in sorted(prior.guards.items())]
    return "\n".join((*lines, ""))


@cache
def rules() -> Space:
    """Return the space as guessed."""
    return weigh(make_rules(grammar()), guess())


def told_rules() -> tuple[list[Told], list[Told]]:
    """Return the published and the generated rules to fit on that the space can say."""
    entries = load().values()
    barred = {entry.rule.signature for entry in entries if entry.in_llm_protocol}
    barred |= {Rule.parse(entry.expression).signature for entry in entries if entry.in_llm_protocol}
    open_ = [entry for entry in entries if not entry.in_llm_protocol]
    published = [(entry.id, entry.rule) for entry in open_ if entry.rule.signature not in barred]
    generated = [(rule.id, rule.rule) for rule in load_rule_set("train").rules if rule.signature not in barred]
    found = [
        [told for id_, rule in some if (told := spelled(id_, rule)).spellings] for some in (published, generated)
    ]
    return found[0], found[1]


@cache
def lines() -> tuple[list[Cards], list[Masks], list[Masks], list[NDArray[np.int8]]]:
    """Return lines, and after each the verdicts of predicates, those about one card back, and branches."""
    rng = generator("fit_prior/lines")
    found = [*sights(), *(tuple(rng.choices(CARDS, k=rng.randint(2, 14))) for _ in range(LINES))]
    predicates = rules().predicates
    return (
        found,
        [predicates.masks(line) for line in found],
        [predicates.local_masks(line[:-1]) for line in found],
        [rules().situations.branches(line) for line in found],
    )


def spelled(id_: str, rule: Rule) -> Told:
    """Return all spellings of ``rule`` in the space: those that agree with it after each of `lines`."""
    every, whole, back, branches = lines()
    wanted = [np.uint64(rule.mask(line)) for line in every]
    found: list[Spelling] = []
    for number, guard in enumerate(rules().guards):
        views = whole if guard.anchor == 1 else back
        prior = rules().prior(number)
        parts: list[NDArray[np.intp]] = []
        for branch in range(guard.branches):
            rows = np.flatnonzero(prior)
            for view, mask, place in zip(views, wanted, branches, strict=True):
                if place[number] == branch:
                    rows = rows[view[rows] == mask]
                    if not len(rows):
                        break
            parts.append(rows)
            if not len(rows):
                break
        else:
            found.append(Spelling(number, tuple(parts)))
    return Told(id_, tuple(found))


def log_likelihood(rules_: Sequence[Told], prior: Prior) -> float:
    """Return the mean of log2 of the probability of some rules."""
    weighed = weigh(rules().predicates, prior)
    return float(np.mean([np.log2(sum(chances(told, weighed))) for told in rules_]))


def chances(told: Told, weighed: Space) -> list[float]:
    """Return the probability of each spelling of a rule."""
    return [
        float(weighed.guard_prior[spelling.guard])
        * float(np.prod([weighed.prior(spelling.guard)[rows].sum() for rows in spelling.branches]))
        for spelling in told.spellings
    ]


def held_out(
    published: Sequence[Told], generated: Sequence[Told], share: float, spread: float, guessed: float
) -> float:
    """Return the bits a published rule costs where the prior was fitted on the others."""
    order = sorted(published, key=lambda told: generator(f"fit_prior/fold/{told.id}").random())
    total = 0.0
    for fold in range(FOLDS):
        rest = [told for place, told in enumerate(order) if place % FOLDS != fold]
        prior = fit(rest, generated, share, spread, guessed)
        total -= log_likelihood(order[fold::FOLDS], prior) * len(order[fold::FOLDS])
    return total / len(order)


def fit(published: Sequence[Told], generated: Sequence[Told], share: float, spread: float, guessed: float) -> Prior:
    """Return the prior that makes rules most probable, a generated one counting ``share``."""
    counted = [(told, 1.0) for told in published] + [(told, share) for told in generated if share]
    prior = Prior(
        provenance=f"experiments/fit_prior.py: {len(published)} published rules, none of the LLM protocol's, and "
        f"{len(generated)} generated ones of the set train, each counting {share}",
        predicates={name: GUESS[name] for name in design().names},
        guards=GUARDS,
    )
    for _ in range(ROUNDS):
        prior = _maximised(prior, _expected(counted, prior), spread, guessed)
    return prior


@cache
def design() -> Design:
    """Return the features of all predicates."""
    predicates = rules().predicates
    whole, branch = features(predicates, "whole", len(predicates)), features(predicates, "branch", predicates.local)
    names = tuple(sorted({name for columns in (whole, branch) for few, _ in columns for name in few if name}))
    at = {name: place for place, name in enumerate(names)}
    matrices = []
    for columns, count in ((whole, len(predicates)), (branch, predicates.local)):
        width = len(names) + 1
        places = [np.array([at.get(name, width - 1) for name in few])[numbers] for few, numbers in columns]
        entries = np.concatenate(places), np.tile(np.arange(count), len(places))
        ones = np.ones(len(entries[0]))
        matrices.append(csr_array((ones, (entries[1], entries[0])), shape=(count, width))[:, : width - 1])
    return Design(names, matrices[0], matrices[1], np.flatnonzero(predicates.needs[: predicates.local]))


Counts = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""How often each guard, and each predicate as a whole rule, in a branch and about one card back is expected."""


def _expected(counted: Sequence[tuple[Told, float]], prior: Prior) -> Counts:
    weighed = weigh(rules().predicates, prior)
    guards, whole = np.zeros(len(weighed.guards)), np.zeros(len(weighed.whole_prior))
    branch, back = np.zeros(len(weighed.local_prior)), np.zeros(len(weighed.local_prior))
    for told, weight in counted:
        found = np.array(chances(told, weighed))
        for spelling, part in zip(told.spellings, weight * found / found.sum(), strict=True):
            guards[spelling.guard] += part
            one = weighed.guards[spelling.guard].branches == 1
            counts = (whole if weighed.is_whole(spelling.guard) else back) if one else branch
            for rows in spelling.branches:
                of_rows = weighed.prior(spelling.guard)[rows]
                counts[rows] += part * of_rows / of_rows.sum()
    return guards, whole, branch, back


def _maximised(prior: Prior, counts: Counts, spread: float, guessed: float) -> Prior:
    guards, whole, branch, back = counts
    found = design()
    local = found.whole[: len(branch)][found.looking]
    parts = ((found.whole, whole), (found.branch, branch), (local, back[found.looking]))
    centre = np.array([GUESS[name] for name in found.names])

    def loss(bits: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        off = (bits - centre) / spread
        value, slope = float(off @ off) / 2, off / spread
        for matrix, seen in parts:
            scores = -np.log(2) * (matrix @ bits)
            norm = logsumexp(scores)
            value -= float(seen @ scores - seen.sum() * norm)
            slope = slope + np.log(2) * (matrix.T @ (seen - seen.sum() * np.exp(scores - norm)))
        return value, slope

    start = np.array([prior.predicates[name] for name in found.names])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 30}).x
    families = sorted({guard.family for guard in rules().guards})
    shares = np.exp2([-GUARDS[family] for family in families])
    seen = np.array([guards[[g.family == family for g in rules().guards]].sum() for family in families])
    shares = (seen + guessed * shares / shares.sum()) / (seen.sum() + guessed)
    return msgspec.structs.replace(
        prior,
        predicates={name: round(float(bits), DIGITS) for name, bits in zip(found.names, best, strict=True)},
        guards={name: round(float(-np.log2(part)), DIGITS) for name, part in zip(families, shares, strict=True)},
    )


if __name__ == "__main__":
    main()
