"""Why a strategy makes a move, in a sentence or two, with the very chances and points that decided."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Protocol, runtime_checkable

from eleusis_agents.grounds import ground
from eleusis_agents.strategy import Option, Strategy, best
from eleusis_ai.agent import Learner
from eleusis_ai.evidence import Evidence, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, BecomeProphet, Call, DecisionKind, Move, NoPlay, Pass, StateRule
from eleusis_ai.profiles import Scoring
from eleusis_ai.view import View

CURIOUS = 0.3
"""Bits from which on a play that is made for what it tells is called a test."""
LONGEST_RULE = 90
"""Characters of a rule's sentence that are said."""


@runtime_checkable
class Remembers(Protocol):
    """A learner that forgets, and knows what it has not forgotten."""

    def remembered(self) -> Sequence[Evidence]:
        """Return the evidence that counts."""
        ...


def reason(view: View, move: Move, learner: Learner, strategy: Strategy) -> str:
    """Return why ``strategy`` answers ``move`` to the decision pending in ``view``; or what it would answer instead.

    ``learner`` must have observed all of ``evidence(view)``.
    """
    options = strategy.options(view, learner)
    likes = best(options)
    chosen = next((option for option in options if option.move == move), None)
    if chosen is None and isinstance(move, Attempt | NoPlay):
        chosen = strategy.weigh(view, learner, move)
    if likes.move == move:
        return _why(view, likes, options, learner)
    return f"{_against(move, chosen)} {_why(view, likes, options, learner)}"


def percent(chance: float) -> str:
    """Write a chance; one that is not certain is not rounded to certainty."""
    if 0.995 <= chance < 1:
        return "over 99%"
    return "under 1%" if 0 < chance < 0.005 else f"{chance:.0%}"


def _against(move: Move, chosen: Option | None) -> str:
    if chosen is None or chosen.chance is None:
        return f"I would not answer '{move!s:.40}'."
    thinks = _sure("it is right", chosen.chance)
    match move:
        case Attempt(cards):
            return f"I would not play {_said(cards)}: {thinks}."
        case NoPlay():
            return f"I would not declare no play: {thinks}."
        case _:
            return f"I would not answer '{move!s:.40}': {thinks}."


def _why(view: View, chosen: Option, options: Sequence[Option], learner: Learner) -> str:
    match chosen.move:
        case Attempt():
            return _of_attempt(view, chosen, options, learner)
        case NoPlay():
            return _of_no_play(chosen, options)
        case Call():
            return _of_call(view, chosen, learner)
        case BecomeProphet() | Pass() if view.legal_moves().kind is DecisionKind.AFTER_TURN:
            return _of_career(chosen, options)
        case _:
            return _of_statement(view, chosen, options)


def _of_attempt(view: View, chosen: Option, options: Sequence[Option], learner: Learner) -> str:
    assert isinstance(chosen.move, Attempt)
    assert chosen.chance is not None, "every play has a chance"
    cards, chance = chosen.move.cards, chosen.chance
    others = [option for option in options if option.move != chosen.move]
    plainly = best([option._replace(value=option.value - option.told) for option in options])
    if len(cards) > 1:
        every = "both are right" if len(cards) == 2 else f"all {len(cards)} are right"
        said = f"I play {_said(cards)} at once: {_sure(every, chance)}"
    elif plainly.move != chosen.move and _entropy(chance) >= CURIOUS:
        said = f"I test {_said(cards)}: {_sure('it is right', chance)}, and learn {_entropy(chance):.2f} bits by that"
        if all(_entropy(option.chance) <= _entropy(chance) for option in others):
            said += "; no other play tells more"
    else:
        though = f"I play {_said(cards)}, though" if chance < 0.5 else f"I play {_said(cards)}:"
        said = f"{though} {_sure('it is right', chance)}"
        singles = [option for option in others if isinstance(option.move, Attempt) and len(option.move.cards) == 1]
        if singles and chance < 1 and all((option.chance or 0.0) <= chance for option in singles):
            said += ", and no other card of mine is likelier"
    found = ground(view.layout.mainline, cards[0], _known(view, learner), learner, right=chance >= 0.5)
    danger = " A mistake would expel me." if view.public.danger and chance < 1 else ""
    return f"{said}{found}.{danger}"


