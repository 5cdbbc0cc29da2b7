"""A table without a server: pages, requests and frames are the real ones, and nothing leaves the test's process."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute

from eleusis_ai.moves import Attempt, DecisionKind
from eleusis_ai.seats.web import pages, replies
from eleusis_ai.seats.web.admission import admitted
from eleusis_ai.seats.web.chronicle import chronicle_of
from eleusis_ai.seats.web.entries import Entry, MoveMade, PersonJoined, RuleGiven, TableFounded
from eleusis_ai.seats.web.frames import private_part, public_part, state_frame
from eleusis_ai.seats.web.gate import POLICY
from eleusis_ai.seats.web.looking_over import look_over
from eleusis_ai.seats.web.requests import AskAdvice, Enter, Join, LookOver, Ping, Refused, Request, read_request
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.site import Offers
from eleusis_ai.seats.web.sitting import Phase, Sitting, Who
from eleusis_ai.seats.web.tokens import mark_of
from tests.browser.chromium import PATIENCE

ADDRESS = "http://127.0.0.1:9"
RULE = "card.color != last.color"
AGENTS = ("elimination:club", "random", "tree")
PAGES: dict[str, tuple[str, dict[str, object]]] = {
    "/": ("start.html", {"offers": Offers.of(AGENTS)}),
    "/t/abc": ("table.html", {"table": "abc"}),
}


class Parlour:
    """One table and those who look at it. Nothing happens by itself: a test says what does."""

    def __init__(self, seed: int = 1, /, **setting: object) -> None:
        laid = msgspec.convert({"seats": 4, "agents": ["catalog", None, "random", "tree"]} | setting, TableSetting)
        self.sitting = Sitting(TableFounded(setting=laid, seed=f"{seed}", host=mark_of("host")))
        self.sockets: dict[WebSocketRoute, Who] = {}
        self.made: TableSetting | None = None
        """What the start page asked for last."""
        self.requests: list[dict[str, object]] = []
        """What the pages have sent."""
        self.refuse: Callable[[dict[str, object]], tuple[str, str] | None] = lambda _: None
        """A fault that a test puts in: the code and message with which a request is refused."""
        self.beliefs: tuple[tuple[str, float], ...] = ()
        """What agents believe, and the adviser too."""
        self.deaf = False
        """Whether requests are left unanswered."""
        self._rng = Random(seed)

    # What happens at the table.

    def write(self, *entries: Entry) -> None:
        """Let entries happen, and tell everybody."""
        for entry in entries:
            self.sitting.apply(entry)
            for socket in list(self.sockets):
                self._state(socket)

    def seat(self, name: str = "Ann", seat: int = 1) -> str:
        """Seat a person, and return the token."""
        token = f"token of {name}"
        self.write(PersonJoined(seat, name, mark_of(token)))
        return token

    def begin(self, rule: str | None = RULE, **given: str) -> None:
        """Begin a round by a rule."""
        self.write(self.sitting.begun(), RuleGiven(rule=rule, **given))

    def move(self, *moves: str) -> None:
        """Let whoever is asked answer."""
        self.write(*(MoveMade(move, beliefs=self.beliefs) for move in moves))

    def play_on(self, until: Callable[[Sitting], bool], *, right: float = 0.6) -> None:
        """Let whoever is asked make chance moves, right ones with that chance, until a state is reached."""
        while not until(self.sitting):
            round_ = self.sitting.round
            assert round_ is not None
            assert round_.decision is not None, "the round is over and has not come to that"
            self.move(self._sampled(right))

    def _sampled(self, right: float) -> str:
        round_ = self.sitting.round
        assert round_ is not None
        moves = round_.legal_moves()
        if moves.kind is not DecisionKind.PLAY:
            return str(next(iter(moves)))
        if round_.rule is not None and self._rng.random() < right:
            legal = [card for card in moves.hand if round_.rule.allows(round_.layout.mainline, card)]
            if legal:
                return str(Attempt((self._rng.choice(legal),)))
        cards = self._rng.sample(moves.hand, min(moves.longest, self._rng.choice((1, 1, 1, 2, 3))))
        return str(Attempt(tuple(cards)))

    # What a browser asks for.

    def serve(self, context: BrowserContext) -> None:
        """Answer whatever the pages of a browser ask for."""
        context.route("**/*", self._answer)
        context.route_web_socket("**/ws", self._listen)

    def drop(self) -> None:
        """Break all lines."""
        for socket in list(self.sockets):
            socket.close()
        self.sockets.clear()

    def open(self, context: BrowserContext, token: str | None = None, language: str = "en") -> Page:
        """Open the table as the bearer of a token."""
        context.add_cookies([{"name": "language", "value": language, "url": ADDRESS}])
        if token is not None:
            kept = f"localStorage.setItem('eleusis/abc/token', JSON.stringify('{token}'))"
            context.add_init_script(f"if (location.origin === '{ADDRESS}') {kept}")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{ADDRESS}/t/abc")
        page.locator("body:not([data-phase=''])").wait_for()
        return page

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        headers = {"Content-Security-Policy": POLICY}
        if path in PAGES:
            cookie = route.request.header_value("cookie") or ""
            template, values = PAGES[path]
            html = pages.render(template, pages.language_of(cookie.partition("language=")[2], ""), **values)
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)
        elif path == "/tables":
            self._make(route)
        elif path.startswith("/assets/"):
            body, media = pages.asset(path.removeprefix("/assets/"))
            route.fulfill(body=body, content_type=media, headers=headers)
        elif path.startswith("/words/"):
            route.fulfill(body=pages.words_json(path[7:9]), content_type="application/json", headers=headers)
        elif path.startswith("/t/abc/rounds/"):
            chronicle = msgspec.json.encode(chronicle_of(self.sitting, int(path.rpartition("/")[2])))
            route.fulfill(body=chronicle, content_type="application/json", headers=headers)
        else:
            route.fulfill(status=404)

    def _make(self, route: Route) -> None:
        try:
            self.made = msgspec.json.decode(route.request.post_data or "", type=TableSetting)
            route.fulfill(status=201, json={"table": "abc", "token": "host"})
        except msgspec.ValidationError as error:
            route.fulfill(status=400, json={"code": "setting", "message": str(error)})

    def _listen(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda message: self._hear(socket, str(message)))
        socket.on_close(lambda *_: self.sockets.pop(socket, None) and None)

    def _hear(self, socket: WebSocketRoute, message: str) -> None:
        sent = msgspec.json.decode(message)
        self.requests.append(sent)
        if self.deaf:
            return
        request = read_request(message)
        if isinstance(request, Enter):
            self.sockets[socket] = self.sitting.who(None if request.token is None else mark_of(request.token))
            self._welcome(socket)
            if self.sitting.round is not None:
                socket.send(replies.history(self.sitting.number, self.sitting.round.events).decode())
            self._state(socket)
            return
        try:
            if fault := self.refuse(sent):
                raise Refused(*fault)
            socket.send(self._answer_to(socket, request).decode())
        except Refused as error:
            socket.send(replies.error(request.id, error.code, str(error)).decode())

    def _answer_to(self, socket: WebSocketRoute, request: Request) -> bytes:
        """Do what is asked for, and return what answers it."""
        if isinstance(request, LookOver):
            return replies.reviewed(request.id, look_over(request.rule, request.starter, self.sitting.profile))
        if isinstance(request, AskAdvice):
            return replies.advice(request.id, "7H 9D", reason="They are likely.", rules=self.beliefs)
        if not isinstance(request, Ping):
            token = "token of a newcomer"
            self.write(admitted(request, self.sitting, self.sockets[socket], token=mark_of(token), offered=AGENTS))
            if isinstance(request, Join):
                self.sockets[socket] = self.sitting.who(mark_of(token))
                self._welcome(socket, token)
                self._state(socket)
        return replies.done(request.id, self.sitting.number)

    def _welcome(self, socket: WebSocketRoute, token: str | None = None) -> None:
        welcome = replies.welcome(self.sockets[socket], self.sitting.setting, agents=AGENTS, token=token)
        socket.send(welcome.decode())

    def _state(self, socket: WebSocketRoute) -> None:
        seat = self.sockets[socket].seat
        present = frozenset(who.seat for who in self.sockets.values() if who.seat is not None)
        public = public_part(self.sitting, present=present, spectators=0)
        private = None if seat is None else private_part(self.sitting, seat)
        socket.send(state_frame(self.sitting.number, public, private).decode())


def asked(seat: int, kind: DecisionKind = DecisionKind.PLAY, accepted: int = 0) -> Callable[[Sitting], bool]:
    """Return the state in which a seat is asked for something, with so many cards on the mainline."""

    def there(sitting: Sitting) -> bool:
        round_ = sitting.round
        if round_ is None or round_.decision is None or len(round_.layout.mainline) < accepted:
            return False
        return round_.decision.seat == seat and round_.decision.kind is kind

    return there


def over(sitting: Sitting) -> bool:
    """Tell whether the round is over."""
    return sitting.phase is Phase.OVER
