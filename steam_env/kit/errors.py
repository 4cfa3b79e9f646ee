"""The errors that users meet; each is a ``ValueError`` that says what was wrong and what is allowed."""


class IllegalActionError(ValueError):
    """An action that the rules forbid now, or that is no action at all; nothing was changed."""


class ScenarioError(ValueError):
    """A scenario that cannot be a position of the game; the message begins with the entry at fault."""


class SaveError(ValueError):
    """A save or game file that is damaged, of another version, or does not replay."""


class MissingExtraError(ImportError, ValueError):
    """A package that an optional part needs is not installed; the message names the extra that brings it."""
