"""How a round begins: the deck, the hands, the starters, and who plays first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from eleusis_ai.cards import Card, pack
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import FirstPlayer, HintTerms, Profile, StarterTerms
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.numbers import uses_numbers_only
from eleusis_ai.stock import Stock
from eleusis_ai.view import scientists_of


class InvalidDeal(ValueError):
    """A round that cannot be dealt as asked."""


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """What a round is dealt from. See `eleusis_ai.round.Round.deal` for what each part means."""

    profile: Profile
    rule: Rule | None
    seats: int
    dealer: int
    deck: Cards
    first: int | None = None
    starters: Cards | None = None
    hint: Hint | None = None

    @property
    def scientists(self) -> tuple[int, ...]:
        """The seats other than the dealer's, from the dealer's left."""
        return scientists_of(self.dealer, self.seats)

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Each seat's first hand; the dealer's is empty."""
        size = self.profile.dealt(self.seats)
        hands: list[Cards] = [()] * self.seats
        for index, seat in enumerate(self.scientists):
            hands[seat] = self.deck[index * size : (index + 1) * size]
        return tuple(hands)

    def stock(self) -> Stock:
        """Return the stock after the hands are dealt, before any starter is turned."""
        dealt = self.profile.dealt(self.seats) * (self.seats - 1)
        stocked = 52 * self.profile.packs
        return Stock(self.deck[dealt:stocked], self.deck[stocked:])

    def check(self) -> None:
        """Refuse parts that do not fit together.

        Raises:
            InvalidDeal: naming the part, and one that fits.
        """
        profile, name = self.profile, self.profile.name
        if not profile.min_seats <= self.seats <= profile.max_seats:
            raise InvalidDeal(
                f"{self.seats} players, the dealer included, cannot play {name}; "
                f"it takes {profile.min_seats} to {profile.max_seats}, as seats={profile.min_seats}"
            )
        if not 0 <= self.dealer < self.seats:
            raise InvalidDeal(f"there is no seat {self.dealer} for the dealer; seats are 0 to {self.seats - 1}")
        if self.first is not None and self.first not in self.scientists:
            raise InvalidDeal(f"seat {self.first} cannot begin; a scientist does, as first={self.scientists[0]}")
        dealt, stocked = profile.dealt(self.seats) * (self.seats - 1), 52 * profile.packs
        if len(self.deck) <= dealt:
            raise InvalidDeal(f"a deck of {len(self.deck)} cards; {self.seats} seats need more than {dealt}")
        if len(self.deck) > stocked and not profile.reserve_packs:
            raise InvalidDeal(f"a deck of {len(self.deck)} cards; {name} has {stocked} and no reserve")
        self._check_starters()
        self._check_rule()

    def _check_starters(self) -> None:
        if self.starters is None:
            if self.rule is None:
                raise InvalidDeal("a dealer who judges by hand names the starters, as starters=['7H']")
            return
        most = {StarterTerms.AS_TURNED: 1, StarterTerms.TURNED_THEN_FIT: 2}.get(self.profile.starter, 52)
        if not 1 <= len(self.starters) <= most:
            raise InvalidDeal(f"{len(self.starters)} starters; {self.profile.name} has 1 to {most}")
        stock = list(self.stock().cards)
        for card in self.starters:
            if card not in stock:
                raise InvalidDeal(f"the starter {card} is not in the stock; one that is: {stock[0]}")
            stock.remove(card)

    def _check_rule(self) -> None:
        profile, rule, hint = self.profile, self.rule, self.hint
        if rule is not None and rule.reads_rejected and not profile.reads_rejected:
            raise InvalidDeal(f"{rule} looks at rejected cards, which {profile.name} does not allow")
        if rule is not None and profile.numbers_only and not uses_numbers_only(rule):
            raise InvalidDeal(
                f"{rule} uses more than the ranks of the card and of the last one, and {profile.name} allows nothing "
                "else, as in card.rank >= last.rank"
            )
        if hint is None and profile.hint is HintTerms.REQUIRED:
            raise InvalidDeal(f"{profile.name} requires a hint; `hints_for(rule)` lists true ones")
        if hint is not None and profile.hint is HintTerms.NONE:
            raise InvalidDeal(f"{profile.name} has no hints, and {str(hint)!r} was given")
        if hint is not None and rule is not None and not hint.holds(rule):
            raise InvalidDeal(f"the hint {str(hint)!r} is not true of {rule}; `hints_for(rule)` lists true ones")

    def lay_starters(self, stock: Stock) -> list[tuple[Card, bool]]:
        """Take the starters from ``stock``; return each, and whether it was turned until found legal."""
        laid: list[tuple[Card, bool]] = []
        for index in range(min(self._starter_count(), stock.size)):
            line = tuple(card for card, _ in laid)
            terms = self.profile.starter
            judged = terms is StarterTerms.FIT or (terms is StarterTerms.TURNED_THEN_FIT and index > 0)
            if self.starters is not None:
                wanted = self.starters[index]
                while (card := stock.turn()) != wanted:
                    stock.put_under((card,))
                laid.append((card, judged and (self.rule is None or self.rule.allows(line, card))))
            elif judged:
                laid.append(self._turn_fitting(stock, line))
            else:
                laid.append((stock.turn(), False))
        return laid

    def first_seat(self, last_starter: Card, rng: Random | None) -> int:
        """Return the seat that begins.

        Raises:
            InvalidDeal: if lots are drawn and there is no ``rng``.
        """
        if self.first is not None:
            return self.first
        scientists = self.scientists
        match self.profile.first_player:
            case FirstPlayer.LEFT:
                return scientists[0]
            case FirstPlayer.COUNTED:
                return scientists[(last_starter.rank - 1) % len(scientists)]
            case FirstPlayer.LOT:
                if rng is None:
                    raise InvalidDeal(f"{self.profile.name} draws lots for the first to play: give rng or first")
                return rng.choice(scientists)

    def _starter_count(self) -> int:
        if self.starters is not None:
            return len(self.starters)
        assert self.rule is not None, "a dealer who judges by hand names the starters"
        most = {StarterTerms.AS_TURNED: 1, StarterTerms.TURNED_THEN_FIT: 2, StarterTerms.FIT: 52}
        return min(most[self.profile.starter], self.rule.starters)

    def _turn_fitting(self, stock: Stock, line: Cards) -> tuple[Card, bool]:
        assert self.rule is not None, "a dealer who judges by hand names the starters"
        for _ in range(stock.size):
            card = stock.turn()
            if self.rule.allows(line, card):
                return card, True
            stock.put_under((card,))
        return stock.turn(), False


def shuffled_deck(profile: Profile, rng: Random) -> Cards:
    """Return a deck for ``profile``: the stock's packs shuffled together, each reserve pack by itself."""
    deck = pack() * profile.packs
    rng.shuffle(deck)
    for _ in range(profile.reserve_packs):
        unopened = pack()
        rng.shuffle(unopened)
        deck += unopened
    return tuple(deck)


def deal_of(
    profile: Profile,
    rule: Rule | None,
    *,
    seats: int,
    dealer: int,
    deck: Sequence[Card],
    first: int | None,
    starters: Sequence[Card] | None,
    hint: Hint | None,
) -> Deal:
    """Return a deal whose parts fit together.

    Raises:
        InvalidDeal: if they do not.
    """
    deal = Deal(
        profile=profile,
        rule=rule,
        seats=seats,
        dealer=dealer,
        deck=tuple(deck),
        first=first,
        starters=None if starters is None else tuple(starters),
        hint=hint,
    )
    deal.check()
    return deal
