"""The pages over HTTP: start and tables, in the visitor's language, with their assets and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.catalog import known_families
from eleusis_ai.seats.web import pages
from eleusis_ai.seats.web.hall import Hall, UnknownTable
from eleusis_ai.seats.web.setting import DEALERS, MOST_TABLES

COOKIE = "language"
"""What keeps the language that a visitor has chosen."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What the start page has to choose from."""

    ways: tuple[tuple[str, int, int], ...]
    """The profiles, with the fewest and the most players."""
    agents: tuple[str, ...]
    """Who may be seated."""
    families: tuple[str, ...]
    dealers: tuple[str, ...] = DEALERS
    most_tables: int = MOST_TABLES
    """Of a class."""

    @classmethod
    def of(cls, agents: Sequence[str]) -> Offers:
        """Return what there is where ``agents`` may be seated."""
        ways = ((name, profile.min_seats, profile.max_seats) for name, profile in PROFILES.items())
        return cls(tuple(ways), tuple(agents), known_families())


def page_routes(hall: Hall) -> list[Route]:
    """Return the routes of the pages of ``hall``."""
    return [
        Route("/", partial(_start, hall)),
        Route("/t/{table}", partial(_table, hall)),
        Route("/c/{group}", partial(_board, hall)),
        Route("/assets/{name}", _asset),
        Route("/words/{language}.json", _words),
    ]


async def _start(hall: Hall, request: Request) -> Response:
    return _page("start.html", request, offers=Offers.of(hall.agents))


async def _table(hall: Hall, request: Request) -> Response:
    name = request.path_params["table"]
    try:
        hall.find(name)
    except UnknownTable:
        return _page("missing.html", request, status=404)
    return _page("table.html", request, table=name)


async def _board(hall: Hall, request: Request) -> Response:
    name = request.path_params["group"]
    try:
        hall.find_class(name)
    except UnknownTable:
        return _page("missing.html", request, status=404)
    return _page("board.html", request, group=name)


def _page(template: str, request: Request, *, status: int = 200, **values: object) -> Response:
    language = pages.language_of(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))
    return HTMLResponse(pages.render(template, language, **values), status)


async def _asset(request: Request) -> Response:
    try:
        body, media = pages.asset(request.path_params["name"])
    except pages.UnknownAsset as error:
        return Response(str(error), 404, media_type="text/plain")
    return _file(request, body, media)


async def _words(request: Request) -> Response:
    try:
        body = pages.words_json(request.path_params["language"])
    except LookupError as error:
        return Response(str(error), 404, media_type="text/plain")
    return _file(request, body, "application/json")


def _file(request: Request, body: bytes, media: str) -> Response:
    """Answer with a file, or that the browser has it already."""
    headers = {"Cache-Control": "no-cache", "ETag": f'"{sha256(body).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media, headers=headers)
