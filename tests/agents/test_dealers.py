from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from eleusis_agents.dealers import (
    CatalogDealer,
    DesignerDealer,
    FixedDealer,
    GeneratedDealer,
    NoRuleFits,
    RefusedRule,
    TooFew,
    UnknownFamily,
)
from eleusis_agents.designs import scored_designs
from eleusis_ai.cards import parse_cards
from eleusis_ai.profiles import ABBOTT, HOWELL, NO_PROPHET, PROFILES, Profile
from eleusis_ai.registry import make_dealer
from eleusis_ai.rules.catalog import UnknownEntry, load
from eleusis_ai.rules.hints import InvalidHint, hints_for
from eleusis_ai.rules.language import InvalidRule, Rule
from eleusis_ai.rules.review import review
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.shipped import UnknownConfig

LEGAL = parse_cards("7H 9D KS")


class TestCatalogDealer:
    @pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
    def test_what_it_deals_may_be_dealt(self, profile: Profile) -> None:
        dealer = CatalogDealer()
        for number in range(30):
            rule, hint = dealer.choose(profile, Random(number))
            assert review(rule).ok
            assert profile.reads_rejected or not rule.reads_rejected
            assert (hint is not None) == (profile is NO_PROPHET)
            assert hint is None or hint.holds(rule)

    def test_rules_are_equally_likely(self) -> None:
        dealer, rng = CatalogDealer(ids=["red-only", "face-only", "strictly-lower"]), Random(1)
        counts = Counter(str(dealer.choose(HOWELL, rng)[0]) for _ in range(400))
        assert len(counts) == 2
        assert min(counts.values()) > 160

    def test_families(self) -> None:
        dealer = CatalogDealer(families=["memoryless"])
        assert all(dealer.choose(HOWELL, Random(number))[0].lookback == 0 for number in range(40))

    def test_the_same_generator_deals_the_same(self) -> None:
        deals = [CatalogDealer().choose(NO_PROPHET, Random(5)) for _ in range(2)]
        assert deals[0] == deals[1]

    @pytest.mark.parametrize(
        ("families", "ids", "told"),
        [(["memoryles"], None, "memoryless"), (None, ["red-onli"], "red-only")],
    )
    def test_what_the_catalogue_lacks(self, families: list[str] | None, ids: list[str] | None, told: str) -> None:
        with pytest.raises(UnknownEntry, match=told):
            CatalogDealer(families, ids)

    @pytest.mark.parametrize(("profile", "deals"), [(HOWELL, True), (ABBOTT, False), (NO_PROPHET, False)], ids=str)
    def test_a_rule_that_a_turned_starter_would_stop(self, profile: Profile, deals: bool) -> None:
        # After a red starter no card keeps more black cards than red ones on the line.
        dealer = CatalogDealer(ids=["more-black-than-red"])
        if deals:
            assert dealer.choose(profile, Random(1))
        else:
            with pytest.raises(NoRuleFits, match="more-black-than-red"):
                dealer.choose(profile, Random(1))

    def test_nothing_that_may_be_dealt(self) -> None:
        dead_end = next(entry.id for entry in load().values() if not review(entry.rule).ok)
        with pytest.raises(NoRuleFits, match=dead_end):
            CatalogDealer(ids=[dead_end]).choose(HOWELL, Random(1))

    def test_by_family_the_families_are_equally_likely(self) -> None:
        families = {entry.rule: entry.family for entry in load().values()}
        dealer, rng = CatalogDealer(families=["memoryless", "run"], by_family=True), Random(1)
        counts = Counter(families[dealer.choose(HOWELL, rng)[0]] for _ in range(200))
        assert min(counts["memoryless"], counts["run"]) > 75


