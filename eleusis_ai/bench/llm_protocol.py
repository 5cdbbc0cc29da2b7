"""The solo protocol on its 78 deals: a learner beside the language models that played them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Annotated

import msgspec

from eleusis_ai.bench.benchmark import Benchmark, Cell, Settings, Summary, Table
from eleusis_ai.bench.deals import SOURCE, Deal, load_deals, model_rounds, protocol_rules
from eleusis_ai.bench.intervals import by_cluster
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.players import PlayerSpec
from eleusis_ai.bench.scientist import Scientist
from eleusis_ai.bench.solo import Commitment, NoCommitment, RoundScore, SoloRound, confidence_errors, round_score
from eleusis_ai.charts import Chart, Interval


class ProtocolSettings(Settings, frozen=True, kw_only=True):
    """How the protocol is played; ``limit`` is the number of deals, taken evenly from all rules."""

    threshold: Annotated[float, msgspec.Meta(gt=0, le=2 / 3)]
    """The chance of being right from which a rule is stated early in a round."""
    samples: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """Rules that are drawn from the learner in a turn."""


class ProtocolRound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a learner, or an agent, made of one deal."""

    rule: str
    batch: int
    score: RoundScore
    turns: int
    """Turns played."""
    accepted: int
    """Cards that were legal."""
    rules: bool
    """Whether the learner ever had a rule to tell."""
    confidence_error: float | None
    """Brier score of the confidence: mean over the turns with a tentative rule; None: there was none."""
    verdict_error: float | None
    """Brier score of the verdicts: mean squared error of the chance given to the card that was played; None: no
    chances were given."""
    stated: str | None
    """The rule that won."""
    missed: int = 0
    """Turns in which an agent made no commitment that could be used: its first card was played."""


def jobs(settings: ProtocolSettings) -> list[Deal]:
    """Return the deals."""
    deals = sorted(load_deals(), key=lambda deal: deal.batch)
    return deals[: settings.limit] if settings.limit is not None else list(load_deals())


def play(spec: LearnerSpec, settings: ProtocolSettings, deal: Deal) -> ProtocolRound:
    """Play one deal."""
    learner = spec.make()
    scientist = Scientist(learner, deal.starter, threshold=settings.threshold, samples=settings.samples)
    solo = SoloRound(deal)
    verdict_errors = []
    while not solo.over:
        chances = scientist.chances()
        commitment = scientist.commit(solo.hand)
        turn = solo.apply(commitment)
        verdict_errors.append((float(chances[commitment.card]) - turn.legal) ** 2)
        scientist.learn(commitment, legal=turn.legal, won=turn.correct)
    return _told(deal, solo, verdict_errors)


def play_agent(spec: PlayerSpec, settings: ProtocolSettings, deal: Deal) -> ProtocolRound:
    """Play one deal with an agent, which decides itself what it plays and states."""
    player, missed = spec.make(f"{settings.seed}/llm-protocol/{deal.rule}/{deal.batch}"), 0
    solo = SoloRound(deal)
    while not solo.over:
        try:
            commitment = player.commit(solo.view())
        except NoCommitment:
            commitment = Commitment(card=solo.hand[0])
            missed += 1
        solo.apply(commitment)
    return _told(deal, solo, (), missed=missed)


