"""Steam Power at the terminal: what can be typed, hands and cards, and how Automas are seated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from steam_env.core.steam_power.state import COLOR_LETTERS, COLOR_NAMES, SOLO_ROUNDS
from steam_env.data.steam_power.rules import Rules, is_automa, level_of
from steam_env.data.steam_power.setting import Setting
from steam_env.playing.desk import AsideLine, Desk, SeatLine, Topic
from steam_env.render.pen import Pen, code_names
from steam_env.render.steam_power.spots import tell_card_in_full
from steam_env.render.steam_power.text import (
    LEGEND,
    list_cities,
    list_links,
    list_supply,
    tell_card,
    tell_corners,
    write_map,
)
from steam_env.render.steam_power.things import Scene, Seat

KNOWN = ("deal", "round", "stack", "bag", "aside")  # what the board shows, and what lies face down
REASONS = (  # why an Automa does what it does
    *("assess", "choose_source", "choose_hop", "base", "present", "no_target", "unreachable", "target"),
    *("path", "path_hex", "no_track", "not_laid", "coins", "choose_city", "no_city", "automa", "no_contract"),
)
HELP = """\
Type an action in full (TAB completes it), or its number in brackets. Cities
may be written as on the map: "start MIL N" is "start Milwaukee N".

  money               take $3 (rule 3.1)
  contracts           take two contracts (7)
  build CITY          build a factory (5)
  fulfil NUMBER       fulfil a contract in your hand (6); then source, hop, pay
  start CITY EDGE     begin a link from the city over this edge (4)
  head / replace EDGE the far edge of the tile that is laid or turned
  remove, done        take back the tail; no second placement, or no bonus

  hand, cards         your contracts; all contracts that lie open

Contracts: number, needs (W white, B black, O orange, G gray), $, VP, bonus;
! marks one that can be fulfilled now. Seats: trn trains and fac factories in
reserve, crd contracts in hand, ful fulfilled, VP as the position stands. The
log tells the reasons of Automas, too."""


def split_action(text: str) -> tuple[str, str, str]:
    """An action's kind, what it is about, and of `start` the edge: "start", "Green Bay", "NE"."""
    kind, _, what = text.partition(" ")
    city, _, edge = what.rpartition(" ") if kind == "start" else (what, "", "")
    return kind, city, edge


# --- what is shown ----------------------------------------------------------------------------------------


def tell_head(scene: Scene) -> tuple[str, str]:
    """Map; round, end, deck and off-map tiles."""
    limit = SOLO_ROUNDS if scene.mode == "solo" else scene.max_rounds
    off_map = "".join(letter * count for letter, count in zip(COLOR_LETTERS, scene.supply.off_map, strict=True))
    parts = [f"round {scene.round} of {limit}"]
    if scene.mode != "solo":
        parts.append(f"ends at {scene.end_trigger} ful")
    parts += [f"deck {scene.supply.deck}", f"off the map {off_map or 'none'}"]
    return scene.title, "  ".join(parts)


def list_seats(scene: Scene, person: int, names: Sequence[str]) -> Iterator[SeatLine]:
    """The seats, in solo the companies and then the player."""
    for seat in scene.seats:
        yield _tell_seat(seat, person, names)
    if scene.solo is not None:
        yield _tell_seat(scene.solo, person, names)


def _tell_seat(seat: Seat, person: int, names: Sequence[str]) -> SeatLine:
    if seat.kind == "solo":
        who = "you"
    elif seat.kind == "company":
        who = f"{seat.seat} company"
    else:
        name = "you" if seat.seat == person else names[seat.seat]
        who = f"{seat.seat} {name}{' wins' if seat.wins else ''}"
    fulfilled = None if seat.vp is None else len(seat.fulfilled)
    cells = (seat.money, seat.trains, seat.factories, seat.hand_size, fulfilled, seat.vp)
    is_solo = seat.kind == "solo"
    return SeatLine(None if is_solo else seat.seat, who, cells, seat.decides and not is_solo)


