"""What a model is told: made from a `View`, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from eleusis_agents.llm.question import Form, Message
from eleusis_agents.llm.terms import LANGUAGE, terms_of
from eleusis_ai.cards import cards_text
from eleusis_ai.events import (
    AttemptJudged,
    NoPlayJudged,
    Picked,
    Refused,
    RuleStated,
    SeatPassed,
    StarterLaid,
    StatementJudged,
)
from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import DecisionKind, StateRule, rule_text
from eleusis_ai.view import View

THOUGHT = ("thought", "string", "one to three sentences: which rules fit all that was judged, and what tells most")
RULE = (
    "rule",
    "string",
    "your best guess at the secret rule, in the rule language; in words if you cannot say it so",
)
CONFIDENCE = ("confidence", "integer", "how sure you are of this rule, from 0 to 10")
FORM = Form(
    "move", (THOUGHT, RULE, CONFIDENCE, ("move", "string", "your move, written exactly as in 'you may answer'"))
)
"""What is asked for in a round."""


def prompt(view: View) -> tuple[Message, ...]:
    """Return what a model is told before the decision that is pending in ``view``.

    Raises:
        LookupError: if no decision of the seat is pending.
    """
    moves = view.legal_moves()
    return (
        Message("system", f"{terms_of(view.profile)}\n\n{LANGUAGE}\n\n{answering(FORM)}"),
        Message("user", "\n".join((*_table(view), "", *_decision(view, moves)))),
    )


def answering(form: Form) -> str:
    """Tell in which form to answer."""
    return f"Answer with one JSON object and nothing else:\n{form.text}"


def _table(view: View) -> Iterator[str]:
    public = view.public
    you = (
        "the dealer"
        if view.seat == public.dealer
        else "the prophet"
        if view.seat == public.prophet
        else "a scientist"
    )
    yield f"You are seat {view.seat}, {you}. The dealer is seat {public.dealer}; {public.seats} sit at the table."
    if public.hint is not None:
        yield f"The dealer's hint: {public.hint.text}"
    yield f"The table: {public.layout}"
    learned = list(_learned(view))
    if learned:
        yield "Also seen:"
        yield from learned
    sizes = ", ".join(f"seat {seat} {public.hand_sizes[seat]}" for seat in public.scientists)
    yield f"Cards held: {sizes}. Cards in the stock: {public.stock_size}. Cards played: {public.played}."
    if public.prophet is not None:
        yield f"Seat {public.prophet} is prophet; cards laid since: {public.since_declaration}."
    if public.former_prophets:
        yield f"Overthrown prophets: {_seats(public.former_prophets)}."
    if public.expelled:
        yield f"Expelled: {_seats(public.expelled)}."
    if any(public.mistakes):
        told = ", ".join(f"seat {seat} {cards_text(cards)}" for seat, cards in enumerate(public.mistakes) if cards)
        yield f"Mistake cards: {told}."
    if public.turns_left is not None:
        yield f"Turns left: {public.turns_left}."
    if public.danger:
        yield "Expulsion is in force: a wrong play of this turn expels."
    yield f"Your hand: {cards_text(view.hand) or 'no cards'}"


def _learned(view: View) -> Iterator[str]:
    """Yield what was judged and cannot be told from the table."""
    line = 0
    for event in view.events:
        match event:
            case StarterLaid():
                line += 1
            case AttemptJudged(_, cards, right, prefix):
                line += len(cards) if right else prefix or 0
            case Picked(_, played):
                yield f"- with {line} cards on the mainline: {event}"
                line += played
            case NoPlayJudged() | Refused() | SeatPassed() | RuleStated() | StatementJudged():
                yield f"- with {line} cards on the mainline: {event}"


def _decision(view: View, moves: LegalMoves) -> Iterator[str]:
    match moves.kind:
        case DecisionKind.PLAY:
            yield "It is your turn."
            if view.public.stage == 2:
                yield f"Your mistake cards are played now: {cards_text(moves.hand)}"
            yield f"You may answer: a card, as in '{moves.hand[0]}'"
            if moves.longest > 1:
                yield (
                    f"or a string of up to {moves.longest} of your cards, in order, as in "
                    f"'{cards_text(moves.hand[:2])}'"
                )
            if moves.no_play:
                yield "or 'no play'."
        case DecisionKind.AFTER_TURN:
            yield "Your turn is over. You may become prophet."
            yield "You may answer: 'pass', to play on, or 'prophet'."
        case DecisionKind.STATE_RULE:
            yield "Your play is done. You may state the secret rule; what it allows counts, not its words."
            yield "You may answer: 'pass', or 'state' and a rule in the rule language, as in 'state card.is_red'."
        case DecisionKind.CALL:
            yield _under_judgement(view)
            if any(call.card is not None for call in moves.calls):
                yield "With 'wrong' and a card you say that the no play is wrong, since that card is right."
            if any(call.prefix is not None for call in moves.calls):
                yield "With 'wrong after 1' you say that the first card of the string is right, and the second wrong."
            yield f"You may answer: {_listed(moves)}."
        case DecisionKind.PICK:
            yield f"Somebody declared no play, and was wrong, showing {cards_text(view.public.shown)}."
            yield f"Choose a right card of that hand. You may answer: {_listed(moves)}."
        case _:
            assert_never(moves.kind)


def _under_judgement(view: View) -> str:
    public = view.public
    by = (
        "You judge by your secret rule, which you keep in mind; it must fit every judgement so far."
        if view.seat == public.dealer
        else "As prophet you judge before the dealer, by what you take for the rule; an error overthrows you."
    )
    said = f" The prophet says: {public.call}." if public.call is not None and view.seat == public.dealer else ""
    match public.attempt:
        case None:
            return by
        case StateRule(rule):
            return f"Seat {public.turn} states the rule {rule_text(rule)}. {by}{said}"
        case attempt:
            shown = f", showing {cards_text(public.shown)}" if public.shown else ""
            return f"Seat {public.turn} plays: {attempt}{shown}. {by}{said}"


def _listed(moves: LegalMoves) -> str:
    return ", ".join(f"'{move}'" for move in moves)


def _seats(seats: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats)
