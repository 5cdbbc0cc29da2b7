"""The solo protocol as an environment for Gymnasium: one player, a hand of twelve, a card redrawn each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Dealer
from eleusis_ai.cards import CARDS, Card, pack
from eleusis_ai.envs.actions import Actions
from eleusis_ai.envs.encoding import COLUMNS, SOLO_HAND, LayoutRows, Observation, encode_solo, solo_space
from eleusis_ai.envs.painting import RENDER_FPS, ansi_layout
from eleusis_ai.envs.setting import InvalidOption, published
from eleusis_ai.envs.sources import Rules, dealer_of
from eleusis_ai.events import AttemptJudged, RuleStated, StarterLaid
from eleusis_ai.layout import Cards, Layout
from eleusis_ai.moves import rule_text
from eleusis_ai.profiles import HOWELL
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

TASKS = ("state", "predict")
"""What the player is to do with what it learns."""
TURNS: Final = 30
"""Turns of an episode, at most."""
FULL_SCORE: Final = 31
"""What a right statement is worth before the turns are taken off."""
WRONG_STATEMENT: Final = 2
"""What a wrong statement costs."""
STATE: Final = len(CARDS)
"""In the task ``state`` the first action that states a rule."""
MOST_STARTERS: Final = 2 * len(CARDS) - SOLO_HAND - TURNS
"""Starter cards that two packs can spare."""


class EleusisSoloEnv(gymnasium.Env[Observation, Any]):
    """One player against a secret rule: play a card, hear the verdict, draw another, and say what the rule is.

    ## Description

    The protocol in which language models were measured ("Can LLMs Play the Game of Science?", D. Louapre, 2026), for
    quick experiments: there are no opponents, no penalty and no end but that of the turns. In each turn a card of the
    hand of twelve is judged, and another is drawn, whatever the verdict; an accepted card joins the mainline.

    ## Action Space

    ``task="state"``: `Discrete`. 0 to 51 play a card (``suit * 13 + rank - 1``, suits C D H S), which ends the turn;
    52 and up state the rules of ``statements``, in their order: at most one a turn, before the card, and it is judged
    after the card. Not all actions are legal: ``action_mask``, in the observation and in ``info``, has 1 for those
    that are; ``action_masks()`` returns it as booleans.

    ``task="predict"``: `MultiDiscrete`, 53 numbers: the slot of the hand whose card is played (0 to 11), then for
    each of the 52 cards whether it would be legal now (1) or not (0). Every action is legal.

    ## Observation Space

    A `Dict` of arrays: ``layout``, ``hand``, ``slots`` (which card lies in which place of the hand), ``table``; in
    the task ``state`` also ``action_mask`` and ``stated``.

    ## Rewards

    ``task="state"``: -2 for a wrong statement, 31 less the number of turns for the right one; so an episode pays the
    protocol's score. A statement is right if it gives the secret rule's verdicts on all that can be reached from the
    mainline as it lies then. ``task="predict"``: the share of the 52 verdicts that was right, in each turn.

    ## Starting State

    A rule of ``rules``, the starter cards it needs, found legal, and twelve cards, from two packs shuffled together.
    ``reset(options={"rule": ...})`` fixes the rule.

    ## Episode End

    ``terminated`` when the rule has been stated, or after 30 turns; ``info`` then has ``rule`` and ``solved``.
    ``truncated`` after ``illegal_limit`` illegal actions, each of which changes nothing and costs ``illegal_reward``.

    ## Arguments

    ``task``: ``"state"`` or ``"predict"``. ``rules``: as in `eleusis_ai/Eleusis-v0`. ``statements``: the rules
    that may be stated; default: those of the catalogue. ``illegal_reward``, ``illegal_limit``, ``columns``: as there.
    ``render_mode``: ``"ansi"``.

    ## Version History

    * v0: the first version.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": RENDER_FPS}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        *,
        task: str = "state",
        rules: Rules = "catalog",
        statements: Sequence[str | Rule] | None = None,
        illegal_reward: float = -1.0,
        illegal_limit: int = 10,
        columns: int = COLUMNS,
        render_mode: str | None = None,
    ) -> None:
        if task not in TASKS:
            raise ValueError(f"there is no task {task!r}; write 'state' or 'predict'")
        if illegal_limit < 2:
            raise ValueError(f"illegal_limit is {illegal_limit}; an episode bears at least 1, as illegal_limit=2")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render_mode {render_mode!r}; write 'ansi' or None")
        self.task, self.render_mode = task, render_mode
        self._dealer: Dealer = dealer_of(rules)
        chosen = published(HOWELL) if statements is None else statements
        self._statements = Actions(chosen if task == "state" else ())
        self._illegal_reward, self._illegal_limit, self._columns = float(illegal_reward), illegal_limit, columns
        count = STATE + len(self._statements.statements) if task == "state" else 0
        self.action_space = (
            gymnasium.spaces.Discrete(count)
            if task == "state"
            else gymnasium.spaces.MultiDiscrete([SOLO_HAND] + [2] * len(CARDS))
        )
        self.observation_space = solo_space(
            actions=count, statements=len(self._statements.statements), columns=columns
        )
        self._secret: Rule | None = None
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal an episode.

        Raises:
            InvalidOption: if an option is not known.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        if given.keys() - {"rule"}:
            raise InvalidOption(f"reset has no option {min(given.keys() - {'rule'})!r}; it has rule")
        name = f"{int(self.np_random.integers(2**63)):x}"
        dealer = dealer_of(given["rule"]) if "rule" in given else self._dealer
        secret, _ = dealer.choose(HOWELL, generator(f"{name}/rule"))
        cards = [*pack(), *pack()]
        generator(f"{name}/deck").shuffle(cards)
        self._secret = secret
        self._hand: Cards = tuple(cards[:SOLO_HAND])
        self._rows = LayoutRows(HOWELL, columns=self._columns, statements=self._statements.numbers)
        self._layout = Layout()
        self._draw = self._lay_starters(secret, cards[SOLO_HAND:])
        self._turn = self._wrong = self._illegal = 0
        self._committed: Rule | None = None
        self._over = False
        return self._shown()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            ResetNeeded: if no episode has been begun, or it is over.
        """
        if self._over or self._secret is None:
            raise gymnasium.error.ResetNeeded("the episode is over, or none was begun; call reset() first")
        if self.task == "predict":
            return self._predicted(self._secret, np.asarray(action))
        number = index(action)
        if not 0 <= number < len(self._mask()) or not self._mask()[number]:
            return self._refused(number)
        if number >= STATE:
            self._committed = self._statements.statements[number - STATE]
            observation, info = self._shown()
            return observation, 0.0, False, False, info
        self._play(self._secret, CARDS[number])
        reward, solved = self._judge_statement(self._secret)
        return self._stepped(reward, solved=solved)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, in the task ``state``: shape (actions,), bool."""
        return np.frombuffer(self._mask(), np.bool_)

    def render(self) -> str | None:
        """Return the layout and the hand as a text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; make the environment with 'ansi'")
            return None
        return ansi_layout(self._layout, self._hand)

    def _mask(self) -> bytearray:
        mask = bytearray(STATE + len(self._statements.statements))
        for card in self._hand:
            mask[card] = 1
        if self._committed is None:
            mask[STATE:] = b"\1" * (len(mask) - STATE)
        return mask

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        """Return what the player knows, and the info."""
        table = (self._turn, len(self._layout.mainline), self._wrong, int(self._committed is not None))
        if self.task == "predict":
            return encode_solo(self._rows, self._hand, table, {}), {}
        mask = self._mask()
        stated = bytearray(self._rows.stated().tobytes())
        observation = encode_solo(self._rows, self._hand, table, {"action_mask": mask, "stated": stated})
        return observation, {"action_mask": np.frombuffer(mask, np.int8), "illegal_actions": self._illegal}

    def _stepped(self, reward: float, *, solved: bool) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Return what a turn that is over gives."""
        self._over = solved or self._turn == TURNS
        observation, info = self._shown()
        if self._over:
            info |= {"rule": str(self._secret), "solved": solved}
        return observation, reward, self._over, False, info

    def _refused(self, number: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._illegal += 1
        self._over = self._illegal >= self._illegal_limit
        observation, info = self._shown()
        legal = self._hand[0]
        info["illegal"] = f"action {number} is not legal now; one that is: {int(legal)} ({legal})"
        return observation, self._illegal_reward, False, self._over, info

    def _predicted(
        self, secret: Rule, action: NDArray[np.int64]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action.astype(np.int64)):
            raise ValueError(
                f"{action!r:.80} is not in {self.action_space!r:.60}; a slot of 0 to 11, then 52 times 0 or 1"
            )
        mask = secret.mask(self._layout.mainline)
        right = sum(int(said) == mask >> card & 1 for card, said in enumerate(action[1:]))
        self._play(secret, self._hand[int(action[0])])
        return self._stepped(right / len(CARDS), solved=False)

    def _play(self, secret: Rule, card: Card) -> None:
        """Judge a card of the hand, and draw another into its place."""
        right = secret.allows(self._layout.mainline, card)
        self._rows.see((AttemptJudged(0, (card,), right),))
        self._layout = self._layout.extended((card,)) if right else self._layout.with_rejected((card,))
        at = self._hand.index(card)
        self._hand = (*self._hand[:at], self._draw[self._turn], *self._hand[at + 1 :])
        self._turn += 1

    def _judge_statement(self, secret: Rule) -> tuple[float, bool]:
        """Return what the statement of this turn pays, and whether it was right."""
        rule, self._committed = self._committed, None
        if rule is None:
            return 0.0, False
        line = self._layout.mainline
        # Most wrong rules differ at once, and to find that out costs nothing.
        if rule.mask(line) == secret.mask(line) and equivalent(secret, rule, line).same:
            return float(FULL_SCORE - self._turn), True
        self._rows.see((RuleStated(0, rule_text(rule)),))
        self._wrong += 1
        return -float(WRONG_STATEMENT), False

    def _lay_starters(self, secret: Rule, cards: Sequence[Card]) -> Cards:
        """Lay the starters that ``secret`` needs, each the first card that is legal; return the cards left."""
        left = list(cards)
        for _ in range(min(secret.starters, MOST_STARTERS)):
            line = self._layout.mainline
            card = next((card for card in left if secret.allows(line, card)), left[0])
            left.remove(card)
            self._rows.see((StarterLaid(card, True),))
            self._layout = self._layout.extended((card,))
        return tuple(left)