class TestGeneratedDealer:
    def test_deals_rules_of_its_set_and_families(self) -> None:
        known = {each.rule: each.family for each in load_rule_set("test").rules}
        dealer = GeneratedDealer(families=["guarded", "run"])
        assert {known[dealer.choose(HOWELL, Random(number))[0]] for number in range(20)} == {"guarded", "run"}

    @pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
    def test_what_it_deals_may_be_dealt(self, profile: Profile) -> None:
        for number in range(10):
            rule, hint = GeneratedDealer("train", by_family=True).choose(profile, Random(number))
            assert review(rule, profile=profile).ok
            assert hint is None or hint.holds(rule)

    def test_what_is_not_there(self) -> None:
        with pytest.raises(UnknownFamily, match=r"'gaurded'; its families are memoryless, .*guarded"):
            GeneratedDealer(families=["gaurded"])
        with pytest.raises(UnknownConfig, match="tset"):
            GeneratedDealer("tset")


class TestFixedDealer:
    def test_deals_its_rule(self) -> None:
        rule, hint = FixedDealer("card.rank >= last.rank or card.rank == A", starter="card.rank == A").choose(
            HOWELL, Random(1)
        )
        assert (str(rule), str(rule.starter)) == ("card.rank >= last.rank or card.rank == A", "card.rank == A")
        assert hint is None

    @pytest.mark.parametrize(
        ("profile", "given", "told"),
        [
            (HOWELL, "no ranks", {None}),
            (ABBOTT, "no ranks", {"no ranks"}),
            (ABBOTT, None, {None}),
            (NO_PROPHET, "no ranks", {"no ranks"}),
            (NO_PROPHET, None, set(map(str, hints_for(Rule.parse("card.color != last.color"))))),
        ],
    )
    def test_hints(self, profile: Profile, given: str | None, told: set[str | None]) -> None:
        dealer = FixedDealer("card.color != last.color", hint=given)
        hints = [dealer.choose(profile, Random(number))[1] for number in range(40)]
        assert {None if hint is None else str(hint) for hint in hints} == told

    @pytest.mark.parametrize(
        ("rule", "told"), [("card.rank > last.rank", "no card is ever legal"), ("card not in rejected", "rejected")]
    )
    def test_refused_rules(self, rule: str, told: str) -> None:
        with pytest.raises(RefusedRule, match=told):
            FixedDealer(rule).choose(HOWELL, Random(1))

    def test_texts_are_read_at_once(self) -> None:
        with pytest.raises(InvalidRule):
            FixedDealer("card.colour == red")
        with pytest.raises(InvalidHint):
            FixedDealer("card.is_red", hint="nice")


class TestDesignerDealer:
    @pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
    def test_what_it_deals_may_be_dealt(self, profile: Profile) -> None:
        for number in range(10):
            rule, hint = DesignerDealer().choose(profile, Random(number))
            assert review(rule, profile=profile).ok
            assert hint is None or hint.holds(rule)

    def test_the_best_alone(self) -> None:
        best = max(scored_designs().designs, key=lambda design: design.points).rule
        assert {DesignerDealer(among=1).choose(HOWELL, Random(number))[0] for number in range(5)} == {best}

    def test_some_of_the_best(self) -> None:
        best = {design.rule for design in scored_designs().designs[:3]}
        assert {DesignerDealer(among=3).choose(HOWELL, Random(number))[0] for number in range(40)} == best

    def test_none_to_draw_from(self) -> None:
        with pytest.raises(TooFew, match="among is 0"):
            DesignerDealer(among=0)

    def test_the_table_lists_the_best_first_and_says_where_it_comes_from(self) -> None:
        table = scored_designs()
        points = [design.points for design in table.designs]
        assert points == sorted(points, reverse=True)
        assert table.scored > len(table.designs)
        sources = {design.source.partition(" ")[0] for design in table.designs}
        assert sources == {"catalog", "grammar"}


@pytest.mark.parametrize(("use", "options"), [("catalog", {}), ("designer", {}), ("fixed", {"rule": "card.is_red"})])
def test_picks_evenly(use: str, options: dict[str, str]) -> None:
    dealer, rng = make_dealer(use, options), Random(1)
    counts = Counter(dealer.pick(LEGAL, rng) for _ in range(300))
    assert set(counts) == set(LEGAL)
    assert min(counts.values()) > 70
