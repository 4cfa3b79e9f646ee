"""The errors that users meet; each says what was wrong and what is allowed, and most are a ``ValueError``."""

from typing import Any


class IllegalActionError(ValueError):
    """An action that the rules forbid now, or that is no action at all; nothing was changed."""


class ScenarioError(ValueError):
    """A scenario that cannot be a position of the game; the message begins with the entry at fault."""


class SaveError(ValueError):
    """A save or game file that is damaged, of another version, or does not replay."""


class UnfitError(ValueError):
    """A policy that is to be searched by where it was not trained: on another map, or with other numbers of seats."""


class NotFiniteError(ValueError):
    """A number that is infinite or none at all, where one has to be finite; the message names it."""


class MissingExtraError(ImportError, ValueError):
    """A package that an optional part needs is not installed; the message names the extra that brings it."""


class AgentError(RuntimeError):
    """An agent failed when it was asked; whatever it raised is the ``__cause__``, and means nothing else.

    Attributes:
        row: of the games that it was asked for together, the one that the message is about.
        played: of a match, what had been played before, a ``MatchResult``; None if nothing.
    """

    row = 0
    played: Any = None


class AnswerError(AgentError, IllegalActionError):
    """An agent answered with something else than legal actions, or with thoughts that cannot be."""


class Closed(SystemExit):
    """The end of a program that was asked for from outside, as by closing its terminal: no error of an agent."""
