from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from eleusis_ai.profiles import (
    ABBOTT,
    HOWELL,
    LATE_PROPHET,
    NO_PROPHET,
    PROFILES,
    InvalidProfile,
    MarkerPlace,
    Profile,
    ProphetTerms,
    Scoring,
    StarterTerms,
    Stating,
    load_profile,
    profile_from,
    profile_overrides,
)

FIELDS = {
    # field: abbott, howell, no-prophet, late-prophet, original-1956, express-2006, as the tables of game.md have them
    "min_seats": (5, 4, 4, 4, 3, 3),
    "max_seats": (8, 8, 8, 8, 8, 8),
    "best_seats": (None, None, None, (5, 6), None, None),
    "packs": (2, 3, 2, 2, 1, 2),
    "reserve_packs": (4, 0, 4, 0, 0, 0),
    "hand_size": (14, 14, 14, 14, None, 12),
    "hint": ("optional", "none", "required", "none", "none", "optional"),
    "starter": ("turned-then-fit", "fit", "as-turned", "as-turned", "as-turned", "as-turned"),
    "first_player": ("lot", "counted", "counted", "left", "left", "left"),
    "max_string": (4, None, 4, 4, 1, 1),
    "judging": ("whole", "whole", "whole", "card-by-card", "whole", "whole"),
    "penalty_per_card": (2, 2, 2, 2, 0, 1),
    "no_play_reduction": (4, 4, 4, 4, 4, 1),
    "shown_hand": ("above", "under-stock", "under-stock", "out", "under-stock", "under-stock"),
    "legal_card": ("played", "played", "played", "pointed-out", "played", "played"),
    "no_play_penalty": (5, 5, 5, 5, 5, 1),
    "expulsion_from": (40, 30, 30, None, None, None),
    "starters_count": (False, True, False, False, True, True),
    "no_play_expels": (False, True, True, True, True, True),
    "ends_on_last_card": (False, False, False, True, False, True),
    "emptied_bonus": (4, 4, 4, 4, 6, 3),
    "rounds_as_agreed": (True, False, False, True, False, False),
    "never_dealt_bonus": (10, 0, 10, 0, 0, 0),
    "reads_rejected": (False, False, True, False, False, False),
    "lookback_advised": (6, None, None, 1, None, None),
    "mistake_cards": (False, False, False, False, True, False),
    "no_play": (True, True, True, True, False, True),
    "idle_laps": (None, None, None, None, 5, None),
    "turn_limit": (None, None, None, None, None, None),
    "stating": ("never", "never", "never", "never", "never", "after-right"),
    "wrong_statement_turns": (0, 0, 0, 0, 0, 0),
    "scoring": (*("under-largest",) * 4, "under-others", "under-dealt"),
    "stated_bonus": (0, 0, 0, 0, 0, 6),
    "numbers_only": (False, False, False, False, False, False),
}
TERMS = {
    # field: abbott, howell, late-prophet
    "mainline_from": (0, 0, 20),
    "others_left": (2, 2, 2),
    "error_penalty": (5, 5, 5),
    "marker": ("own-last", "last-accepted", "last-accepted"),
    "expulsion_from": (30, 20, 20),
    "accepted_points": (1, 1, 1),
    "rejected_points": (2, 2, 1),
    "dealer_cap_per_card": (2, 2, None),
    "dealer_cap_over_prophet": (None, None, 5),
}


def test_the_published_profiles_say_what_the_table_says() -> None:
    profiles = [msgspec.to_builtins(profile) for profile in PROFILES.values()]
    for field, values in FIELDS.items():
        assert (field, *(profile[field] for profile in profiles)) == (field, *values)
    terms = [msgspec.to_builtins(profile.prophet) for profile in (ABBOTT, HOWELL, LATE_PROPHET)]
    for term, worth in TERMS.items():
        assert (term, *(one[term] for one in terms)) == (term, *worth)
    assert [name for name, profile in PROFILES.items() if profile.prophet is None] == [
        *("no-prophet", "original-1956", "express-2006"),
    ]
    assert set(FIELDS) == set(Profile.__struct_fields__) - {"name", "source", "prophet"}
    assert set(TERMS) == set(ProphetTerms.__struct_fields__)


