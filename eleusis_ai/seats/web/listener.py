"""A client at a table: frames wait for it, but not many, and nobody waits for it."""

from __future__ import annotations

import asyncio

MOST_FRAMES = 128
"""Frames that may wait for a client before it is dropped as too slow."""
TOO_SLOW = 4408
"""The code with which a client is dropped that fell behind."""
DEFECT = 1011
"""The code with which clients are dropped where the server itself has failed."""


class Listener:
    """Who listens at a table: by which token, and what is still to be sent."""

    def __init__(self) -> None:
        self.token: str | None = None
        """The token that was shown."""
        self.mark: str | None = None
        """Its mark."""
        self.entered = False
        """Whether it has come to the table."""
        self.entrances = 0
        """How often it has come."""
        self.away = False
        """Whether it has left its chair, and looks on."""
        self._code: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()

    @property
    def waiting(self) -> int:
        """How many frames wait."""
        return self._frames.qsize()

    def offer(self, frame: bytes) -> None:
        """Let a frame wait; who has too many of them is dropped."""
        if self.waiting >= MOST_FRAMES:
            self.drop(TOO_SLOW)
        if not self._code.done():
            self._frames.put_nowait(frame)

    def drop(self, code: int) -> None:
        """Let the client go; the code says why."""
        if not self._code.done():
            self._code.set_result(code)

    async def dropped(self) -> int:
        """Return the code once the client is let go."""
        return await asyncio.shield(self._code)

    async def next(self) -> bytes:
        """Return the next frame, once there is one."""
        return await self._frames.get()
