"""The companion where something is out of the ordinary: corrections, other profiles, broken files, a pulled plug."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from random import Random

import msgspec
import pytest

from eleusis_ai.agent import Explains
from eleusis_ai.cards import CARDS, Card, cards_text
from eleusis_ai.cli import main
from eleusis_ai.events import RuleStated
from eleusis_ai.moves import Attempt, Call, Move
from eleusis_ai.registry import InvalidOptions, UnknownPart
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.hints import InvalidHint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.companion import Companion, make_player
from eleusis_ai.seats.diary import InvalidDiary, read_diary, write_diary
from eleusis_ai.seats.evening import Ask, Entry, Evening, Party
from eleusis_ai.seats.gathering import Wishes, gather, go_on
from eleusis_ai.seats.saying import move_words
from eleusis_ai.seats.setting import InvalidSetting
from eleusis_ai.view import View
from tests.seats.at_a_terminal import Terminal
from tests.seats.sitters import Script
from tests.seats.test_companion import MINE, begun

HAND = "2c 3c 4c 5c 6c 7c 8c 9c 10c jc qc kc ac 2d"


class First:
    """Does the first thing that is allowed."""

    def __init__(self, *, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        return next(iter(view.legal_moves()))


FIRST = "tests.seats.test_companion_corners:First"


# Corrections.


def test_a_verdict_that_turns_out_wrong_makes_me_draw_at_once(tmp_path: Path) -> None:
    lines = (*MINE, "8h right", "", "right", "9h right", "fix 7 wrong", "joker", "2d 3d 4d", "ad 3h", "hand")
    said, evening = begun(lines, tmp_path, agent=FIRST)
    assert "Which 2 cards did I get? I am owed them now. 'cancel' leaves everything as it was." in said
    assert "Answer 7 was: Cem says right. Now it is: Cem says wrong." in said
    assert evening.round is not None
    assert str(evening.round.layout) == "6S 8H(2C) 9H"
    assert evening.round.hands[0] == tuple(map(Card.parse, ["3C", "4C", "5C", "6C", "7C", "AD", "3H"]))
    assert "My hand (7)" in said


def test_a_correction_may_be_given_up(tmp_path: Path) -> None:
    lines = (*MINE, "8h right", "", "right", "9h right", "fix 7 wrong", "cancel")
    said, evening = begun(lines, tmp_path, agent=FIRST)
    assert "Nothing was changed." in said
    assert str(evening.round.layout if evening.round else "") == "6S 8H 2C 9H"


def test_a_correction_after_which_something_cannot_have_happened_is_refused(tmp_path: Path) -> None:
    lines = (*MINE, "8h right", "", "right", "fix 2 3c 4c 5c 6c 7c 8c", "fix 5 right", "fix 3 no play", "fix 3 6s")
    said, evening = begun(lines, tmp_path, agent=FIRST)
    assert (
        "Then answer 6 (I play 2♣) does not fit: the hand does not hold 2C; play cards of the hand, as in '3C'. "
        "Nothing was changed."
    ) in said
    assert "I play 2♣: that was my own doing" not in said
    assert (
        "Then answer 4 (Cem says right) does not fit: it tells 'call' of Cem, where 'shown' of Bob is asked." in said
    )
    assert "It does not fit: that would be more of 6♠ than one pack has. Nothing was changed." in said
    assert [entry.said for entry in evening.entries] == [
        *("6S", "2C 3C 4C 5C 6C 7C", "8H", "right", "pass", "2C", "right", "pass")
    ]


def test_what_i_did_is_undone_not_fixed(tmp_path: Path) -> None:
    said, evening = begun((*MINE, "8h right", "", "fix 6 9h", "undo 2"), tmp_path, agent=FIRST)
    assert "I play 2♣: that was my own doing; 'undo' takes it back." in said
    assert "Undone: I play 2♣. Undone: Bob does not become prophet. Undone: Cem says right." in said
    assert [entry.said for entry in evening.entries] == ["6S", "2C 3C 4C 5C 6C 7C", "8H"]
    said, evening = begun((*MINE, "count Ann 9", "undo 99"), tmp_path / "2", agent=FIRST)
    assert "Undone: Ann holds 9. Undone: I got 2♣ 3♣ 4♣ 5♣ 6♣ 7♣. Undone: starter 6♠." in said
    assert evening.entries == []


def test_the_table_knows_best(tmp_path: Path) -> None:
    said, evening = begun((*MINE, "count ann 9", "count stock 3", "fix 4 stock 1", "8h wrong"), tmp_path, agent=FIRST)
    assert "Ann holds 9. What does Bob play?" in said
    assert "The stock has 3." in said
    assert "Answer 4 was: the stock has 3. Now it is: the stock has 1." in said
    assert "Bob plays 8♥: wrong, and draws 1. The round ends: the stock is used up." in said
    assert evening.round is not None
    assert evening.round.scores() == (3, 0, 3, 3)


# Dealers that err.


def test_who_knows_that_dealers_err_believes_in_a_rule_in_spite_of_a_false_verdict() -> None:
    """Thirty verdicts, the last but one of them false; the rule is that of the likeliest belief none the less."""
    rule, rng = Rule.parse("card.color != last.color"), Random(1)
    names = ("me", "Ann", "Bob", "Cem")
    wide: dict[str, object] = {"name": "wide", "source": "howell for long", "packs": 9, "expulsion_from": "none"}
    party = Party(profile=wide, names=names, seat=0, dealer=3, agent="elimination", noise=True)
    evening = Evening(party, [Entry(Ask.STARTERS, 3, "6S")])
    judged = 0
    while judged < 30:
        asked, round_ = evening.question, evening.round
        assert round_ is not None
        match asked.ask:
            case Ask.CARDS:
                said = cards_text(rng.sample(CARDS, round_.owed))
            case Ask.PLAY:
                said = str(round_.hands[0][0] if asked.seat == 0 else rng.choice(CARDS))
            case Ask.CALL:
                judged += 1
                assert isinstance(round_.attempt, Attempt)
                right = rule.allows(round_.layout.mainline, round_.attempt.cards[0])
                said = str(Call(right=right != (judged == 29)))
            case _:
                said = "pass"
        evening.take(Entry(asked.ask, asked.seat, said))
    likeliest = {}
    for noise in (True, False):
        other = Evening(msgspec.structs.replace(party, noise=noise), evening.entries)
        agent = make_player(other)
        assert isinstance(agent, Explains)
        assert other.round is not None
        likeliest[noise] = agent.beliefs(other.round.view(0)).rules[0]
    assert equivalent(Rule.parse(likeliest[True][0]), rule).same
    assert likeliest[True][1] > 0.5
    assert likeliest[True] != likeliest[False]


def test_who_does_not_know_of_noise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="'random' does not take options"):
        begun((), tmp_path, agent="random", noise=True)


# Other ways to play.


def test_a_lot_and_a_hint_in_abbott(tmp_path: Path) -> None:
    lines = ("all red", "no suits", "6s", "zoe", "cem", "bob", HAND, "?", "9d unknown 9h wrong", "table")
    said, evening = begun(lines, tmp_path, agent=FIRST, profile="abbott", names="Ann,Bob,Bo,Cem")
    assert "'all red' is no hint that I understand. Type one of: only the card; no ranks;" in said
    assert "'zoe' is nobody here. Type a name: me, Ann, Bob, Bo." in said
    assert "'cem' is nobody here" not in said
    assert "Cem deals. Type a name" in said
    assert "Bob begins." in said
    assert "The hint: Neither suits nor colours matter." in said
    assert evening.round is not None
    assert str(evening.round.layout) == "6S(9D ? 9H)"


def test_two_people_whose_names_begin_alike_are_told_apart(tmp_path: Path) -> None:
    said, _ = begun(("", "6s", "bo", "b"), tmp_path, agent=FIRST, profile="abbott", names="Ann,Bob,Bo,Cem")
    assert "Bo begins." in said
    said, _ = begun(("", "6s", "b"), tmp_path / "2", agent=FIRST, profile="abbott", names="Ann,Bob,Bo,Cem")
    assert "'b' is several people here." in said


def test_a_hint_that_nobody_can_put_into_words(tmp_path: Path) -> None:
    said, evening = begun(("", "other", "6s"), tmp_path, agent=FIRST, profile="no-prophet")
    assert "Nothing was typed" not in said
    assert "No: no-prophet is played with a hint." in said
    assert evening.round is not None
    said, evening = begun((), tmp_path / "2", agent=FIRST, profile="no-prophet", hint="no suits")
    assert [entry.said for entry in evening.entries] == ["no suits"]


def test_a_rule_is_stated_in_words_and_heard_in_express(tmp_path: Path) -> None:
    hand = " ".join(HAND.split()[:12])
    lines = (
        "",
        "6s",
        hand,
        "right",
        "8h right",
        "wrong",
        "9h right state card.is_red",
        "wrong",
        "right",
        "10h right right",
    )
    said, evening = begun(lines, tmp_path, agent=FIRST, profile="express-2006", dealer="Cem")
    assert "Does Ann state the rule? If not, what does Bob play?" in said
    assert "Ann states the rule: ?. That is wrong." in said
    assert "Bob plays 9♥: right. Bob states the rule: card.is_red. What does Cem say" in said
    stated = [event for event in evening.round.events if isinstance(event, RuleStated)] if evening.round else []
    assert [event.rule for event in stated] == ["?", "card.is_red", "?"]
    assert "The round ends: the rule is stated." in said
    assert "1. seat 1 Ann 8 points 10 cards stated the rule" in said


def test_my_hand_is_empty_and_i_state_no_rule(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "express-2006"\nname = "tiny"\nsource = "one card each"\nhand_size = 1\nhint = "none"\n')
    lines = ("6s", "7h", "right", "again 8h", "9h", "10h wrong", "jh right", "no", "right")
    said, evening = begun(lines, tmp_path, agent=FIRST, profile=str(house))
    assert "My 7♥: right. The round ends: a hand is empty." in said
    assert "Round 2: Ann deals. I am dealt 1 card. The starter is 8♥, as it was turned. Bob begins." in said
    assert "After 2 rounds: " in said
    assert (evening.rounds, evening.dealer) == (2, 1)


def test_card_by_card_people_say_how_many_are_right(tmp_path: Path) -> None:
    lines = ("6s", HAND, "right", "8h unknown wrong 1", "9h 9d")
    said, evening = begun(lines, tmp_path, agent=FIRST, profile="late-prophet")
    assert "Ann plays 8♥ ?: wrong after the first card, and draws 4." in said
    assert "Bob plays 9♥ 9♦." in said
    assert evening.round is not None
    assert str(evening.round.layout) == "6S 2C 8H(?)"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (Call(right=True), "I call it right."),
        (Call(right=False), "I call it wrong."),
        (Call(right=False, prefix=0), "I call it wrong from the first card."),
        (Call(right=False, prefix=1), "I call it wrong: only the first card is right."),
        (Call(right=False, prefix=2), "I call it wrong: the first two cards are right."),
    ],
)
def test_a_prophet_speaks_plainly(call: Call, words: str, tmp_path: Path) -> None:
    _, evening = begun(MINE, tmp_path, agent=FIRST)
    assert evening.round is not None
    assert move_words(call, evening.round.view(0)) == words


# Sitting down.


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"names": "Ann,,Cem"}, "'' is no name here; names are letters, as in Ann, Bob, Cem"),
        ({"names": "Ann,Bob,me"}, "'me' is no name here"),
        ({"names": "Ann,Bob,7h"}, "'7h' is no name here"),
        ({"names": "Ann,Bob,ann"}, "two people have one name"),
        ({"names": "Ann,Bob"}, "short is played by 4 to 5, the dealer and me included, and with me there are 3"),
        ({"seats": 5}, "4 players with me, and 5 were asked for; name 4 others"),
        ({"seats": 9}, "short is played by 4 to 5, the dealer and me included, and not by 9; write --seats 4"),
        ({"seat": 4}, "there is no seat 4 for me; seats are 0 to 3"),
        ({"dealer": "Zoe"}, "'Zoe' does not deal here; one of Ann, Bob, Cem does"),
        ({"dealer": "me"}, "I cannot deal, since I have no hands to lay cards with: one of Ann, Bob, Cem does"),
        ({"hint": "no suits"}, "short has no hints; leave out --hint"),
    ],
)
def test_wishes_that_do_not_go_together(wishes: dict[str, object], reason: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(reason)):
        begun((), tmp_path, **wishes)
    assert not [*tmp_path.iterdir()]


def test_no_agent_of_that_name_and_no_such_hint(tmp_path: Path) -> None:
    with pytest.raises(UnknownPart, match="'eliminatoin' is not one of the agents"):
        begun((), tmp_path, agent="eliminatoin")
    with pytest.raises(InvalidHint, match="'all red' is not a hint"):
        begun((), tmp_path, profile="abbott", names="Ann,Bob,Cem,Dora", hint="all red")
    assert not [*tmp_path.iterdir()]


def test_it_asks_who_sits_there_and_who_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = Script(("Ann", "Ann, Bob, Cem, Dora, Eve", "ann , bob,Anna Maria", "zoe", "ANN", "6s"))
    assert gather(Wishes(profile="short", agent=FIRST), script, save=None) == 0
    said = " ".join(script.said.split())
    assert "short is played by 4 to 5, the dealer and me included, and with me there are 2." in said.lower()
    assert "Who deals first? > zoe Type a name: ann, bob, Anna Maria." in said
    assert "From my left round there are ann, bob, Anna Maria; ann deals." in said
    assert read_diary(Path("runs/companion-1.jsonl")).party.dealer == 1
    for lines, code in ((("quit",), 0), (("Ann, Bob, Cem", "quit"), 0)):
        script = Script(lines)
        assert gather(Wishes(profile="short", agent=FIRST), script, save=None) == code
        assert "You leave; nothing has been told yet." in script.said
    assert len([*Path("runs").iterdir()]) == 1


def test_an_agent_that_fails_plays_the_first_thing_that_is_allowed(tmp_path: Path) -> None:
    said, evening = begun((*MINE, "8h right", "", "why", "beliefs"), tmp_path, agent="tests.seats.sitters:Fails")
    assert "tests.seats.sitters:Fails failed (ZeroDivisionError: an agent's own defect); I do the first thing" in said
    assert "I play the two of clubs (2C)." in said
    assert "I cannot tell why (IndexError" in said
    assert evening.entries[-1].said == "2C"


def test_an_agent_is_made_with_its_options(tmp_path: Path) -> None:
    _, evening = begun(MINE, tmp_path, agent="elimination", options={"level": "club"})
    assert evening.party.options == {"level": "club"}
    with pytest.raises(InvalidOptions, match="level is 'grand'"):
        begun((), tmp_path / "2", agent="elimination", options={"level": "grand"})


def test_an_agent_that_gives_reasons_is_heard(tmp_path: Path) -> None:
    said, _ = begun((*MINE, "8h right", "", "why"), tmp_path, agent="tests.seats.sitters:Wordy")
    assert "I play the two of clubs (2C). I answer 2C with 6 cards in my hand." in said


def test_an_agent_without_beliefs_has_none_to_tell(tmp_path: Path) -> None:
    said, _ = begun((*MINE, "8h right", "", "why", "beliefs"), tmp_path, agent=FIRST)
    assert "I cannot tell: the one who plays for me keeps what he thinks to himself." in said
    assert "I cannot tell what I believe." in said
    assert "My likeliest rule" not in said


# The file.


def kept(folder: Path) -> Path:
    begun((*MINE, "8h right", "", "right", "9h right"), folder, agent=FIRST)
    return folder / "evening.jsonl"


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (1, "", "line 1 is damaged"),
        (1, '{"companion":1}', "line 1 is damaged: Object missing required field"),
        (1, "[" * 3000, "line 1 is damaged"),
        (3, '{"ask":"play","sea', "line 3 is damaged: Input data was truncated"),
        (3, '{"ask":"cards","seat":0,"said":"9x"}', "line 3 is damaged: '9x' is not a card"),
        (
            4,
            '{"ask":"call","seat":3,"said":"right"}',
            "line 4 is damaged: it tells 'call' of Cem, where",
        ),
        (4, '{"ask":"play","seat":77,"said":"7H"}', "line 4 is damaged: it tells 'play' of seat 77"),
        (5, "\xff\xfe", "line 5 is damaged"),
        (6, '{"ask":"prophet","seat":2,"said":"7H"}', "line 6 is damaged"),
    ],
)
def test_a_damaged_file_is_named_by_its_line_and_left_alone(
    line: int, text: str, reason: str, tmp_path: Path
) -> None:
    path = kept(tmp_path)
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = text.encode("latin-1")
    path.write_bytes(b"\n".join(lines))
    before = path.read_bytes()
    with pytest.raises(InvalidDiary, match=re.escape(f"{path}, {reason}")):
        go_on(path, Script())
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"companion":1', '"companion":2', "version 2 of the file cannot be read"),
        ('"dealer":3', '"dealer":0', "seats 0 and 0 are not two of 4"),
        ('"dealer":3', '"dealer":9', "seats 0 and 9 are not two of 4"),
        ('"name":"short"', '"name":7', "line 1 is damaged"),
    ],
)
def test_a_party_that_cannot_be(old: str, new: str, reason: str, tmp_path: Path) -> None:
    path = kept(tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InvalidDiary, match=reason):
        read_diary(path)


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = kept(tmp_path)
    before = path.read_bytes()
    with pytest.raises(InvalidSetting, match="is there already; go on with it by --resume"):
        begun((), tmp_path)
    assert path.read_bytes() == before


def test_an_evening_is_made_of_its_entries_alone(tmp_path: Path) -> None:
    evening = read_diary(kept(tmp_path))
    again = Evening(evening.party, evening.entries)
    assert again.round is not None
    assert evening.round is not None
    assert again.round.view(0) == evening.round.view(0)
    other = tmp_path / "other" / "evening.jsonl"
    write_diary(other, evening.party, evening.entries)
    assert other.read_bytes() == (tmp_path / "evening.jsonl").read_bytes()
    assert Companion(Script(), read_diary(other), other).sit() == 0


def test_a_pulled_plug_loses_nothing_that_was_said_back(tmp_path: Path) -> None:
    begin = ("--names", "Ann,Bob,Cem", "--dealer", "Cem", "--agent", FIRST, "--profile", "short")
    typed = (*MINE, "8h right", "", "right", "9h right", "7d")
    for number in (3, len(typed)):
        path = tmp_path / f"{number}.jsonl"
        with Terminal(tmp_path, "companion", *begin, "--save", path.name) as terminal:
            terminal.wait()
            terminal.ask(*typed[:number])
            os.kill(terminal.process.pid, signal.SIGKILL)
        other = tmp_path / f"{number}"
        other.mkdir()
        begun(typed[:number], other, agent=FIRST)
        assert read_diary(path).entries == read_diary(other / "evening.jsonl").entries
    with Terminal(tmp_path, "companion", "--resume", path.name) as terminal:
        assert "Round 1 goes on.\nWhat does Cem say, right or wrong?" in terminal.wait()
        terminal.leave_by("\x03")
        assert terminal.end() == 130
        assert terminal.shown.endswith(f"eleusis companion --resume {path.name}\n")


def test_an_evening_goes_on_as_it_was_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["companion", "--resume", str(kept(tmp_path)), "--names", "Ann"])
    assert left.value.code == 2
    assert "goes on with the evening as it was begun; leave out --names" in capsys.readouterr().err
