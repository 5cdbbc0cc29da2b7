"""What the companion says: its moves in words that a table understands, and what it believes of the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from eleusis_ai.agent import Agent, Beliefs, Explains, Reasons
from eleusis_ai.cards import CARDS, UNKNOWN, Card, cards_text
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, BecomeProphet, Call, Move, NoPlay, Pass, Pick, StateRule, rule_text
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import InvalidRule, Rule
from eleusis_ai.seats.evening import Ask, Entry, Party, seen_cards
from eleusis_ai.seats.hindsight import why
from eleusis_ai.seats.telling import cards_said
from eleusis_ai.view import View

RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
SUITS = ("clubs", "diamonds", "hearts", "spades")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LIKELIEST = 5
"""Rules that are told when the companion is asked for its beliefs."""
VAGUE = 0.05
"""Weight of the likeliest rule below which there is no opinion worth a word."""


def card_words(card: Card) -> str:
    """Say a card as at a table: ``the seven of hearts``."""
    return f"the {RANKS[card.rank - 1]} of {SUITS[card.suit]}"


def move_words(move: Move, view: View) -> str | None:
    """Say what the companion does; None: it does nothing that is said at a table."""
    match move:
        case Attempt((card,)):
            return f"I play {card_words(card)} ({card})."
        case Attempt(cards):
            return f"I play a string of {_count(len(cards))}, in this order: {_listed(cards)} ({cards_text(cards)})."
        case NoPlay():
            return f"I play no card: none of mine can be right. Here is my hand: {cards_text(view.hand)}."
        case BecomeProphet():
            return "I become prophet. I lay my hand aside, and judge from now on."
        case Call():
            return _call_words(move, view)
        case StateRule(rule):
            return f"I state the rule: {rule.text}\n({rule_text(rule)})"
        case Pass() | Pick():
            return None
        case _:
            assert_never(move)


def _call_words(call: Call, view: View) -> str:
    attempt = view.public.attempt
    if call.right:
        return (
            "I call it right: no card of that hand is legal." if isinstance(attempt, NoPlay) else "I call it right."
        )
    if call.card is not None:
        return f"I call it wrong: {card_words(call.card)} ({call.card}) is legal."
    match call.prefix:
        case None:
            return "I call it wrong."
        case 0:
            return "I call it wrong from the first card."
        case 1:
            return "I call it wrong: only the first card is right."
        case prefix:
            return f"I call it wrong: the first {_count(prefix)} cards are right."


def entry_words(entry: Entry, party: Party) -> str:
    """Say in a few words what was told, as when it is undone."""
    me = entry.seat == party.seat
    name = "I" if me else party.names[entry.seat]
    match entry.ask:
        case Ask.HINT:
            return f"{name}'s hint: {Hint.parse(entry.said).text.removesuffix('.')}" if entry.said else "no hint"
        case Ask.STARTERS:
            return f"starter {_symbols(entry.said)}"
        case Ask.FIRST:
            return f"{party.names[int(entry.said)]} begins"
        case Ask.CARDS:
            return f"I got {_symbols(entry.said)}"
        case Ask.PLAY:
            what = entry.said if entry.said == str(NoPlay()) else _symbols(entry.said)
            return f"{name} {'play' if me else 'plays'} {what}"
        case Ask.SHOWN:
            return f"{name} shows {_symbols(entry.said)}"
        case Ask.CALL | Ask.PICK:
            return f"{name} {'say' if me else 'says'} {entry.said}"
        case Ask.PROPHET if entry.said == str(Pass()):
            return f"{name} {'do' if me else 'does'} not become prophet"
        case Ask.PROPHET:
            return f"{name} {'become' if me else 'becomes'} prophet"
        case Ask.STATE:
            said = entry.said.removeprefix("state ") if entry.said != str(Pass()) else "none"
            return f"{name} {'state' if me else 'states'} the rule: {said}"
        case Ask.AGAIN:
            return "another round"
        case _:
            return f"{'the stock has' if me else f'{name} holds'} {entry.said}"


def thought(beliefs: Beliefs) -> str:
    """Say in a line what is likeliest."""
    if not beliefs.rules or beliefs.rules[0][1] < VAGUE:
        return "I have no idea of the rule yet."
    text, weight = beliefs.rules[0]
    return f"My likeliest rule ({weight:.0%}): {_in_short(text)}"


def beliefs_rows(beliefs: Beliefs) -> list[tuple[str, str]]:
    """Say the likeliest rules in words, each behind its weight."""
    return [(f"{weight:4.0%}", f"{_in_short(text)}") for text, weight in beliefs.rules[:LIKELIEST]]


def chances_words(beliefs: Beliefs, hand: Cards) -> str:
    """Say how likely each card of ``hand`` is right next, the likeliest first; of equals the earlier."""
    if len(beliefs.legal) != len(CARDS):
        return ""  # an agent of somebody's own that does not keep to its word
    cards = [card for card in dict.fromkeys(hand) if card is not UNKNOWN]
    ranked = sorted(cards, key=lambda card: -round(beliefs.legal[card], 9))
    return "  ".join(f"{card.symbol} {beliefs.legal[card]:.0%}" for card in ranked)


def reason(agent: Agent, view: View, move: Move) -> str:
    """Say why ``agent`` made ``move`` in ``view``, as far as it can tell."""
    if isinstance(agent, Reasons):
        return why(agent, view, move)
    if not isinstance(agent, Explains):
        return "I cannot tell: the one who plays for me keeps what he thinks to himself."
    beliefs = agent.beliefs(view)
    match move:
        case Attempt((card,)):
            return f"I gave {card.symbol} a chance of {beliefs.legal[card]:.0%}. {thought(beliefs)}"
        case NoPlay():
            best = max(view.hand, key=lambda card: round(beliefs.legal[card], 9))
            return f"My likeliest card was {best.symbol}, at {beliefs.legal[best]:.0%}. {thought(beliefs)}"
        case _:
            return thought(beliefs)


def _in_short(text: str) -> str:
    """Return a rule as a sentence; of a description that is none the first line."""
    try:
        return Rule.parse(text).text
    except InvalidRule:
        return (text.strip().splitlines() or [""])[0]


def _symbols(text: str) -> str:
    return cards_said(seen_cards(text))


def _count(number: int) -> str:
    return COUNTS[number] if number < len(COUNTS) else str(number)


def _listed(cards: Sequence[Card]) -> str:
    *others, last = map(card_words, cards)
    return f"{', '.join(others)} and {last}"
