"""How a table is laid: the rule chosen and reviewed, the hint, the starters, and everybody seated."""

from __future__ import annotations

from collections.abc import Sequence

from eleusis_ai.dealing import Deal, shuffled_deck
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import HintTerms, Profile, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import PLAIN_HINTS, Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.seats.setting import InvalidSetting, Setting
from eleusis_ai.seats.starters import BEGIN, Starters
from eleusis_ai.seats.table import Table, deal_name, make_judge, table_size
from eleusis_ai.seats.talk import Talk
from eleusis_ai.seeds import generator


class RefusedRule(ValueError):
    """A rule that must not be dealt."""


def lay_table(setting: Setting, talk: Talk) -> Table:
    """Deal a round as ``setting`` asks for it, and seat everybody.

    A person who deals is told what the sources think of the rule, and asked for what is missing: a hint where
    the profile requires one, and the starters if he judges by hand.

    Raises:
        InvalidSetting, InvalidProfile, InvalidRule, RefusedRule, UnknownPart, ...: if the table cannot be laid.
        EOFError: if the person leaves before the round is dealt.
    """
    profile = load_profile(setting.profile)
    seats = table_size(setting, profile)
    if setting.give_hint is not None and profile.hint is HintTerms.NONE:
        raise InvalidSetting(f"{profile} has no hints; leave out --give-hint, or play --profile abbott")
    for remark in profile.remarks(seats):
        talk.say(f"Note: {remark}.")
    name = deal_name(setting)
    deck = shuffled_deck(profile, generator(f"{name}/deck"))
    judge = make_judge(setting)
    rule: Rule | None
    starters = None
    if judge is not None:
        rule, hint = judge.choose(profile, generator(f"{name}/rule"))
    else:
        rule = None if setting.by_hand else _reviewed(setting.given_rule(), profile, talk)
        hint = _hint(setting, profile, rule, talk)
        if rule is None:
            deal = Deal(profile=profile, rule=None, seats=seats, dealer=0, deck=deck)
            starters = _starters(deal, talk)
    round_ = Round.deal(
        profile,
        rule,
        seats=seats,
        dealer=0,
        deck=deck,
        starters=starters,
        hint=hint,
        rng=generator(f"{name}/lot"),
    )
    return Table(round_, setting)


def _reviewed(rule: Rule, profile: Profile, talk: Talk) -> Rule:
    """Tell the dealer what his rule says and what the sources think of it.

    Raises:
        RefusedRule: if it must not be dealt.
    """
    found = review(rule, profile=profile)
    if not found.ok:
        raise RefusedRule(f"{rule} may not be dealt: {found.refusals[0]}; one that may: card.color != last.color")
    talk.say(f"Your rule: {rule.text}", f"About {found.acceptance:.0%} of random cards are right.")
    talk.say(*(f"Advice: {sentence}." for sentence in found.advice))
    return rule


def _hint(setting: Setting, profile: Profile, rule: Rule | None, talk: Talk) -> Hint | None:
    """Return the hint that was given, or that the dealer chooses now because ``profile`` requires one."""
    true = hints_for(rule) if rule is not None else PLAIN_HINTS
    if setting.give_hint is not None:
        hint = Hint.parse(setting.give_hint)
        if rule is not None and hint not in true and not hint.holds(rule):
            known = ", ".join(f"'{each}'" for each in true) or "none is known, so leave out --give-hint"
            raise InvalidSetting(f"the hint {str(hint)!r} is not true of {rule}; true ones: {known}")
        return hint
    if profile.hint is not HintTerms.REQUIRED:
        return None
    if not true:
        raise RefusedRule(f"{rule} may not be dealt: {profile} requires a hint, and there is none that is true of it")
    return _chosen(true, profile, talk)


def _chosen(hints: Sequence[Hint], profile: Profile, talk: Talk) -> Hint:
    talk.say("", f"{profile} requires a hint. Choose one that is true of your rule, by its number:")
    talk.say(*(f"  {number}  {hint.text}" for number, hint in enumerate(hints, start=1)))
    while True:
        typed = talk.ask()
        if typed.lower() == "quit":
            raise EOFError
        if typed.isdecimal() and 1 <= int(typed[:9]) <= len(hints):
            return hints[int(typed) - 1]
        talk.say(f"{typed[:40]!r} is no number of a hint; type one of 1 to {len(hints)}, as in '1', or 'quit'.")


def _starters(deal: Deal, talk: Talk) -> Cards:
    """Turn the starters of a dealer who judges by hand, asking him which fit."""
    found = Starters(deal)
    if found.laid:
        talk.say(f"The starter is {found.laid[0].symbol}, as it was turned.")
    if found.card is not None:
        talk.say("", *_STARTER_HELP, *([_NO_MORE] if found.laid else []))
    while found.card is not None:
        talk.say(f"The stock shows {found.card.symbol}. Is it right as card {len(found.laid) + 1} of the mainline?")
        found.say(_starter_answer(talk, found.words))
    return found.laid


_STARTER_HELP = (
    "Cards are turned from the stock until one is right by the rule on your paper.",
    "  right, r   it starts the mainline, and play begins",
    "  more, m    it is laid, and another is turned: your rule needs several",
    "  wrong, w   it goes under the stock, and the next is turned",
    "  quit       leave; nothing has been dealt yet",
)
_NO_MORE = "  begin, b   play begins with what lies there"


def _starter_answer(talk: Talk, words: Sequence[str]) -> str:
    while True:
        typed = talk.ask().lower()
        if typed == "quit":
            raise EOFError
        for word in words:
            if typed in (word, word[0]):
                return word
        if typed == "?":
            talk.say(*_STARTER_HELP, *([_NO_MORE] if words[-1] == BEGIN else []))
        else:
            talk.say(f"{typed[:40]!r} is no answer here; type {', '.join(words[:-1])} or {words[-1]}, or ? for help.")