def test_published_profiles_are_found_by_name() -> None:
    assert list(PROFILES) == ["abbott", "howell", "no-prophet", "late-prophet", "original-1956", "express-2006"]
    for name, profile in PROFILES.items():
        assert str(profile) == profile.name == name
        assert load_profile(name) is profile
        assert profile_from(name) is profile
        assert profile_overrides(profile) == name
        assert profile.source


@pytest.mark.parametrize(
    ("fields", "about"),
    [
        ({"min_seats": 2}, "min_seats is 2; it must be at least 3, as min_seats = 3"),
        ({"packs": 0}, "packs is 0; it must be at least 1"),
        ({"reserve_packs": -1}, "reserve_packs is -1; it must be at least 0"),
        ({"hand_size": 0}, "hand_size is 0; it must be at least 1"),
        ({"max_string": 0}, "max_string is 0; it must be at least 1"),
        ({"penalty_per_card": -1}, "penalty_per_card is -1; it must be at least 0"),
        ({"no_play_reduction": 0}, "no_play_reduction is 0; it must be at least 1"),
        ({"no_play_penalty": -1}, "no_play_penalty is -1; it must be at least 0"),
        ({"expulsion_from": -1}, "expulsion_from is -1; it must be at least 0"),
        ({"lookback_advised": -1}, "lookback_advised is -1; it must be at least 0"),
        ({"emptied_bonus": -1}, "emptied_bonus is -1; it must be at least 0"),
        ({"never_dealt_bonus": -1}, "never_dealt_bonus is -1; it must be at least 0"),
        ({"prophet": ProphetTerms(mainline_from=-1)}, "prophet.mainline_from is -1; it must be at least 0"),
        # With nobody left to judge a round would never end.
        ({"prophet": ProphetTerms(others_left=0)}, "prophet.others_left is 0; it must be at least 1"),
        ({"prophet": ProphetTerms(error_penalty=-1)}, "prophet.error_penalty is -1; it must be at least 0"),
        ({"prophet": ProphetTerms(expulsion_from=-1)}, "prophet.expulsion_from is -1; it must be at least 0"),
        ({"prophet": ProphetTerms(accepted_points=-1)}, "prophet.accepted_points is -1; it must be at least 0"),
        ({"prophet": ProphetTerms(rejected_points=-1)}, "prophet.rejected_points is -1; it must be at least 0"),
        ({"prophet": ProphetTerms(dealer_cap_per_card=-1)}, "prophet.dealer_cap_per_card is -1"),
        ({"prophet": ProphetTerms(dealer_cap_over_prophet=-1)}, "prophet.dealer_cap_over_prophet is -1"),
        ({"max_seats": 3}, "max_seats is 3 and min_seats 4; max_seats must be at least as large"),
        ({"packs": 1}, "1 packs cannot deal 98 cards to 7 scientists and keep a starter; packs = 2 would do"),
        ({"packs": 1, "hand_size": 52, "max_seats": 4}, "packs = 4 would do"),
    ],
)
def test_no_profile(fields: dict[str, Any], about: str) -> None:
    with pytest.raises(InvalidProfile) as error:
        msgspec.structs.replace(HOWELL, **fields)
    assert about in str(error.value)
    with pytest.raises(InvalidProfile):
        profile_from({"name": "house"} | msgspec.to_builtins(fields))


@pytest.mark.parametrize(
    ("overrides", "same_as"),
    [
        ({"name": "house"}, {}),
        ({"name": "house", "hand_size": 10}, {"hand_size": 10}),
        ({"name": "house", "source": "none"}, {"source": "none"}),
        ({"name": "house", "max_string": 2}, {"max_string": 2}),
        ({"name": "house", "starter": "as-turned"}, {"starter": StarterTerms.AS_TURNED}),
        ({"name": "house", "best_seats": [5, 6]}, {"best_seats": (5, 6)}),
        ({"name": "house", "expulsion_from": "none"}, {"expulsion_from": None}),
        ({"name": "house", "prophet": "none"}, {"prophet": None}),
        ({"name": "house", "prophet": {"mainline_from": 5}}, {"prophet": ProphetTerms(mainline_from=5)}),
        ({"name": "house", "prophet": {"expulsion_from": "none"}}, {"prophet": ProphetTerms(expulsion_from=None)}),
    ],
)
def test_a_profile_from_what_differs(overrides: dict[str, Any], same_as: dict[str, Any]) -> None:
    wanted = msgspec.structs.replace(HOWELL, name="house", **same_as)
    assert profile_from(overrides) == wanted
    assert profile_from({"base": "howell"} | overrides) == wanted
    assert profile_from(profile_overrides(wanted)) == wanted
    assert profile_overrides(wanted) == {"base": "howell"} | overrides


