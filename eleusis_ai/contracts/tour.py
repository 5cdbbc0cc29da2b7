"""Rounds by script in which every kind of decision and of evidence comes up, to check players with."""

from __future__ import annotations

from random import Random

from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.events import ProphetOverthrown
from eleusis_ai.moves import Attempt, BecomeProphet, DecisionKind, Move, NoPlay, Pass, StateRule
from eleusis_ai.profiles import PROFILES, HintTerms, Profile, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

RULES = ("card.color != last.color", "card.suit == last.suit or card.rank == last.rank")
"""The secret rules of the rounds: after a card half of the pack is legal, or three in ten."""

WAYS = (*PROFILES.values(), load_profile("cooperative"))
"""The ways to play in which players are checked: all that are published, and one of them as a team."""


def deal(profile: Profile, rule: Rule, name: str, *, seats: int) -> Round:
    """Deal a round with the deck and the lot of ``name``, and with a hint where the profile has hints."""
    rng = generator(name)
    deck = shuffled_deck(profile, rng)
    hint = None if profile.hint is HintTerms.NONE else hints_for(rule)[0]
    return Round.deal(profile, rule, seats=seats, dealer=0, deck=deck, hint=hint, rng=rng)


def tour(profile: Profile) -> list[list[View]]:
    """Play a round for each of `RULES`; return what the seat to decide saw before each decision of the round.

    The dealer's own decisions are left out. The last view of a round has all of its evidence but for that of
    the last move.
    """
    rounds = []
    for number, text in enumerate(RULES):
        name = f"tour/{number}"
        round_ = deal(profile, Rule.parse(text), name, seats=max(5, profile.min_seats))
        rng, views = generator(f"{name}/script"), []
        while round_.decision is not None:
            if round_.decision.seat != round_.dealer:
                views.append(round_.view(round_.decision.seat))
            round_.apply(_scripted(round_, rng))
        rounds.append(views)
    return rounds


def _scripted(round_: Round, rng: Random) -> Move:
    """Return the answer of one who knows the rule, and often does not care."""
    moves = round_.legal_moves()
    terms = round_.profile.prophet
    wanted = 0 if terms is None else terms.mainline_from - len(round_.layout.mainline)
    care = 0.9 if moves.kind is DecisionKind.CALL or wanted > 0 else 0.6
    if moves.kind is DecisionKind.AFTER_TURN:
        return BecomeProphet() if rng.random() < 0.5 else Pass()
    if moves.kind is DecisionKind.STATE_RULE:
        chance = rng.random()
        said = RULES[chance < 0.1]
        return StateRule(Rule.parse(said)) if chance < 0.15 else Pass()
    if moves.kind is DecisionKind.PICK or rng.random() > care:
        return moves.sample(rng)
    if moves.kind is DecisionKind.CALL:
        return next(call for call in moves.calls if _stands(round_, call))
    assert round_.rule is not None, "the rounds of a tour have a rule"
    legal = [card for card in moves.hand if round_.rule.allows(round_.layout.mainline, card)]
    if legal:
        return Attempt((rng.choice(legal),))
    return NoPlay() if moves.no_play else moves.sample(rng)


def _stands(round_: Round, call: Move) -> bool:
    """Tell whether a prophet who answers ``call`` stays in office."""
    return not any(isinstance(event, ProphetOverthrown) for event in round_.copy().apply(call))
