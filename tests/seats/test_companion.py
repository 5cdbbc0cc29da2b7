"""A whole evening with the companion at a real table, as a person may read it in `evening.txt`, and all its corners.

``python -m tests.seats.test_companion`` plays the evening again and rewrites what the companion says in it; what is
typed stays. Read the diff before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest

from eleusis_ai.agent import Beliefs
from eleusis_ai.events import Attempted, NoPlayDeclared, ProphetCalled
from eleusis_ai.moves import DecisionKind, Move, parse_move
from eleusis_ai.scoring import winners
from eleusis_ai.seats.diary import read_diary
from eleusis_ai.seats.evening import Evening
from eleusis_ai.seats.gathering import Wishes, gather, go_on
from eleusis_ai.view import View
from tests.seats.sitters import Script

EVENING = Path(__file__).with_name("evening.txt")
WISHES = Wishes(profile="short", names="Ann,Bob,Cem,Dora", dealer="Dora", agent="tests.seats.test_companion:Planned")
DORA, ANN, BOB = 4, 1, 2


class Planned:
    """Plays what is written down here for the evening, whatever it sees."""

    plays: ClassVar = {DORA: ("8C", "KD", "7H 2S 9D", "5C"), ANN: ("2H 4H 6H", "8H 10H", "QH"), BOB: ("2C",)}
    calls = ("wrong", "right", "wrong JH", "right", "right")

    def __init__(self, *, seat: int, seed: str) -> None:
        self._seat = seat

    def act(self, view: View) -> Move:
        assert view.decision is not None
        dealer = view.public.dealer
        done = sum(
            isinstance(event, Attempted | NoPlayDeclared) and event.seat == self._seat for event in view.events
        )
        match view.decision.kind:
            case DecisionKind.PLAY:
                return parse_move(self.plays[dealer][done])
            case DecisionKind.CALL:
                return parse_move(self.calls[sum(isinstance(event, ProphetCalled) for event in view.events)])
            case _:
                return parse_move("prophet" if dealer == BOB else "pass")

    def beliefs(self, view: View) -> Beliefs:
        odds = [0.0] * 52
        for card in view.hand:
            odds[card] = card.rank / 13
        return Beliefs(tuple(odds), (("card.color != last.color", 0.5), ("card.is_red", 0.25)))


def typed_in(text: str) -> list[str]:
    return [line.removeprefix(">").strip() for line in text.splitlines() if line.startswith(">")]


class Guests(Script):
    """People who come back as long as something is written down for them to type."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.left = list(lines)
        super().__init__(self.left.pop(0) for _ in self.left.copy())


def spent(path: Path, lines: Iterable[str]) -> str:
    """Spend the evening that ``lines`` tell of, going on whenever somebody has quit; return all that was said."""
    script = Guests(lines)
    assert gather(WISHES, script, save=path) == 0
    while script.left:
        script.say("", "The next day:", "")
        assert go_on(path, script) == 0
    return f"{script.said}\n"


