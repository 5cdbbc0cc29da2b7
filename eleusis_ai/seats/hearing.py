"""What people at a real table type, read as answers to what is asked; one line may answer several questions."""

from __future__ import annotations

import re

from eleusis_ai.cards import UNKNOWN, Card, InvalidCard, cards_text
from eleusis_ai.layout import Cards
from eleusis_ai.moves import BecomeProphet, Call, InvalidMove, NoPlay, Pass, Pick, StateRule, parse_rule
from eleusis_ai.rules.hints import Hint, InvalidHint
from eleusis_ai.seats.answers import BadAnswer
from eleusis_ai.seats.asking import next_to_tell, number_said, wanted
from eleusis_ai.seats.evening import WORDS, Ask, Entry, Evening

NO_HINT = Hint.parse("acceptance 0 100")
"""Stands for a hint that says nothing to the companion: it is true of any rule."""
RIGHT = ("right", "r")
WRONG = ("wrong", "w")
YES = ("yes", "y", "prophet")
NO = ("no", "n", "pass")
AGREED = ("ok", "yes", "y", "agrees")
FORGOTTEN = (str(UNKNOWN), "unknown")
"""Stand for a card that nobody saw or remembers."""
NOTHING = "Nothing was typed."


def hear(typed: str, evening: Evening) -> tuple[Entry, str]:
    """Read as much of ``typed`` as answers what is asked now; return the answer, and the rest.

    Raises:
        BadAnswer: if it does not answer, with how one types what does.
    """
    asked = evening.question
    words = typed.replace(",", " ").split()
    try:
        said, rest = _READERS[asked.ask](words, evening)
    except BadAnswer as error:
        raise BadAnswer(f"{error} {wanted(evening)}") from None
    return Entry(asked.ask, asked.seat, said), " ".join(rest)


def hear_count(typed: str, evening: Evening) -> Entry:
    """Read how many cards somebody holds, or the stock has: ``Ann 12``, ``stock 30``.

    Raises:
        BadAnswer: if it is not that.
    """
    name, _, number = typed.rpartition(" ")
    if not re.fullmatch(r"[0-9]{1,3}", number):
        raise BadAnswer("Type 'count', a name and a number, as in 'count stock 30'.")
    if name.strip().lower() == "stock":
        return Entry(Ask.COUNT, evening.party.seat, number)
    seat = _seat(name, evening)
    if seat in (evening.dealer, evening.party.seat):
        raise BadAnswer(
            "I know how many cards I hold, and who deals holds none; type 'count', another name and a number."
        )
    return Entry(Ask.COUNT, seat, number)


def _seat(name: str, evening: Evening) -> int:
    """Read a name, or the beginning of one that no other shares.

    Raises:
        BadAnswer: if it is nobody's, or several people's.
    """
    names = [each.lower() for each in evening.party.names]
    typed = " ".join(name.lower().split())
    found = [seat for seat, each in enumerate(names) if each == typed]
    found = found or [seat for seat, each in enumerate(names) if typed and each.startswith(typed)]
    if len(found) != 1:
        raise BadAnswer(f"{name[:40]!r} is {'several people' if found else 'nobody'} here.")
    return found[0]


def _hint(words: list[str], evening: Evening) -> tuple[str, list[str]]:  # noqa: ARG001 - readers are called alike
    text = " ".join(words)
    if text.lower() == "other":
        return str(NO_HINT), []
    try:
        return (str(Hint.parse(text)) if text else ""), []
    except InvalidHint:
        raise BadAnswer(f"{text[:40]!r} is no hint that I understand.") from None


