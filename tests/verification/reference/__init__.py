"""The reference engine: the whole game in plain Python, slow and readable, by the rules page alone.

It shares nothing with the product but the reading of map and deck files and ``Rules``. One module for each section
of the rules: ``geometry`` (1), ``setup`` (2), ``turn`` (3), ``track`` (4), ``factory`` (5), ``contract`` (6),
``take`` (7), ``automa`` (8), ``solo`` (9), ``edition`` (2, 3, 9 and 10: numbers), ``knowledge`` (11.2), ``score``
(3.3, 9.4); ``state`` holds the table, ``game`` the class ``Reference``.
"""

from tests.verification.reference.game import Reference

__all__ = ["Reference"]
