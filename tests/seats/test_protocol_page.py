"""The examples of the protocol's page are what is said at a table, and the page names every message and field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec

from eleusis_ai.contracts.tour import deal
from eleusis_ai.events import Event, parse_event
from eleusis_ai.profiles import Profile, load_profile
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats import faults
from eleusis_ai.seats.conversation import Conversation
from eleusis_ai.seats.protocol import (
    VERSION,
    DecisionMessage,
    FromProgram,
    FromTable,
    Hello,
    MoveMessage,
    read_from_table,
    write,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


class Scripted:
    """A line to a program that plays the first legal move, save that it plays a card it does not hold at first."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._answers: list[str] = []

    def say(self, text: str) -> None:
        for line in text.splitlines():
            self.said.append(line)
            message = read_from_table(line)
            if isinstance(message, Hello):
                self._answer(Hello(VERSION, "my bot"))
            if isinstance(message, DecisionMessage):
                move = "AS" if message.number == 2 else message.legal[0]
                self._answer(MoveMessage(number=message.number, move=move))

    def _answer(self, message: FromProgram) -> None:
        self._answers.append(write(message))

    def hear(self, deadline: float) -> bytes:
        self.said.append(self._answers.pop(0))
        return self.said[-1].encode()

    def end(self, deadline: float) -> None:
        pass

    def close(self) -> None:
        pass


def conversation() -> list[str]:
    """Return all that is said with the program at seat 1 in one round, in order."""
    round_, line = deal(load_profile("short"), Rule.parse("card.color != last.color"), "page", seats=4), Scripted()
    talk = Conversation(line, seed="page", time_limit=10.0)
    while (decision := round_.decision) is not None:
        moves = round_.legal_moves()
        if decision.seat == 1:
            talk.ask(round_.view(1))
        round_.apply(next(iter(moves)))
    talk.end(round_.view(1))
    return line.said


def test_every_example_is_said() -> None:
    said = conversation()
    for example in EXAMPLES:
        line = msgspec.json.encode(json.loads(example)).decode()
        assert line in said or '"problem":"I have' in line, line


def test_every_message_and_field_is_on_the_page() -> None:
    shown = {json.loads(example)["type"] for example in EXAMPLES}
    messages = {*get_args(FromTable), *get_args(FromProgram)}
    assert shown == {kind.__struct_config__.tag for kind in messages}
    for kind in messages:
        for field in kind.__struct_fields__:
            assert f"`{field}`" in PAGE, (kind, field)
    assert f"version {VERSION}" in PAGE


def test_every_form_of_event_is_on_the_page() -> None:
    section = PAGE.partition("## events")[2].partition("## view")[0]
    texts = re.findall(r"^\| `([^`]+ [^`]+)` \|", section, re.MULTILINE)
    assert {type(parse_event(text)) for text in texts} == {*kinds(Event)}


def kinds(base: type[Event]) -> Iterator[type[Event]]:
    for kind in base.__subclasses__():
        if hasattr(kind, "form"):
            yield kind
        yield from kinds(kind)


def test_every_fault_is_on_the_page() -> None:
    for name, fault in vars(faults).items():
        if isinstance(fault, type) and name != "Misbehaved":
            assert f"| {name} |" in PAGE, name


def test_the_fields_of_a_profile_are_told_by_the_command_that_the_page_names() -> None:
    assert "`eleusis profiles show" in PAGE
    assert set(json.loads(next(line for line in conversation() if '"profile"' in line))["profile"]) == set(
        Profile.__struct_fields__
    )
