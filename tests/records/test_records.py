"""The rounds of this folder are played as they are written down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from eleusis_ai.events import (
    AttemptJudged,
    Event,
    Hinted,
    NoPlayJudged,
    Picked,
    ProphetDeclared,
    ProphetOverthrown,
    Refused,
    ReserveOpened,
    RoundEnded,
    RuleShown,
    RuleStated,
    SeatExpelled,
    SeatPassed,
    StageTwoBegan,
    StarterLaid,
    StatementJudged,
    parse_event,
)
from eleusis_ai.profiles import PROFILES
from tests.records.rewrite import RECORDS, read, text


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_round_is_played_as_it_is_written_down(path: Path) -> None:
    assert text(*read(path)).splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_replays_to_its_points(path: Path) -> None:
    _, record = read(path)
    round_ = record.replay()
    assert round_.over
    assert round_.scores() == record.scores


def events(path: Path) -> list[Event]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [parse_event(line.strip()) for line in lines if line.startswith("  ")]


def shows(path: Path) -> Iterator[str]:
    """Name what happens in a round that the records are there to show."""
    happened = events(path)
    prophet = False
    for index, event in enumerate(happened):
        match event:
            case NoPlayJudged(_, _, right):
                yield f"no play {'right' if right else 'wrong'}"
            case AttemptJudged(_, cards, right, prefix) if len(cards) > 1:
                yield (
                    "string right" if right else "string wrong" if prefix is None else f"string wrong after {prefix}"
                )
            case Picked(_, played):
                yield "picked and played" if played else "pointed out"
            case ProphetDeclared(_, marker):
                prophet = True
                yield "marker on the mainline" if marker.branch is None else "marker on a branch"
            case ProphetOverthrown():
                prophet = False
                yield "overthrown"
            case SeatExpelled():
                yield "expelled with a prophet" if prophet else "expelled without a prophet"
            case RuleStated():
                yield "rule stated"
            case StatementJudged(_, right, proved):
                yield f"statement {'right' if right else 'wrong'}{', proved' if proved else ''}"
            case StageTwoBegan() | SeatPassed():
                yield type(event).__name__
            case RoundEnded(reason):
                yield f"ends: {reason}"
                yield f"ends {'with' if prophet else 'without'} a prophet"
            case ReserveOpened() | Refused() | Hinted():
                yield type(event).__name__
            case StarterLaid():
                starters = sum(isinstance(other, StarterLaid) for other in happened[: index + 1])
                yield f"starter {starters}{' found legal' if event.found_legal else ''}"


COMMON = {
    *("no play right", "no play wrong", "string right", "ends: emptied", "ends: stock", "ends without a prophet"),
}
PROPHETS = {
    *("marker on the mainline", "overthrown", "Refused", "expelled with a prophet", "ends with a prophet"),
}
STATEMENTS = {"rule stated", "statement right, proved", "statement wrong, proved", "ends: stated"}
SHOWN = {
    "abbott": COMMON | PROPHETS | {
        *("string wrong", "picked and played", "marker on a branch", "expelled without a prophet", "Hinted"),
        *("ReserveOpened", "starter 1", "starter 2 found legal"),
    },
    "howell": COMMON | PROPHETS - {"Refused"} | {
        *("string wrong", "picked and played", "expelled without a prophet", "ends: expelled"),
        *("starter 1 found legal", "starter 2 found legal"),
    },
    "no-prophet": COMMON | {
        *("string wrong", "picked and played", "expelled without a prophet", "ends: expelled"),
        *("Hinted", "ReserveOpened", "starter 1"),
    },
    "late-prophet": COMMON | PROPHETS | {
        *("string wrong after 0", "string wrong after 1", "pointed out", "starter 1"),
    },
    "original-1956": {
        *("StageTwoBegan", "SeatPassed", "ends: emptied", "ends: stalled", "ends without a prophet", "starter 1"),
    },
    "express-2006": COMMON - {"string right"} | STATEMENTS | {"picked and played", "Hinted", "starter 1"},
    "howell+cooperative": COMMON | STATEMENTS | {
        *("string wrong", "picked and played", "ends: turns", "starter 1 found legal"),
    },
    "express-2006+numbers-only": {
        *STATEMENTS, "no play right", "ends without a prophet", "starter 1",
    },
}  # fmt: skip
"""What the records of a profile show together."""


@pytest.mark.parametrize("name", SHOWN)
def test_the_records_show_what_can_happen(name: str) -> None:
    paths = [path for path in RECORDS if read(path)[1].profile == name]
    assert {shown for path in paths for shown in shows(path)} == SHOWN[name]


def test_every_profile_has_records() -> None:
    assert SHOWN.keys() >= PROFILES.keys()
    assert {str(read(path)[1].profile) for path in RECORDS} == SHOWN.keys()


@pytest.mark.parametrize(
    ("one", "other"),
    [("late_prophet_by_hand", "late_prophet_office"), ("original_1956_by_hand", "original_1956_stage_two")],
)
def test_a_round_by_hand_is_the_round_by_rule(one: str, other: str) -> None:
    by_hand, by_rule = (events(path) for path in RECORDS if path.stem in (one, other))
    assert by_hand == [event for event in by_rule if not isinstance(event, RuleShown)]
    assert by_hand != by_rule


def test_every_record_has_a_remark() -> None:
    assert len(RECORDS) >= 20
    for path in RECORDS:
        remark, _ = read(path)
        assert remark.startswith("# "), path
