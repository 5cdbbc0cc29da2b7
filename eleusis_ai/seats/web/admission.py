"""What a request makes of a table: the entry that it writes into the log, or why it is refused."""

from __future__ import annotations

from collections.abc import Collection

from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import InvalidMove, parse_move
from eleusis_ai.seats.web.entries import (
    AgentSeated,
    Entry,
    MoveMade,
    PersonJoined,
    PersonLeft,
    RoundVoided,
    StarterTurned,
)
from eleusis_ai.seats.web.looking_over import rule_given
from eleusis_ai.seats.web.requests import (
    Deal,
    Join,
    JudgeStarter,
    Leave,
    MakeMove,
    Next,
    Refused,
    Request,
    SeatAgent,
    Start,
    Void,
    person_name,
)
from eleusis_ai.seats.web.setting import InvalidTable, check_agent
from eleusis_ai.seats.web.sitting import Phase, Sitting, Who


def admitted(request: Request, sitting: Sitting, who: Who, *, token: str, offered: Collection[str]) -> Entry:
    """Return the entry that ``request`` writes. Nothing has changed yet; for a rule this may take half a second.

    Args:
        request: One that writes an entry.
        sitting: The table.
        who: Who asks.
        token: The mark of the token by which one who joins comes back.
        offered: The agents that may be seated.

    Raises:
        Refused: if it may not be done.
    """
    match request:
        case Join():
            return _joined(request, sitting, who, token)
        case Leave():
            seat = _seat(who)
            if sitting.phase is not Phase.GATHERING:
                raise Refused("not-now", "the chair stays yours; come back to it with your token")
            return PersonLeft(seat)
        case SeatAgent():
            return _seated(request, sitting, who, offered)
        case Start() | Next():
            _host(who)
            return _begun(request, sitting)
        case Void():
            _host(who)
            if sitting.phase not in (Phase.DEALING, Phase.PLAYING):
                raise Refused("not-now", "no round goes on that could be ended")
            return RoundVoided()
        case Deal():
            check_dealer(sitting, who)
            return rule_given(request, sitting.profile)
        case JudgeStarter():
            return _starter(request, sitting, who)
        case MakeMove():
            return _moved(request, sitting, who)
        case _:
            raise Refused("not-now", f"{type(request).__name__} asks for nothing that is written down")


def check_dealer(sitting: Sitting, who: Who) -> None:
    """Refuse whoever may not choose a rule now.

    Raises:
        Refused: saying why.
    """
    if sitting.phase is not Phase.DEALING or sitting.starters is not None:
        raise Refused("not-now", "a rule is chosen before the cards are dealt")
    if who.seat != sitting.dealer:
        raise Refused("not-yours", f"seat {sitting.dealer} deals this round")
    _in_chair(sitting, sitting.dealer)


def _seat(who: Who) -> int:
    if who.seat is None:
        raise Refused("not-yours", "you have no chair here; join first")
    return who.seat


def _host(who: Who) -> None:
    if not who.host:
        raise Refused("not-yours", "only who made the table may do that")


def _in_chair(sitting: Sitting, seat: int) -> None:
    """Refuse a person in whose chair an agent sits."""
    agent = sitting.chairs[seat].agent
    if agent is not None:
        raise Refused("not-yours", f"{agent} sits in your chair; the host may give it back")


def _joined(request: Join, sitting: Sitting, who: Who, token: str) -> PersonJoined:
    name = person_name(request.name)
    if who.seat is not None:
        raise Refused("taken", f"you have a chair already, at seat {who.seat}")
    people = (chair.person.name.casefold() for chair in sitting.chairs if chair.person is not None)
    if name.casefold() in people:
        raise Refused("name", f"there is a {name} at the table already; take another name")
    open_seats = [seat for seat, chair in enumerate(sitting.chairs) if chair.kind == "open"]
    if not open_seats:
        raise Refused("full", "no chair is open; the host may open one, and anybody may look on")
    if request.seat is None:
        return PersonJoined(open_seats[0], name, token)
    if request.seat not in open_seats:
        raise Refused("taken", f"seat {request.seat} is not open; seat {open_seats[0]} is")
    return PersonJoined(request.seat, name, token)


def _seated(request: SeatAgent, sitting: Sitting, who: Who, offered: Collection[str]) -> AgentSeated:
    _host(who)
    seat, agent = request.seat, request.agent
    if seat >= len(sitting.chairs):
        raise Refused("not-now", f"there is no seat {seat}; seats are 0 to {len(sitting.chairs) - 1}")
    if agent == sitting.chairs[seat].agent:
        held = f"{agent} sits at seat {seat} already" if agent else f"no agent sits at seat {seat}"
        raise Refused("not-now", held)
    if agent is not None:
        try:
            check_agent(agent, offered)
        except InvalidTable as error:
            raise Refused("agent", str(error)) from None
    return AgentSeated(seat, agent)


def _begun(request: Start | Next, sitting: Sitting) -> Entry:
    wanted = Phase.GATHERING if isinstance(request, Start) else Phase.OVER
    if sitting.phase is not wanted:
        raise Refused("not-now", f"the table is {sitting.phase.value}; a round begins when the last one is over")
    for seat, chair in enumerate(sitting.chairs):
        if chair.kind == "open":
            raise Refused("not-now", f"seat {seat} is open; put an agent there, or wait for somebody to join")
    return sitting.begun()


def _starter(request: JudgeStarter, sitting: Sitting, who: Who) -> StarterTurned:
    found = sitting.starters
    if sitting.phase is not Phase.DEALING or found is None:
        raise Refused("not-now", "no card is turned of which to say whether it fits")
    if who.seat != sitting.dealer:
        raise Refused("not-yours", f"seat {sitting.dealer} deals this round")
    _in_chair(sitting, sitting.dealer)
    _fresh(request.number, sitting)
    if request.word not in found.words:
        raise Refused("illegal", f"{request.word!r} is no answer here; one of: {', '.join(found.words)}")
    return StarterTurned(request.word)


def _moved(request: MakeMove, sitting: Sitting, who: Who) -> MoveMade:
    seat = _seat(who)
    _fresh(request.number, sitting)
    round_ = sitting.round
    if sitting.phase is not Phase.PLAYING or round_ is None or round_.decision is None:
        raise Refused("not-now", "no round is in play")
    if round_.decision.seat != seat:
        raise Refused("not-now", f"you are not asked; it is {round_.decision}")
    _in_chair(sitting, seat)
    if not sitting.answers(seat):
        raise Refused("not-now", "a program dealt this round, and picks by its own rule")
    try:
        move = parse_move(request.move)
        round_.check(move)
    except (InvalidMove, IllegalMove) as error:
        code = "rule" if isinstance(error, InvalidMove) and request.move.lower().startswith("state ") else "illegal"
        raise Refused(code, str(error)) from None
    return MoveMade(str(move))


def _fresh(number: int, sitting: Sitting) -> None:
    if number < sitting.decided:
        raise Refused(
            "stale", f"that answers what was asked at number {number}; since {sitting.decided} it is something else"
        )
