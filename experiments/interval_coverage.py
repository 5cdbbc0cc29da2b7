"""Do 95 % intervals of a tournament hold the truth 95 times in 100, and what is playing the same deals worth?

Run it with: python experiments/interval_coverage.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import rankdata
from tqdm import tqdm

from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.intervals import Spread, by_chance, either, holm, quantile, skewed
from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.schedule import Key
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.strengths import Strengths, strengths
from eleusis_ai.arena.tally import Comparisons
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.charts import Chart, Dot, Dots, Interval, draw
from eleusis_ai.provenance import commit, versions
from eleusis_ai.seeds import generator

PLAYED = {
    "name": "interval_coverage",
    "profile": "howell",
    "seats": 5,
    "seed": 5,
    "deals": 60,
    "dealer": {"use": "catalog", "options": {"families": ["memoryless", "markov1"]}},
    "agents": [
        {"use": "elimination"},
        {"id": "no-strings", "use": "elimination", "options": {"strategy": {"strings": False}}},
        {"use": "tree"},
        {"use": "random"},
    ],
}
"""The tournament after which others are simulated: `quick` with one agent more, which is of a kind with another."""
DEALS = (20, 50, 200)
TOURNAMENTS = 4_000
"""How many are simulated for each number of deals."""
TRUTH = 200_000
"""Deals of one tournament that is long enough to be taken for the truth."""
SEED = "interval-coverage-1"
AT_A_TIME = 500
WANTED = (0.93, 0.97)
BY_DEAL, STUDENT, NO_SKEWNESS = "by deal, as reported", "by deal, Student's t", "by deal, skewness removed"
ROUNDS = "rounds taken as independent"
FEW = ", half the deals shared"
"""What is said of a league in which one agent in turn sits out, and a deal is played once."""
EQUAL = ", equal agents"
"""What is said of a tournament in which all agents are like the last one, with luck that they share by half."""
RESULTS = Path(__file__).parent / "results" / "interval_coverage"
Floats = NDArray[np.float64]


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """How points come about: what an agent gets has the distribution that was seen, and goes with its luck.

    Luck is a normal variable: part of it is the agent's with the deal, part of it the agent's at this table in this
    deal, and both parts go together with those of the other agents; and some chairs are better than others.
    """

    agents: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    """By agent: what it got on each seat, ascending; so points are whole, never below 0, and have their long tail."""
    with_deal: tuple[tuple[float, ...], ...]
    """Covariance of the agents' luck with a deal."""
    at_table: tuple[tuple[float, ...], ...]
    """Covariance of what is added at one table."""
    chairs: tuple[float, ...]
    """What a chair adds, from the dealer's left."""

    def tournaments(self, name: str, count: int, deals: int) -> Floats:
        """Simulate tournaments in which each agent sits on each chair once a deal.

        Returns:
            Points, shape (count, deals, seatings, agents).
        """
        rng = np.random.default_rng(generator(f"{SEED}/{name}").getrandbits(64))
        size = len(self.agents)
        with_deal = rng.standard_normal((count, deals, 1, size)) @ _root(self.with_deal)
        luck = with_deal + rng.standard_normal((count, deals, size, size)) @ _root(self.at_table)
        luck += np.array(self.chairs)[chairs(size)]
        for agent, seen in enumerate(self.points):
            at = ndtri((np.arange(len(seen)) + 0.5) / len(seen))
            luck[..., agent] = np.rint(np.interp(luck[..., agent], at, seen))
        return luck


def chairs(size: int) -> NDArray[np.intp]:
    """Return the chair of each agent in each seating: shape (seatings, agents)."""
    places = np.arange(size)
    return (places[None, :] - places[:, None]) % size


def _root(covariance: Iterable[Iterable[float]]) -> Floats:
    """Return what makes independent normal variables ones of this covariance."""
    sizes, axes = np.linalg.eigh(np.array(covariance))
    root: Floats = (axes * np.sqrt(sizes.clip(0))).T
    return root


