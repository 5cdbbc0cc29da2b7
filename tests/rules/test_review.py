"""Reviews: figures of the sources, dead ends named, and what random play finds."""

from __future__ import annotations

import math
from random import Random

import pytest

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text, parse_cards
from eleusis_ai.profiles import PROFILES, Profile, StarterTerms
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review

EXACT = [entry for entry in load().values() if entry.rule.machine is not None]


def reviewed(text: str, starter: str | None = None) -> Review:
    return review(Rule.parse(text, starter=starter))


def test_always_higher_is_refused_and_its_dead_end_named() -> None:
    seen = reviewed("card.rank > last.rank")
    assert not seen.ok
    assert seen.refusals == ("after KC no card is ever legal",)
    assert (seen.dead_end, seen.dead_end_proved) == (parse_cards("KC"), True)
    assert seen.never_legal == parse_cards("AC AD AH AS")
    assert "refused: after KC no card is ever legal" in str(seen)


def test_red_or_odd_accepts_77_per_cent() -> None:
    seen = reviewed("card.is_red or card.is_odd")
    assert seen.ok
    assert seen.acceptance == pytest.approx(40 / 52)
    assert seen.advice[0] == "too many cards are right: 77%, and 25% to 40% is good"
    assert "acceptance: 77%" in str(seen)


@pytest.mark.parametrize(
    ("text", "starter", "dead_end"),
    [
        ("card.color != last.color", None, None),
        ("card.rank > last.rank", "card.rank == J", "JC KC"),
        ("card.rank == last.rank + 1", "card.rank == 10", "10C JC QC KC"),
        ("card.rank >= last.rank", "card.rank == A", None),
        ("False", None, "AC"),
        ("card.is_red and last.is_red", "card.is_red", None),
        ("10 // last.rank >= card.rank", None, "JC"),
    ],
)
def test_the_shortest_dead_end_is_proved(text: str, starter: str | None, dead_end: str | None) -> None:
    seen = reviewed(text, starter)
    assert (seen.dead_end and cards_text(seen.dead_end)) == dead_end
    assert seen.dead_end_proved
    assert seen.ok == (dead_end is None)


@pytest.mark.parametrize(
    ("text", "dead_end"),
    [
        ("position < 7", "AC AC AC AC AC AC AC"),
        ("sum(x.rank for x in mainline) < 20", "7C KC"),
        ("mainline[-2].rank < last.rank < card.rank if position >= 2 else True", "AC AC"),
        ("all(x.suit != card.suit for x in mainline)", "AC AD AH AS"),
        ("not (last.suit == mainline[-2].suit == mainline[-3].suit == mainline[-4].suit)", "AC AC AC AC"),
        ("card.is_red != mainline[-2].is_red", None),
        ("run(x.color for x in mainline) < 3 or card.color != last.color", None),
        ("position % 5 != 4 or card.rank > last.rank", "AC AC AC KC"),
    ],
)
def test_the_shortest_dead_end_further_back_is_proved(text: str, dead_end: str | None) -> None:
    seen = reviewed(text)
    assert seen.proved
    assert (seen.dead_end and cards_text(seen.dead_end)) == dead_end
    assert seen.dead_end is None or Rule.parse(text).mask(seen.dead_end) == 0


def test_a_dead_end_of_a_rule_without_a_machine_is_found_by_playing() -> None:
    seen = reviewed("len(rejected) < 9 and card.is_red")
    assert seen.dead_end is not None
    assert (seen.dead_end_proved, seen.proved, seen.ok) == (True, False, False)


def test_a_rule_on_rejected_cards_is_not_stuck_while_they_can_free_it() -> None:
    assert reviewed("len(rejected) % 3 == 2").ok


def test_what_was_not_proved_is_said_so() -> None:
    seen = review(load()["rarest-suit"].rule)
    assert (seen.dead_end, seen.dead_end_proved, seen.proved) == (None, False, False)
    assert "dead end: none (in 105 random lines)" in str(seen)
    assert "acceptance: 63% (63% to 63%; from 100 random lines)" in str(seen)


