"""A seat at a table of Eleusis, as an environment for Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.envs.encoding import COLUMNS, Observation
from eleusis_ai.envs.opponents import Chair, Opponent, chairs_for
from eleusis_ai.envs.painting import RENDER_FPS, RENDER_MODES, check_render_mode, rendered
from eleusis_ai.envs.play import Play
from eleusis_ai.envs.rewards import RewardMode, final_reward, potential
from eleusis_ai.envs.setting import DEALER, InvalidOption, Setting
from eleusis_ai.envs.sources import Rules
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

OPTIONS = ("rule", "deck", "first", "seat")
"""What ``reset(options=...)`` takes."""
MOST_DEALS = 100
"""Rounds dealt in search of one in which the seat is asked."""


class EleusisEnv(gymnasium.Env[Observation, SupportsIndex]):
    """One scientist's seat at a table of Eleusis; agents or policies fill the others, and the dealer deals by rule.

    ## Description

    Robert Abbott's card game of induction: the dealer has a secret rule that says which cards may follow those on the
    mainline; the scientists find it out by playing cards. The whole game is played, in any profile: single cards and
    strings, no play, the prophet and his calls, expulsion, statements of the rule where the profile has them.

    A step is one action of the learner's seat, and then the moves of all others until the seat is asked again. A
    seat that is expelled is asked no more: the round is played out, and the final points are returned.

    ## Action Space

    `Discrete`. 0 to 51 are the cards, ``suit * 13 + rank - 1`` (suits C D H S); then finish (52), no play (53),
    become prophet (54), pass (55), and the prophet's calls: right (56), wrong (57), and, where strings are judged
    card by card, how many leading cards are right (58 to 62, for 0 to 4). Where the profile lets rules be stated, 63
    and up state the rules of ``statements``, in their order.

    An attempt is built card by card, and ``finish`` plays it; one that can grow no longer is played at once, so
    that in profiles without strings a card is an attempt. A prophet who calls a no play wrong names a card of the
    shown hand: that card is the action.

    An illegal action changes nothing and costs ``illegal_reward``; ``info["illegal"]`` tells the reason, and after
    ``illegal_limit`` of them the episode is truncated. ``action_mask``, in the observation and in ``info``, has 1 for
    each legal action; ``action_masks()`` returns it as booleans, as sb3-contrib's MaskablePPO asks for it.

    ## Observation Space

    A `Dict` of arrays, one level deep and of one shape for any number of seats: ``layout``, ``hand``, ``attempt``,
    ``shown``, ``seats``, ``table``, ``hint``, ``phase``, ``action_mask``; ``mistakes`` where the profile has mistake
    cards; ``stated`` where rules may be stated. All of it is what the seat may know. Every array is new at each step.

    ## Rewards

    ``reward="points"``: the seat's points when the round is over, 0 before. ``"win"``: 1 at the end if no other
    scientist has more, else -1. ``"hand"``: as points, and 1 for each card that leaves the hand, -1 for each that
    comes; over a round it adds the size of the first hand, so that the best policy stays the same.

    ## Starting State

    A dealt round at the learner's first decision: rule, deck, who begins and the learner's seat are drawn from
    generators named after a number of ``np_random``, which ``reset(seed=...)`` seeds. ``reset(options=...)`` fixes
    any of them: ``rule`` (all that the argument ``rules`` takes), ``deck`` (cards or their text, dealt from the
    front), ``first`` and ``seat`` (numbers; the dealer is seat 0). A round may end before the seat is asked at all;
    then another one is dealt.

    ## Episode End

    ``terminated`` when the round is over; ``info`` then has ``points`` (of all seats, the dealer's first), ``rule``
    and ``end_reason``. ``truncated`` when ``illegal_limit`` illegal actions have been taken.

    ## Arguments

    ``profile``: a published name, a file of yours, or a `Profile`. ``seats``: players, the dealer included.
    ``opponents``: registered names, addresses ``module:Class``, `AgentSpec`, agent classes, or policies that answer
    an observation with an action; a short list repeats. ``rules``: ``"catalog"``, ``"catalog:memoryless,markov1"``,
    ``"train"``, ``"test"``, ``"sampler"``, ``"sampler:guarded"``, the text of a rule, several of these texts, or a
    `Dealer`. ``seat``: the learner's, or None for one drawn anew each round. ``statements``: the rules that
    may be stated; default: those of the catalogue. ``reward``, ``illegal_reward``, ``illegal_limit``: as above.
    ``columns``: how many columns of the layout are shown. ``render_mode``: ``"ansi"`` or ``"rgb_array"``.

    ```python
    import gymnasium
    import eleusis_ai  # registers the environments

    env = gymnasium.make("eleusis_ai/Eleusis-v0", profile="howell", seats=5, opponents=["random"])
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    ```

    ## Version History

    * v0: the first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        *,
        profile: str | Profile = "howell",
        seats: int = 5,
        opponents: Sequence[Opponent] = ("random",),
        rules: Rules = "catalog",
        seat: int | None = None,
        statements: Sequence[str | Rule] | None = None,
        reward: str = "points",
        illegal_reward: float = -1.0,
        illegal_limit: int = 10,
        columns: int = COLUMNS,
        render_mode: str | None = None,
    ) -> None:
        self._setting = Setting.of(profile, seats, rules, statements, columns)
        self._seat_given = self._checked_seat(seat)
        self._chairs = chairs_for(opponents, seats - 2)
        self._reward = RewardMode(reward)
        self._illegal_reward, self._illegal_limit = float(illegal_reward), illegal_limit
        if illegal_limit < 2:
            raise ValueError(f"illegal_limit is {illegal_limit}; an episode bears at least 1, as illegal_limit=2")
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(self._setting.actions.count)
        self.observation_space = self._setting.observation_space()
        self._play: Play | None = None
        self._at: dict[int, Chair] = {}
        self._seat, self._illegal, self._over = 0, 0, True
        self._potential = 0.0

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a round, and play up to the learner's first decision.

        Raises:
            InvalidOption: if an option is not known.
            ValueError: if a round cannot be dealt as the options say.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        for name in given:
            if name not in OPTIONS:
                raise InvalidOption(f"reset has no option {name!r}; it has {', '.join(OPTIONS)}")
        seat = self._checked_seat(given.get("seat"))
        for _ in range(MOST_DEALS):
            play = self._begin(given, seat)
            if not play.over:
                break
        else:
            raise InvalidOption(f"in {MOST_DEALS} rounds the seat was never asked; give another `deck` or `first`")
        self._play, self._illegal, self._over = play, 0, False
        self._potential = potential(self._reward, play.round, self._seat)
        observation = play.observe(self._seat)
        return observation, self._info(observation)

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others move until the seat is asked again.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            ResetNeeded: if no episode has been begun, or it is over.
            TypeError: if ``action`` is no integer.
        """
        play = self._play
        if play is None or self._over:
            raise gymnasium.error.ResetNeeded("the episode is over, or none was begun; call reset() first")
        problem = play.problem(action)
        if problem is not None:
            return self._refused(play, problem)
        play.act(action)
        self._let_others_move(play)
        seat = self._seat
        observation = play.observe(seat)
        info = self._info(observation)
        before, self._potential = self._potential, potential(self._reward, play.round, seat)
        reward = self._potential - before
        if play.over:
            self._over = True
            points = play.round.scores()
            reward += final_reward(self._reward, points, seat, DEALER)
            info["points"], info["rule"] = points, str(play.round.rule)
            info["end_reason"] = str(play.round.end_reason)
        return observation, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now: shape (actions,), bool."""
        return self._playing().action_masks()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as the seat sees it: a text, or a picture of shape (height, width, 3), uint8."""
        return rendered(self._playing().round, self._seat, self.render_mode)

    def record(self) -> Record:
        """Return the log of the round, from which it can be replayed.

        Raises:
            ResetNeeded: if no episode has been begun.
        """
        return self._playing().round.record()

    def _playing(self) -> Play:
        if self._play is None:
            raise gymnasium.error.ResetNeeded("no episode was begun; call reset() first")
        return self._play

    def _checked_seat(self, seat: int | None) -> int | None:
        if seat is not None and seat not in self._setting.scientists:
            raise InvalidOption(
                f"the learner cannot sit at {seat}; a scientist's seat is 1 to {self._setting.seats - 1}"
            )
        return seat

    def _begin(self, options: Mapping[str, Any], seat: int | None) -> Play:
        """Deal a round and play up to the learner's first decision, or to the end."""
        name = f"{int(self.np_random.integers(2**63)):x}"
        play = self._setting.deal(name, options)
        seat = self._seat_given if seat is None else seat
        scientists = self._setting.scientists
        self._seat = generator(f"{name}/seat").choice(scientists) if seat is None else seat
        others = [each for each in scientists if each != self._seat]
        self._at = dict(zip(others, self._chairs, strict=True))
        for each, chair in self._at.items():
            chair.begin(seat=each, seed=f"{name}/agent/{each}")
        self._let_others_move(play)
        return play

    def _let_others_move(self, play: Play) -> None:
        seat, at = self._seat, self._at
        while (asked := play.seat) is not None and asked != seat:
            at[asked].answer(play)

    def _refused(self, play: Play, problem: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._illegal += 1
        observation = play.observe(self._seat)
        info = self._info(observation)
        info["illegal"] = problem
        self._over = self._illegal >= self._illegal_limit
        return observation, self._illegal_reward, False, self._over, info

    def _info(self, observation: Observation) -> dict[str, Any]:
        return {
            "action_mask": observation["action_mask"].copy(),
            "seat": self._seat,
            "illegal_actions": self._illegal,
        }
