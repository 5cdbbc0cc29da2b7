from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_agents.chance import RandomAgent
from eleusis_ai.agent import Beliefs
from eleusis_ai.cards import cards_text
from eleusis_ai.moves import Move
from eleusis_ai.profiles import PROFILES
from eleusis_ai.seats.web.entries import (
    AgentSeated,
    Entry,
    MoveMade,
    PersonJoined,
    RoundBegun,
    RoundVoided,
    RuleGiven,
    StarterTurned,
    TableFounded,
    read_entry,
)
from eleusis_ai.seats.web.listener import MOST_FRAMES, TOO_SLOW, Listener
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.sitting import Phase
from eleusis_ai.seats.web.tokens import mark_of
from eleusis_ai.view import View
from tests.properties.rounds import STEADY
from tests.seats.web.hosting import PATIENCE, Frame, LedgerHere, heard, live_table
from tests.seats.web.sittings import deck_of, told

HOST, ANN, BOB = "host token", "ann token", "bob token"
DECK = cards_text(deck_of(PROFILES["howell"], 2))
"""With a red starter seat 1 begins."""
SETTING = TableSetting(seats=4, agents=(None, None, None, "random"), hint="random", pace=0)
GATHERED: list[Entry] = [
    TableFounded(setting=SETTING, seed="s", host=mark_of(HOST)),
    PersonJoined(0, "Host", mark_of(HOST)),
    PersonJoined(1, "Ann", mark_of(ANN)),
]
SEATED = [*GATHERED, PersonJoined(2, "Bob", mark_of(BOB))]
DEALING = [*SEATED, RoundBegun(0, DECK)]
PLAYING = [*DEALING, RuleGiven(rule="card.is_red")]
PHASES: dict[str, list[Entry]] = {
    "gathering": GATHERED,
    "ready": SEATED,
    "dealing": DEALING,
    "turning": [*DEALING, RuleGiven()],
    "playing": PLAYING,
    "judging": [*DEALING, RuleGiven(), StarterTurned("right"), MoveMade("no play")],
    "replaced": [*DEALING, RuleGiven(), StarterTurned("right"), MoveMade("no play"), AgentSeated(0, "random")],
    "over": [*PLAYING, RoundVoided()],
}

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
    st.sampled_from(
        ["random", "tree", "Ann", "Eve", "right", "wrong", "more", "begin", "no play", "7H", "prophet", "pass", HOST]
    ),
    st.sampled_from(["card.is_red", "card.rank > last.rank", "state card.is_red", "no ranks", "((((", "x" * 1000]),
    st.lists(st.integers(), max_size=2),
)
FIELDS = st.dictionaries(
    st.sampled_from(["seat", "name", "agent", "rule", "starter", "hint", "word", "move", "number", "token", "id"]),
    VALUES,
    max_size=4,
)
KINDS = ["join", "leave", "seat", "start", "next", "void", "review", "deal", "starter", "move", "advice", "ping", "x"]
SHAPED: list[dict[str, object]] = [
    {"do": "join", "name": "Eve"},
    {"do": "seat", "seat": 2, "agent": "random"},
    {"do": "starter", "word": "wrong", "number": 99},
    {"do": "move", "move": "no play", "number": 99},
    {"do": "move", "move": "right", "number": 99},
    {"do": "deal", "rule": "card.is_red"},
]
PLAIN: list[dict[str, object]] = [{"do": kind} for kind in KINDS]