def test_the_interval_of_what_was_not_proved_holds_the_share_that_another_program_found() -> None:
    seen_text = "count(x.is_red for x in mainline) >= count(x.is_odd for x in mainline) or card.is_red"
    seen = reviewed(seen_text)
    assert not seen.proved
    low, high = seen.interval
    assert low < seen.acceptance < high < low + 0.1
    shares = [played(Rule.parse(seen_text), Random(number), 100)[0] for number in range(10)]
    assert sum(low <= share <= high for share in shares) >= 7


def test_starters_that_the_rule_forbids_are_named_if_they_stick() -> None:
    seen = reviewed("card.is_red and last.is_red", starter="card.is_red")
    assert seen.ok
    assert seen.stuck_starters == tuple(card for card in CARDS if not card.is_red)
    assert any("turned as the starter" in sentence for sentence in seen.advice)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
def test_a_review_for_a_profile_heeds_its_advice_and_its_musts(profile: Profile) -> None:
    far = review(Rule.parse("card.suit != mainline[-2].suit"), profile=profile)
    assert far.ok
    assert any("looks back at 2 cards; more than 1 card is" in sentence for sentence in far.advice) == (
        profile.lookback_advised == 1
    )
    reader = review(Rule.parse("card.suit not in (x.suit for x in rejected[-1:])"), profile=profile)
    assert reader.ok == profile.reads_rejected
    assert reader.ok or f"which {profile} does not allow" in reader.refusals[0]
    stopped = review(load()["more-black-than-red"].rule, profile=profile)
    assert stopped.ok == (profile.starter is StarterTerms.FIT)
    assert stopped.ok or f"{profile} may turn AD as the starter" in stopped.refusals[0]


def test_advice_names_far_looks_back_and_cards_that_are_never_legal() -> None:
    assert any("back at 7 cards" in sentence for sentence in reviewed("card.suit != mainline[-7].suit").advice)
    assert any("whole line" in s for s in reviewed("card.suit != mainline[0].suit").advice)
    assert not any("back" in sentence for sentence in reviewed("card.suit != mainline[-6].suit").advice)
    assert "never legal: AC AD AH AS" in reviewed("card.rank > 1 and card.suit != last.suit").advice


def test_a_review_is_the_same_whenever_it_is_made() -> None:
    text = "run(x.color for x in mainline) < 3 or card.color != last.color"
    assert reviewed(text) == reviewed(text)


def played(rule: Rule, rng: Random, lines: int) -> tuple[float, bool]:
    """Return acceptance and whether a line got stuck, by plain random play."""
    shares, stuck = [], False
    for _ in range(lines):
        line: list[Card] = [rng.choice(cards_of(rule.mask(()) or ALL_CARDS))]
        for _ in range(25):
            legal = cards_of(rule.mask(line))
            shares.append(len(legal) / 52)
            if not legal:
                stuck = True
                break
            line.append(rng.choice(legal))
    return sum(shares) / len(shares), stuck


@pytest.mark.parametrize("entry", EXACT, ids=[entry.id for entry in EXACT])
def test_worked_out_figures_are_those_of_random_play(entry: CatalogEntry) -> None:
    seen = review(entry.rule)
    acceptance, stuck = played(entry.rule, Random(entry.id), 60)
    assert seen.acceptance == pytest.approx(acceptance, abs=0.06)
    assert seen.proved
    assert not (stuck and seen.ok)


