"""What the companion asks the people at the table, in plain words, and how they type the answer."""

from __future__ import annotations

from eleusis_ai.moves import Attempt, NoPlay
from eleusis_ai.profiles import HintTerms, Judging, StarterTerms
from eleusis_ai.rules.hints import PLAIN_HINTS
from eleusis_ai.seats.evening import Ask, Evening, Question
from eleusis_ai.seats.telling import cards_said


def question_text(evening: Evening) -> str:
    """Return what is asked now, in plain words."""
    asked, names = evening.question, evening.party.names
    name, dealer = names[asked.seat], names[evening.dealer]
    match asked.ask:
        case Ask.HINT:
            return f"What hint does {dealer} give?"
        case Ask.STARTERS:
            return "Which card lies there as the starter?"
        case Ask.FIRST:
            return "Who plays first?"
        case Ask.CARDS:
            assert evening.round is not None, "cards are dealt for a round"
            return f"Which {number_said(evening.round.owed, 'card')} did I get?"
        case Ask.PLAY:
            assert evening.round is not None, "whoever plays plays a round"
            danger = " Expulsion is in force." if evening.round.danger else ""
            return f"What does {name} play?{danger}"
        case Ask.SHOWN:
            assert evening.round is not None, "a hand is shown in a round"
            return f"Which {number_said(evening.round.public().hand_sizes[asked.seat], 'card')} does {name} show?"
        case Ask.CALL:
            return _call_asked(evening, asked)
        case Ask.PICK:
            return f"Which card of that hand is right, says {name}?"
        case Ask.PROPHET:
            return f"Does {name} become prophet?{_or_next(evening)}"
        case Ask.STATE:
            return f"Does {name} state the rule?{_or_next(evening)}"
        case _:
            return f"Another round? {names[evening.next_dealer]} would deal."


def _call_asked(evening: Evening, asked: Question) -> str:
    round_, names = evening.round, evening.party.names
    assert round_ is not None, "what is judged is judged in a round"
    name = names[asked.seat]
    if asked.seat == round_.prophet:
        return f"What does {name}, the prophet, say?"
    if round_.stage == 2:
        whose = "me" if round_.turn == evening.party.seat else names[round_.turn]
        return f"Stage two: has {whose} a right one among these mistake cards, {cards_said(round_.shown)}?"
    if round_.call is not None:
        return f"And {name}, who deals?"
    return f"What does {name} say, right or wrong?"


def _or_next(evening: Evening) -> str:
    following = next_to_tell(evening)
    return " Enter if not." if following is None else f" If not, what does {evening.party.names[following]} play?"


def next_to_tell(evening: Evening) -> int | None:
    """Return the seat whose play may be told at once where somebody may become prophet or state the rule."""
    round_ = evening.round
    assert round_ is not None, "turns are those of a round"
    return None if round_.following == evening.party.seat else round_.following


def wanted(evening: Evening) -> str:
    """Return how an answer is typed, with examples."""
    asked, names, profile = evening.question, evening.party.names, evening.profile
    match asked.ask:
        case Ask.HINT:
            none = "" if profile.hint is HintTerms.REQUIRED else ", Enter if there is none"
            return f"Type one of: {'; '.join(map(str, PLAIN_HINTS))}. Type 'other' for any other{none}."
        case Ask.STARTERS:
            several = profile.starter is not StarterTerms.AS_TURNED
            return f"Type it as in 7h{', or several, from the left, as in 7h 10s' if several else ''}."
        case Ask.FIRST:
            scientists = [name for seat, name in enumerate(names) if seat != evening.dealer]
            return f"Type a name: {', '.join(scientists)}."
        case Ask.CARDS:
            return "Type them as in 7h 10s qd, some now and the others in the next line if you like."
        case Ask.PLAY:
            string = "" if profile.max_string == 1 else ", several in their order, as in 7h 10s"
            no_play = ", or 'no play'" if profile.no_play else ""
            return (
                f"Type a card as in 7h{string}{no_play}; the verdict may follow, as in '7h right'. "
                "'unknown' stands for a card that nobody remembers."
            )
        case Ask.SHOWN:
            return "Type them as in 7h 10s qd; 'unknown' at the end stands for all that nobody wrote down."
        case Ask.CALL:
            return _call_wanted(evening, asked)
        case Ask.PICK:
            return "Type it, as in 7h."
        case Ask.PROPHET:
            return f"Type 'prophet', or {_otherwise(evening)}."
        case Ask.STATE:
            return (
                "Type 'right' or 'wrong' for what the dealer says to a rule in words, or the rule itself, as in "
                f"'state card.is_red', or {_otherwise(evening)}."
            )
        case _:
            return "Type 'again', or 'quit'."


def _otherwise(evening: Evening) -> str:
    following = next_to_tell(evening)
    return "Enter" if following is None else f"what {evening.party.names[following]} plays, as in 7h, or Enter"


def _call_wanted(evening: Evening, asked: Question) -> str:
    round_ = evening.round
    assert round_ is not None, "what is judged is judged in a round"
    if round_.stage == 2:
        return "Type 'yes' or 'no'."
    agreed = "'ok' if that is so, " if round_.call is not None else ""
    if isinstance(round_.attempt, NoPlay) and (asked.seat == round_.prophet or round_.call is not None):
        return f"Type {agreed}'right', or 'wrong' and a card that is legal, as in 'wrong 7h'."
    if (
        isinstance(round_.attempt, Attempt)
        and len(round_.attempt.cards) > 1
        and evening.profile.judging is Judging.CARD_BY_CARD
    ):
        return f"Type {agreed}'right', or how many of the first cards are right, as in 'wrong 1' or 'wrong 0'."
    return f"Type {agreed}'right' or 'wrong'."


def number_said(count: int, noun: str) -> str:
    """Write how many there are of something, in the plural where it has to be."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
