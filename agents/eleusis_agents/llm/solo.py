"""What a model is told in the solo protocol, and what it commits to."""

from __future__ import annotations

from eleusis_agents.llm.failures import NoAnswer
from eleusis_agents.llm.prompt import CONFIDENCE, RULE, THOUGHT, answering
from eleusis_agents.llm.question import Form, Message
from eleusis_agents.llm.reply import card_in, guess_in, object_in
from eleusis_agents.llm.terms import CARDS, LANGUAGE, LAYOUT
from eleusis_ai.bench.solo import FULL_SCORE, TURNS, WRONG_STATEMENT, Commitment, SoloView
from eleusis_ai.cards import cards_text

FORM = Form(
    "commitment",
    (
        THOUGHT,
        RULE,
        CONFIDENCE,
        ("state", "boolean", "whether you state this rule now: right ends the round, wrong costs points"),
        ("card", "string", "the card of your hand that you play, as in 7H"),
    ),
)
"""What is asked for in a turn."""

TERMS = f"""\
You play a card game of induction alone. There is a secret rule, which says after any mainline of cards which cards
may follow. In each turn you play a card of your hand and are told whether it is right; then you draw another card,
right or wrong. What counts is to find out the rule in few turns.
{CARDS}
{LAYOUT}
In each turn, before the card is judged, you also say what you take for the rule, how sure you are of it, and whether
you state it. A rule that is stated is right if it allows the same as the secret rule in all that can still be
reached, in whatever words. A right statement in turn T ends the round and brings {FULL_SCORE} - T points; each wrong
one costs {WRONG_STATEMENT}. There are {TURNS} turns."""


def solo_prompt(view: SoloView) -> tuple[Message, ...]:
    """Return what a model is told before a turn."""
    wrong = "".join(f"\nYou stated this rule, and it is wrong: {rule}" for rule in view.wrong)
    table = (
        f"Turn {view.turn} of {TURNS}.\nThe table: {view.layout}{wrong}\n"
        f"Your hand: {cards_text(view.hand)}\nCommit to a card, a rule, and whether you state it."
    )
    return Message("system", f"{TERMS}\n\n{LANGUAGE}\n\n{answering(FORM)}"), Message("user", table)


def commitment_in(content: str, view: SoloView) -> Commitment:
    """Return what a model commits to.

    Raises:
        NoAnswer: if it may not do so, or its rule is none.
    """
    reply = object_in(content, "card")
    card = card_in(reply)
    if card not in view.hand:
        raise NoAnswer(f"{card} is not in the hand, which is {cards_text(view.hand)}")
    guess = guess_in(reply)
    if guess is None:
        raise NoAnswer('"rule" is empty; say your best guess, as in card.is_red')
    if guess.rule is None:
        raise NoAnswer(f'"rule" is not in the rule language: {guess.problem}')
    if guess.rule.reads_rejected:
        raise NoAnswer("no secret rule looks at rejected cards here; say another")
    state = reply.get("state") in (True, "true", "True", "yes")
    return Commitment(card=card, tentative=guess.rule, confidence=guess.confidence, state=state)
