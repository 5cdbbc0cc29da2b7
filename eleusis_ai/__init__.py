"""Eleusis, whole: the engine, its views, and what runs it."""

from eleusis_ai.cards import Card
from eleusis_ai.envs.registration import register_envs
from eleusis_ai.evidence import evidence
from eleusis_ai.layout import Layout
from eleusis_ai.logs import read_log
from eleusis_ai.match import play_match, play_round
from eleusis_ai.profiles import PROFILES, Profile, load_profile
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.round import Round
from eleusis_ai.rules.equivalence import Equivalence, equivalent
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review
from eleusis_ai.view import View

register_envs()

__version__ = "0.1.0"

__all__ = [
    "PROFILES",
    "AgentSpec",
    "Card",
    "Equivalence",
    "Layout",
    "Profile",
    "Record",
    "Review",
    "Round",
    "Rule",
    "View",
    "equivalent",
    "evidence",
    "load_profile",
    "make_agent",
    "play_match",
    "play_round",
    "read_log",
    "review",
]