def _told(deal: Deal, solo: SoloRound, verdict_errors: Sequence[float], *, missed: int = 0) -> ProtocolRound:
    score = round_score(solo.turns)
    errors = confidence_errors(solo.turns)
    return ProtocolRound(
        rule=deal.rule,
        batch=deal.batch,
        score=score,
        turns=len(solo.turns),
        accepted=sum(turn.legal for turn in solo.turns),
        rules=bool(errors),
        confidence_error=round(fmean(errors), 9) if errors else None,
        verdict_error=round(fmean(verdict_errors), 9) if verdict_errors else None,
        stated=None if score.win is None else str(solo.turns[-1].commitment.tentative),
        missed=missed,
    )


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the ranking: a learner, or a published model."""

    name: str
    score: Interval
    """The floored score, of 30, with its interval by rule."""
    solved: float
    """Share of the rounds in which the rule was stated."""
    wrong: float
    """Wrong statements a round."""
    win: float | None
    """Mean turn of the statement that won."""
    no_stakes: float
    confidence_error: float | None = None
    verdict_error: float | None = None


def player(name: str, rounds: Sequence[tuple[str, RoundScore]]) -> Player:
    """Sum up rounds, each the id of a rule and what was counted."""
    wins = [score.win for _, score in rounds if score.win is not None]
    interval = by_cluster(_by_rule(rounds, lambda score: score.floored))
    assert interval is not None, "there are rounds"
    return Player(
        name=name,
        score=interval,
        solved=len(wins) / len(rounds),
        wrong=fmean(score.wrong for _, score in rounds),
        win=fmean(wins) if wins else None,
        no_stakes=fmean(score.no_stakes for _, score in rounds),
    )


def models() -> list[Player]:
    """Return the published models, best first."""
    rounds = defaultdict(list)
    for found in model_rounds():
        rounds[found.model].append((found.rule, RoundScore(win=found.win, first=found.first, wrong=found.wrong)))
    return sorted((player(name, own) for name, own in rounds.items()), key=lambda model: -model.score.mean)


def learner_player(name: str, rounds: Sequence[ProtocolRound]) -> Player:
    """Sum up what a learner made of its deals."""
    return msgspec.structs.replace(
        player(name, [(found.rule, found.score) for found in rounds]),
        confidence_error=_mean(found.confidence_error for found in rounds),
        verdict_error=_mean(found.verdict_error for found in rounds),
    )


def _mean(figures: Iterable[float | None]) -> float | None:
    there = [figure for figure in figures if figure is not None]
    return fmean(there) if there else None


def summary(settings: ProtocolSettings, found: Mapping[str, Sequence[ProtocolRound]]) -> Summary:
    """Rank the learners among the models, and tell rule by rule what they got."""
    ours = [learner_player(name, rounds) for name, rounds in found.items()]
    ranked = sorted([*ours, *models()], key=lambda each: -each.score.mean)
    remarks = [
        "Floored score: 31 - T - 2 x wrong statements, at least 0, T being the turn of the statement that won; mean "
        "of the rules' means. Intervals: 95 %, bootstrap over the rules. Wrong: statements a round. Turn: mean T. No "
        "stakes: 31 - the first turn with a right tentative rule.",
        "Brier scores: mean squared error of the confidence in the tentative rule, in tenths, over the turns of a "
        "round; and of the chance given to the card that is played.",
        f"Deals, protocol and the models' rounds: {SOURCE}.",
    ]
    if settings.limit is not None:
        remarks.append(f"Only {settings.limit} of the deals were played, the models' figures are of all 78.")
    mute = [name for name, rounds in found.items() if not any(each.rules for each in rounds)]
    if mute:
        remarks.append(f"{', '.join(mute)}: no rules, so nothing is ever stated and every round scores 0.")
    for name, rounds in found.items():
        if missed := sum(each.missed for each in rounds):
            turns = sum(each.turns for each in rounds)
            remarks.append(
                f"{name}: {missed} of {turns} turns had no commitment that could be used; a card was played for it."
            )
    return Summary(
        tables=(_ranking(ranked, {each.name for each in ours}), _brier(ours), _rule_by_rule(found)),
        charts=(
            Chart(
                title="The solo protocol: floored score of 30",
                x_label="floored score, with its 95 % interval by rule",
                bars=tuple((each.name, each.score) for each in ranked),
                ours=tuple(each.name for each in ours),
            ),
        ),
        remarks=tuple(remarks),
    )


def _ranking(ranked: Sequence[Player], ours: set[str]) -> Table:
    return Table(
        title="Of 30, on the same deals",
        head=("player", "floored score", "solved", "wrong", "turn", "no stakes"),
        rows=tuple(
            (
                f"**{each.name}**" if each.name in ours else each.name,
                each.score,
                f"{each.solved:.0%}",
                each.wrong,
                each.win,
                each.no_stakes,
            )
            for each in ranked
        ),
    )


def _brier(ours: Sequence[Player]) -> Table:
    return Table(
        title="Brier scores",
        head=("learner", "confidence", "verdicts"),
        rows=tuple((each.name, each.confidence_error, each.verdict_error) for each in ours),
    )


def _rule_by_rule(found: Mapping[str, Sequence[ProtocolRound]]) -> Table:
    """Tell the mean floored score of each rule."""
    published: dict[str, list[int]] = defaultdict(list)
    for each in model_rounds():
        published[each.rule].append(RoundScore(win=each.win, first=each.first, wrong=each.wrong).floored)
    own = {
        name: _by_rule([(each.rule, each.score) for each in rounds], lambda score: score.floored)
        for name, rounds in found.items()
    }
    rows: list[tuple[Cell, ...]] = []
    for rule in protocol_rules().values():
        scores: list[Cell] = [fmean(own[name][rule.id]) if rule.id in own[name] else None for name in found]
        rows.append((rule.text, f"`{rule.expression}`", *scores, fmean(published[rule.id])))
    return Table(title="Rule by rule", head=("rule", "", *found, "mean of the models"), rows=tuple(rows))


def _by_rule(
    rounds: Sequence[tuple[str, RoundScore]], figure: Callable[[RoundScore], float]
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for rule, score in rounds:
        found[rule].append(figure(score))
    return found


QUESTION = "How well does a learner play the solo protocol, beside the language models that played the same deals?"
BENCHMARK = Benchmark("llm-protocol", QUESTION, ProtocolSettings, jobs, play, summary, by_agent=play_agent)
