"""Scenes: all that is visible is there, and nothing that is hidden; pictures and text show every change."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.hexes import PAIR_OF_EDGES
from steam_env.core.steam_power.state import (
    GAME_FIELDS,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    TRACK,
)
from steam_env.render import draw_svg
from steam_env.render.steam_power import Scene, draw_text, make_scene
from steam_env.render.steam_power.things import OFF_THE_MAP
from steam_env.spec import find_spec
from tests.games import MINI, TABLES, find, find_busy, samples, walk

SVG = "{http://www.w3.org/2000/svg}"


def draw(scene: Scene) -> str:
    return draw_svg(scene, find_spec().sight)


def texts_in(svg: str, layer: str) -> list[ElementTree.Element]:
    group = ElementTree.fromstring(svg).find(f"{SVG}g[@class='{layer}']")
    assert group is not None
    return group.findall(f"{SVG}text")


# --- all that is visible is in the scene and in the picture -------------------------------------------


Change = Callable[[np.ndarray], None]


def cycle(name: str, values: int, *index: int) -> Change:
    """The next of so many values of a field."""

    def change(records: np.ndarray) -> None:
        records[name][0, *index] = (records[name][0, *index] + 1) % values

    return change


def move(name: str, where: Callable[[np.record], Any], value: Callable[[int], int]) -> Change:
    """Another value at the first place that is like this."""

    def change(records: np.ndarray) -> None:
        place = np.flatnonzero(where(records[0]))[0]
        records[name][0, place] = value(int(records[name][0, place]))

    return change


def turn_track(records: np.ndarray) -> None:
    record = records[0]
    owner = next(seat for seat in range(3) if record.tail_link[seat] != NONE)
    record.tail_exit[owner] = (record.tail_exit[owner] + 1) % 6
    here, pair = record.tail_hex[owner], (record.tail_entry[owner], record.tail_exit[owner])
    record.track[here, list(record.track_link[here]).index(record.tail_link[owner])] = PAIR_OF_EDGES[pair]


ANY = 100  # as many values as there may be
# By field of the record: a change that everybody can see.
SEEN_CHANGES: dict[str, Change] = {
    **{name: cycle(name, ANY) for name in ("round_number", "deck_size", "contracts_to_end", "max_rounds")},
    **{name: cycle(name, 3) for name in ("seat", "first_player", "actions_left")},
    **{name: cycle(name, ANY, 1) for name in ("money", "hand_size", "tiles")},
    "trains": cycle("trains", ANY, 2),
    "factories": cycle("factories", ANY, 0),
    "stock": cycle("stock", ANY, 3),
    "off_map": cycle("off_map", ANY, 4),
    "num_coins": move("num_coins", lambda record: record.num_coins > 0, lambda number: number - 1),
    "coins": cycle("coins", ANY, 0, 0),
    "phase": lambda records: records.__setitem__("phase", TRACK),
    "color": cycle("color", 5, 0),
    "owner": move("owner", lambda record: record.owner != NONE, lambda owner: (owner + 1) % 3),
    "resources": move("resources", lambda record: (record.owner != NONE) & (record.resources > 0), lambda _: 0),
    "place": move("place", lambda record: record.place == PLACE_DECK, lambda _: PLACE_FULFILLED),
    "place of a discard": move("place", lambda record: record.place == PLACE_DISCARDED, lambda _: PLACE_HAND),
    "corners": cycle("corners", 4, 0),
    "marker": cycle("marker", 4, 0),
    "track": turn_track,
    "link_owner": cycle("link_owner", 3, 0),
}


# Fields that the scene shows through others, in certain phases, or by rules; tested further below.
SEEN_IN_A_DECISION = {"start_city", "start_edge", "build_city", "contract", "need", "cargo_group", "hop_group"}
SEEN_IN_A_DECISION |= {"visited", "takes_left", "placements_left", "in_bonus", "bag_size", "truncated", "bag"}
SEEN_THROUGH_OTHERS = {"reach", "network", "linked", "num_fulfilled", "num_links", "num_seats", "num_automas"}
SEEN_THROUGH_OTHERS |= {"tail_link", "tail_hex", "tail_entry", "tail_exit", "track_link", "met"}
SEEN_THROUGH_OTHERS |= {"link_start", "link_edge", "link_end", "automa_level", "edition", "mode"}
NOT_SHOWN = {"rng", "deck_order", "slot", "generation", "known", "routing", "board_index", "deck_index"}


def test_scene__every_field_of_the_record_is_accounted_for() -> None:
    changed = {name.split(" ")[0] for name in SEEN_CHANGES}
    assert changed | SEEN_IN_A_DECISION | SEEN_THROUGH_OTHERS | NOT_SHOWN == {field.name for field in GAME_FIELDS}


@pytest.mark.parametrize("name", SEEN_CHANGES)
def test_scene__a_visible_change_is_seen(name: str) -> None:
    busy = find_busy()
    before = busy.scene()
    records = busy.records.copy()
    SEEN_CHANGES[name](records)
    after = make_scene(busy.setting, records, busy.mask)
    assert after != before
    assert draw(after) != draw(before)
    assert draw_text(after, color=False) != draw_text(before, color=False) or name == "coins"


DECISIONS: dict[str, tuple[dict[str, Any], Callable[[Game], bool]]] = {
    "head": (MINI, lambda game: game.phase == "head"),
    "track": (MINI, lambda game: game.phase == "track" and "remove" in game.legal_text()),
    "source": (TABLES["automas"], lambda game: game.phase == "source" and int(game.record.need) > 0),
    "hop": (TABLES["automas"], lambda game: game.phase == "hop"),
    "pay": (TABLES["five"], lambda game: game.phase == "pay"),
    "bonus": (MINI, lambda game: game.phase == "bonus"),
    "amount": (MINI, lambda game: game.phase == "amount"),
    "take_from": ({**MINI, "num_players": 3}, lambda game: game.phase == "take_from"),
    "over": (MINI, lambda game: game.done),
}


# By phase: a field that is seen, where the scene has it, and as what.
TOLD: dict[str, tuple[str, str, Callable[[np.record], Any]]] = {
    "head": ("start_edge", "start", lambda record: (record.start_city, record.start_edge)),
    "pay": ("hop_group", "target", lambda record: record.hop_group),
    "amount": ("build_city", "building", lambda record: record.build_city),
    "take_from": ("takes_left", "takes_left", lambda record: record.takes_left),
}


@cache
def find_decision(phase: str) -> Game:
    return find(*DECISIONS[phase])


@pytest.mark.parametrize("phase", DECISIONS)
def test_decision__is_told_and_drawn(phase: str) -> None:
    game = find_decision(phase)
    scene, record = game.scene(), game.record
    decision = scene.decision
    assert (decision.phase, decision.seat) == (phase, None if game.done else game.seat)
    assert decision.text in draw_text(scene, color=False)
    words = {word for line in texts_in(draw(scene), "decision") for word in (line.text or "").split()}
    assert set(decision.text.removeprefix("the game is over").strip(": ").split()) <= words
    assert (decision.contract.number if decision.contract else NONE) == record.contract
    if phase in ("hop", "pay"):
        assert decision.cargo == game.setting.boards[0].city_hex[record.cargo_group]
        assert record.cargo_group in decision.visited
    if phase in TOLD:
        _, told, expected = TOLD[phase]
        assert expected(record) == getattr(decision, told)
    assert phase != "take_from" or decision.takes_left > 0


@pytest.mark.parametrize(
    ("phase", "field"), [("source", "need"), ("hop", "visited"), *((phase, TOLD[phase][0]) for phase in TOLD)]
)
def test_decision__each_part_is_seen(phase: str, field: str) -> None:
    game = find_decision(phase)
    records = game.records.copy()
    records[0][field] = 0 if records[0][field] else 1
    assert draw(make_scene(game.setting, records)) != draw(make_scene(game.setting, game.records))


def test_scene__seats_hold_what_the_game_tells() -> None:
    for game in (game for table in samples().values() for game in table):
        scene = game.scene()
        assert [seat.trains for seat in scene.seats] == game.trains
        assert [seat.factories for seat in scene.seats] == game.factories_left
        assert [seat.money for seat in scene.owners] == game.money
        assert [seat.vp for seat in scene.owners] == [score["total"] for score in game.scores()]
        for seat in scene.owners:
            assert [card.number for card in seat.hand] == game.hand(seat.seat)
            assert [card.number for card in seat.fulfilled] == game.fulfilled(seat.seat)
            assert seat.hand_size == len(seat.hand)
        assert {seat.seat for seat in scene.seats if seat.wins} == (
            set(game.winners()) if game.done and scene.solo is None else set()
        )
        assert scene.supply.deck == game.deck_size
        assert list(scene.supply.off_map) == list(game.off_map.values())
        for city in scene.cities:
            told = game.city(city.name)
            assert (city.color, city.owner, city.resources, city.flipped) == tuple(
                told[name] for name in ("color", "owner", "resources", "flipped")
            )


def test_scene__links_segments_and_crossings() -> None:
    crossings = 0
    for game in (game for table in samples().values() for game in table):
        scene = game.scene()
        for line, told in zip(scene.links, game.links(), strict=True):
            path = [scene.cities[line.start].name, *(scene.hexes[here].name for here in line.hexes)]
            path += [] if line.end is None else [scene.cities[line.end].name]
            assert (line.owner, path, line.open_edge is None) == (told["owner"], told["path"], told["complete"])
        by_hex: dict[int, list[Any]] = {}
        for segment in scene.segments:
            by_hex.setdefault(segment.hex, []).append(segment)
            assert segment.hex in scene.links[segment.link].hexes
        for segments in by_hex.values():
            assert {segment.crossing for segment in segments} == {len(segments) > 1}
            assert sum(segment.over for segment in segments) == len(segments) - 1
            crossings += len(segments) > 1
    assert crossings > 0


# --- choices --------------------------------------------------------------------------------------------


def test_choices__are_the_legal_actions_where_they_take_place() -> None:
    """Each placement is really laid on the hex and over the edge where its choice is shown."""
    kinds = set()
    for rules in (MINI, TABLES["automas"]):
        for game in walk(rules, 11, greed=0.5):
            scene = game.scene()
            assert [choice.action for choice in scene.choices] == game.legal()
            rng = np.random.default_rng(game.num_steps)
            for choice in rng.permutation(np.array(scene.choices, object))[:3]:
                kinds.add(choice.kind)
                twin = game.clone()
                twin.step(choice.action)
                check_choice(choice, game, scene, twin)
    assert kinds >= {"start", "head", "replace", "remove", "build", "source", "fulfil", "money", "contracts", "done"}


def check_choice(choice: Any, game: Game, scene: Scene, after: Game) -> None:
    cities = {city.hex: city.name for city in scene.cities}
    assert choice.text == game.text(choice.action)
    if choice.kind in ("head", "replace"):
        events = [event for event in after.events if event.kind == ("place" if choice.kind == "head" else "replace")]
        mine = [event for event in events if event.actor == game.seat][-1]
        assert (mine.values["hex"], mine.values["exit"]) == (choice.hex, choice.edge)
    elif choice.kind == "remove":
        assert choice.hex == game.record.tail_hex[game.seat]
    elif choice.kind == "start":
        assert choice.text.startswith(f"start {cities[choice.hex]} ")
        assert after.record.start_edge == choice.edge
    elif choice.kind in ("build", "source", "hop"):
        assert choice.text == f"{choice.kind} {cities[choice.hex]}"
    else:
        assert choice.hex == OFF_THE_MAP
    if choice.kind == "fulfil":
        assert choice.contract in game.hand(game.seat)


def test_choices__the_cross_leaves_the_train_to_be_seen() -> None:
    crosses = 0
    for game in (game for seed in range(3) for game in walk(MINI, seed)):
        if "remove" not in game.legal_text():
            continue
        root = ElementTree.fromstring(str(game.render("svg")))
        (cross,) = (path for path in root.iter(f"{SVG}path") if path.findtext(f"{SVG}title") == "remove")
        left, top, right, down, *_ = map(float, re.findall(r"-?[\d.]+", cross.get("d", "")))
        middle = np.array([left + right / 2, top + down / 2])
        for number in texts_in(str(game.render("svg")), "trains"):
            size = float(number.get("font-size", ""))
            at = np.array([float(number.get("x", "")), float(number.get("y", "")) - 0.35 * size])
            reach = max(abs(right), abs(down)) / 2 + 0.35 * size  # of the cross and of the digit
            assert np.abs(middle - at).max() > reach, (game.seat, number.text)
            crosses += 1
    assert crosses > 10


def test_choices__the_cross_lies_on_a_tail_that_crosses_its_own_link() -> None:
    def crosses_itself(game: Game) -> bool:
        if "remove" not in game.legal_text():
            return False
        tail = int(game.record.tail_hex[game.seat])
        return len({part.link for part in game.scene().segments if part.hex == tail and part.crossing}) == 1

    walks = (walk({"map": "mini", "num_players": 3, "max_rounds": 12}, seed, greed=0) for seed in range(40))
    game = next(game for steps in walks for game in steps if crosses_itself(game))
    titles = [title.text for title in ElementTree.fromstring(str(game.render("svg"))).iter(f"{SVG}title")]
    assert titles.count("remove") == 1


@pytest.mark.parametrize("phase", ["pay", "take_from"])
def test_choices__name_seats(phase: str) -> None:
    choices = find_decision(phase).scene().choices
    assert [f"{phase} player_{choice.seat}" for choice in choices] == find_decision(phase).legal_text()


def test_choices__are_shown_to_the_mover_and_to_those_who_see_all() -> None:
    busy = find_busy()
    others = [seat for seat in range(busy.seats) if seat != busy.seat]
    assert busy.scene(busy.seat).choices == busy.scene().choices != ()
    assert all(busy.scene(seat).choices == () for seat in others)
    svg, without = draw(busy.scene()), draw(make_scene(busy.setting, busy.records))
    assert svg != without


# --- nothing hidden: redeals look the same in test_hidden_information -----------------------------------


def test_hidden__a_seat_sees_its_own_hand_and_the_contracts_that_it_knows() -> None:
    busy = find_busy()
    for seat in range(busy.rules.players):
        scene = busy.scene(seat)
        for other in scene.seats:
            known = busy.hand(other.seat) if other.seat == seat else []
            assert [card.number for card in other.hand] == known
    records = busy.records.copy()
    (mover, other) = (busy.seat, 1 - busy.seat)
    taken = busy.hand(other)[0]
    records[0].known[taken] = 1 << mover  # as after taking it from a hand and losing it again
    (seat,) = (seat for seat in make_scene(busy.setting, records, None, mover).seats if seat.seat == other)
    assert [card.number for card in seat.hand] == [taken]


def test_hidden__neither_the_order_of_deck_and_bag_nor_chance_to_come_is_shown() -> None:
    solo = next(game for game in samples()["solo"] if game.round > 2 and game.record.bag_size > 1)
    for game in (find_busy(), solo):
        records = game.records.copy()
        for order, size in (("deck_order", "deck_size"), ("bag", "bag_size")):
            records[0][order][: records[0][size]] = records[0][order][: records[0][size]][::-1].copy()
            assert records[0][size] < 2 or (records[0][order] != game.record[order]).any()
        records[0].rng[:] += 1
        assert make_scene(game.setting, records, game.mask) == game.scene()
    scene = solo.scene()
    assert (sum(scene.supply.bag), scene.supply.aside) == (solo.record.bag_size, solo.round - 1)