def _first(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    seat = _seat(" ".join(words), evening)
    if seat == evening.dealer:
        raise BadAnswer(f"{evening.party.names[seat]} deals.")
    return str(seat), []


def _laid(words: list[str], evening: Evening) -> tuple[str, list[str]]:  # noqa: ARG001 - readers are called alike
    cards, rest = _leading_cards(words)
    return cards_text(cards), rest


def _cards(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    assert evening.round is not None, "cards are dealt for a round"
    cards, rest = _leading_cards(words)
    if len(cards) > evening.round.owed:
        raise BadAnswer(f"That is {number_said(len(cards), 'card')}, and I get {evening.round.owed}.")
    return cards_text(cards), rest


def _play(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    if [word.lower() for word in words[:2]] == ["no", "play"]:
        return str(NoPlay()), words[2:]
    if words and words[0].lower() == "no":
        return str(NoPlay()), words[1:]
    return _laid(words, evening)


def _shown(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    assert evening.round is not None, "a hand is shown in a round"
    held = evening.round.public().hand_sizes[evening.question.seat]
    cards, rest = _leading_cards(words)
    if cards[-1] is UNKNOWN:
        cards += (UNKNOWN,) * (held - len(cards))
    if len(cards) != held:
        raise BadAnswer(f"That is {number_said(len(cards), 'card')}, and {held} are held.")
    return cards_text(cards), rest


def _call(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    round_ = evening.round
    assert round_ is not None, "what is judged is judged in a round"
    word, rest = _first_word(words), words[1:]
    if round_.stage == 2 and word in ("yes", "y", "no", "n"):
        return str(Call(right=word.startswith("n"))), rest
    if word in AGREED and round_.call is not None and evening.question.seat == evening.dealer:
        return str(round_.call), rest
    if word in RIGHT:
        return str(Call(right=True)), rest
    if word not in WRONG:
        raise BadAnswer(f"{words[0][:40]!r} is no verdict.")
    if rest and rest[0].lower() == "after":
        rest = rest[1:]
    if rest and re.fullmatch(r"[0-9]", rest[0]):
        return str(Call(right=False, prefix=int(rest[0]))), rest[1:]
    card = _card(rest[0]) if rest and isinstance(round_.attempt, NoPlay) else None
    if card is not None and (evening.question.seat == round_.prophet or round_.call == Call(right=False, card=card)):
        return str(Call(right=False, card=card)), rest[1:]
    return str(Call(right=False)), rest


def _pick(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    rest = words[1:] if words and words[0].lower() == "pick" else words
    cards, _ = _leading_cards(rest[:1])
    if cards[0] is UNKNOWN:
        raise BadAnswer("That card is known to all.")
    shown = () if evening.round is None else evening.round.shown
    if cards[0] not in shown and UNKNOWN not in shown:
        raise BadAnswer(f"{cards[0].symbol} is not in the hand that was shown.")
    return str(Pick(cards[0])), rest[1:]


def _prophet(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    if words and words[0].lower() in YES:
        return str(BecomeProphet()), words[1:]
    return _passed(words, evening)


def _state(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    word = words[0].lower() if words else ""
    if word == "state":
        text = " ".join(words[1:])
        try:
            return str(StateRule(parse_rule(text))), []
        except InvalidMove as error:
            raise BadAnswer(f"{error}\n") from None
    if word in (*RIGHT, *WRONG):
        return f"{WORDS}{'right' if word in RIGHT else 'wrong'}", words[1:]
    return _passed(words, evening)


def _passed(words: list[str], evening: Evening) -> tuple[str, list[str]]:
    """Read a pass: said, or by going on to what the next one plays."""
    if not words:
        return str(Pass()), []
    following = next_to_tell(evening)
    word = words[0].lower()
    if following is not None and (_card(word) is not None or words[:2] == ["no", "play"]):
        return str(Pass()), words
    if word not in NO:
        raise BadAnswer(f"{words[0][:40]!r} is no answer here.")
    return str(Pass()), words[1:]


def _again(words: list[str], evening: Evening) -> tuple[str, list[str]]:  # noqa: ARG001 - readers are called alike
    if _first_word(words) not in ("again", "yes", "y"):
        raise BadAnswer(f"{words[0][:40]!r} is no answer here.")
    return Ask.AGAIN.value, words[1:]


def _first_word(words: list[str]) -> str:
    if not words:
        raise BadAnswer(NOTHING)
    return words[0].lower()


def _card(word: str) -> Card | None:
    try:
        return UNKNOWN if word.lower() in FORGOTTEN else Card.parse(word)
    except InvalidCard:
        return None


def _leading_cards(words: list[str]) -> tuple[Cards, list[str]]:
    """Take the cards with which ``words`` begins.

    Raises:
        BadAnswer: if there is none.
    """
    cards: list[Card] = []
    for word in words:
        card = _card(word)
        if card is None:
            break
        cards.append(card)
    if not cards:
        raise BadAnswer(f"{words[0][:40]!r} is no card." if words else NOTHING)
    return tuple(cards), words[len(cards) :]


_READERS = {
    Ask.HINT: _hint,
    Ask.STARTERS: _laid,
    Ask.FIRST: _first,
    Ask.CARDS: _cards,
    Ask.PLAY: _play,
    Ask.SHOWN: _shown,
    Ask.CALL: _call,
    Ask.PICK: _pick,
    Ask.PROPHET: _prophet,
    Ask.STATE: _state,
    Ask.AGAIN: _again,
}
