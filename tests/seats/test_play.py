"""Whole rounds typed at a pseudo-terminal, with nothing but what `--help` and `?` show."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.logs import read_log
from eleusis_ai.moves import Attempt, Pick, parse_move
from eleusis_ai.record import Record
from tests.seats.at_a_terminal import BLOCK, PAGE, TUTORIAL, TYPED, Terminal, tutorial

ROUND = TUTORIAL.split()
SHORT = ("play", "--profile", "short", "--seats", "4", "--agents", "random", "--seed", "6", "--save", "round.jsonl")
JUNK = ("11H", "AS AS AS AS AS", "wrong 7X", "wrong after 99", "pick", "prophet prophet", "?!", "x" * 60)


def record_in(folder: Path) -> Record:
    (record,) = read_log(folder / "round.jsonl")
    return record


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of the tutorial's round, played without a break."""
    folder = tmp_path_factory.mktemp("unbroken")
    with Terminal(folder, *ROUND) as terminal:
        terminal.wait()
        terminal.ask(*TYPED)
        assert terminal.end() == 0
        assert "\x1b[1;31m6♥" in terminal.raw
    return (folder / "round.jsonl").read_text()


def test_a_scientist_becomes_prophet_as_the_tutorial_shows() -> None:
    (page,) = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert tutorial() == page, "python -m tests.seats.at_a_terminal rewrites the page"


def test_help_and_question_mark_show_all_that_is_typed_here(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "--help") as terminal:
        assert terminal.end() == 0
        for option in (*ROUND, "--dealer", "--rule", "--by-hand", "--resume", "--give-hint", "--hint"):
            assert not option.startswith("--") or option in terminal.shown
    with Terminal(tmp_path, *ROUND) as terminal:
        assert "Type ? at any time" in terminal.wait()
        explained = terminal.ask("?")
        for words in (
            "secret rule",
            "mainline",
            "no play, no",
            "7H is 7♥",
            "quit",
            "asked whether you become prophet",
        ):
            assert words in explained
        assert "secret rule" not in terminal.ask("?")
        assert "prophet, yes" in terminal.ask("7D", "?")
        assert "right, r" in terminal.ask("pass", "10S", "6H", "KC", "prophet", "?")
        assert "You are prophet: you do not play." in terminal.shown
        assert "Your hand (4):" in terminal.ask("hand")
        assert "seat 1  you       4 cards  prophet" in terminal.ask("table")
        assert "The rule is the dealer's secret" in terminal.ask("rule")
        assert "start with --hint NAME" in terminal.ask("hint")
        assert "eleusis play --resume round.jsonl" in terminal.ask("save")


@pytest.mark.parametrize("typed_before", [0, 1, 4, 9])
def test_killed_and_resumed_a_round_comes_to_the_same_end(tmp_path: Path, unbroken: str, typed_before: int) -> None:
    with Terminal(tmp_path, *ROUND) as terminal:
        terminal.wait()
        terminal.ask(*TYPED[:typed_before])
        terminal.type(TYPED[typed_before])
        os.kill(terminal.process.pid, signal.SIGKILL)
    assert len(record_in(tmp_path).moves) < len(Record.parse(unbroken).moves)
    with Terminal(tmp_path, "play", "--resume", "round.jsonl") as terminal:
        assert "Since you decided last:" in terminal.wait()
        assert "The rule: The colours alternate" in terminal.ask(*TYPED[typed_before:])
        assert terminal.end() == 0
    assert (tmp_path / "round.jsonl").read_text() == unbroken
    with Terminal(tmp_path, "play", "--resume", "round.jsonl") as terminal:
        assert terminal.end() == 2
        assert "the round is over" in terminal.shown


def test_bad_input_is_answered_at_every_prompt_and_does_no_harm(tmp_path: Path, unbroken: str) -> None:
    with Terminal(tmp_path, *ROUND) as terminal:
        terminal.wait()
        for typed in TYPED:
            for junk in JUNK:
                answer = terminal.ask(junk).removeprefix(f"{junk}\n").removesuffix("\n> ")
                assert re.fullmatch(r"[^\n]+\.( |\n)Type[^\n]+(\n[^\n]+)?\.", answer), answer
            terminal.ask(typed)
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown
    assert (tmp_path / "round.jsonl").read_text() == unbroken


