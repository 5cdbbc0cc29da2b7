"""game.md before §1: the words, what a rule is, and who deals."""

from __future__ import annotations

import pytest

from eleusis_ai.cards import ALL_CARDS, parse_cards
from eleusis_ai.dealing import InvalidDeal
from eleusis_ai.match import play_match
from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import ALTERNATE, RED, SPECS, Chooser, act, deal, deal_packs, play, profiles


@profiles
def test_0_dealer_holds_no_hand(profile: str) -> None:
    table = deal_packs(profile, dealer=3)
    assert [seat for seat, cards in enumerate(table.hands) if not cards] == [3]


def test_0_mainline_has_the_starters_first() -> None:
    table = deal("howell", RED, "2H 3H")
    play(table, "1: 2H")
    assert str(table.layout) == "7H 2H"


@pytest.mark.parametrize("line", ["", "7H", "7H 2S", "KS KS KS"])
@pytest.mark.parametrize("rule", [RED, "card.rank % (last.rank - 7) == 0", "card.rank == mainline[-3].rank"])
def test_0_a_verdict_exists_for_every_layout_and_card(rule: str, line: str) -> None:
    mask = Rule.parse(rule).mask(parse_cards(line))
    assert 0 <= mask <= ALL_CARDS
    assert mask == Rule.parse(rule).mask(parse_cards(line))


@pytest.mark.parametrize("first", [1, 2, 3])
def test_0_a_verdict_never_depends_on_who_plays(first: int) -> None:
    table = deal("howell", RED, *["2H 3S 4H"] * 3, first=first)
    assert act(table, "2H") == first
    act(table, "3S")
    assert str(table.layout) == "7H 2H(3S)"


@pytest.mark.parametrize(
    ("before", "after"), [("AS", "2H"), ("9S", "10H"), ("10S", "JH"), ("JS", "QH"), ("QS", "KH")]
)
def test_0_ranks_count_from_ace_one_to_king_thirteen(before: str, after: str) -> None:
    table = deal("howell", "card.rank == last.rank + 1", f"{after} 5H", starter=before)
    play(table, f"1: {after}")
    assert str(table.layout) == f"{before} {after}"


def test_0_no_card_ranks_above_the_king() -> None:
    table = deal("howell", "card.rank == last.rank + 1", "AH 5H", starter="KS")
    play(table, "1: AH")
    assert str(table.layout) == "KS(AH)"


@pytest.mark.parametrize("profile", ["abbott", "no-prophet"])
def test_0_a_hint_must_be_true_of_the_rule(profile: str) -> None:
    true, false = Rule.parse(RED), Rule.parse(ALTERNATE)
    hint = next(hint for hint in hints_for(true) if not hint.holds(false))
    deal(profile, true, hint=hint)
    with pytest.raises(InvalidDeal, match="not true"):
        deal(profile, false, hint=hint)


def test_0_first_dealer_is_drawn() -> None:
    drawn = {
        play_match(PROFILES["howell"], SPECS, dealers=[Chooser()] * 5, seed=seed, rounds=1).records[0].dealer
        for seed in range(25)
    }
    assert drawn == {0, 1, 2, 3, 4}


@profiles
def test_0_the_deal_passes_to_the_left(profile: str) -> None:
    match = play_match(PROFILES[profile], SPECS, dealers=[Chooser()] * 5, seed=1)
    dealers = [record.dealer for record in match.records]
    assert dealers == [(dealers[0] + step) % 5 for step in range(5)]
