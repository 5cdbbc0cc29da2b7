"""What has happened, told to one seat in sentences that a table understands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eleusis_ai.cards import Card
from eleusis_ai.events import (
    Attempted,
    AttemptJudged,
    Dealt,
    Drew,
    EndReason,
    Event,
    Hinted,
    NoPlayDeclared,
    NoPlayJudged,
    Picked,
    ProphetCalled,
    ProphetDeclared,
    ProphetOverthrown,
    Refused,
    ReserveOpened,
    RoundEnded,
    RuleStated,
    SeatExpelled,
    SeatPassed,
    StageTwoBegan,
    StarterLaid,
    StatementJudged,
)
from eleusis_ai.moves import Call
from eleusis_ai.rules.hints import Hint

_ENDS = {
    EndReason.EMPTIED: "a hand is empty",
    EndReason.STOCK: "the stock is used up",
    EndReason.EXPELLED: "all who were left to play are expelled",
    EndReason.STATED: "the rule is stated",
    EndReason.TURNS: "no turn is left",
    EndReason.STALLED: "nothing was right for too long, or nothing can be",
}


def told(events: Iterable[Event], names: Sequence[str], seat: int) -> list[str]:
    """Tell ``events``, as ``seat`` may know them, in lines: one for all that an action led to.

    Whose turn begins is left to the drawing of the table; points and rule are left to the end.

    Args:
        events: What has happened.
        names: Who sits where, by seat.
        seat: To whom it is told, as "you".
    """
    teller = _Teller(names, seat)
    for event in events:
        teller.take(event)
    return teller.lines()


def told_by(events: Iterable[Event], names: Sequence[str], seat: int) -> list[str]:
    """Tell ``events`` as ``told`` does, but as ``seat`` itself speaks to the others at its table, by their names."""
    teller = _Speaker(names, seat)
    for event in events:
        teller.take(event)
    return teller.lines()


def cards_said(cards: Iterable[Card]) -> str:
    """Write cards as they are printed, such as ``7♥ 8♦``."""
    return " ".join(card.symbol for card in cards)


def who(names: Sequence[str], seat: int, you: int) -> str:
    """Name a seat to the seat ``you``, in the midst of a sentence; a seat with an empty name by its number alone."""
    if seat == you:
        return "you"
    return f"seat {seat} ({names[seat]})" if names[seat] else f"seat {seat}"


class _Teller:
    """Puts sentences together from events; each event adds to the line of its action."""

    whose, being = "your", "are"

    def __init__(self, names: Sequence[str], you: int) -> None:
        self._names = names
        self._you = you
        self._lines: list[str] = []
        self._before: Event | None = None
        self._subject: int | None = None
        """Whom the clause that was written last is about; None: nobody, or no clause is open."""

    def lines(self) -> list[str]:
        return [f"{line}." for line in self._lines]

    def take(self, event: Event) -> None:
        """Tell one event."""
        match event:
            case Dealt(seat, count) if seat == self._you:
                self._begin(f"{self._does(seat, 'is')} dealt {_number(count)}")
            case Hinted(hint):
                self._begin(f"The dealer's hint: {Hint.parse(hint).text.removesuffix('.')}")
            case StarterLaid(card, found_legal):
                self._begin(f"The starter is {card.symbol}, {'found legal' if found_legal else 'as it was turned'}")
            case Attempted(seat, cards):
                self._begin(f"{self._does(seat, 'play')} {cards_said(cards)}", seat)
            case NoPlayDeclared(seat, hand):
                self._begin(f"{self._does(seat, 'declare')} no play, showing {cards_said(hand)}", seat)
            case ProphetCalled(seat, call):
                name = self._who(seat)
                prophet = f"{capital(name)}, the prophet," if seat == self._you else f"The prophet, {name},"
                self._sentence(f"{prophet} {self._verb(seat, 'say')} {_call_said(call)}")
            case AttemptJudged(seat, cards, right, prefix):
                verdict = _call_said(Call(right=right, prefix=prefix))
                agreed = isinstance(self._before, ProphetCalled) and self._before.call.prefix == prefix
                self._judged(event.seat, cards_said(cards), verdict, right=right, agreed=agreed)
            case NoPlayJudged(seat, _, right):
                self._judged(seat, "no play", "right" if right else "wrong", right=right)
            case Refused(card):
                self._sentence(f"But {card.symbol} is not legal")
            case Picked(card, played):
                done = "is played from that hand" if played else "of that hand would have been right, and stays in it"
                self._sentence(f"{card.symbol} {done}")
            case Drew(seat, count) if count:
                self._drew(event)
            case ReserveOpened(count):
                self._sentence(f"The stock is used up, and a reserve pack of {count} is opened")
            case SeatExpelled(seat):
                self._adds(seat, "is", "expelled")
            case ProphetDeclared(seat):
                whose = self.whose if seat == self._you else "the"
                self._begin(f"{self._does(seat, 'become')} prophet, and {self._verb(seat, 'lay')} {whose} hand aside")
            case ProphetOverthrown(seat):
                self._sentence(f"{self._does(seat, 'is')} overthrown", seat)
            case StageTwoBegan():
                self._begin("All hands are played. Stage two: mistake cards are played")
            case SeatPassed(seat, cards):
                self._begin(f"{self._does(seat, 'is')} passed: none of {cards_said(cards)} is legal", seat)
            case RuleStated(seat, rule):
                self._begin(f"{self._does(seat, 'state')} the rule: {rule}", seat)
            case StatementJudged(_, right, proved):
                how = ", though not proved" if right and not proved else ""
                self._sentence(f"That is {'right' if right else 'wrong'}{how}")
            case RoundEnded(reason):
                self._begin(f"The round ends: {_ENDS[reason]}")
            case _:
                return
        self._before = event

    def _judged(self, seat: int, what: str, verdict: str, *, right: bool, agreed: bool = True) -> None:
        match self._before:
            case Attempted() | NoPlayDeclared():
                self._lines[-1] += f": {verdict}"
                self._subject = seat
            case ProphetCalled(_, call) if call.right == right and agreed:
                self._lines[-1] += ", and so it is" if call.card is None else ", and wrong it is"
            case ProphetCalled():
                self._lines[-1] += f", but it is {verdict}"
            case _:
                self._begin(f"{capital(self._of(what, seat))}: {verdict}")

    def _drew(self, event: Drew) -> None:
        cards = f"{event.count}: {cards_said(event.cards)}" if event.cards else f"{event.count}"
        if isinstance(self._before, NoPlayJudged):
            self._adds(event.seat, "take", f"a new hand of {cards}")
        else:
            self._adds(event.seat, "draw", cards)

    def _begin(self, words: str, subject: int | None = None) -> None:
        self._lines.append(words)
        self._subject = subject

    def _sentence(self, words: str, subject: int | None = None) -> None:
        """Add a sentence to the line of the action."""
        if self._before is None:
            self._begin(words, subject)
            return
        self._lines[-1] += f". {words}"
        self._subject = subject

    def _adds(self, seat: int, verb: str, rest: str) -> None:
        """Add a clause, of one sentence with the last one if both are about ``seat``."""
        if self._subject == seat:
            self._lines[-1] += f", and {self._verb(seat, verb)} {rest}"
        else:
            self._sentence(f"{self._does(seat, verb)} {rest}", seat)

    def _does(self, seat: int, verb: str) -> str:
        return f"{capital(self._who(seat))} {self._verb(seat, verb)}"

    def _verb(self, seat: int, verb: str) -> str:
        if verb == "is":
            return self.being if seat == self._you else "is"
        return verb if seat == self._you else f"{verb}s"

    def _who(self, seat: int) -> str:
        return who(self._names, seat, self._you)

    def _of(self, what: str, seat: int) -> str:
        return f"{what} of {self._who(seat)}"


class _Speaker(_Teller):
    """Speaks of itself as I, and knows the others by name."""

    whose, being = "my", "am"

    def _who(self, seat: int) -> str:
        return "I" if seat == self._you else self._names[seat]

    def _of(self, what: str, seat: int) -> str:
        return f"{self.whose} {what}" if seat == self._you else f"{self._names[seat]}'s {what}"


def capital(words: str) -> str:
    """Return ``words`` as they begin a sentence."""
    return words[:1].upper() + words[1:]


def _call_said(call: Call) -> str:
    if call.card is not None:
        return f"wrong, naming {call.card.symbol} as legal"
    match call.prefix:
        case None:
            return "right" if call.right else "wrong"
        case 0:
            return "wrong from the first card"
        case 1:
            return "wrong after the first card"
        case prefix:
            return f"wrong after the first {prefix} cards"


def _number(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"