def _of_no_play(chosen: Option, options: Sequence[Option]) -> str:
    assert chosen.chance is not None, "every play has a chance"
    singles = [
        (option.chance or 0.0, option.move.cards)
        for option in options
        if isinstance(option.move, Attempt) and len(option.move.cards) == 1
    ]
    chance, cards = max(singles, key=lambda pair: pair[0])
    likeliest = "" if chance == 0 else f"; the likeliest, {_said(cards)}, is so with {percent(chance)}"
    return f"I declare no play: {_sure('no card of my hand is right', chosen.chance)}{likeliest}."


def _of_career(chosen: Option, options: Sequence[Option]) -> str:
    office = next((option for option in options if isinstance(option.move, BecomeProphet)), None)
    if office is None:
        return "I do not become prophet: I never do."
    playing_on = next(option for option in options if isinstance(option.move, Pass))
    assert office.chance is not None, "an office may be lost"
    does, would = ("I become", "") if chosen is office else ("I do not become", "would ")
    return (
        f"{does} prophet: I think that I {would}judge rightly to the end with {percent(office.chance)}, and expect "
        f"{office.value:.1f} points of it, against {playing_on.value:.1f} of playing on."
    )


def _of_call(view: View, chosen: Option, learner: Learner) -> str:
    call = chosen.move
    assert isinstance(call, Call)
    assert chosen.chance is not None, "every call has a chance"
    attempt = view.public.attempt
    thinks = _sure("it is so", chosen.chance)
    if not isinstance(attempt, Attempt):
        if call.card is not None:
            return f"I say wrong, and name {call.card.symbol} as right: {thinks}."
        return f"I say that no card of the hand is right: {thinks}."
    if call.prefix is not None:
        rest = (
            "the first card is wrong" if call.prefix == 0 else f"{_said(attempt.cards[call.prefix :][:1])} is wrong"
        )
        return f"I say that {rest}: {thinks}."
    found = ""
    if len(attempt.cards) == 1:
        found = ground(view.layout.mainline, attempt.cards[0], _known(view, learner), learner, right=call.right)
    return f"I say that {_said(attempt.cards)} is {'right' if call.right else 'wrong'}: {thinks}{found}."


def _of_statement(view: View, chosen: Option, options: Sequence[Option]) -> str:
    cost = view.profile.wrong_statement_turns if view.profile.scoring is Scoring.TEAM else 0
    stated = next((option for option in options if isinstance(option.move, StateRule)), None)
    if stated is None:
        return "I state no rule: I know none that is likely enough."
    assert isinstance(stated.move, StateRule)
    assert stated.chance is not None, "a rule may be another one"
    risk = f", and a wrong one costs {cost} turn{'' if cost == 1 else 's'}" if cost else ", and a wrong one is free"
    words = f"{stated.move.rule.text.rstrip('.'):.{LONGEST_RULE}}"
    thinks = _sure("it is right", stated.chance)
    if chosen is stated:
        return f"I state the likeliest rule I know, '{words}': {thinks}{risk}."
    return f"I state no rule: the likeliest I know is '{words}', and {thinks}{risk}."


def _known(view: View, learner: Learner) -> list[Evidence]:
    return list(learner.remembered() if isinstance(learner, Remembers) else evidence(view))


def _said(cards: Cards) -> str:
    return " ".join(card.symbol for card in cards)


def _sure(what: str, chance: float) -> str:
    if chance == 1:
        return f"I am sure that {what}"
    return f"I think {what} with {percent(chance)}"


def _entropy(chance: float | None) -> float:
    if chance is None or not 0 < chance < 1:
        return 0.0
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)
