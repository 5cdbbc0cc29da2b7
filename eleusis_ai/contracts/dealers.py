"""What every dealer keeps."""

from __future__ import annotations

from collections.abc import Sequence

from eleusis_ai.agent import Dealer
from eleusis_ai.cards import CARDS, Card, cards_text, parse_cards
from eleusis_ai.contracts.broken import ContractBroken, quiet, told
from eleusis_ai.contracts.tour import WAYS
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.profiles import Profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.seeds import generator


class DealerContract:
    """What every dealer keeps; a subclass says how to ``make`` it."""

    profiles: Sequence[Profile] = WAYS
    """The ways to play for which the dealer is checked."""

    def make(self) -> Dealer:
        """Make the dealer that is checked."""
        raise NotImplementedError("`make(self)` returns the dealer that is to be checked")

    def test_is_made(self) -> None:
        """It is made, with `choose` and `pick`."""
        with told("made"):
            dealer: object = self.make()
        if not isinstance(dealer, Dealer):
            raise ContractBroken(f"it is {dealer!r:.80}, which lacks `choose(profile, rng)` or `pick(legal, rng)`")

    def test_rules_may_be_dealt(self) -> None:
        """The rule and the hint that it chooses may be dealt in every profile."""
        dealer = self.make()
        for profile in self.profiles:
            for number in range(4):
                rule, hint = _choice(dealer, profile, number)
                if refusals := review(rule, profile=profile).refusals:
                    raise ContractBroken(f"in {profile} it chooses {rule}, which a dealer must not: {refusals[0]}")
                rng = generator(f"contract/{number}")
                try:
                    seats = profile.min_seats
                    Round.deal(
                        profile, rule, seats=seats, dealer=0, deck=shuffled_deck(profile, rng), hint=hint, rng=rng
                    )
                except InvalidDeal as error:
                    raise ContractBroken(f"in {profile} it chooses what cannot be dealt: {error}") from None

    def test_same_generator_same_choice(self) -> None:
        """It chooses by the generator alone, whatever it chose before."""
        one, other = self.make(), self.make()
        for profile in self.profiles:
            first = [_choice(one, profile, number) for number in range(3)]
            again = [_choice(other, profile, number) for number in (2, 1, 0)][::-1]
            for (rule, hint), (rule_again, hint_again) in zip(first, again, strict=True):
                if (rule, hint) != (rule_again, hint_again):
                    raise ContractBroken(
                        f"in {profile} the same generator makes it choose {rule} (hint: {hint}) "
                        f"and {rule_again} (hint: {hint_again})"
                    )

    def test_picks_a_legal_card(self) -> None:
        """It picks one of the cards it is offered, by the generator alone."""
        one, other = self.make(), self.make()
        for text in ("7H", "7H 9D KS", "AC 2C 2C 10D QH", cards_text(CARDS)):
            legal = parse_cards(text)
            for number in range(5):
                picks = []
                for dealer in (one, other):
                    with told(f"to pick from {text:.40}"):
                        picks.append(dealer.pick(legal, generator(f"contract/{number}")))
                if not isinstance(picks[0], Card) or picks[0] not in legal:
                    raise ContractBroken(f"of the legal cards {text:.40} it picks {picks[0]!s:.80}")
                if picks[0] != picks[1]:
                    raise ContractBroken(f"of {text:.40} the same generator makes it pick {picks[0]} and {picks[1]}")

    def test_prints_nothing(self) -> None:
        """It prints nothing: the terminal belongs to the table."""
        with quiet():
            dealer = self.make()
            _choice(dealer, self.profiles[0], 0)
            dealer.pick(CARDS[:3], generator("contract"))


def _choice(dealer: Dealer, profile: Profile, number: int) -> tuple[Rule, Hint | None]:
    """Return what a dealer chooses, which must be a rule and a hint."""
    __tracebackhide__ = True
    with told(f"in {profile}"):
        chosen: object = dealer.choose(profile, generator(f"contract/deal/{number}/rule"))
    match chosen:
        case (Rule() as rule, (Hint() | None) as hint):
            return rule, hint
    raise ContractBroken(
        f"in {profile}: `choose` returns {chosen!r:.80}; it returns a pair: a `Rule`, and a `Hint` or None"
    )
