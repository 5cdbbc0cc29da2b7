"""What the numbers of an observation are, by name, in their order."""

from __future__ import annotations

from eleusis_ai.rules.hints import HintKind
from eleusis_ai.rules.likeness import ATTRIBUTES

ATTEMPT_CARDS = 16
"""Cards of an attempt that are shown; more are dropped."""
PLANES = {
    "accepted": "the card that was accepted there",
    "rejected": "cards that were rejected after it, alone or as the first wrong card of a string judged card by card",
    "in strings": "cards rejected after it in strings of which it is not known which card is wrong",
    "shown illegal": "cards shown to be illegal after it: a right no play, a card that a prophet named wrongly",
    "shown legal": "cards pointed out as legal after it",
}
ACCEPTED, REJECTED, IN_STRINGS, SHOWN_ILLEGAL, SHOWN_LEGAL = range(len(PLANES))
SEAT_FEATURES = {
    "present": "1 where somebody sits",
    "dealer": "1 for the dealer",
    "cards": "cards in hand; a prophet's are laid aside",
    "mistakes": "mistake cards",
    "prophet": "1 for the prophet in office",
    "was prophet": "1 for one who was overthrown",
    "expelled": "1 for one who is expelled",
    "turn": "1 for the scientist whose turn it is, or who acted last",
}
TABLE_FEATURES = {
    "stock": "cards in the stock",
    "accepted": "cards on the mainline",
    "played": "cards played, as expulsion counts them",
    "accepted since": "cards accepted since the prophet's declaration",
    "rejected since": "cards rejected since it",
    "played at declaration": "cards played up to it",
    "expulsion": "1 where a wrong play expels in this turn",
    "marker": "how many columns ago the prophet's marker lies, and 1; 0 without one",
    "marker's branch": "which branch below that column it lies on, counted from 1; 0 on the mainline",
    "attempt": "cards of the attempt being built or judged",
    "turns left": "turns that are left, where they are limited",
    "idle": "turns since a right card was laid",
    "stage": "1, or 2 when mistake cards are played",
}
PHASES = {
    "play": "a turn begins: a card, or no play",
    "string": "a string has been begun: a further card, or finish",
    "prophet": "whether to become prophet",
    "judge cards": "an attempt is to be judged",
    "judge no play": "a no play is to be judged",
    "state": "whether to state the rule",
    "wait": "nothing is asked of the seat",
}
PLAY, STRING, AFTER_TURN, JUDGE_CARDS, JUDGE_NO_PLAY, STATING, WAIT = range(len(PHASES))
PLAIN_HINTS = tuple(kind for kind in HintKind if kind.name not in ("LOOKBACK", "ATTRIBUTES", "ACCEPTANCE"))
HINT_FEATURES = {
    **{kind.value: "1 if this is the hint" for kind in PLAIN_HINTS},
    "lookback": "how many of the last cards matter at most, and 1; 0 without such a hint",
    **{f"attribute {word}": "1 if it is one of those that matter at most" for word in ATTRIBUTES},
    "acceptance from": "the least share of right cards, in per cent",
    "acceptance to": "the largest share, in per cent; 0 without such a hint",
}

SOLO_FEATURES = {
    "turn": "turns that are over",
    "accepted": "cards on the mainline",
    "wrong": "statements that were wrong",
    "committed": "1 where a statement has been made in this turn, and a card is asked for",
}


KEYS = {
    "layout": "the last columns of the layout, the end of the mainline first; in each of them planes of cards",
    "hand": "how many of each card the seat holds; those of a string being built are gone",
    "attempt": f"one-hot, in order: the first {ATTEMPT_CARDS} cards of the attempt being built or judged",
    "shown": "how many of each card are in the hand shown for the no play to be judged",
    "seats": "a row of numbers for each seat, from the observer's own to the left",
    "table": "numbers of the table",
    "hint": "the dealer's hint, all 0 without one",
    "phase": "one-hot, what is asked",
    "action_mask": "1 for each action that is legal now",
    "mistakes": "mistake cards, one row a seat as in `seats`; only in profiles that have them",
    "stated": "1 for each rule that was stated, and was wrong; only where rules may be stated",
}
"""What each key of an observation holds."""
NAMED = {
    "layout": PLANES,
    "seats": SEAT_FEATURES,
    "table": TABLE_FEATURES,
    "hint": HINT_FEATURES,
    "phase": PHASES,
}
"""The keys whose numbers have names."""
SOLO_KEYS = {
    "layout": "the last columns of the layout, the end of the mainline first: in each what was accepted there, and "
    "how often each card was rejected after it",
    "hand": "how many of each card are in hand",
    "slots": "one-hot: the card in each of the twelve places of the hand",
    "table": "numbers of the table",
    "action_mask": "1 for each action that is legal now; only in the task `state`",
    "stated": "1 for each rule that was stated, and was wrong; only in the task `state`",
}
"""What each key of an observation in the solo protocol holds."""
