"""Reviews: figures of the sources, dead ends named, and what random play finds."""

from __future__ import annotations

from random import Random

import pytest

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text, parse_cards
from eleusis_ai.profiles import PROFILES, Profile, StarterTerms
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review

EXACT = [entry for entry in load().values() if (entry.rule.lookback or 0) <= 1 and not entry.rule.uses_position]
EXACT = [entry for entry in EXACT if entry.rule.lookback is not None]


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
    ("text", "shortest"),
    [
        ("position < 7", 7),
        ("sum(x.rank for x in mainline) < 20", 2),
        ("mainline[-2].rank < last.rank < card.rank if position >= 2 else True", 2),
        ("all(x.suit != card.suit for x in mainline)", 4),
        ("len(rejected) < 9 and card.is_red", 1),
    ],
)
def test_dead_ends_further_back_are_found_by_playing(text: str, shortest: int) -> None:
    seen = reviewed(text)
    assert seen.dead_end is not None
    assert len(seen.dead_end) >= shortest
    assert not seen.ok
    if not Rule.parse(text).reads_rejected:
        assert Rule.parse(text).mask(seen.dead_end) == 0


def test_a_rule_on_rejected_cards_is_not_stuck_while_they_can_free_it() -> None:
    assert reviewed("len(rejected) % 3 == 2").ok


def test_what_was_not_proved_is_said_so() -> None:
    seen = reviewed("card.is_red != mainline[-2].is_red")
    assert (seen.dead_end, seen.dead_end_proved, seen.proved) == (None, False, False)
    assert "dead end: none (in 105 random lines)" in str(seen)


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
