"""The pages over HTTP: start, tables, their assets and words, under a policy that lets nothing else in."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.catalog import known_families
from eleusis_ai.seats.web import pages
from eleusis_ai.seats.web.hall import Hall
from eleusis_ai.seats.web.setting import DEALERS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of every page: nothing that is not a file of this server, and no script in a text."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What goes with every page; an address holds the table's token, and is told to nobody."""
COOKIE = "language"
"""What keeps the language that a visitor has chosen."""


def page_routes(hall: Hall) -> list[Route]:
    """Return the routes of the pages of ``hall``."""
    return [
        Route("/", partial(_start, hall)),
        Route("/t/{table}", partial(_table, hall)),
        Route("/assets/{name}", _asset),
        Route("/words/{language}.json", _words),
    ]


async def _start(hall: Hall, request: Request) -> Response:
    ways = [(name, profile.min_seats, profile.max_seats) for name, profile in PROFILES.items()]
    return _page("start.html", request, ways=ways, agents=hall.agents, dealers=DEALERS, families=known_families())


async def _table(hall: Hall, request: Request) -> Response:
    name = request.path_params["table"]
    hall.find(name)
    return _page("table.html", request, table=name)


def _page(template: str, request: Request, **values: object) -> Response:
    language = pages.language_of(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))
    return HTMLResponse(pages.render(template, language, **values), headers=HEADERS | {"Cache-Control": "no-store"})


async def _asset(request: Request) -> Response:
    try:
        body, media = pages.asset(request.path_params["name"])
    except pages.UnknownAsset as error:
        return Response(str(error), 404, media_type="text/plain")
    return Response(body, media_type=media, headers=HEADERS | {"Cache-Control": "no-cache"})


async def _words(request: Request) -> Response:
    try:
        body = pages.words_json(request.path_params["language"])
    except LookupError as error:
        return Response(str(error), 404, media_type="text/plain")
    return Response(body, media_type="application/json", headers=HEADERS | {"Cache-Control": "no-cache"})