@pytest.mark.parametrize(("keys", "code"), [("\x04", 0), ("\x03", 130), ("quit\n", 0)])
def test_whoever_leaves_is_told_how_to_go_on(tmp_path: Path, unbroken: str, keys: str, code: int) -> None:
    with Terminal(tmp_path, *ROUND) as terminal:
        terminal.wait()
        terminal.ask(*TYPED[:2])
        terminal.leave_by(keys)
        assert terminal.end() == code
        assert terminal.shown.endswith(
            "You leave. The round is kept in round.jsonl; to go on with it:\n  eleusis play --resume round.jsonl\n"
        )
        assert "Traceback" not in terminal.shown
    with Terminal(tmp_path, "play", "--resume", "round.jsonl") as terminal:
        terminal.wait()
        terminal.ask(*TYPED[2:])
    assert (tmp_path / "round.jsonl").read_text() == unbroken


def test_a_dealer_with_a_rule_looks_on_and_picks(tmp_path: Path) -> None:
    rule = "card.color != last.color"
    with Terminal(tmp_path, *SHORT, "--dealer", "me", "--rule", rule) as terminal:
        begin = terminal.wait()
        assert "About 50% of random cards are right." in begin
        assert "Advice: too many cards are right: 50%, and 25% to 40% is good." in begin
        assert f"In the rule language: {rule}" in terminal.ask("rule")
        picked = 0
        while not terminal.over:
            last = terminal.shown.splitlines()[-2]
            if found := re.search(r"as in '(pick \w+)'", last):
                picked += 1
                terminal.ask("pick 7X", found[1])
            else:
                assert last == "You look on. Press Enter to go on for a lap, or type 'end' to go on to the end."
                terminal.ask("junk", "?", "")
        assert terminal.end() == 0
        assert "The rule: " in terminal.shown
    record = record_in(tmp_path)
    assert (record.rule, record.agents) == (rule, ("you", "random", "random", "random"))
    assert sum(isinstance(parse_move(move), Pick) for move in record.moves) == picked > 0
    assert record.scores is not None


def test_a_dealer_by_hand_judges_by_a_rule_on_paper(tmp_path: Path) -> None:
    def right(last: Card, card: Card) -> bool:
        return (last.rank + card.rank) % 2 == 1

    def named(pattern: str) -> tuple[Card, ...]:
        return parse_cards(re.findall(pattern, terminal.shown.replace("\n", " "))[-1])

    kinds = set()
    with Terminal(tmp_path, *SHORT, "--dealer", "me", "--by-hand") as terminal:
        terminal.wait()
        assert "type right, more or wrong" in terminal.ask("maybe")
        terminal.ask("wrong", "right")
        while not terminal.over:
            kind = re.findall(r"You (judge the no play|judge|choose)", terminal.shown)[-1]
            kinds.add(kind)
            (last,) = named(r"Mainline \(\d+\): [^:]*?(\w+[♣♦♥♠]) You")
            if kind == "judge":
                cards = named(r"You judge ((?:\w+[♣♦♥♠] ?)+)\.")
                steps = zip((last, *cards), cards, strict=False)
                terminal.ask("right" if all(right(before, card) for before, card in steps) else "wrong")
            elif kind == "choose":
                hand = named(r"choose a legal card of ((?:\w+[♣♦♥♠] ?)+)\.")
                terminal.ask(next(str(card) for card in hand if right(last, card)))
            else:
                hand = named(r"is none of ((?:\w+[♣♦♥♠] ?)+) legal")
                terminal.ask("wrong" if any(right(last, card) for card in hand) else "right")
        assert terminal.end() == 0
        assert "The rule is on your paper." in terminal.shown
        assert kinds == {"judge", "judge the no play", "choose"}
    record = record_in(tmp_path)
    assert record.rule is None
    line = record.replay().layout.mainline
    assert len(line) > 3
    assert all(right(last, card) for last, card in pairwise(line))


def test_through_a_pipe_there_is_no_colour_and_the_answers_are_seen(tmp_path: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("eleusis"), *ROUND],
        cwd=tmp_path,
        input="\n".join(("?", *TYPED)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    commands = ("  eleusis play", "  eleusis replay")
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if not line.startswith(commands))
    assert "> 7D\nYou play 7♦: right.\n" in done.stdout
    assert [move for move in record_in(tmp_path).moves if isinstance(parse_move(move), Attempt)]
