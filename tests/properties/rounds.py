"""Rounds to test with: dealt from a seed, and played by seats that know the rule more or less well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.events import Event, NoPlayJudged
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, BecomeProphet, Call, DecisionKind, Move, NoPlay, Pass, StateRule
from eleusis_ai.profiles import (
    PROFILES,
    FirstPlayer,
    HintTerms,
    Judging,
    LegalCard,
    MarkerPlace,
    Profile,
    ProphetTerms,
    Scoring,
    ShownHand,
    StarterTerms,
    Stating,
    load_profile,
)
from eleusis_ai.round import Round
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.numbers import uses_numbers_only
from eleusis_ai.seeds import generator

STEADY = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
"""Hypothesis that tries the same examples everywhere, however slow the machine."""

RULES = {
    "memoryless": Rule.parse("card.is_odd"),
    "colors": Rule.parse("card.color != last.color"),
    "near": Rule.parse("abs(card.rank - last.rank) <= 3"),
    "wide": Rule.parse("card.is_red or card.is_odd"),
    "rare": Rule.parse('card.suit == after(last.suit, "CDHS") and card.is_odd'),
    "dead end": Rule.parse("card.rank > last.rank"),
    "position": Rule.parse("(card.is_red, card.is_black, card.is_face)[position % 3]"),
    "window": Rule.parse("card.is_red if count(c.is_red for c in mainline[-3:]) <= 1 else card.is_black"),
    "two starters": Rule.parse("card.rank > mainline[-2].rank if last.is_red else card.rank <= mainline[-2].rank"),
    "even start": Rule.parse("card.suit != last.suit", starter="card.is_even"),
}
"""Secret rules that any profile may have, by what they are good for."""

REJECTED_RULE = Rule.parse("card.is_red if len(rejected) % 3 == 0 else card.is_black")
"""A rule that looks at rejected cards, for profiles that allow it."""


VARIANTS = tuple(map(load_profile, ("cooperative", "original-1956+cooperative", "express-2006+numbers-only")))
"""Some of the published profiles with variants laid over them."""
PLAYED = (*PROFILES.values(), *VARIANTS)
"""The profiles that are tried in everything."""


@cache
def rules_for(profile: Profile) -> list[Rule]:
    rules = [*RULES.values(), *([REJECTED_RULE] if profile.reads_rejected else [])]
    return [rule for rule in rules if not profile.numbers_only or uses_numbers_only(rule)]


@cache
def true_hints(rule: Rule) -> tuple[Hint, ...]:
    return hints_for(rule)


@dataclass(frozen=True)
class Table:
    """What a round is dealt from, small enough to be read in a failure."""

    profile: Profile
    rule: Rule
    seed: int
    wisdom: float
    """How often a seat answers as one who knows the rule; otherwise by ``LegalMoves.sample``."""

    @property
    def rng(self) -> Random:
        return generator(f"{self.seed}/play")

    def deal(self) -> Round:
        """Deal from whole packs; the seed decides the rest."""
        profile, rng = self.profile, generator(f"{self.seed}/deal")
        seats = rng.randint(profile.min_seats, profile.max_seats)
        hints = true_hints(self.rule)
        hinted = profile.hint is HintTerms.REQUIRED or (profile.hint is HintTerms.OPTIONAL and rng.random() < 0.5)
        return Round.deal(
            profile,
            self.rule,
            seats=seats,
            dealer=rng.randrange(seats),
            deck=shuffled_deck(profile, rng),
            hint=rng.choice(hints) if hinted and hints else None,
            rng=rng,
        )

    def steps(self, round_: Round) -> Iterator[tuple[Move, tuple[Event, ...]]]:
        """Play ``round_`` to its end, yielding each move and what it did."""
        rng = self.rng
        while not round_.over:
            move = self.answer(round_, rng)
            yield move, round_.apply(move)

    def answer(self, round_: Round, rng: Random) -> Move:
        if round_.rule is None or rng.random() >= self.wisdom:
            return round_.legal_moves().sample(rng)
        return knowing_answer(round_, round_.rule, rng)

    def played(self) -> Round:
        """Return the round, played to its end."""
        round_ = self.deal()
        for _ in self.steps(round_):
            pass
        return round_

    def broken_off(self) -> Round:
        """Return the round, played to somewhere on its way."""
        round_, rng = self.deal(), self.rng
        for _ in range(generator(f"{self.seed}/length").randrange(80)):
            if round_.over:
                break
            round_.apply(self.answer(round_, rng))
        return round_


def on_paper(round_: Round) -> Round:
    """Deal ``round_`` for a dealer who judges by hand."""
    record = round_.record()
    return Round.deal(
        round_.profile, None, seats=round_.seats, dealer=round_.dealer, deck=parse_cards(record.deck),
        first=record.first, starters=round_.layout.mainline, hint=round_.hint,
    )  # fmt: skip


def knowing_answer(round_: Round, rule: Rule, rng: Random) -> Move:
    """Return what a seat answers that knows the rule: nothing wrong, prophet now and then."""
    assert round_.decision is not None, "a round that goes on asks something"
    match round_.decision.kind:
        case DecisionKind.PLAY:
            return right_play(round_, rule, rng)
        case DecisionKind.AFTER_TURN:
            return BecomeProphet() if rng.random() < 0.2 else Pass()
        case DecisionKind.CALL:
            return true_call(round_, rule)
        case DecisionKind.PICK:
            return round_.legal_moves().sample(rng)
        case DecisionKind.STATE_RULE:
            chance = rng.random()
            return StateRule(rule) if chance < 0.03 else StateRule(RULES["near"]) if chance < 0.1 else Pass()


def right_play(round_: Round, rule: Rule, rng: Random) -> Move:
    """Return a legal attempt, at times a string, or a no play that is right; without a no play anything."""
    assert round_.decision is not None, "a round that goes on asks something"
    moves = round_.legal_moves()
    hand = list(moves.hand)
    line = round_.layout.mainline
    cards: Cards = ()
    longest = 1 if rng.random() < 0.6 else moves.longest
    while len(cards) < longest:
        legal = [card for card in hand if rule.allows(line + cards, card, round_.layout.rejected)]
        if not legal:
            break
        card = rng.choice(legal)
        hand.remove(card)
        cards = (*cards, card)
    if cards:
        return Attempt(cards)
    return NoPlay() if moves.no_play else moves.sample(rng)


def true_call(round_: Round, rule: Rule) -> Call:
    """Return the truth about the action before the judge, in the words the judge must use."""
    public = round_.public()
    rejected = round_.layout.rejected
    if isinstance(public.attempt, StateRule):
        return Call(right=equivalent(rule, public.attempt.rule, round_.layout.mainline, rejected).same)
    if isinstance(public.attempt, Attempt):
        cards = public.attempt.cards
        good = right_prefix(rule, round_.layout.mainline, cards, rejected)
        if good == len(cards):
            return Call(right=True)
        by_card = round_.profile.judging is Judging.CARD_BY_CARD and len(cards) > 1
        return Call(right=False, prefix=good if by_card else None)
    legal = [card for card in public.shown if rule.allows(round_.layout.mainline, card, rejected)]
    if not legal:
        return Call(right=True)
    assert round_.decision is not None, "a round that goes on asks something"
    if round_.decision.seat == round_.prophet:
        return Call(right=False, card=legal[-1])
    named = public.call.card if public.call else None
    return Call(right=False, card=named if named in legal else None)


def right_prefix(rule: Rule, line: Cards, cards: Cards, rejected: Cards = ()) -> int:
    """Count the leading cards that are legal, each after those before it."""
    good = 0
    while good < len(cards) and rule.allows(line + cards[:good], cards[good], rejected):
        good += 1
    return good


def out_of_play(round_: Round) -> list[Card]:
    """Return the cards set aside, and those of hands that were shown and left the game, as the events tell."""
    if round_.profile.shown_hand is not ShownHand.OUT:
        return list(round_.aside)
    return [*round_.aside] + [
        card for event in round_.events if isinstance(event, NoPlayJudged) and event.right for card in event.hand
    ]


SEEDS = st.integers(0, 2**32)
WISDOMS = st.sampled_from([0.0, 0.5, 0.9, 0.98])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a round in one of the published profiles."""
    profile = draw(st.sampled_from(PLAYED))
    return Table(profile, draw(st.sampled_from(rules_for(profile))), draw(SEEDS), draw(WISDOMS))


