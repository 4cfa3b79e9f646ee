"""The reference engine of Steam."""

from tests.verification.reference_steam.game import Reference
from tests.verification.reference_steam.rules import Rules
from tests.verification.reference_steam.setup import Deal

__all__ = ["Deal", "Reference", "Rules"]
