"""How probable is each part of a rule, to a dealer? Fits the prior of the elimination learner on published rules.

Writes agents/eleusis_agents/learners/prior.toml, the same bytes each time. A rule of the catalogue counts once, one
of the generated set `train` a little; the 26 rules of the LLM protocol, what equals them, and the set `test` count
not at all. The probability of a rule is the sum over all its spellings in the space; expectation maximisation
raises it, while `guess` holds back what few rules speak for.

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

from eleusis_agents.learners.guards import Reading
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
RESULTS = Path(__file__).parent / "results" / "fit_prior"
GUESS = Path(__file__).parent / "prior_guess.toml"
"""What the parts of a rule cost as we guess it."""
GENERATED = 0.005
"""What a generated rule counts; a published one counts 1."""
SPREAD = 1.0
"""Standard deviation, in bits, of a feature from its guess before any rule is seen."""
GUESSED = 20.0
"""Rules that the guesses of the guards count as."""
ROUNDS = 8
"""Rounds of expectation and maximisation."""
DIGITS = 2
"""Digits of the bits that are kept."""
ROLES = ("whole", "branch", "whole", "branch")
"""What the predicates of `priors` are for, as the prior has it."""
FOLDS = 5
"""Parts of the published rules, each of which is held out in turn."""
LINES = 208
"""Random lines, besides ``sights``, on which rules are told apart."""
SEARCH = (
    *((GENERATED, spread, GUESSED) for spread in (0.5, 0.7, 1.0, 2.0, 4.0)),
    *((generated, SPREAD, GUESSED) for generated in (0.0, 0.02, 0.1)),
    *((GENERATED, SPREAD, guessed) for guessed in (5.0, 10.0, 40.0)),
)
"""Settings of the above that ``--search`` compares by what held-out published rules cost."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A guard with which the space can say a rule, and the predicates for each choice that make it that rule."""

    guard: int
    chosen: tuple[NDArray[np.intp], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A rule that the space can say."""

    id: str
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """The features of predicates, once for each role; predicates with the same features are one kind."""

    names: tuple[str, ...]
    kinds: tuple[csr_array, ...]
    """By role, shape (kinds, names): how often a predicate has each feature."""
    kind: tuple[NDArray[np.intp], ...]
    """By role, shape (predicates,): the kind of each."""
    free: tuple[NDArray[np.bool_], ...]
    """By role, shape (predicates,): whether a prior gives it a chance."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What the fit is worth: bits a rule costs, the mean over rules that the space can say."""

    published: int
    generated: int
    tested: int
    """Rules of the set `test` that the space can say; they have no part in the fit."""
    published_by_guess: float
    published_held_out: float
    published_fitted: float
    test_by_guess: float
    test_fitted: float


def main() -> None:
    """Fit the prior, write it, and print how probable it makes rules that it has not seen."""
    published, generated = told_rules()
    for settings in SEARCH if "--search" in sys.argv else ():
        print(settings, f"{held_out(published, generated, *settings):.2f} bits a published rule held out")
    prior = fit(published, generated, GENERATED, SPREAD, GUESSED)
    PRIOR.write_text(text_of(prior), encoding="utf-8", newline="\n")
    tested = [told for rule in load_rule_set("test").rules if (told := spelled(rule.id, rule.rule)).spellings]
    result = Result(
        published=len(published),
        generated=len(generated),
        tested=len(tested),
        published_by_guess=bits(published, guess()),
        published_held_out=held_out(published, generated, GENERATED, SPREAD, GUESSED),
        published_fitted=bits(published, prior),
        test_by_guess=bits(tested, guess()),
        test_fitted=bits(tested, prior),
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    for name, value in msgspec.structs.asdict(result).items():
        print(f"{name:20} {value}")


def fitted() -> str:
    """Return the text of the table."""
    return text_of(fit(*told_rules(), GENERATED, SPREAD, GUESSED))


@cache
def guess() -> Prior:
    """Return the prior before any rule is seen.

    A guard's test may also turn a predicate round, as in ``card.is_face != last.is_red``: that is a bit cheaper.
    """
    found = msgspec.toml.decode(GUESS.read_bytes(), type=Prior)
    tests = {family: cost - 1 for family, cost in found.guards.items()}
    return msgspec.structs.replace(found, predicates=found.predicates | tests)


def text_of(prior: Prior) -> str:
    """Write a prior as TOML."""
    lines = [f'provenance = "{prior.provenance}"', "", "[predicates]"]
    lines += [f'"{name}" = {cost:.{DIGITS}f}' for name, cost in sorted(prior.predicates.items())]
    lines += ["", "[guards]"]
    lines += [f'"{name}" = {cost:.{DIGITS}f}' for name, cost in sorted(prior.guards.items())]
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
        parts = [np.flatnonzero(rules().prior(number)) for _ in range(guard.slots)]
        for branch, (slot, reading) in enumerate(guard.readings):
            views = back if reading in (Reading.BACK, Reading.BACK_TURNED) else whole
            mirror = rules().turned if reading >= Reading.LAST_TURNED else None
            for view, mask, place in zip(views, wanted, branches, strict=True):
                if place[number] == branch:
                    rows = parts[slot]
                    parts[slot] = rows[view[rows if mirror is None else mirror[rows]] == mask]
                    if not len(parts[slot]):
                        break
            if not len(parts[slot]):
                break
        else:
            found.append(Spelling(number, tuple(parts)))
    return Told(id_, tuple(found))


def bits(some: Sequence[Told], prior: Prior) -> float:
    """Return what rules cost on average: minus log2 of their probability."""
    weighed = weigh(rules().predicates, prior)
    return round(float(np.mean([-np.log2(sum(chances(told, weighed))) for told in some])), 3)


def chances(told: Told, weighed: Space) -> list[float]:
    """Return the probability of each spelling of a rule."""
    return [
        float(weighed.guard_prior[spelling.guard])
        * float(np.prod([weighed.prior(spelling.guard)[rows].sum() for rows in spelling.chosen]))
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
        total += bits(order[fold::FOLDS], prior) * len(order[fold::FOLDS])
    return round(total / len(order), 3)


def fit(published: Sequence[Told], generated: Sequence[Told], share: float, spread: float, guessed: float) -> Prior:
    """Return the prior that makes rules most probable, a generated one counting ``share``."""
    counted = [(told, 1.0) for told in published] + [(told, share) for told in generated if share]
    prior = Prior(
        provenance=f"experiments/fit_prior.py: {len(published)} published rules, none of the LLM protocol's, and "
        f"{len(generated)} generated ones of the set train, each counting {share}",
        predicates={name: guess().predicates[name] for name in design().names},
        guards=guess().guards,
    )
    for _ in range(ROUNDS):
        prior = _maximised(prior, _expected(counted, prior), spread, guessed)
    return prior


@cache
def design() -> Design:
    """Return the features of all predicates in each role."""
    predicates, chances = rules().predicates, priors(rules())
    roles = [features(predicates, role, len(prior)) for role, prior in zip(ROLES, chances, strict=True)]
    names = tuple(sorted({name for columns in roles for few, _ in columns for name in few if name}))
    at = {name: place for place, name in enumerate(names)}
    matrices, kinds = [], []
    for columns, prior in zip(roles, chances, strict=True):
        counts = np.zeros((len(prior), len(names) + 1), np.int8)
        for few, numbers in columns:
            np.add.at(counts, (np.arange(len(prior)), np.array([at.get(name, -1) for name in few])[numbers]), 1)
        rows, kind = np.unique(counts[:, :-1], axis=0, return_inverse=True)
        matrices.append(csr_array(rows.astype(np.float64)))
        kinds.append(kind.ravel())
    return Design(names, tuple(matrices), tuple(kinds), tuple(prior > 0 for prior in chances))


def priors(space: Space) -> tuple[NDArray[np.float64], ...]:
    """Return the probabilities of predicates: as whole rules, in branches, about one card back, and tied."""
    return (space.whole_prior, space.local_prior, space.back_prior, space.tied_prior)


Counts = tuple[NDArray[np.float64], list[NDArray[np.float64]]]
"""How often each guard is expected, and each predicate in each role."""


def _expected(counted: Sequence[tuple[Told, float]], prior: Prior) -> Counts:
    weighed = weigh(rules().predicates, prior)
    guards, chosen = np.zeros(len(weighed.guards)), [np.zeros(len(prior)) for prior in priors(weighed)]
    by_prior = {id(prior): counts for prior, counts in zip(priors(weighed), chosen, strict=True)}
    for told, weight in counted:
        found = np.array(chances(told, weighed))
        for spelling, part in zip(told.spellings, weight * found / found.sum(), strict=True):
            guards[spelling.guard] += part
            prior_of_guard = weighed.prior(spelling.guard)
            for rows in spelling.chosen:
                of_rows = prior_of_guard[rows]
                by_prior[id(prior_of_guard)][rows] += part * of_rows / of_rows.sum()
    return guards, chosen


def _maximised(prior: Prior, counts: Counts, spread: float, guessed: float) -> Prior:
    guards, chosen = counts
    found = design()
    parts = []
    for matrix, kind, free, seen in zip(found.kinds, found.kind, found.free, chosen, strict=True):
        several = np.bincount(kind[free], minlength=matrix.shape[0])
        rows = np.flatnonzero(several)
        parts.append((matrix[rows], np.bincount(kind, seen, matrix.shape[0])[rows], np.log(several[rows])))
    centre = np.array([guess().predicates[name] for name in found.names])

    def loss(cost: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        off = (cost - centre) / spread
        value, slope = float(off @ off) / 2, off / spread
        for matrix, seen, several in parts:
            scores = several - np.log(2) * (matrix @ cost)
            norm = logsumexp(scores)
            value -= float(seen @ scores - seen.sum() * norm)
            slope = slope + np.log(2) * (matrix.T @ (seen - seen.sum() * np.exp(scores - norm)))
        return value, slope

    start = np.array([prior.predicates[name] for name in found.names])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 30}).x
    families = sorted({guard.family for guard in rules().guards})
    shares = np.exp2([-guess().guards[family] for family in families])
    seen = np.array([guards[[g.family == family for g in rules().guards]].sum() for family in families])
    shares = (seen + guessed * shares / shares.sum()) / (seen.sum() + guessed)
    return msgspec.structs.replace(
        prior,
        predicates={name: round(float(cost), DIGITS) for name, cost in zip(found.names, best, strict=True)},
        guards={name: round(float(-np.log2(part)), DIGITS) for name, part in zip(families, shares, strict=True)},
    )


if __name__ == "__main__":
    main()