def fitted(outcomes: Iterable[Outcome]) -> Model:
    """Fit a model to a tournament in which each agent sits on each chair once a deal."""
    seen: dict[str, dict[tuple[int, int], tuple[int, int]]] = {}
    for outcome in outcomes:
        key = Key.parse(outcome.key)
        for chair, seat in enumerate(outcome.seats):
            seen.setdefault(seat.agent, {})[key.deal, key.seating] = (chair, seat.points)
    agents = tuple(spec.id for spec in config_from(PLAYED).agents)
    rows = np.array([[seen[agent][place] for place in sorted(seen[agent])] for agent in agents])
    seats, points = rows[..., 0], rows[..., 1]
    size, rounds = points.shape
    luck = np.array([ndtri((rankdata(own) - 0.5) / rounds) for own in points])
    better = np.array([luck[seats == chair].mean() for chair in range(size)])
    luck = luck - better[seats]
    luck /= luck.std(1, keepdims=True)
    by_deal = luck.reshape(size, -1, size)
    together = luck @ luck.T / rounds
    sums = by_deal.sum(-1)
    # Products of luck at two tables of one deal are those of what the deal brings.
    with_deal = (sums @ sums.T / rounds - together) / (size - 1)
    shared = _root(with_deal).T @ _root(with_deal)
    rest = _root(together - shared).T @ _root(together - shared)
    scale = 1 / np.sqrt(np.diag(shared + rest))
    return Model(
        agents=agents,
        points=tuple(tuple(sorted(map(int, own))) for own in points),
        with_deal=_rounded(shared * np.outer(scale, scale)),
        at_table=_rounded(rest * np.outer(scale, scale)),
        chairs=tuple(round(float(each), 4) for each in better),
    )


def _rounded(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(each), 4) for each in row) for row in matrix)


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """What intervals should hold: what a tournament without end would find."""

    points: tuple[float, ...]
    """By agent."""
    strengths: tuple[float, ...]
    """By agent."""
    few_points: tuple[float, ...]
    """The same where one agent in turn sits out, and a deal is played once."""
    few_strengths: tuple[float, ...]


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How often intervals of one kind hold the truth."""

    what: str
    method: str
    deals: int
    held: tuple[float, ...]
    """For each agent, or for each pair of them."""


class Errors(msgspec.Struct, frozen=True, kw_only=True):
    """The standard error of a difference, if both agents play the same deals and if each plays its own."""

    pair: str
    same: float
    own: float
    played: float
    """The ratio of the two in the tournament that was played; the others are simulated, at 50 deals."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    holds: bool
    """Whether all intervals that rankings give cover as wanted, where all agents played all deals."""
    commit: str | None
    versions: dict[str, str]
    seed: str
    tournaments: int
    truth: Truth
    coverage: tuple[Coverage, ...]
    errors: tuple[Errors, ...]
    model: Model


def truth_of(model: Model, deals: int = TRUTH) -> Truth:
    """Simulate until it does not matter any more."""
    parts = deals // 20_000
    played = np.concatenate([model.tournaments(f"truth/{part}", 1, 20_000)[0] for part in range(parts)])
    few = sparse(played[None])[0]
    return Truth(
        points=tuple(map(float, played.mean((0, 1)))),
        strengths=_strengths(model, next(compared(played[None]))),
        few_points=tuple(map(float, np.nanmean(few, axis=(0, 1)))),
        few_strengths=_strengths(model, next(compared(few[None]))),
    )


def _strengths(model: Model, comparisons: Comparisons) -> tuple[float, ...]:
    found = _found(model, comparisons)
    return tuple(found.strength(agent).mean for agent in model.agents)


def _found(model: Model, comparisons: Comparisons) -> Strengths:
    found = strengths(model.agents, comparisons)
    assert found is not None, "all of them met"
    return found


def sparse(points: Floats) -> Floats:
    """Leave one seating of each deal, and let one agent sit out, by turns; nan: it did.

    Returns:
        Shape (tournaments, deals, 1, agents).
    """
    deals, size = points.shape[1], points.shape[-1]
    seatings = np.arange(deals) % size
    few = points[:, np.arange(deals), seatings].copy()
    few[:, chairs(size)[seatings] == size - 1] = np.nan
    return few[:, :, None, :]