def test_an_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds of five; the points are worked out by hand from game.md.

    Round 1, Dora deals. Hands at the end: Ann 6-1-2+4-1+3-1+3 = 11 (8H; a wrong string, 4 drawn; 7C; overthrown, 3
    drawn; a wrong no play, KC played, 3 drawn), Bob 6-2=4, a right no play: 2, JD: 1, AC wrong: 2; Cem 6-1+2-1+2-1-1
    = 6; I none. H = 11: Ann 0, Bob 9, Cem 5, I 11 + 4 = 15, Dora as the best: 15.

    Round 2, Ann deals. Everybody lays 5 cards; with 21 on the table a wrong one expels. Bob, Cem and I hold
    1 - 1 + 2, Dora 1 - 1 + 3 after her wrong no play. H = 3: Bob, Cem and I 1, Dora 0, Ann as the best: 1.

    Round 3, Bob deals. I am prophet with 4 cards on the table; 6 right ones and a wrong one follow. Ann holds
    6 - 1 + 2 = 7, then 5, Dora 6 - 1 + 2 - 1 + 3 = 9, I 5. H = 9: Cem 9 + 4 = 13, I 4 + 6 + 2 = 12, Ann 4, Dora 0;
    Bob min(13, 2 * 4) = 8.
    """
    text = EVENING.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = Path("evening.jsonl")
    assert spent(path, typed_in(text)) == text, "python -m tests.seats.test_companion rewrites it"
    evening = read_diary(path)
    assert evening.round is not None
    assert evening.round.scores() == (12, 4, 8, 13, 0)
    assert evening.totals == (15 + 1, 0 + 1, 9 + 1, 5 + 1, 15 + 0)
    told = " ".join(text.split())
    assert "After 3 rounds: me 28, Cem 19, Bob 18, Dora 15, Ann 5." in told
    assert winners((28, 5, 18, 19, 15)) == (0,)
    for points in ("15 points 0 cards emptied the hand", "The round ends: all who were left to play are expelled."):
        assert points in told


def begun(lines: Iterable[str], folder: Path, **wishes: object) -> tuple[str, Evening]:
    """Type ``lines`` to a companion that sits down as wished; return what it says, in one line, and the evening."""
    path = folder / "evening.jsonl"
    script = Script(lines)
    options = {"names": "Ann,Bob,Cem", "dealer": "Cem", "agent": "tests.seats.sitters:Thinks", "profile": "short"}
    assert gather(Wishes(**options | wishes), script, save=path) == 0  # type: ignore[arg-type]
    return " ".join(script.said.split()), read_diary(path)


MINE = ("6s", "2c 3c 4c 5c 6c 7c")
"""A starter after which Bob begins, and a hand of mine, who come next."""


def test_what_is_typed_is_read_in_many_ways(tmp_path: Path) -> None:
    lines = ("8s 7S", MINE[1], "7H,8d 9♣ w", "no play 2d 3d 4d 5d 6d 7d wrong 2d", "no", "why", "r")
    said, evening = begun(lines, tmp_path, dealer="cem", seat=2)
    assert "Ann plays 7♥ 8♦ 9♣: wrong, and draws 6." in said
    assert "Bob declares no play, showing 2♦ 3♦ 4♦ 5♦ 6♦ 7♦: wrong. 2♦ is played from that hand. Bob draws 3." in said
    told = [str(entry.said) for entry in evening.entries]
    assert told == [
        *(
            "8S 7S",
            "2C 3C 4C 5C 6C 7C",
            "7H 8D 9C",
            "wrong",
            "pass",
            "no play",
            "2D 3D 4D 5D 6D 7D",
            "wrong",
            "pick 2D",
        ),
        *("pass", "2C", "right", "pass"),
    ]


@pytest.mark.parametrize(
    ("asked", "typed", "answer"),
    [
        ((), "joker", "'joker' is no card. Type it as in 7h, or several, from the left, as in 7h 10s."),
        ((), "unknown", "No: a starter lies on the table for all to see; look what it is."),
        ((), "7s 7s", "No: that would be more of 7♠ than one pack has."),
        (MINE[:1], "2c 3c 4c 5c 6c 7c 8c", "That is 7 cards, and I get 6."),
        (MINE[:1], "6s", "No: that would be more of 6♠ than one pack has."),
        (MINE[:1], "2c unknown", "No: I have to see my own cards."),
        (MINE, "8h 9h 10h jh", "No: a string has at most 3 cards here, and this one 4."),
        (MINE, "8h 9h 10h jh qh kh ah", "No: Bob plays 7 cards, and holds 6."),
        (MINE, "8h maybe", "'maybe' is no verdict. Type 'right' or 'wrong'."),
        (MINE, "unknown right", "No: a right card joins the mainline, and must be known."),
        (MINE, "8h right right", "'right' is no answer here. Type 'prophet', or Enter."),
        (MINE, "8h right no 9h", "I come before that; type what comes after it when it is asked."),
        ((*MINE, "no play"), "8h 9h", "That is 2 cards, and 6 are held."),
        ((*MINE, "no play", "8h unknown", "wrong"), "2s", "2s"),
        ((*MINE, "no play", "8h unknown", "wrong"), "unknown", "That card is known to all."),
        ((*MINE, "no play", "8h 9h 10h jh qh kh", "wrong"), "ah", "A♥ is not in the hand that was shown."),
        (MINE, "count Ann", "Type 'count', a name and a number, as in 'count stock 30'."),
        (MINE, "count me 3", "I know how many cards I hold, and who deals holds none;"),
        (MINE, "count Zoe 3", "'Zoe' is nobody here."),
        (MINE, "count Ann 0", "No: Ann cannot be given 0 cards"),
        ((*MINE, "no play"), "count Ann 7", "No: Bob is about to show a hand; tell that first."),
        ((), "count Ann 7", "No: no round is in play yet."),
        (MINE, "undo all", "'all' is no number of answers"),
        ((), "undo", "There is nothing to undo."),
        (MINE, "fix 9 right", "'9' is no number of an answer; 'fix' alone lists them."),
        (MINE, "fix 1 8x", "'8x' is no card."),
        (MINE, "fix 1 7d right", "'right' is more than that answer."),
        ((), "hand", "I hold no cards yet."),
        ((), "table", "Nothing lies on the table yet."),
        ((), "beliefs", "I believe nothing yet."),
        ((), "why", "I have done nothing yet that I remember."),
    ],
)
def test_what_cannot_be_is_answered_and_changes_nothing(
    asked: tuple[str, ...], typed: str, answer: str, tmp_path: Path
) -> None:
    _, before = begun(asked, tmp_path)
    (tmp_path / "evening.jsonl").unlink()
    said, evening = begun((*asked, typed), tmp_path)
    if answer == typed:
        assert evening.entries[:-1] == before.entries
        return
    assert answer in said, said
    assert evening.entries == before.entries


if __name__ == "__main__":
    with TemporaryDirectory() as folder, chdir(folder):
        text = spent(Path("evening.jsonl"), typed_in(EVENING.read_text(encoding="utf-8")))
    EVENING.write_text(text, encoding="utf-8")