def test_a_base_keeps_what_is_not_named() -> None:
    profile = profile_from({"base": "abbott", "name": "house", "prophet": {"others_left": 3}})
    assert profile.packs == 2
    assert profile.prophet == ProphetTerms(marker=MarkerPlace.OWN_LAST, expulsion_from=30, others_left=3)
    revived = profile_from({"base": "no-prophet", "name": "house", "prophet": {"mainline_from": 9}})
    assert revived.prophet == ProphetTerms(mainline_from=9)
    assert profile_from({"base": "abbott", "name": "house", "hint": "none"}).hint.value == "none"


@pytest.mark.parametrize(
    ("overrides", "about"),
    [
        ("hoyle", "'hoyle' is not a published profile; they are abbott, howell, no-prophet, late-prophet, "),
        ({"base": "hoyle"}, "'hoyle' is not a published profile; they are abbott"),
        ({"handsize": 10}, "'handsize' is not a field of a profile; did you mean 'hand_size'?"),
        ({"prophet": {"marke": "own-last"}}, "'marke' is not a field of a profile; did you mean prophet.'marker'?"),
        ({"hand_size": "ten"}, "not a profile: "),
        ({"starter": "top"}, "not a profile: "),
        ({"prophet": {"marker": "left"}}, "not a profile: "),
    ],
)
def test_overrides_that_are_none(overrides: str | dict[str, Any], about: str) -> None:
    if isinstance(overrides, dict):
        overrides = {"name": "house"} | overrides
    with pytest.raises(InvalidProfile) as error:
        profile_from(overrides)
    assert about in str(error.value)


def test_a_profile_of_ones_own_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text('base = "howell"\nname = "short"\nhand_size = 8\n[prophet]\nmainline_from = 3\n')
    profile = load_profile(path)
    assert profile == msgspec.structs.replace(
        HOWELL, name="short", hand_size=8, prophet=ProphetTerms(mainline_from=3)
    )  # fmt: skip
    assert load_profile(str(path)) == profile


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("hand_size = ", "is not TOML: "),
        ('name = "short"\nhand_sice = 8', "'hand_sice' is not a field of a profile; did you mean 'hand_size'?"),
        ('name = "short"\nhand_size = 0', "hand_size is 0; it must be at least 1"),
        ("hand_size = 8", 'needs a name of its own, as name = "house"'),
        ('base = "abbott"\nhand_size = 8', 'needs a name of its own, as name = "house"'),
        ('name = "abbott"', 'needs a name of its own, as name = "house"'),
        ("\udcff", "is not TOML: "),
    ],
)
def test_toml_that_is_no_profile(text: str, about: str, tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InvalidProfile) as error:
        load_profile(path)
    assert str(path) in str(error.value)
    assert about in str(error.value)


def test_a_name_that_is_no_profile() -> None:
    neither = "is neither a file nor one of the shipped profiles"
    with pytest.raises(InvalidProfile, match=f"'howel' {neither}; did you mean 'howell'"):
        load_profile("howel")
    with pytest.raises(InvalidProfile, match=f"'nix' {neither}; shipped names are abbott, howell, no-prophet, late-"):
        load_profile("nix")


@pytest.mark.parametrize(
    ("profile", "seats", "remarks"),
    [
        (HOWELL, 4, []),
        (HOWELL, 8, []),
        (ABBOTT, 8, []),
        (NO_PROPHET, 8, []),
        (LATE_PROPHET, 4, ["late-prophet is best with 5 to 6 players; this table has 4"]),
        (LATE_PROPHET, 5, []),
        (LATE_PROPHET, 6, []),
        (LATE_PROPHET, 7, ["late-prophet is best with 5 to 6 players; this table has 7"]),
        (LATE_PROPHET, 8, ["late-prophet is best with 5 to 6 players; this table has 8", "a stock of 5 is left"]),
    ],
)
def test_remarks(profile: Profile, seats: int, remarks: list[str]) -> None:
    made = profile.remarks(seats)
    assert len(made) == len(remarks)
    assert all(part in remark for part, remark in zip(remarks, made, strict=True))