def compared(points: Floats) -> Iterator[Comparisons]:
    """Yield for each tournament who finished before whom; points are of shape (count, deals, seatings, agents)."""
    there = ~np.isnan(points[0])
    games = (there[..., :, None] & there[..., None, :]).sum(1).astype(np.float64)
    size = points.shape[-1]
    games[:, range(size), range(size)] = 0
    designs, design = np.unique(games, axis=0, return_inverse=True)
    for played in points:
        ahead = played[..., :, None] - played[..., None, :]
        won = ((ahead > 0) + (ahead == 0) / 2).sum(1)
        won[:, range(size), range(size)] = 0
        yield Comparisons((2 * won.sum(-1)).astype(np.uint16), designs, design.astype(np.uint32).ravel(), won.sum(0))


def coverage(model: Model, truth: Truth, deals: int, tournaments: int) -> tuple[Coverage, ...]:
    """Simulate tournaments, and count how often each kind of interval holds the truth."""
    sums: dict[tuple[str, str], Floats] = {}
    for part in range(0, tournaments, AT_A_TIME):
        points = model.tournaments(f"{deals} deals/{part}", min(AT_A_TIME, tournaments - part), deals)
        alike = _equals(model, len(points), f"{deals} deals/{part}", deals)
        for kind, held in (*_held(model, truth, points), *alike):
            sums[kind] = sums.get(kind, np.zeros(1)) + held.sum(0)
    return tuple(
        Coverage(
            what=what, method=method, deals=deals, held=tuple(round(float(each) / tournaments, 4) for each in held)
        )
        for (what, method), held in sums.items()
    )


def _held(model: Model, truth: Truth, points: Floats) -> Iterator[tuple[tuple[str, str], NDArray[np.bool_]]]:
    """Yield for each kind of interval whether it holds the truth: shape (tournaments, agents or pairs)."""
    pairs = list(combinations(range(len(model.agents)), 2))
    count, deals, seatings, size = points.shape
    means, rounds = points.mean(2), points.reshape(count, deals * seatings, size)
    for method, values, kind in ((BY_DEAL, means, skewed), (STUDENT, means, student), (ROUNDS, rounds, student)):
        yield ("mean points", method), _among(truth.points, [kind(values[..., each]) for each in range(size)])
    wanted = [truth.points[a] - truth.points[b] for a, b in pairs]
    for method, values, kind in ((BY_DEAL, means, either), (STUDENT, means, student), (ROUNDS, rounds, student)):
        gains = [kind(values[..., a] - values[..., b]) for a, b in pairs]
        yield ("paired difference", method), _among(wanted, gains)
    yield ("strength", BY_DEAL), _strong(model, truth.strengths, points)
    yield ("strength", ROUNDS), _strong(model, truth.strengths, points.reshape(count, deals * seatings, 1, size))
    few = sparse(points)[:, :, 0]
    there = ~np.isnan(few[0])
    own = [skewed(few[:, there[:, each], each]) for each in range(size)]
    yield (f"mean points{FEW}", BY_DEAL), _among(truth.few_points, own)
    both = [few[:, there[:, a] & there[:, b]] for a, b in pairs]
    gains = [either(shared[..., a] - shared[..., b]) for shared, (a, b) in zip(both, pairs, strict=True)]
    wanted = [truth.few_points[a] - truth.few_points[b] for a, b in pairs]
    yield (f"paired difference{FEW}", BY_DEAL), _among(wanted, gains)
    yield (f"strength{FEW}", BY_DEAL), _strong(model, truth.few_strengths, few[:, :, None])


