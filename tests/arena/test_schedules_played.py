"""Every schedule is played, and what was played is what it promises."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.schedule import Key
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.profiles import PROFILES
from eleusis_ai.record import Record
from eleusis_ai.scoring import match_points
from tests.arena.test_schedule import FORMS, config, players


def played(settings: TournamentConfig, out: Path) -> list[Record]:
    run_tournament(settings, out)
    assert not list(verify_run(out))
    return list(Store(out).records())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_is_played_as_it_is_laid_out(form: TournamentConfig, tmp_path: Path) -> None:
    short = msgspec.structs.replace(form, deals=2)
    records = played(short, tmp_path / "out")
    for deal in (0, 1):  # who begins is the same seat in every replay of the same cards
        begins: dict[int | None, set[tuple[str, int]]] = {}
        for record in records:
            key = Key.parse(record.key)
            if key.deal == deal and short.schedule != "matches":
                begins.setdefault(key.round, set()).add((str(record.deck), record.first))
        assert all(len(each) == 1 for each in begins.values())


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_twins_play_the_same_as_heroes(profile: str, tmp_path: Path) -> None:
    """Deck, lot, others and chance are the same for every hero."""
    twins = config("ann", "eve", schedule="duplicate", others=players("x", "y"), profile=profile)
    records = played(twins, tmp_path / "out")
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one.key.replace("hero ann", "hero eve") == other.key
        assert one.moves == other.moves
        assert one.scores == other.scores
        seats = [seat.agent for seat in Outcome.of(one).seats if seat.rated]
        assert seats == ["ann"]


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_the_totals_of_a_match_are_the_sums_of_its_outcomes(profile: str, tmp_path: Path) -> None:
    """Every agent has dealt, so that no profile gives anyone a bonus for never having dealt."""
    ids = ("a", "b", "c", "d", "e")
    records = played(config(*ids, schedule="matches", profile=profile, deals=1), tmp_path / "out")
    assert len(records) == 25
    for start in range(0, 25, 5):
        match = records[start : start + 5]
        assert sorted(record.dealer for record in match) == [0, 1, 2, 3, 4]
        totals = match_points(PROFILES[profile], 5, [(each.dealer, each.scores or ()) for each in match])
        sums = dict.fromkeys(ids, 0)
        for seat in (seat for record in match for seat in Outcome.of(record).seats):
            sums[seat.agent] += seat.points
        assert dict(zip(match[0].agents, totals, strict=True)) == sums
        dealt = [seat.agent for record in match for seat in Outcome.of(record).seats if seat.dealt]
        assert sorted(dealt) == list(ids)