@pytest.mark.parametrize("base", PROFILES.values(), ids=str)
def test_a_variant_is_laid_over_any_profile(base: Profile) -> None:
    team = load_profile(f"{base}+cooperative")
    changes = {
        name: getattr(team, name) for name in Profile.__struct_fields__ if getattr(team, name) != getattr(base, name)
    }
    wanted = {
        *("name", "turn_limit", "stating", "wrong_statement_turns", "scoring"),
        *(("prophet",) if base.prophet else ()),
        *(("expulsion_from",) if base.expulsion_from else ()),
    }
    assert changes.keys() == wanted
    assert (team.turn_limit, team.stating, team.wrong_statement_turns) == (40, Stating.AFTER_ANY, 1)
    assert (team.prophet, team.expulsion_from, team.scoring) == (None, None, Scoring.TEAM)
    numbers = load_profile(f"{base}+numbers-only")
    assert numbers == msgspec.structs.replace(base, name=f"{base}+numbers-only", numbers_only=True)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("cooperative", "howell+cooperative"),
        ("numbers-only", "howell+numbers-only"),
        ("cooperative+numbers-only", "howell+cooperative+numbers-only"),
        ("abbott+numbers-only+cooperative", "abbott+numbers-only+cooperative"),
    ],
)
def test_a_variant_has_a_text_that_reads_back(name: str, called: str) -> None:
    profile = load_profile(name)
    assert profile.name == str(profile) == called
    assert profile_overrides(profile) == called
    assert profile_from(called) == profile_from(name) == load_profile(called) == profile
    assert profile_from({"base": name, "name": "house", "packs": 4}).numbers_only == profile.numbers_only


def test_a_variant_over_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "a+b.toml"
    path.write_text('name = "short"\nhand_size = 8\n')
    assert load_profile(path).name == "short"
    profile = load_profile(f"{path}+cooperative")
    assert (profile.name, profile.hand_size, profile.turn_limit) == ("short+cooperative", 8, 40)
    assert profile_from(profile_overrides(profile)) == profile
    assert load_profile("house+numbers-only").numbers_only


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("howell+teamwork", "'teamwork' cannot be laid over a profile; cooperative and numbers-only can"),
        ("abbott+cooperative+cooperative", "cooperative lies over abbott+cooperative already; once is enough"),
        ("howel+cooperative", "did you mean 'howell'?"),
        ("cooperativ", "did you mean 'cooperative'?"),
    ],
)
def test_no_variant(name: str, about: str) -> None:
    with pytest.raises(InvalidProfile, match=re.escape(about)):
        load_profile(name)
    with pytest.raises(InvalidProfile, match="is not a published profile; they are abbott"):
        profile_from(name)


@pytest.mark.parametrize(
    ("field", "value", "about"),
    [
        ("max_string", 2, "with mistake_cards, max_string must be 1: wrong cards stay with their player"),
        ("penalty_per_card", 1, "penalty_per_card must be 0"),
        ("no_play", True, "no_play must be false"),
        ("prophet", ProphetTerms(), "prophet must be none"),
        ("expulsion_from", 30, "expulsion_from must be none"),
        ("reads_rejected", True, "reads_rejected must be false"),
        ("scoring", Scoring.TEAM, "scoring is team, and turn_limit none"),
        ("idle_laps", 0, "idle_laps is 0; it must be at least 1"),
        ("turn_limit", 0, "turn_limit is 0; it must be at least 1"),
        ("wrong_statement_turns", -1, "wrong_statement_turns is -1; it must be at least 0"),
        ("stated_bonus", -1, "stated_bonus is -1; it must be at least 0"),
    ],
)
def test_what_does_not_go_with_mistake_cards(field: str, value: object, about: str) -> None:
    with pytest.raises(InvalidProfile, match=re.escape(about)):
        msgspec.structs.replace(PROFILES["original-1956"], **{field: value})


def test_all_cards_are_dealt_evenly() -> None:
    assert [PROFILES["original-1956"].dealt(seats) for seats in range(3, 9)] == [25, 17, 12, 10, 8, 7]
    assert HOWELL.dealt(5) == 14