def _equals(model: Model, count: int, name: str, deals: int) -> Iterator[tuple[tuple[str, str], NDArray[np.bool_]]]:
    """Yield the same for agents that are all like the last one, where every difference that is found is chance."""
    size = len(model.agents)
    alike = np.full((size, size), 0.2) + 0.2 * np.eye(size)
    equals = msgspec.structs.replace(
        model, points=(model.points[-1],) * size, with_deal=_rounded(alike), at_table=_rounded(0.6 * np.eye(size))
    )
    means = equals.tournaments(f"equals/{name}", count, deals).mean(2)
    gains = [means[..., a] - means[..., b] for a, b in combinations(range(size), 2)]
    for method, kind in ((BY_DEAL, either), (NO_SKEWNESS, skewed), (STUDENT, student)):
        yield (f"paired difference{EQUAL}", method), _among([0.0] * len(gains), [kind(each) for each in gains])
    chances = np.stack([by_chance(each) for each in gains], axis=-1)
    yield (f"all pairs under Holm's correction{EQUAL}", BY_DEAL), ~np.array([[any(holm(row))] for row in chances])


def _among(wanted: Iterable[float], spreads: Iterable[Spread]) -> NDArray[np.bool_]:
    held = [(each.low <= true) & (true <= each.high) for true, each in zip(wanted, spreads, strict=True)]
    return np.stack(held, axis=-1)


def student(values: Floats) -> Spread:
    """Return means along the last axis with Student's t intervals, as if nothing were skewed."""
    count = values.shape[-1]
    mean, error = values.mean(-1), values.std(-1, ddof=1) / np.sqrt(count)
    reach = quantile(count - 1) * error
    return Spread(mean, error, mean - reach, mean + reach)


def _strong(model: Model, wanted: tuple[float, ...], points: Floats) -> NDArray[np.bool_]:
    held = []
    for comparisons in compared(points):
        found = _found(model, comparisons)
        intervals = [found.strength(agent) for agent in model.agents]
        held.append([each.low <= true <= each.high for true, each in zip(wanted, intervals, strict=True)])
    return np.array(held)


def errors(model: Model, played: Floats) -> tuple[Errors, ...]:
    """Compare standard errors; ``played`` has the deal means of the tournament that was played."""
    means = model.tournaments("errors", TOURNAMENTS, 50).mean(2)
    found = []
    for a, b in combinations(range(len(model.agents)), 2):
        same, own = _two_errors(means[..., a], means[..., b])
        same_played, own_played = _two_errors(played[None, :, a], played[None, :, b])
        found.append(
            Errors(
                pair=f"{model.agents[a]} over {model.agents[b]}",
                same=round(same, 3),
                own=round(own, 3),
                played=round(same_played / own_played, 3),
            )
        )
    return tuple(found)


def _two_errors(a: Floats, b: Floats) -> tuple[float, float]:
    """Return the standard error of the mean difference within deals, and that between deals of their own."""
    same = student(a - b).error
    own = np.hypot(student(a).error, student(b).error)
    return float(np.sqrt((same**2).mean())), float(np.sqrt((own**2).mean()))


def main() -> None:
    """Play, fit, simulate, write the result and the charts, and print the answer."""
    with TemporaryDirectory() as folder:
        ranking = run_tournament(config_from(PLAYED), Path(folder) / "run")
        model = fitted(Store(Path(folder) / "run").outcomes())
    truth = truth_of(model)
    found = [coverage(model, truth, deals, TOURNAMENTS) for deals in tqdm(DEALS, disable=None)]
    played = np.stack([ranking.deal_means[agent].means for agent in model.agents], axis=-1)
    kinds = tuple(kind for each in found for kind in each)
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        holds=all(WANTED[0] <= held <= WANTED[1] for held in _reported(kinds)),
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy", "scipy")),
        seed=SEED,
        tournaments=TOURNAMENTS,
        truth=truth,
        coverage=kinds,
        errors=errors(model, played),
        model=model,
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.encode(result) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    for chart, name in ((coverage_chart(result), "coverage"), (errors_chart(result), "errors")):
        draw(chart, RESULTS / f"{name}.png")
    print(answer(result))


def _reported(kinds: Iterable[Coverage]) -> list[float]:
    """Return the coverage of the intervals that rankings give, where all agents played all deals."""
    return [held for kind in kinds if kind.method == BY_DEAL and ", " not in kind.what for held in kind.held]


