"""How a client's message is answered: done, or refused with the reason; whatever it is, those who serve it go on."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from eleusis_ai.seats.web import replies
from eleusis_ai.seats.web.ledger import NotWritten
from eleusis_ai.seats.web.listener import Listener
from eleusis_ai.seats.web.requests import Enter, Refused, number_of

_Asked = TypeVar("_Asked")
_LOG = logging.getLogger(__name__)


async def answered(
    message: str | bytes,
    listener: Listener,
    *,
    read: Callable[[str | bytes], _Asked],
    do: Callable[[_Asked, Listener], Awaitable[None]],
) -> None:
    """Read a message and do what it asks for; tell the client why, if that is not done.

    Args:
        message: What the client sent.
        listener: The client.
        read: Reads the message; raises Refused if it is no request.
        do: Does what is asked for, and answers it; raises Refused if it may not be done.
    """
    number: int | None = None
    try:
        number = number_of(message)
        request = read(message)
        if not listener.entered and not isinstance(request, Enter):
            raise Refused("not-now", 'the first message is an enter, as in {"do":"enter","token":null}')
        await do(request, listener)
    except Refused as refused:
        listener.offer(replies.error(number, refused.code, str(refused)))
    except NotWritten as error:
        listener.offer(replies.error(number, "failed", f"it cannot be kept now, and is not done: {error}"))
    except Exception:
        _LOG.exception("a request failed")
        listener.offer(replies.error(number, "failed", "the server failed over it; try again"))