FIGURES = [
    ("accept-n-then-stop", 0.857, True),
    ("after-red-drop", 0.504, True),
    ("count-minus-rank-mod-3", 0.335, False),
    ("crazy-eights", 0.308, False),
    ("cycle-mod-5", 0.2, False),
    ("differs-from-nth-last", 0.52, False),
    ("even-red-lag2", 0.52, False),
    ("every-other-heart", 0.61, False),
    ("face-at-prime-position", 0.575, False),
    ("fibonacci-mod-13", 0.114, False),
    ("hearts-never-repeat", 0.115, True),
    ("lag2-suit-or-rank", 0.298, False),
    ("match-recent-property", 0.767, False),
    ("max-3-per-parity", 0.682, True),
    ("never-repeat-rank", 0.462, True),
    ("no-three-in-a-row", 0.834, False),
    ("no-two-faces", 0.956, False),
    ("not-higher", 0.111, False),
    ("odd-length-colour-runs", 0.843, False),
    ("parity-flips-at-face", 0.5, False),
    ("parity-of-red-count", 0.502, False),
    ("plus-one-plus-two", 0.077, False),
    ("rank-over-count", 0.462, True),
    ("rank-pairs", 0.483, False),
    ("rank-under-count", 0.797, False),
    ("rarest-suit", 0.63, False),
    ("same-suit-higher", 0.86, False),
    ("second-card-red-up", 0.545, False),
    ("seen-suit", 0.25, False),
    ("strictly-lower", 0.24, True),
    ("suit-pairs", 0.49, False),
    ("sum-at-most-42", 0.646, True),
    ("sum3-odd", 0.52, False),
    ("sum3-prime", 0.314, False),
    ("third-card-changes-suit", 0.41, False),
    ("three-red-three-black", 0.5, False),
    ("up-until-face", 0.593, False),
    ("within-3", 0.481, False),
]
"""Mean acceptance along random lines and whether some got stuck, from another program of the founders'."""


@pytest.mark.parametrize(("id_", "acceptance", "stuck"), FIGURES, ids=[row[0] for row in FIGURES])
def test_figures_are_those_of_another_program(id_: str, acceptance: float, stuck: bool) -> None:
    seen = review(load()[id_].rule)
    assert seen.acceptance == pytest.approx(acceptance, abs=0.03)
    assert (seen.dead_end is not None) == stuck


SITUATIONS = [
    ("card.is_red or last.is_red", [[("after a red card", 1.0), ("after a black one", 0.5)]]),
    ("card.rank > 3 or last.rank > 10", [[("after a face card", 1.0), ("after a number", 40 / 52)]]),
    ("card.suit == last.suit or last.suit != H", [[("after a heart", 0.25), ("after a club", 1.0)]]),
    ("card.is_odd or position % 2 == 1", [[("on a mainline of odd length", 1.0), ("of even length", 28 / 52)]]),
    ("card.color != last.color", []),
]


@pytest.mark.parametrize(("text", "situations"), SITUATIONS)
def test_situations_are_told_where_the_share_of_right_cards_differs(
    text: str, situations: list[list[tuple[str, float]]]
) -> None:
    told = [{part.text: part.acceptance for part in parts} for parts in reviewed(text).situations]
    assert not situations or told
    for wanted in situations:
        assert any(all(found.get(name) == pytest.approx(share) for name, share in wanted) for found in told)


def test_situations_part_all_occasions() -> None:
    for parts in reviewed("card.rank > 3 or last.rank > 10").situations:
        assert sum(part.share for part in parts) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "exceptions"),
    [
        ("card.color != last.color", ""),
        ("card.color != last.color or card.rank == 7", "7C 7D 7H 7S"),
        ("card.color != last.color or last.rank == 7", "7C 7D 7H 7S"),
        ("card.rank >= last.rank or card.rank == A", ""),
        ("card.rank > last.rank or card.rank == A or card.rank == Q and card.suit == S", "QS"),
        ("card.is_odd and not (card.rank == J and card.is_red)", "JD JH"),
        ("card.rank > 1", "AC AD AH AS"),
        ("card.rank > 2", ""),
        ("card.suit == last.suit or card.rank == last.rank", ""),
        ("card.suit != mainline[-2].suit or card.rank == K and card.suit == D", "KD"),
    ],
)
def test_exceptions_are_few_cards_unlike_all_that_is_like_them(text: str, exceptions: str) -> None:
    seen = reviewed(text)
    assert cards_text(seen.exceptions) == exceptions
    assert ("treated unlike the rest" in str(seen)) == bool(exceptions)