def answer(result: Result) -> str:
    """Say it in a few sentences."""
    held = _reported(result.coverage)
    failed = [each for kind in result.coverage if kind.method == ROUNDS for each in kind.held]
    ratios = {each.pair: each.same / each.own for each in result.errors}
    best = min(ratios, key=ratios.__getitem__)
    return (
        f"Intervals by deal hold the truth in {min(held):.1%} to {max(held):.1%} of {result.tournaments:,} simulated "
        f"tournaments of {', '.join(map(str, DEALS))} deals; with rounds taken as independent they hold it in "
        f"{min(failed):.1%} to {max(failed):.1%}. The standard error of a difference on the same deals is "
        f"{ratios[best]:.2f} of that on deals of each agent's own for {best}, and up to {max(ratios.values()):.2f} "
        "for others."
    )


def markdown(result: Result) -> str:
    """Write the result as a page."""
    kinds = {(kind.what, kind.method): None for kind in result.coverage}
    held = {(kind.what, kind.method, kind.deals): kind.held for kind in result.coverage}
    lines = [
        f"# {result.question}",
        "",
        answer(result),
        f"Seed {result.seed}, commit {result.commit}.",
        "",
        "![Coverage by kind of interval](coverage.png)",
        "",
        "Share of the intervals that hold the truth, from the agent or pair where they do so least to where most:",
        "",
        f"| interval of | how | {' | '.join(f'{deals} deals' for deals in DEALS)} |",
        f"|---|---|{'---|' * len(DEALS)}",
    ]
    for what, method in kinds:
        cells = [f"{min(each):.1%} to {max(each):.1%}" for each in (held[what, method, deals] for deals in DEALS)]
        lines.append(f"| {what} | {method} | {' | '.join(cells)} |")
    lines += [
        "",
        "![Standard errors on the same deals](errors.png)",
        "",
        "Standard error of a difference at 50 deals, in points a round:",
        "",
        "| pair | on the same deals | each on its own | ratio | ratio when played |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {each.pair} | {each.same:.2f} | {each.own:.2f} | {each.same / each.own:.2f} | {each.played:.2f} |"
        for each in result.errors
    ]
    return "\n".join(lines) + "\n"


def coverage_chart(result: Result) -> Chart:
    """Draw how far coverage is off, by method and number of deals."""
    dots: dict[str, list[Dot]] = {}
    drawn = [kind for kind in result.coverage if ", " not in kind.what or kind.what == f"paired difference{EQUAL}"]
    for kind in drawn:
        off = [100 * held - 95 for held in kind.held]
        value = Interval(sum(off) / len(off), min(off), max(off))
        row = Dot(row=f"{kind.what}\n{kind.deals} deals", value=value)
        dots.setdefault(kind.method.removeprefix("by deal, "), []).append(row)
    order = {row: at for at, row in enumerate(f"{kind.what}\n{d} deals" for kind in drawn for d in DEALS)}
    return Chart(
        title="How much oftener than 95 % the intervals hold the truth",
        x_label="percentage points: mean, least and most over agents or pairs",
        dots=tuple(
            Dots(name=method, dots=tuple(sorted(found, key=lambda dot: order[dot.row])))
            for method, found in dots.items()
        ),
        zero=True,
    )


def errors_chart(result: Result) -> Chart:
    """Draw what the same deals are worth."""
    kinds = {
        "simulated": [each.same / each.own for each in result.errors],
        "in the tournament that was played": [each.played for each in result.errors],
    }
    return Chart(
        title="Standard error of a difference: same deals over deals of each agent's own",
        x_label="ratio; below 1 the same deals are worth playing",
        dots=tuple(
            Dots(
                name=name,
                dots=tuple(
                    Dot(row=each.pair, value=Interval(ratio, ratio, ratio))
                    for each, ratio in zip(result.errors, ratios, strict=True)
                ),
            )
            for name, ratios in kinds.items()
        ),
    )


if __name__ == "__main__":
    main()
