"""The reference engine of Steam: the whole game in plain Python, slow and readable, by the rules page alone.

It shares nothing with the product, and imports nothing but Python's own library. Everything is found anew from the
position at every decision. One module for each section of the rules: ``geometry`` and ``board`` (1), ``tiles`` (2),
``links`` (3), ``setup`` (4), ``phases`` (5, 11, 14.1), ``legal`` and ``turn`` (6, and what is decided in which phase),
``money`` (7, 10, 13), ``track`` (8.1 to 8.13), ``growth`` (8.14 to 8.20), ``goods`` (9), ``score`` (12, 13.5),
``rules`` (15.1), ``auction`` (15.2); ``state`` holds the table, ``actions`` the numbers and texts, ``describe`` the
position as a dict, ``scenario`` positions as files, ``checks`` what no position may break, ``game`` the class
``Reference``.

Readings, where the rules and their companions leave a choice:

- 2.7: links are counted after the placement, so one that joins two links is legal at 256.
- 3.1: a path names a stop by its own name alone, ``build`` any hex by column and row.
- 8.4, 8.3 b: what a redirection turns is "in the link before", so an own link supports its own redirection.
- 8.10: a mark belongs to the link; here each of its segments carries it, and a redirected one hands it on.
- 8.14: Urbanization that a loaded position leaves without town or New City lapses as City Growth does (8.15).
- 8.20: groups are equal as sets of cubes, in whatever order they are written. Another space than the lowest may be
  named by text and by number.
- 9.4: with ``towns_twice`` parallel links of one owner are one choice but may each be used once.
- 13.3: a bankrupt seat's action tile stays its own until phase 6, so also at the end of the game; so do ``passed`` and
  ``improved`` of all seats.
- 13.5: places that are shared leave the next ones out: 1, 2, 2, 4.
- 15.2: while places are auctioned ``order`` is empty. ``bid`` and ``bidder`` are None before the first bid, ``next``
  is the seat that is asked, ``next_bid`` what its bid would be.
- The state: ``grown`` as in scenarios, without New Cities. Complete links, and those without a mark, have no
  ``extended``. A cube is a letter, the colour of a city a word. ``points`` are all of the move. ``cubes``,
  ``bag`` and ``new_left`` tell of what is empty, too.
"""

from tests.verification.reference_steam.game import Reference
from tests.verification.reference_steam.rules import Rules
from tests.verification.reference_steam.setup import Deal

__all__ = ["Deal", "Reference", "Rules"]