@pytest.mark.parametrize(
    ("text", "starter", "allowed"),
    [
        ("card.color != last.color", None, "abbott howell no-prophet late-prophet original-1956 express-2006"),
        ("card.suit not in (x.suit for x in rejected[-1:])", None, "no-prophet"),
        ("card.rank > last.rank", None, ""),
        # From another card than a red one nothing can follow, at once or later.
        ("card.is_red and last.is_red", "card.is_red", "howell"),
        (
            "card.is_red if last.is_red else card.rank == K and card.is_black and last.rank < K",
            "card.is_red",
            "howell",
        ),
    ],
)
def test_the_profiles_that_allow_a_rule_are_named(text: str, starter: str | None, allowed: str) -> None:
    rule = Rule.parse(text, starter=starter)
    assert review(rule).allowed_in == tuple(allowed.split())
    assert review(rule).allowed_in == tuple(name for name, each in PROFILES.items() if review(rule, profile=each).ok)


def test_the_dead_end_behind_a_starter_that_the_rule_forbids_is_named() -> None:
    text = "card.is_red if last.is_red else card.rank == K and card.is_black and last.rank < K"
    rule = Rule.parse(text, starter="card.is_red")
    assert review(rule).stuck_starters == parse_cards("KC KS")
    assert review(rule, profile=PROFILES["late-prophet"]).refusals == (
        "late-prophet may turn KC as the starter, after which no card is ever legal",
    )
    later = Rule.parse("card.is_red if last.is_red else card.is_black and position < 3", starter="card.is_red")
    assert (review(later).ok, review(later).stuck_starters) == (True, ())
    assert review(later).turned_dead_end == parse_cards("AC AC AC")
    assert "where any card may be turned as the starter, nothing is legal after AC AC AC" in review(later).advice
    assert review(later, profile=PROFILES["no-prophet"]).refusals == (
        "no-prophet may turn AC as the starter, and after AC AC AC no card is ever legal",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("card.is_red", "0"),
        ("card.is_red and last.is_odd or card.is_red", "0"),
        ("card.color != last.color", "1"),
        ("run(x.color for x in mainline) < 3 or card.color != last.color", "3"),
        ("position % 2 == 1 or card.is_red", "0, and how many there are"),
        ("card.rank >= mainline[0].rank or card.is_red", "the whole line"),
        ("card.suit != mainline[-7].suit", "7"),
    ],
)
def test_how_many_cards_count_is_told(text: str, told: str) -> None:
    assert f"\ncards looked back at: {told}\n" in str(reviewed(text))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("card.color == last.color", ("same-colour",)),
        ("not card.is_even", ()),
        ("card.rank == last.rank or last.suit == card.suit", ("crazy-eights",)),
        ("all(card.rank != x.rank for x in mainline)", ("never-repeat-rank",)),
        ("card.suit not in (x.suit for x in rejected[-1:])", ()),
    ],
)
def test_equal_rules_of_the_catalogue_are_named(text: str, ids: tuple[str, ...]) -> None:
    assert reviewed(text).published_as == ids


def test_every_published_rule_has_a_review_and_knows_itself() -> None:
    for entry in load().values():
        seen = review(entry.rule)
        assert entry.id in seen.published_as
        assert "acceptance: " in str(seen)


def test_what_a_player_needed_is_told() -> None:
    rule = Rule.parse("card.color != last.color")
    assert "judged cards until it is found: about 12" in str(review(rule, cards_to_identify=12.3))
    assert "judged cards until it is found: not found" in str(review(rule, cards_to_identify=math.inf))
    assert "found" not in str(review(rule))
