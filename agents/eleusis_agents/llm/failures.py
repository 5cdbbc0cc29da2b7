"""What can go wrong between a question and a move; each says what came, and what would help."""

from __future__ import annotations


class ModelFailure(ValueError):
    """The base of all that a language model or its endpoint does instead of answering."""


class NoAnswer(ModelFailure):
    """The model answered, and not as it was asked to; another question may fare better."""


class Refused(NoAnswer):
    """The model will not answer, or a filter keeps its answer back."""


class Truncated(NoAnswer):
    """The answer was cut off before it was complete."""


class EndpointFailure(ModelFailure):
    """No answer can be had: whoever runs the program must do something about it."""


class BadKey(EndpointFailure):
    """The key is missing, or the endpoint does not take it."""


class BadRequest(EndpointFailure):
    """The endpoint does not take the request."""


class NoSuchModel(EndpointFailure):
    """The endpoint has no such model, or is no endpoint."""


class Redirected(EndpointFailure):
    """The endpoint points elsewhere; the key is not carried there."""


class BudgetSpent(EndpointFailure):
    """The next question might cost more than the budget has left."""


class Unaccountable(EndpointFailure):
    """What was spent or answered before cannot be read."""


class Passing(EndpointFailure):
    """Something that another try may mend."""

    most_retries = 1_000
    """How often it is worth another try, whatever the settings say."""

    def __init__(self, message: str, *, wait: float | None = None, billed: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds after which the endpoint wants to be asked again; None: it does not say."""
        self.billed = billed
        """Whether the endpoint may have done the work all the same."""


class Unreachable(Passing):
    """Nobody listens at the address."""

    most_retries = 2


class LineBroken(Passing):
    """The line to the endpoint broke before there was an answer."""


class TooSlow(Passing):
    """No complete answer came in time."""


class Busy(Passing):
    """The endpoint asks for patience, or has trouble of its own."""


class Garbled(Passing):
    """What came is not an answer of a chat endpoint."""
