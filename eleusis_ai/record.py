"""The log of one round, as a line of JSON from which it can be replayed anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from eleusis_ai.cards import cards_text, parse_cards
from eleusis_ai.dealing import Deal
from eleusis_ai.moves import Move, parse_move
from eleusis_ai.profiles import profile_from, profile_overrides
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule

if TYPE_CHECKING:
    from eleusis_ai.round import Round


class InvalidRecord(ValueError):
    """A line that is not a record, or one that cannot be replayed."""


class StandIn(NamedTuple):
    """A move that was made for a seat which gave no legal answer."""

    number: int
    """Which move of the round, counted from 1."""
    seat: int
    fault: str
    """What the seat did instead."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What replays a round. Its leaves are the project's texts; ``str`` and ``parse`` are one JSON line."""

    key: str = ""
    """What the round is called in the run it belongs to."""
    agents: tuple[str, ...] = ()
    """Who sat where, by seat; empty texts where nobody is named."""
    profile: str | dict[str, Any]
    """A published name, or a base and what differs from it."""
    rule: str | None
    """The secret rule; None: the dealer judged by hand."""
    starter: str | None = None
    """The rule's starter condition."""
    seats: int
    dealer: int
    first: int
    """The seat that began."""
    starters: str | None = None
    """The starter cards, where they were given."""
    hint: str | None = None
    deck: str
    """The whole deck, from its front."""
    moves: tuple[str, ...]
    substitutes: dict[int, str] = {}
    """Moves, counted from 1, that were made for a seat which gave no legal answer, and what it did instead: ``raised
    ValueError``, ``illegal``, ``slow``, ``hung``, ``exited``. The substitute is the first legal move."""
    scores: tuple[int, ...] | None = None
    """Every seat's points; None: the round is not over."""

    @classmethod
    def of(cls, deal: Deal, moves: Sequence[Move], scores: tuple[int, ...] | None) -> Self:
        """Make a record of a deal whose first seat is known, and what followed."""
        assert deal.first is not None, "a round that was dealt knows who began"
        rule = deal.rule
        return cls(
            profile=profile_overrides(deal.profile),
            rule=None if rule is None else str(rule),
            starter=None if rule is None or rule.starter is None else str(rule.starter),
            seats=deal.seats,
            dealer=deal.dealer,
            first=deal.first,
            starters=None if deal.starters is None else cards_text(deal.starters),
            hint=None if deal.hint is None else str(deal.hint),
            deck=cards_text(deal.deck),
            moves=tuple(map(str, moves)),
            scores=scores,
        )

    def __str__(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def parse(cls, line: str | bytes) -> Self:
        """Read a record from a line of JSON.

        Raises:
            InvalidRecord: if the line is not a record.
        """
        try:
            return msgspec.json.decode(line, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidRecord(f"not a record: {error}; `str(round.record())` writes one") from None

    def deal(self) -> Round:
        """Deal the round anew, before its first move.

        Raises:
            InvalidRecord: if its texts cannot be read or do not fit together.
        """
        from eleusis_ai.round import Round  # the one import that points up: a round makes its own record

        try:
            return Round.deal(
                profile_from(self.profile),
                None if self.rule is None else Rule.parse(self.rule, starter=self.starter),
                seats=self.seats,
                dealer=self.dealer,
                deck=parse_cards(self.deck),
                first=self.first,
                starters=None if self.starters is None else parse_cards(self.starters),
                hint=None if self.hint is None else Hint.parse(self.hint),
            )
        except ValueError as error:
            raise InvalidRecord(f"the record cannot be dealt: {error}") from error

    def replay(self) -> Round:
        """Play the round again, to where the record ends.

        Raises:
            InvalidRecord: if a move is not legal where it stands, or a substitute is not the first legal move, or
                the points differ.
        """
        round_ = self.deal()
        for number, text in enumerate(self.moves, start=1):
            try:
                move = parse_move(text)
                if number in self.substitutes and (wanted := substitute(round_)) != move:
                    raise InvalidRecord(f"a substitute is the first legal move, which is {str(wanted)!r}")
                round_.apply(move)
            except ValueError as error:
                raise InvalidRecord(f"move {number} of {len(self.moves)}, {text!r}: {error}") from error
        if beyond := [number for number in self.substitutes if not 1 <= number <= len(self.moves)]:
            raise InvalidRecord(
                f"the record has a substitute for move {beyond[0]}; its moves are 1 to {len(self.moves)}"
            )
        if self.scores is not None and (not round_.over or round_.scores() != self.scores):
            found = round_.scores() if round_.over else "a round that is not over"
            raise InvalidRecord(f"the record says the points are {self.scores}, its moves give {found}")
        return round_

    def stand_ins(self) -> Iterator[StandIn]:
        """Yield the substitutes with the seats they were made for; the record must be one that replays."""
        if not self.substitutes:
            return
        round_ = self.deal()
        for number, text in enumerate(self.moves, start=1):
            if number in self.substitutes:
                assert round_.decision is not None, "a record that replays moves where a decision is pending"
                yield StandIn(number, round_.decision.seat, self.substitutes[number])
            round_.apply(parse_move(text))


def substitute(round_: Round) -> Move:
    """Return the move that is made for a seat which gives no legal answer: the first legal one."""
    return next(iter(round_.legal_moves()))