def list_notes(scene: Scene) -> Iterator[str]:
    """The resources in the corners, clockwise from the top left, and the Automas' markers there (rule 8.1)."""
    if scene.corners:
        letters = [
            COLOR_LETTERS[COLOR_NAMES.index(corner.color)] + "".join(f"<{seat}" for seat in corner.markers)
            for corner in scene.corners
        ]
        yield f"corners from top left: {' '.join(letters)}"


def list_hand(scene: Scene, person: int) -> list[AsideLine]:
    """The contracts in hand, those that can be fulfilled now marked."""
    owner = scene.owners[0 if scene.solo else person]
    can = {choice.contract for choice in scene.choices if choice.kind == "fulfil"}
    lines = [AsideLine("your contracts", False)] if owner.hand else []
    for card in owner.hand:
        mark = "!" if card.number in can else " "
        lines.append(AsideLine(f"{mark} {tell_card(card)}", card.number in can))
    return lines


def describe_map(scene: Scene, pen: Pen) -> Iterator[str]:
    """The map's signs, cities, corners, links and supply."""
    yield from (*LEGEND.splitlines(), "", *list_cities(scene), *tell_corners(scene))
    yield from ("", *list_links(scene, pen), "", *list_supply(scene))


def describe_hand(scene: Scene, person: int) -> Iterator[str]:
    """The contracts in hand, in words."""
    for card in scene.owners[0 if scene.solo else person].hand:
        yield tell_card_in_full(card)


def describe_cards(scene: Scene, person: int) -> Iterator[str]:
    """What each seat has fulfilled, the discards, and the own hand."""
    for owner in scene.owners:
        for what, cards in (("has fulfilled", owner.fulfilled), ("holds", owner.hand)):
            yield from (f"{owner.name} {what} {tell_card_in_full(card)}" for card in cards)
        if not owner.hand and owner.hand_size:
            yield f"{owner.name} holds {owner.hand_size} that you do not see"
    yield from (f"discarded: {tell_card_in_full(card)}" for card in scene.supply.discards)
    yield f"in the deck: {scene.supply.deck}"


def list_codes(setting: Setting) -> dict[str, str]:
    """The cities as the map writes them."""
    return code_names(setting.map.cities)


# --- who may sit where -----------------------------------------------------------------------------------


def seat_automas(rules: Rules, names: Sequence[str]) -> Rules:
    """The rules with the Automas that the names ask for.

    Raises:
        ValueError: for another name than there are, Automas before others, or of several levels.
    """
    if rules.mode == "solo":
        return rules
    levels = [level_of(name) for name in names if is_automa(name)]
    if len(set(levels)) > 1:
        raise ValueError(f"Automas of one game have one level, not {' and '.join(sorted(set(levels)))}")
    level = levels[0] if levels else rules.automa_level
    return replace(rules, num_players=len(names), automas=len(levels), automa_level=level)


def check_automas(names: Sequence[str], rules: Rules) -> None:
    """Refuse Automas where the rules have none.

    Raises:
        ValueError: naming the seat.
    """
    for seat, name in enumerate(names):
        if is_automa(name) != (seat >= rules.players):
            raise ValueError(f"{name} on seat {seat}: Automas hold the last seats, and none but them (rule 8)")
        if is_automa(name) and level_of(name) != rules.automa_level:
            raise ValueError(f"{name} on seat {seat}: the game's Automas are {rules.automa_level}")


DESK = Desk(
    program="steam_env.commands.steam_power.play:main",
    help=HELP,
    adviser="greedy",
    columns=("$", "trn", "fac", "crd", "ful", "VP"),
    list_seats=list_seats,
    tell_head=tell_head,
    write_map=write_map,
    describe_map=describe_map,
    codes=list_codes,
    list_notes=list_notes,
    list_aside=list_hand,
    aside_command="hand",
    topics={"hand": Topic("your hand", describe_hand), "cards": Topic("contracts", describe_cards)},
    split=split_action,
    quiet=(*KNOWN, *REASONS),
    seat_names=seat_automas,
    check_names=check_automas,
)
