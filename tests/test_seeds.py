from __future__ import annotations

import hashlib
from random import Random

from eleusis_ai.seeds import generator


def test_a_name_is_a_seed() -> None:
    assert generator("1/deck").random() == generator("1/deck").random()
    assert generator("1/deck").random() != generator("1/rule").random()
    number = int.from_bytes(hashlib.sha256(b"1/deck").digest(), "big")
    assert generator("1/deck").getstate() == Random(number).getstate()


def test_the_draws_of_a_name_are_for_ever() -> None:
    """Records keep their decks, yet a run is only repeated if names go on meaning the same draws."""
    rng = generator("1/deal/7/deck")
    assert [rng.randrange(52) for _ in range(8)] == [35, 22, 5, 1, 25, 42, 36, 21]
