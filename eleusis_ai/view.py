"""What one seat may know: its own hand, and everything public."""

from __future__ import annotations

import msgspec

from eleusis_ai.events import EndReason, Event, RuleStated
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.legal import LegalMoves, legal_moves
from eleusis_ai.moves import Attempt, Call, Decision, NoPlay, StateRule
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint


class Public(msgspec.Struct, frozen=True, gc=False):
    """What everyone at the table may know; made once per move and shared by the seats."""

    profile: Profile
    seats: int
    """Players, the dealer included."""
    dealer: int
    hint: Hint | None
    by_hand: bool
    """Whether the dealer judges by hand, with a rule on paper."""
    layout: Layout
    hand_sizes: tuple[int, ...]
    """Cards held by each seat; a prophet's are laid aside."""
    stock_size: int
    """Cards in the stock, without the reserve."""
    expelled: tuple[int, ...]
    """Expelled seats, in the order they went."""
    prophet: int | None
    """The seat in office."""
    former_prophets: tuple[int, ...]
    """Overthrown prophets, who may not declare again."""
    marker: Marker | None
    """Where the prophet's marker lies."""
    played: int
    """Cards played so far, starters counted where the profile says so."""
    accepted_since: int
    """Cards accepted since the prophet's declaration; 0 without a prophet."""
    rejected_since: int
    """Cards rejected since the prophet's declaration; 0 without a prophet."""
    played_at_declaration: int
    """What ``played`` was when the prophet in office declared; 0 without a prophet."""
    danger: bool
    """Whether expulsion is in force for this turn."""
    decision: Decision | None
    """Whose move it is, and of which kind; None: the round is over."""
    turn: int
    """The scientist whose turn it is, or who acted last."""
    attempt: Attempt | NoPlay | StateRule | None
    """The action under judgement, or the statement."""
    shown: Cards
    """The hand shown for a no play under judgement; in stage two mistake cards that a dealer by hand looks at."""
    call: Call | None
    """The prophet's answer to the action under judgement, once given."""
    end_reason: EndReason | None
    emptied: int | None
    """The seat whose hand was legally emptied; where several ran out of mistake cards in one lap, one of them."""
    events: tuple[Event, ...]
    """All that has happened, as everyone may know it."""
    ending: EndReason | None
    """Why the round ends once the seat that acted has stated the rule or not; None: it goes on."""
    stated: int | None
    """The seat that stated the rule, and was right, which ended the round."""
    stage: int
    """1, or 2 when all hands are played and mistake cards are."""
    mistakes: tuple[Cards, ...]
    """Every seat's mistake cards: the wrong ones that lie before it, in the order they fell."""
    dealer_points: int | None
    """The dealer's points, where the end of stage one has fixed them."""
    idle: int
    """Turns since a right card was laid, those of passed seats included."""
    turns_left: int | None
    """Turns that are left; None: they are not limited."""

    @property
    def statements(self) -> tuple[RuleStated, ...]:
        """The rules that were stated, in order; all but the one of ``stated`` are wrong."""
        return tuple(event for event in self.events if isinstance(event, RuleStated))

    @property
    def since_declaration(self) -> int | None:
        """Cards laid since the prophet's declaration; None: there is no prophet."""
        return None if self.prophet is None else self.accepted_since + self.rejected_since

    @property
    def scientists(self) -> tuple[int, ...]:
        """The seats other than the dealer's, from the dealer's left."""
        return scientists_of(self.dealer, self.seats)


class View(msgspec.Struct, frozen=True, gc=False):
    """The table as one seat sees it. It has no field that could hold a secret."""

    seat: int
    """Who looks."""
    hand: Cards
    """The seat's own hand, in the order of arrival."""
    public: Public
    """Everything else, the same for every seat."""

    @property
    def profile(self) -> Profile:
        """The profile in force."""
        return self.public.profile

    @property
    def layout(self) -> Layout:
        """The cards on the table."""
        return self.public.layout

    @property
    def decision(self) -> Decision | None:
        """Whose move it is, and of which kind; None: the round is over."""
        return self.public.decision

    @property
    def hint(self) -> Hint | None:
        """The dealer's hint."""
        return self.public.hint

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened, as everyone may know it."""
        return self.public.events

    def legal_moves(self) -> LegalMoves:
        """Return the moves the seat may answer with; for a PICK, any card that was shown and not refused.

        Raises:
            LookupError: if no decision of this seat is pending.
        """
        if self.decision is None or self.decision.seat != self.seat:
            raise LookupError(f"seat {self.seat} has nothing to decide now; it is {self.decision or 'over'}")
        return legal_moves(self.public, self.hand)


def scientists_of(dealer: int, seats: int) -> tuple[int, ...]:
    """Return the seats other than the dealer's, from the dealer's left."""
    return tuple((dealer + step) % seats for step in range(1, seats))
