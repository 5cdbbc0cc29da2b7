"""The rules of play in short, as sentences made from the fields of a profile."""

from __future__ import annotations

from collections.abc import Iterator

from eleusis_ai.profiles import (
    Judging,
    LegalCard,
    Profile,
    ProphetTerms,
    Scoring,
    StarterTerms,
    Stating,
)

LANGUAGE = """\
A rule in the rule language is one expression that is true of the cards that may be played next:
- card: the card to be judged; last: the last card of the mainline; mainline[-2]: the one before it;
  mainline[-3:]: the last three; position: how many cards lie on the mainline.
- attributes of a card: rank (A=1, J=11, Q=12, K=13), suit (C D H S), color (red black), value (the rank, at most
  10), is_red is_black is_odd is_even is_face is_prime (an ace is not prime).
- and or not, comparisons (also chained), + - * // %, in {..}, X if TEST else Y, (X, Y, Z)[position % 3],
  {C: X, D: Y, H: Z, S: W}[last.suit], abs min max sum count any all, after(last.suit, "HSCD") for the next suit in
  that cycle, run(x.color for x in mainline) for how many equal values stand at the end.
Examples: card.color != last.color
card.is_black if last.is_odd else card.is_red
1 <= abs(card.rank - last.rank) <= 3
card.suit == last.suit or card.rank == last.rank
count(c.is_red for c in mainline[-3:]) <= 1"""
"""The rule language, as a model is told of it."""

CARDS = "Cards are written as rank and suit: A 2 3 4 5 6 7 8 9 10 J Q K, then C D H S, as in 7H or 10S."
LAYOUT = (
    "Right cards form the mainline, from left to right. Behind a mainline card, in round brackets, stand the "
    "attempts that were rejected when it was the last one: 9D(2C, 4S 5S) means that after 9D the card 2C was wrong, "
    "and so was the string 4S 5S. A hand that was shown stands in square brackets."
)


def terms_of(profile: Profile) -> str:
    """Tell how ``profile`` is played, for one who sits down as a scientist."""
    return "\n".join(_sentences(profile))


def _sentences(profile: Profile) -> Iterator[str]:
    yield (
        "Eleusis is a card game of induction. The dealer has a secret rule, which says after any mainline of cards "
        "which cards may follow. The others, the scientists, find it out by playing cards."
    )
    yield CARDS
    yield LAYOUT
    if profile.starter is StarterTerms.AS_TURNED:
        yield "The first card of the mainline was laid as it came, and not judged."
    yield from _turns(profile)
    if profile.no_play:
        yield from _no_play(profile)
    if profile.expulsion_from is not None:
        no_play = " or no play" if profile.no_play and profile.no_play_expels else ""
        yield (
            f"Once {profile.expulsion_from} cards are played, a wrong attempt{no_play} expels its player from the "
            "round; you are told when that is in force."
        )
    if profile.prophet is not None:
        yield from _prophet(profile.prophet)
    if profile.stating is not Stating.NEVER:
        after = "a right play" if profile.stating is Stating.AFTER_RIGHT else "any play"
        cost = f", a wrong statement costs {profile.wrong_statement_turns} turns" if profile.turn_limit else ""
        yield f"After {after} of yours you may state the rule; a right statement ends the round{cost}."
    if profile.turn_limit is not None:
        yield f"The round ends after {profile.turn_limit} turns."
    yield _points(profile)
    if profile.numbers_only:
        yield "The secret rule uses nothing but the ranks of the card and of the last card."
    if profile.reads_rejected:
        yield "The secret rule may look at rejected cards too."


def _turns(profile: Profile) -> Iterator[str]:
    if profile.max_string == 1:
        yield "In your turn you play one card."
    else:
        most = "" if profile.max_string is None else f" of at most {profile.max_string}"
        yield f"In your turn you play one card, or a string{most}: cards that follow each other by the rule."
    if profile.mistake_cards:
        yield (
            "A wrong card lies face up before its player as a mistake card. When all hands are played, mistake cards "
            "are played instead."
        )
    else:
        yield f"For each card of a wrong attempt you draw {profile.penalty_per_card} cards."
    if profile.max_string != 1:
        yield (
            "Of a wrong string the right cards before the first wrong one join the mainline; what hangs there begins "
            "with the wrong one, and the rest was not judged."
            if profile.judging is Judging.CARD_BY_CARD
            else "One wrong card makes the whole string wrong, and nobody is told which it was."
        )


def _no_play(profile: Profile) -> Iterator[str]:
    played = "plays" if profile.legal_card is LegalCard.PLAYED else "points out"
    yield (
        "If you think that no card of your hand is right you may declare no play and show the hand. If that is true "
        f"you get a new hand with {profile.no_play_reduction} cards fewer; if not, the judge {played} a right card "
        f"of it, and you draw {profile.no_play_penalty} cards."
    )


def _prophet(terms: ProphetTerms) -> Iterator[str]:
    from_ = f", once the mainline has {terms.mainline_from} cards" if terms.mainline_from else ""
    yield (
        f"After your turn you may become prophet{from_}: you lay your hand aside, play no more, and judge the plays "
        "of the others before the dealer does. As long as you never err you stay in office, and at the end you get "
        f"{terms.accepted_points} for each card accepted since, and {terms.rejected_points} for each one rejected. "
        f"With the first error you are overthrown: you take your hand back and draw {terms.error_penalty} cards. "
        "There is one prophet at a time. Become one only if you are all but sure of the rule."
    )


def _points(profile: Profile) -> str:
    match profile.scoring:
        case Scoring.TEAM:
            return "All scientists are one team: if the rule is stated, everybody gets a point for each turn left."
        case Scoring.UNDER_OTHERS:
            return f"The fewer cards you hold at the end the better; an emptied hand brings {profile.emptied_bonus}."
        case Scoring.UNDER_DEALT | Scoring.UNDER_LARGEST:
            than = "the largest hand" if profile.scoring is Scoring.UNDER_LARGEST else "you were dealt"
            stated = f", and stating the rule {profile.stated_bonus}" if profile.stated_bonus else ""
            return (
                f"At the end you get a point for each card fewer than {than}; an emptied hand brings "
                f"{profile.emptied_bonus} more{stated}."
            )