@st.composite
def messages(draw: st.DrawFn) -> str | bytes:
    """Draw what a client may send: anything, or a request with fields that are right or wrong."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.text(max_size=60) | st.binary(max_size=60))
    return json.dumps({**draw(st.sampled_from([*SHAPED, *PLAIN])), **draw(FIELDS)})


def with_table(
    entries: list[Entry],
    work: Callable[[LiveTable, LedgerHere], Awaitable[None]],
    *,
    tokens: tuple[str | None, ...] = (),
) -> None:
    async def play() -> None:
        table, ledger = live_table(entries)
        table.wake()
        await work(table, ledger)
        await table.close(1001)

    asyncio.run(play())


async def entered(table: LiveTable, token: str | None) -> Listener:
    listener = Listener()
    await table.take(listener, json.dumps({"do": "enter", "token": token}))
    await heard(listener)
    return listener


async def asked(table: LiveTable, listener: Listener, do: str, **fields: object) -> Frame:
    """Send a request, and return its answer."""
    await table.take(listener, json.dumps({"do": do, "id": 1} | fields))
    return next(frame for frame in await heard(listener) if frame.get("id") == 1)


def the_phase(table: LiveTable) -> Phase:
    return table.sitting.phase


async def idle(table: LiveTable) -> None:
    """Wait until agents have done what they have to."""
    async with asyncio.timeout(PATIENCE):
        while table.sitting.errand() is not None:
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("phase", PHASES)
@settings(STEADY, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([HOST, ANN, BOB, None]), messages()), min_size=1, max_size=5))
def test_whatever_is_sent_the_table_goes_on(phase: str, sent: list[tuple[str | None, str | bytes]]) -> None:
    """Each message is answered; where it is refused nothing has changed; what is acknowledged is kept."""

    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        await idle(table)
        clients = {token: await entered(table, token) for token in (HOST, ANN, BOB, None)}
        for token, message in sent:
            await idle(table)
            before, kept = [told(table.sitting, seat) for seat in (None, 0, 1, 2)], len(ledger.lines)
            for client in clients.values():
                await heard(client)
            await table.take(clients[token], message)
            errors = [frame for frame in await heard(clients[token]) if frame["kind"] == "error"]
            if errors:
                assert "server failed" not in errors[0]["message"]
                assert [told(table.sitting, seat) for seat in (None, 0, 1, 2)] == before
                assert len(ledger.lines) == kept
        await idle(table)
        again = ledger.sitting()
        assert [told(again, seat) for seat in (None, 0, 1, 2)] == [
            told(table.sitting, seat) for seat in (None, 0, 1, 2)
        ]
        assert (await asked(table, clients[HOST], "ping"))["kind"] == "done"

    with_table(PHASES[phase], work)


@pytest.mark.parametrize(
    ("phase", "who", "request_", "code", "told_"),
    [
        ("gathering", None, {"do": "move", "move": "7H", "number": 9}, "not-yours", "no chair"),
        ("gathering", None, {"do": "start"}, "not-yours", "only who made the table"),
        ("gathering", ANN, {"do": "void"}, "not-yours", "only who made the table"),
        ("gathering", ANN, {"do": "seat", "seat": 2, "agent": "random"}, "not-yours", "only who made"),
        ("gathering", HOST, {"do": "start"}, "not-now", "seat 2 is open"),
        ("gathering", HOST, {"do": "next"}, "not-now", "the table is gathering"),
        ("gathering", HOST, {"do": "void"}, "not-now", "no round"),
        ("gathering", HOST, {"do": "seat", "seat": 2, "agent": "elimination"}, "agent", "does not play here; random"),
        ("gathering", HOST, {"do": "seat", "seat": 2, "agent": "os:system"}, "agent", "does not play here"),
        ("gathering", HOST, {"do": "seat", "seat": 4, "agent": "random"}, "not-now", "seats are 0 to 3"),
        ("gathering", HOST, {"do": "seat", "seat": 3, "agent": "random"}, "not-now", "sits at seat 3 already"),
        ("gathering", HOST, {"do": "seat", "seat": 2, "agent": None}, "not-now", "no agent sits at seat 2"),
        ("gathering", ANN, {"do": "join", "name": "Ann"}, "taken", "you have a chair already, at seat 1"),
        ("gathering", None, {"do": "join", "name": "aNN"}, "name", "there is a aNN at the table already"),
        ("gathering", None, {"do": "join", "name": "\n"}, "name", "as in 'Ann'"),
        ("gathering", None, {"do": "join", "name": "Eve", "seat": 3}, "taken", "seat 3 is not open; seat 2 is"),
        ("gathering", None, {"do": "leave"}, "not-yours", "no chair"),
        ("gathering", HOST, {"do": "deal", "rule": "card.is_red"}, "not-now", "before the cards are dealt"),
        ("gathering", HOST, {"do": "advice"}, "not-now", "you are advised when you are asked"),
        ("ready", None, {"do": "join", "name": "Eve"}, "full", "no chair is open"),
        ("dealing", ANN, {"do": "deal", "rule": "card.is_red"}, "not-yours", "seat 0 deals"),
        ("dealing", ANN, {"do": "review", "rule": "card.is_red"}, "not-yours", "seat 0 deals"),
        ("dealing", HOST, {"do": "deal", "rule": "card is red"}, "rule", "^"),
        ("dealing", HOST, {"do": "review", "rule": "card is red"}, "rule", "^"),
        ("dealing", HOST, {"do": "deal", "rule": "card.rank > last.rank"}, "rule", "after KC no card is ever legal"),
        ("dealing", HOST, {"do": "deal", "rule": "card.is_red", "hint": "no ranks"}, "hint", "howell has no hints"),
        ("dealing", HOST, {"do": "deal", "starter": "card.is_red"}, "rule", "on paper"),
        ("dealing", HOST, {"do": "starter", "word": "right", "number": 99}, "not-now", "no card is turned"),
        ("turning", HOST, {"do": "starter", "word": "begin", "number": 99}, "illegal", "right, more, wrong"),
        ("turning", HOST, {"do": "starter", "word": "right", "number": 5}, "stale", "something else"),
        ("turning", ANN, {"do": "starter", "word": "right", "number": 99}, "not-yours", "seat 0 deals"),
        ("turning", HOST, {"do": "deal", "rule": "card.is_red"}, "not-now", "before the cards are dealt"),
        ("playing", ANN, {"do": "move", "move": "hello", "number": 99}, "illegal", "is not a move"),
        ("playing", ANN, {"do": "move", "move": "pass", "number": 99}, "illegal", "it is a turn: play cards"),
        ("playing", ANN, {"do": "move", "move": "state card is red", "number": 99}, "rule", "^"),
        ("playing", ANN, {"do": "move", "move": "no play", "number": 5}, "stale", "something else"),
        ("playing", BOB, {"do": "move", "move": "no play", "number": 99}, "not-now", "it is seat 1: play"),
        ("playing", HOST, {"do": "start"}, "not-now", "the table is playing"),
        ("replaced", HOST, {"do": "move", "move": "right", "number": 99}, "not-yours", "random sits in your chair"),
        ("over", ANN, {"do": "move", "move": "no play", "number": 99}, "not-now", "no round is in play"),
        ("over", HOST, {"do": "start"}, "not-now", "the table is over"),
    ],
)
def test_why_a_request_is_refused(
    phase: str, who: str | None, request_: dict[str, object], code: str, told_: str
) -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        client = await entered(table, who)
        do = str(request_["do"])
        answer = await asked(table, client, do, **{name: each for name, each in request_.items() if name != "do"})
        assert (answer["kind"], answer["code"]) == ("error", code)
        assert told_ in answer["message"]
        assert len(ledger.lines) == len(PHASES[phase])

    with_table(PHASES[phase], work)


def test_the_first_message_enters() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        listener = Listener()
        await table.take(listener, '{"do":"ping","id":4}')
        assert [(frame["id"], frame["code"]) for frame in await heard(listener)] == [(4, "not-now")]
        await table.take(listener, '{"do":"enter","token":"of another table"}')
        welcome, history, state = await heard(listener)
        told = [(event["event"], event.get("cards")) for event in history["news"]]
        assert ("Dealt", None) in told, "the cards of a hand are told to nobody else"
        assert told[-1][0] == "TurnBegan"
        assert welcome["you"] == {"seat": None, "host": False}
        assert (welcome["protocol"], welcome["agents"], "token" in welcome) == (1, ["random"], False)
        assert (state["private"], state["public"]["spectators"], state["public"]["news"]) == (None, 1, [])

    with_table(PLAYING, work)


def test_a_person_joins_leaves_and_comes_back() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        bob = await entered(table, None)
        await table.take(bob, '{"do":"join","name":"Bob"}')
        welcome, state, _ = await heard(bob)
        assert welcome["you"] == {"seat": 2, "host": False}
        assert state["public"]["chairs"][2] == {
            "seat": 2, "kind": "person", "name": "Bob", "agent": None, "whose": None, "present": True, "host": False,
            "deals": False,
        }  # fmt: skip
        assert welcome["token"].encode() not in b"".join(ledger.lines)
        again = await entered(table, welcome["token"])
        assert (await asked(table, again, "leave"))[
            "kind"
        ] == "done"  # before the first round the chair is free again
        assert table.sitting.chairs[2].kind == "open"

    with_table(GATHERED, work)


def test_in_a_round_a_chair_stays_its_persons() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        host, ann = await entered(table, HOST), await entered(table, ANN)
        await table.take(ann, '{"do":"leave"}')
        welcome, _, state, _ = await heard(ann)
        assert welcome["you"]["seat"] is state["private"] is None
        assert not state["public"]["chairs"][1]["present"]
        assert len(ledger.lines) == len(PLAYING)
        assert (await asked(table, ann, "move", move="no play", number=99))["code"] == "not-yours"
        await asked(table, host, "seat", seat=1, agent="random")
        await idle(table)
        assert table.sitting.chairs[1].agent == "random"
        await table.take(ann, json.dumps({"do": "enter", "token": ANN}))
        welcome, _, state = (await heard(ann))[-3:]
        assert welcome["you"]["seat"] == state["private"]["seat"] == 1
        assert state["public"]["chairs"][1]["whose"] == "Ann"
        await asked(table, host, "seat", seat=1, agent=None)
        assert table.sitting.chairs[1].kind == "person"

    with_table(PLAYING, work)


def test_an_answer_holds_while_others_come_and_go_but_not_after_the_next_decision() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        host, ann = await entered(table, HOST), await entered(table, ANN)
        seen = table.sitting.number
        await asked(table, host, "seat", seat=2, agent="random")
        assert (await asked(table, ann, "move", move="no play", number=seen))["kind"] == "done"
        assert (await asked(table, ann, "move", move="no play", number=seen))["code"] in ("stale", "not-now")

    with_table(PLAYING, work)


def test_nothing_is_told_before_it_is_on_the_disk() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        ann, spectator = await entered(table, ANN), await entered(table, None)
        await heard(ann)
        ledger.taken = asyncio.Event()
        asking = asyncio.ensure_future(
            table.take(ann, json.dumps({"do": "move", "id": 1, "move": "no play", "number": table.sitting.number}))
        )
        await asyncio.sleep(0.01)
        assert (ann.waiting, spectator.waiting, asking.done()) == (0, 0, False)
        asking.cancel()  # whoever asked has gone; what is being written down is done all the same
        ledger.taken.set()
        while spectator.waiting == 0:
            await asyncio.sleep(0)
        assert (await heard(spectator))[0]["number"] == len(PLAYING) + 1 == len(ledger.lines)
        assert [frame["kind"] for frame in await heard(ann)] == ["state", "done"]

    with_table(PLAYING, work)


def test_what_the_disk_does_not_take_is_not_done() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        ann = await entered(table, ANN)
        ledger.full = True
        before = told(table.sitting, 1)
        answer = await asked(table, ann, "move", move="no play", number=99)
        assert (answer["code"], told(table.sitting, 1)) == ("failed", before)
        ledger.full = False
        assert (await asked(table, ann, "move", move="no play", number=99))["kind"] == "done"

    with_table(PLAYING, work)


def test_who_does_not_read_is_dropped_and_nobody_waits() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        slow, host = await entered(table, None), await entered(table, HOST)
        for _ in range(MOST_FRAMES // 2 + 1):
            await asked(table, host, "seat", seat=2, agent="random")
            await asked(table, host, "seat", seat=2, agent=None)
        assert await slow.dropped() == TOO_SLOW
        assert slow.waiting == MOST_FRAMES
        assert (await asked(table, host, "ping"))["kind"] == "done"

    with_table([*SEATED], work)


def test_many_who_come_and_go_are_told_once() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        ann = await entered(table, ANN)
        others = [await entered(table, None) for _ in range(60)]
        await asyncio.gather(*(table.gone(other) for other in others[:10]))
        async with asyncio.timeout(PATIENCE):
            while not ann.waiting:
                await asyncio.sleep(0.01)
        (state,) = await heard(ann)
        assert (state["public"]["spectators"], state["number"]) == (50, len(PLAYING))
        assert all(other.waiting == 0 for other in others[:10])

    with_table(PLAYING, work)


def test_a_rule_is_looked_over_and_nothing_changes() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        host = await entered(table, HOST)
        found = await asked(table, host, "review", rule="card.color != last.color")
        assert (found["kind"], found["ok"], found["acceptance"]) == ("review", True, 0.5)
        assert found["words"]["fr"].startswith("Jouez") or found["words"]["fr"]
        assert found["advice"] == ["too many cards are right: 50%, and 25% to 40% is good"]
        refused = await asked(table, host, "review", rule="card.rank > last.rank")
        assert (refused["ok"], refused["refusals"]) == (False, ["after KC no card is ever legal"])
        assert table.sitting.phase is Phase.DEALING
        assert len(ledger.lines) == len(DEALING)

    with_table(DEALING, work)


def test_hints_are_offered_where_the_profile_has_them() -> None:
    founded = TableFounded(setting=TableSetting(profile="no-prophet", seats=4), seed="s", host=mark_of(HOST))
    people = [PersonJoined(seat, name, mark_of(name)) for seat, name in enumerate("ABCD")]
    begun = RoundBegun(0, cards_text(deck_of(PROFILES["no-prophet"], 1)))

    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        dealer = await entered(table, "A")
        found = await asked(table, dealer, "review", rule="card.color != last.color")
        assert {"text": "no ranks", "words": "Ranks do not matter."} in found["hints"]
        assert (await asked(table, dealer, "deal", rule="card.color != last.color"))["code"] == "hint"
        untrue = await asked(table, dealer, "deal", rule="card.color != last.color", hint="no suits")
        assert "true ones: 'no ranks'" in untrue["message"]
        assert (await asked(table, dealer, "deal", rule="card.is_red", hint="hint"))["code"] == "hint"
        assert (await asked(table, dealer, "deal", rule="card.color != last.color", hint="no ranks"))[
            "kind"
        ] == "done"

    with_table([founded, *people, begun], work)


def test_advice_is_for_who_is_asked() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        ann, bob, host = [await entered(table, token) for token in (ANN, BOB, HOST)]
        found = await asked(table, ann, "advice")
        assert (found["kind"], found["rules"], found["reason"]) == ("advice", [], None)
        assert [(await asked(table, other, "advice"))["code"] for other in (bob, host)] == ["not-now"] * 2
        assert (await asked(table, ann, "move", move=found["move"], number=99))["kind"] == "done"

    with_table(PLAYING, work)


@pytest.mark.parametrize(
    ("agent", "fault"),
    [("tests.seats.sitters:Fails", "raised ZeroDivisionError"), ("tests.seats.sitters:Cheats", "illegal")],
)
def test_an_agent_that_fails_gets_the_first_legal_move(agent: str, fault: str) -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        host = await entered(table, HOST)
        await idle(table)
        entry = read_entry(ledger.lines[len(PLAYING) + 1])
        assert isinstance(entry, MoveMade)
        assert entry.fault == fault
        await asked(table, host, "void")
        record = table.sitting.played[0].record
        assert record is not None
        assert record.substitutes[1] == fault
        record.replay()

    with_table([*PLAYING, AgentSeated(1, agent)], work)


def test_what_an_agent_thinks_is_kept() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        await idle(table)
        thought = table.sitting._thoughts[0]
        assert (thought.move, thought.seat) == (1, 1)
        assert thought.rules == (("card.is_red", 0.5), ("no rule at all", 0.25), ("card.is_odd", 0.2))

    with_table([*PLAYING, AgentSeated(1, "tests.seats.web.test_live_table:Thinks")], work)


def test_an_adviser_tells_why_and_what_it_thinks() -> None:
    setting = msgspec.structs.replace(SETTING, hint="tests.seats.web.test_live_table:Thinks")
    founded = TableFounded(setting=setting, seed="s", host=mark_of(HOST))

    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        found = await asked(table, await entered(table, ANN), "advice")
        assert found["reason"] == f"I play {found['move']} because it is there."
        assert [(rule["text"], rule["weight"], rule["words"] is None) for rule in found["rules"]] == [
            ("card.is_red", 0.5, False),
            ("no rule at all", 0.25, True),
            ("card.is_odd", 0.2, False),
        ]

    with_table([founded, *PLAYING[1:]], work)


class Thinks(RandomAgent):
    """Plays by lot, and has something to say."""

    def beliefs(self, view: View) -> Beliefs:
        rules = (("card.is_red", 0.5), ("no rule at all", 0.25), ("card.is_odd", 0.2), ("card.is_face", 0.05))
        return Beliefs((), rules)

    def reason(self, view: View, move: Move) -> str:
        return f"I play {move} because it is there."


def test_a_judge_by_hand_who_was_replaced_leaves_the_round_to_the_host() -> None:
    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        host = await entered(table, HOST)
        state = (await asked(table, host, "ping"))["number"]
        assert state == len(PHASES["replaced"])
        assert (await asked(table, host, "void"))["kind"] == "done"
        assert the_phase(table) is Phase.OVER
        await table.take(host, '{"do":"next"}')
        await idle(table)  # a program deals now
        assert the_phase(table) is Phase.PLAYING
        assert table.sitting.round is not None
        assert table.sitting.round.rule is not None

    with_table([*PHASES["replaced"]], work)


def test_a_log_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eleusis_ai.seats.web.live_table.MOST_ENTRIES", len(PLAYING))

    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        ann = await entered(table, ANN)
        assert (await asked(table, ann, "move", move="no play", number=99))["code"] == "full"

    with_table(PLAYING, work)
