"""What a language model is reached by and held to: the options of the agent."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

import msgspec

from eleusis_ai.registry import InvalidOptions

Price = Annotated[float, msgspec.Meta(ge=0)]
"""Currency for a million tokens."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of the agent ``llm``; the key itself is none of them."""

    base_url: str = "http://localhost:11434/v1"
    """Where the endpoint listens, up to what stands before ``/chat/completions``."""
    model: Annotated[str, msgspec.Meta(min_length=1)] = "gpt-oss:20b"
    """The model, as the endpoint calls it."""
    key_from: str | None = None
    """The name of the environment variable that holds the key; None: no key is sent."""
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    """How freely answers are drawn; None: as the endpoint does by itself."""
    max_tokens: Annotated[int, msgspec.Meta(ge=16)] = 8000
    """The most tokens of an answer, a model's silent reasoning included."""
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    """How often a decision is asked for until an answer can be used."""
    timeout_seconds: Annotated[float, msgspec.Meta(gt=0)] = 300.0
    """Seconds that one request may take."""
    retries: Annotated[int, msgspec.Meta(ge=0, le=20)] = 5
    """How often a request is made again that the endpoint could not serve."""
    backoff_seconds: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    """About how long the first of these waits; each further one waits twice as long."""
    longest_wait_seconds: Annotated[float, msgspec.Meta(ge=0)] = 60.0
    """The longest wait between two requests, even if the endpoint asks for more."""
    price_in: Price = 0.0
    """What a million tokens of questions cost."""
    price_out: Price = 0.0
    """What a million tokens of answers cost."""
    budget: Annotated[float, msgspec.Meta(ge=0)] | None = None
    """The most that may be spent, in the currency of the prices; None: no limit."""
    budget_tokens: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The most tokens, of questions and answers together; None: no limit."""
    cache: str | None = None
    """The folder in which answers are kept, and what was spent; None: nothing is kept."""
    log: str | None = None
    """The file to which a line is added for each question; None: none."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Make settings from an agent's options.

        Raises:
            InvalidOptions: if one is unknown, or a value does not do.
        """
        known = cls.__struct_fields__
        for name in options:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"its options are {', '.join(known)}"
                raise InvalidOptions(f"llm has no option {name!r}; {hint}")
        try:
            settings = msgspec.convert(dict(options), cls)
        except msgspec.ValidationError as error:
            problem, _, where = str(error).replace("`", "").partition(" - at $.")
            raise InvalidOptions(f"llm: {where}: {problem[0].lower()}{problem[1:]}") from None
        if problem := settings._misfit():
            raise InvalidOptions(f"llm: {problem}")
        return settings

    @property
    def url(self) -> str:
        """Where questions go."""
        return f"{self.base_url.rstrip('/')}/chat/completions"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return what so many tokens cost."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6

    def _misfit(self) -> str:
        """Return what does not go together, in a sentence, or nothing."""
        if not _is_address(self.base_url):
            return (
                f"base_url is {self.base_url!r:.80}; it is an address without a user, a question mark or spaces, as "
                "in base_url = 'http://localhost:11434/v1'; a key comes from the environment, by key_from"
            )
        if self.key_from is not None and not self.key_from.isidentifier():
            return (
                "key_from is not the name of an environment variable; it names one that holds the key, as in "
                "key_from = 'OPENAI_API_KEY', and is not the key itself"
            )
        if self.budget is not None and not self.price_in and not self.price_out:
            return "a budget in currency needs prices, as in price_in = 0.5, price_out = 2.0; or set budget_tokens"
        if (self.budget, self.budget_tokens) != (None, None) and self.cache is None:
            return (
                "a budget needs a folder in which is kept what was spent, since a tournament makes an agent anew "
                "for each round; write one, as in cache = 'runs/llm-answers'"
            )
        return ""


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and not set(text) & set(" ?#@\\")
    return plain and parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