@st.composite
def house_tables(draw: st.DrawFn) -> Table:
    """Draw a round in a profile that nobody published."""
    profile = draw(house_profiles())
    rules = [rule for rule in rules_for(profile) if true_hints(rule)]  # some use numbers only
    return Table(profile, draw(st.sampled_from(rules)), draw(SEEDS), draw(WISDOMS))


@st.composite
def house_profiles(draw: st.DrawFn) -> Profile:
    """Draw a profile: any field with any value that a table could play."""

    def few(most: int, least: int = 0) -> int:
        return draw(st.integers(least, most))

    def maybe(most: int, least: int = 0) -> int | None:
        return draw(st.none() | st.integers(least, most))

    min_seats = few(5, least=3)
    max_seats = few(7, least=min_seats)
    hand_size = few(9, least=1)
    turn_limit = maybe(60, least=1)
    mistake_cards = few(5) == 5
    flag = st.booleans()
    terms = ProphetTerms(
        mainline_from=few(6),
        others_left=few(3, least=1),
        error_penalty=few(6),
        marker=draw(st.sampled_from(MarkerPlace)),
        expulsion_from=maybe(12),
        accepted_points=few(3),
        rejected_points=few(3),
        dealer_cap_per_card=maybe(3),
        dealer_cap_over_prophet=maybe(8),
    )
    return Profile(
        name=draw(st.text(min_size=1, max_size=8)),
        source=draw(st.text(max_size=8)),
        min_seats=min_seats,
        max_seats=max_seats,
        best_seats=draw(st.none() | st.tuples(st.just(min_seats), st.just(max_seats))),
        packs=(max_seats - 1) * hand_size // 52 + few(2, least=1),
        reserve_packs=few(2),
        hand_size=hand_size if few(5) else None,
        hint=draw(st.sampled_from(HintTerms)),
        starter=draw(st.sampled_from(StarterTerms)),
        first_player=draw(st.sampled_from(FirstPlayer)),
        max_string=1 if mistake_cards else maybe(5, least=1),
        judging=draw(st.sampled_from(Judging)),
        penalty_per_card=0 if mistake_cards else few(3),
        mistake_cards=mistake_cards,
        no_play=not mistake_cards and few(5) > 0,
        no_play_reduction=few(5, least=1),
        shown_hand=draw(st.sampled_from(ShownHand)),
        legal_card=draw(st.sampled_from(LegalCard)),
        no_play_penalty=few(6),
        prophet=None if mistake_cards else draw(st.none() | st.just(terms)),
        expulsion_from=None if mistake_cards else maybe(30),
        starters_count=draw(flag),
        no_play_expels=draw(flag),
        ends_on_last_card=draw(flag),
        idle_laps=maybe(6, least=1),
        turn_limit=turn_limit,
        stating=draw(st.sampled_from(Stating)),
        wrong_statement_turns=few(3),
        scoring=draw(st.sampled_from([each for each in Scoring if each is not Scoring.TEAM or turn_limit])),
        emptied_bonus=few(6),
        stated_bonus=few(6),
        rounds_as_agreed=draw(flag),
        never_dealt_bonus=few(12),
        reads_rejected=not mistake_cards and draw(flag),
        numbers_only=few(5) == 5,
        lookback_advised=maybe(6),
    )
