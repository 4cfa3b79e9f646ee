"""Scenes and what is drawn from them: all that is visible is there, nothing hidden is, and it is well made."""

import re
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from pettingzoo.utils.wrappers.record_video import RecordVideo as RecordVideoAEC
from PIL import Image

from steam_env import Game, Rules, steam_power_v0
from steam_env.agents import make_agent
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
from steam_env.data.steam_power.maps import load_map, map_to_dict, shipped_maps
from steam_env.render import close_window, draw_pixels, draw_svg, show_pixels
from steam_env.render.canvas import HEIGHT, WIDTH, measure, wrap
from steam_env.render.pixels import rasterise
from steam_env.render.steam_power import Scene, draw_text, make_scene
from steam_env.render.steam_power.theme import SHAPES
from steam_env.render.steam_power.things import OFF_THE_MAP
from steam_env.render.theme import ON_SEAT, PALETTE, PATTERNS
from steam_env.replay import animate
from steam_env.spec import find_spec

ROOT = Path(__file__).parents[1]
SIGHT = find_spec().sight
SVG = "{http://www.w3.org/2000/svg}"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
TERMINAL_COLUMNS, TERMINAL_ROWS = 80, 24
TABLES: dict[str, dict[str, Any]] = {
    "two": {"map": "mini", "contracts": "mini"},
    "five": {"map": "midwest", "num_players": 5},
    "automas": {"map": "mini", "num_players": 4, "automas": 2},
    "solo": {"map": "mini", "mode": "solo"},
    "preview": {"map": "alps", "num_players": 3, "edition": "preview"},
}


def draw(scene: Scene) -> str:
    return draw_svg(scene, SIGHT)


def walk(rules: dict[str, Any], seed: int, greed: float = 0.6) -> Iterator[Game]:
    """A game decision by decision, by a mix of greedy and random play."""
    game, agent, rng = Game(Rules(**rules), seed=seed), make_agent("greedy"), np.random.default_rng(seed)
    agent.reset(seed)
    while not game.done:
        yield game
        greedy = rng.random() < greed
        chosen = agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0] if greedy else rng.choice(game.legal())
        game.step(int(chosen))
    yield game


def find(rules: dict[str, Any], wanted: Callable[[Game], bool], seeds: range = range(40)) -> Game:
    """The first position like this."""
    return next(game for seed in seeds for game in walk(rules, seed) if wanted(game))


@pytest.fixture(scope="module")
def games() -> dict[str, list[Game]]:
    """Some positions of a game at each table, the first and the last among them."""
    return {name: [game.clone() for game in walk(rules, 7)][::12] for name, rules in TABLES.items()}


@pytest.fixture(scope="module")
def busy() -> Game:
    """A position with coins, markers, a crossing, an incomplete link, flipped cities and discards."""

    def is_busy(game: Game) -> bool:
        scene = game.scene()
        return (
            game.phase == "action"
            and bool(scene.coins and scene.supply.discards)
            and any(segment.crossing for segment in scene.segments)
            and any(link.open_edge is not None for link in scene.links)
            and any(city.flipped for city in scene.cities)
            and any(choice.kind == "fulfil" for choice in scene.choices)
        )

    return find({"map": "mini", "num_players": 3, "automas": 1}, is_busy).clone()


def texts_in(svg: str, layer: str) -> list[ElementTree.Element]:
    group = ElementTree.fromstring(svg).find(f"{SVG}g[@class='{layer}']")
    assert group is not None
    return group.findall(f"{SVG}text")


# --- all that is visible is in the scene and in the picture -------------------------------------------


def cycle(name: str, values: int, *index: int) -> Callable[[np.record], None]:
    """The next of so many values of a field."""

    def change(record: np.record) -> None:
        if index:
            record[name][index] = (record[name][index] + 1) % values
        else:
            record[name] = (record[name] + 1) % values

    return change


def move_first(name: str, where: Callable[[np.record], Any], value: int) -> Callable[[np.record], None]:
    """Another value at the first place that is like this."""

    def change(record: np.record) -> None:
        record[name][np.flatnonzero(where(record))[0]] = value

    return change


def turn_track(record: np.record) -> None:
    owner = next(seat for seat in range(3) if record.tail_link[seat] != NONE)
    record.tail_exit[owner] = (record.tail_exit[owner] + 1) % 6
    here, pair = record.tail_hex[owner], (record.tail_entry[owner], record.tail_exit[owner])
    record.track[here, list(record.track_link[here]).index(record.tail_link[owner])] = PAIR_OF_EDGES[pair]


def sell(record: np.record) -> None:
    city = np.flatnonzero(record.owner != NONE)[0]
    record.owner[city] = (record.owner[city] + 1) % 3


ANY = 1000  # as many values as there may be
# By field of the record: a change that everybody can see.
SEEN_CHANGES: dict[str, Callable[[np.record], None]] = {
    **{name: cycle(name, ANY) for name in ("round_number", "deck_size", "contracts_to_end", "max_rounds")},
    **{name: cycle(name, 3) for name in ("seat", "first_player", "actions_left")},
    **{name: cycle(name, ANY, 1) for name in ("money", "hand_size", "tiles")},
    "trains": cycle("trains", ANY, 2),
    "factories": cycle("factories", ANY, 0),
    "stock": cycle("stock", ANY, 3),
    "off_map": cycle("off_map", ANY, 4),
    "num_coins": lambda record: record.num_coins.__setitem__(0, record.num_coins[0] - 1),
    "coins": lambda record: record.coins.__setitem__((0, 0), record.coins[0, 0] + 1),
    "phase": lambda record: record.__setitem__("phase", TRACK),
    "color": cycle("color", 5, 0),
    "owner": sell,
    "resources": move_first("resources", lambda record: (record.owner != NONE) & (record.resources > 0), 0),
    "place": move_first("place", lambda record: record.place == PLACE_DECK, PLACE_FULFILLED),
    "place of a discard": move_first("place", lambda record: record.place == PLACE_DISCARDED, PLACE_HAND),
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
def test_scene__a_visible_change_is_seen(name: str, busy: Game) -> None:
    before = busy.scene()
    records = busy.records.copy()
    SEEN_CHANGES[name](records[0])
    after = make_scene(busy.setting, records, busy.mask)
    assert after != before
    assert draw(after) != draw(before)
    assert draw_text(after, color=False) != draw_text(before, color=False) or name == "coins"


DECISIONS: dict[str, tuple[dict[str, Any], Callable[[Game], bool]]] = {
    "head": (TABLES["two"], lambda game: game.phase == "head"),
    "track": (TABLES["two"], lambda game: game.phase == "track" and "remove" in game.legal_text()),
    "source": (TABLES["automas"], lambda game: game.phase == "source" and int(game.record.need) > 0),
    "hop": (TABLES["automas"], lambda game: game.phase == "hop"),
    "pay": (TABLES["five"], lambda game: game.phase == "pay"),
    "bonus": (TABLES["two"], lambda game: game.phase == "bonus"),
    "amount": (TABLES["two"], lambda game: game.phase == "amount"),
    "take_from": ({**TABLES["two"], "num_players": 3}, lambda game: game.phase == "take_from"),
    "over": (TABLES["two"], lambda game: game.done),
}


@pytest.fixture(scope="module")
def decisions() -> dict[str, Game]:
    return {name: find(rules, wanted).clone() for name, (rules, wanted) in DECISIONS.items()}


@pytest.mark.parametrize("phase", DECISIONS)
def test_decision__is_told_and_drawn(phase: str, decisions: dict[str, Game]) -> None:
    game = decisions[phase]
    scene, record = game.scene(), game.record
    decision = scene.decision
    assert (decision.phase, decision.seat) == (phase, None if game.done else game.seat)
    assert decision.text in draw_text(scene, color=False)
    words = {word for line in texts_in(draw(scene), "decision") for word in (line.text or "").split()}
    assert set(decision.text.removeprefix("the game is over").strip(": ").split()) <= words
    assert (decision.contract.number if decision.contract else NONE) == record.contract
    if phase == "head":
        assert decision.start == (record.start_city, record.start_edge)
    if phase in ("hop", "pay"):
        assert decision.cargo == game.setting.boards[0].city_hex[record.cargo_group]
        assert record.cargo_group in decision.visited
    if phase == "pay":
        assert decision.target == record.hop_group
    if phase == "amount":
        assert decision.building == record.build_city
    if phase == "take_from":
        assert decision.takes_left == record.takes_left > 0


@pytest.mark.parametrize(
    ("phase", "field"),
    [
        ("head", "start_edge"),
        ("source", "need"),
        ("hop", "visited"),
        ("pay", "hop_group"),
        ("amount", "build_city"),
        ("take_from", "takes_left"),
    ],
)
def test_decision__each_part_is_seen(phase: str, field: str, decisions: dict[str, Game]) -> None:
    game = decisions[phase]
    records = game.records.copy()
    records[0][field] = 0 if records[0][field] else 1
    assert draw(make_scene(game.setting, records)) != draw(make_scene(game.setting, game.records))


def test_scene__seats_hold_what_the_game_tells(games: dict[str, list[Game]]) -> None:
    for game in (game for table in games.values() for game in table):
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


def test_scene__links_segments_and_crossings(games: dict[str, list[Game]]) -> None:
    crossings = 0
    for game in (game for table in games.values() for game in table):
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


def test_scene__solo_shows_the_bag_but_not_its_order(games: dict[str, list[Game]]) -> None:
    game = next(game for game in games["solo"] if game.round > 2 and game.record.bag_size > 1)
    scene = game.scene()
    assert sum(scene.supply.bag) == game.record.bag_size
    records = game.records.copy()
    bag = records[0].bag[: records[0].bag_size]
    assert bag.tolist() != bag[::-1].tolist()
    bag[:] = bag[::-1].copy()
    assert make_scene(game.setting, records, game.mask) == scene
    assert scene.supply.aside == game.round - 1 > 1


# --- choices --------------------------------------------------------------------------------------------


def test_choices__are_the_legal_actions_where_they_take_place() -> None:
    """Each placement is really laid on the hex and over the edge where its choice is shown."""
    kinds = set()
    for rules in (TABLES["two"], TABLES["automas"]):
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
    for game in (game for seed in range(3) for game in walk(TABLES["two"], seed)):
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
def test_choices__name_seats(phase: str, decisions: dict[str, Game]) -> None:
    choices = decisions[phase].scene().choices
    assert [f"{phase} player_{choice.seat}" for choice in choices] == decisions[phase].legal_text()


def test_choices__are_shown_to_the_mover_and_to_those_who_see_all(busy: Game) -> None:
    others = [seat for seat in range(busy.seats) if seat != busy.seat]
    assert busy.scene(busy.seat).choices == busy.scene().choices != ()
    assert all(busy.scene(seat).choices == () for seat in others)
    svg, without = draw(busy.scene()), draw(make_scene(busy.setting, busy.records))
    assert svg != without


# --- nothing hidden -------------------------------------------------------------------------------------


def test_hidden__a_redeal_leaves_the_scene_of_the_seat_as_it_is(games: dict[str, list[Game]]) -> None:
    told_apart = 0
    for game in (game for table in games.values() for game in table[::2]):
        for seat in range(game.rules.players):
            other = game.redeal(seat, game.num_steps)
            assert other.scene(seat) == game.scene(seat)
            told_apart += other.scene() != game.scene()
    assert told_apart > 20


@pytest.mark.parametrize("phase", DECISIONS)
def test_hidden__a_redeal_leaves_every_byte_as_it_is(phase: str, decisions: dict[str, Game]) -> None:
    game = decisions[phase]
    for seat in range(game.rules.players):
        other = game.redeal(seat, 5)
        for mode in ("svg", "ansi"):
            assert other.render(mode, seat=seat) == game.render(mode, seat=seat)


def test_hidden__a_seat_sees_its_own_hand_and_the_contracts_that_it_knows(busy: Game) -> None:
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


def test_hidden__the_deck_and_chance_to_come_are_never_shown(busy: Game) -> None:
    records = busy.records.copy()
    deck = records[0].deck_order[: records[0].deck_size]
    deck[:] = deck[::-1].copy()
    records[0].rng[:] += 1
    assert records.tobytes() != busy.records.tobytes()
    assert make_scene(busy.setting, records, busy.mask) == busy.scene()


# --- the SVG --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_svg__is_well_formed_and_self_contained(theme: str, games: dict[str, list[Game]]) -> None:
    for game in (table[index] for table in games.values() for index in (0, len(table) // 2, -1)):
        svg = str(game.render("svg", theme=theme))
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert svg.count("http") == svg.count("xmlns=") == 1
        assert not re.search(r"url\(|href|@import|<script|<image|nan|inf\b", svg)


def test_svg__has_a_sign_for_each_thing_on_the_map(busy: Game, games: dict[str, list[Game]]) -> None:
    for game in [busy, games["five"][-1], games["preview"][-2]]:
        scene = game.scene()
        titles = [element.text or "" for element in ElementTree.fromstring(draw(scene)).iter(f"{SVG}title")][1:]
        for city in scene.cities:
            (told,) = (title for title in titles if title.startswith(f"{city.name}: "))
            assert told.startswith(f"{city.name}: {city.color}")
            assert ("flipped" in told, f"player_{city.owner}" in told) == (city.flipped, city.owner is not None)
        open_ends = [f"open end of player_{link.owner}" for link in scene.links if link.open_edge is not None]
        assert sorted(title for title in titles if title.startswith("open end")) == sorted(open_ends)
        on_map = {choice.text for choice in scene.choices if choice.hex != OFF_THE_MAP}
        assert on_map <= set(titles)
        land = {city.hex for city in scene.cities}
        coins = [path.seat for path in scene.coins for here in path.hexes if here not in land]
        assert sorted(title for title in titles if title.startswith("coin")) == [f"coin of player_{s}" for s in coins]
        assert len(texts_in(draw(scene), "trains")) == len(scene.links)
        in_cities = [text.text for text in texts_in(draw(scene), "cities")]
        factories = [city for city in scene.cities if city.owner is not None]
        left = [f"{city.vp}vp" if city.flipped else f"{city.resources}" for city in factories]
        letters = [city.color[0].upper() for city in scene.cities if city.owner is None]
        assert sorted(in_cities) == sorted(left + letters + [str(city.owner) for city in factories])
        in_seats = " ".join(text.text or "" for text in texts_in(draw(scene), "seats"))
        for seat in scene.seats:
            if seat.fulfilled:
                assert f"fulfilled {' '.join(str(card.number) for card in seat.fulfilled)}" in in_seats


def test_svg__themes_differ_in_colours_only_and_keep_to_their_picture(busy: Game) -> None:
    light, dark, auto = (str(busy.render("svg", theme=theme)) for theme in ("light", "dark", "auto"))
    bodies = {re.sub(r"<style>.*?</style>|steam-power-\w+", "", svg) for svg in (light, dark, auto)}
    assert len(bodies) == 1
    assert PALETTE["paper"][0] in light
    assert PALETTE["paper"][0] not in dark
    assert PALETTE["paper"][1] in dark
    assert "prefers-color-scheme" not in light + dark
    assert all(color in auto for color in PALETTE["paper"])
    assert "prefers-color-scheme:dark" in auto
    assert busy._repr_svg_() == auto
    for theme, svg in (("light", light), ("dark", dark)):
        (style,) = re.findall(r"<style>(.*?)</style>", svg)
        assert all(rule.startswith(f".steam-power-{theme} ") for rule in style.split("}") if rule)


def test_svg__shrinks_in_a_narrow_page(busy: Game) -> None:
    svg = str(busy.render("svg"))
    assert ElementTree.fromstring(svg).get("style") == "max-width:100%;height:auto"
    unstyled = svg.replace(' style="max-width:100%;height:auto"', "")
    assert len(unstyled) < len(svg)
    assert np.array_equal(draw_pixels(svg), draw_pixels(unstyled))
    assert draw_pixels(svg, width=300).shape == (200, 300, 3)


def titled(title: str, edition: str = "final") -> str:
    """The picture of a game on a map of this title."""
    scenario = Game(Rules(**TABLES["two"]), seed=1).to_scenario()
    scenario["map"] = {**map_to_dict(load_map("mini")), "title": title}
    scenario["rules"]["edition"] = edition
    return str(Game.from_scenario(scenario).render("svg"))


@pytest.mark.parametrize("edition", ["final", "preview"])
@pytest.mark.parametrize("title", ["M", "The Midwest", "Wide Mountains And Many More Words Than Fit"])
def test_svg__title_and_details_keep_apart(title: str, edition: str) -> None:
    heading, details = texts_in(titled(title, edition), "header")
    assert "e" in str(details.get("class")).split()  # ends at its x
    left, right = (float(text.get("x", "")) for text in (heading, details))
    widths = [
        measure(text.text or "", float(text.get("font-size", "")), bold=text is heading) for text in (heading, details)
    ]
    assert left + widths[0] + 20 < right - widths[1]


def test_measure__bold_is_wider_as_it_is_in_the_font() -> None:
    from font_source_sans_pro import font_files_ttf
    from PIL import ImageFont

    for style, bold in (("SourceSansPro", False), ("SourceSansProBold", True)):
        font = ImageFont.truetype(str(font_files_ttf[style]), 100)
        for text in ("The Midwest", "player_0 decides", "Round Lake Michigan", "money · contracts", "13 of 14 done"):
            assert 1 <= measure(text, 100, bold) / font.getlength(text) < 1.25, (text, bold)


def test_svg__names_are_escaped() -> None:
    root = ElementTree.fromstring(titled('Rivers & <Lakes> "north"'))
    assert 'Rivers & <Lakes> "north"' in [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", shipped_maps())
def test_svg__names_of_cities_do_not_overlap(name: str) -> None:
    boxes = []
    for text in texts_in(str(Game(Rules(map=name), seed=1).render("svg")), "names"):
        size, x, y = (float(text.get(key, "")) for key in ("font-size", "x", "y"))
        half = measure(text.text or "", size) / 2
        boxes.append((x - half, x + half, y - size, y))
    assert len(boxes) > 10
    for index, (left, right, top, bottom) in enumerate(boxes):
        assert 0 < left < right < WIDTH
        for left2, right2, top2, bottom2 in boxes[index + 1 :]:
            assert right < left2 or right2 < left or bottom < top2 or bottom2 < top


def test_svg__all_stays_inside_however_many_cards_there_are() -> None:
    game = Game(Rules(map="mini", num_players=5), seed=1)
    records = game.records.copy()
    records[0].place[:] = [PLACE_HAND + contract % 5 for contract in range(48)]
    records[0].hand_size[:] = [(records[0].place == PLACE_HAND + seat).sum() for seat in range(5)]
    root = ElementTree.fromstring(draw(make_scene(game.setting, records, game.mask)))
    tops = {name: heights_of(root, name) for name in ("decision", "seats", "hands", "supply")}
    ends = [end for name in tops for end in tops[name]]
    assert ends == sorted(ends), tops
    assert ends[0] > 0
    assert ends[-1] < HEIGHT


def heights_of(root: ElementTree.Element, layer: str) -> tuple[float, float]:
    """The top of the highest box of the layer, the bottom of the lowest."""
    boxes = root.findall(f"{SVG}g[@class='{layer}']/{SVG}rect")
    tops = [float(box.get("y", "")) for box in boxes]
    return min(tops), max(top + float(box.get("height", "")) for top, box in zip(tops, boxes, strict=True))


def test_svg__seats_and_resources_differ_by_more_than_colour() -> None:
    colors = {PALETTE[f"seat{seat}"] for seat in range(5)}
    assert len(set(PATTERNS)) == len(ON_SEAT) == len(set(SHAPES.values())) == len(SHAPES) == len(colors) == 5


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"mode": "svg", "theme": "pink"}, "theme='pink': allowed are 'light', 'dark', 'auto'"),
        ({"mode": "svg", "seat": 3}, "seat=3: 0 to 2 are allowed"),
        ({"mode": "pdf"}, "mode='pdf': allowed are 'ansi', 'svg', 'rgb_array', 'human'"),
        ({"path": "game.mp4"}, "path='game.mp4': must end in '.gif'"),
        ({"path": "game.gif", "every": "year"}, "every='year': allowed are 'turn', 'action'"),
        ({"path": "game.gif", "theme": "pink"}, "theme='pink': allowed are"),
        ({"path": "game.gif", "seat": 3}, "seat=3: 0 to 2 are allowed"),
    ],
)
def test_render_and_animate__refuse_what_they_do_not_know(options: dict[str, Any], named: str, busy: Game) -> None:
    with pytest.raises(ValueError, match=named):
        animate(busy, **options) if "path" in options else busy.render(**options)


def test_wrap__keeps_words_and_widths() -> None:
    lines = wrap("one two three four five", 10, 60)
    assert " ".join(lines) == "one two three four five"
    assert len(lines) > 1
    assert all(measure(line, 10) <= 60 for line in lines)


# --- text -----------------------------------------------------------------------------------------------


def test_text__colour_adds_colour_only(games: dict[str, list[Game]]) -> None:
    for game in (table[-1] for table in games.values()):
        plain, colored = draw_text(game.scene(), color=False), draw_text(game.scene(), color=True)
        assert "\x1b" not in plain
        assert "\x1b[" in colored
        assert ESCAPES.sub("", colored).split() == plain.split()


def test_text__colour_on_a_terminal_unless_it_is_declined(busy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in str(busy.render("ansi"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "\x1b" in str(busy.render("ansi"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in str(busy.render("ansi"))


def test_text__fits_a_terminal(games: dict[str, list[Game]]) -> None:
    for game in (game for table in games.values() for game in table):
        lines = draw_text(game.scene(), color=False).splitlines()
        assert max(map(len, lines)) <= TERMINAL_COLUMNS
    for game in games["two"]:
        assert len(draw_text(game.scene(), color=False, details=False).splitlines()) <= TERMINAL_ROWS


def test_text__shows_coins_markers_open_ends_and_crossings(busy: Game) -> None:
    text, scene = draw_text(busy.scene(), color=False), busy.scene()
    assert "$2" in text
    assert "<2" in text
    assert any(arrow in text.split("legal")[0] for arrow in "↑↗↘↓↙↖")
    (under, over) = sorted((one for one in scene.segments if one.crossing), key=lambda one: (one.hex, one.over))[:2]
    assert re.search(rf"{under.owner}[|/\\ct].?{over.owner}[|/\\ct]", text)
    assert "coins of player_2" in text
    assert all(city.name in text for city in scene.cities)


# --- pixels, window, animation, video -------------------------------------------------------------------


def test_pixels__have_one_size_and_show_the_text(busy: Game) -> None:
    pixels = busy.render("rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert (pixels.shape, pixels.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    assert pixels.flags.writeable
    assert np.array_equal(pixels, busy.render("rgb_array"))
    other = Game(Rules(map="midwest"), seed=1).render("rgb_array", theme="dark")
    assert isinstance(other, np.ndarray)
    assert other.shape == pixels.shape
    assert other.mean() < 100 < pixels.mean()
    wordless = draw_pixels(re.sub("<text.*?</text>", "", str(busy.render("svg"))))
    assert not np.array_equal(pixels, wordless)  # the font was found


@pytest.mark.parametrize("missing", ["resvg_py", "font_source_sans_pro"])
def test_pixels__say_what_is_missing(missing: str, busy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"pip install 'steam-env\[render\]'"):
        busy.render("rgb_array")
    assert busy.render("svg")


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pytest.importorskip("pygame")


def test_window__shows_and_closes(pygame: Any) -> None:
    pixels = np.zeros((20, 30, 3), np.uint8)
    pixels[3, 4] = (10, 20, 30)
    show_pixels(pixels, fps=1000)
    surface = pygame.display.get_surface()
    assert surface.get_size() == (30, 20)
    assert tuple(surface.get_at((4, 3)))[:3] == (10, 20, 30)
    close_window()
    assert pygame.display.get_surface() is None
    close_window()  # a second time is nothing


def press_close_button(pygame: Any) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))


def test_window__its_close_button_closes_it_and_the_program_goes_on(pygame: Any) -> None:
    pixels = np.zeros((20, 30, 3), np.uint8)
    assert show_pixels(pixels)
    press_close_button(pygame)
    with pytest.warns(UserWarning, match=r"the window was closed: .*close_window\(\)"):
        assert not show_pixels(pixels)
    assert not pygame.display.get_init()
    assert not show_pixels(pixels)  # without a second warning, which would be an error
    assert not pygame.display.get_init()
    close_window()
    assert show_pixels(pixels)
    assert pygame.display.get_surface() is not None
    close_window()


def make_env(interface: str, **options: Any) -> Any:
    """A short game on the small map, where the mover is the learner."""
    options = {"map": "mini", "max_rounds": 1, **options}
    return gymnasium.make("SteamPower-v0", **options) if interface == "gymnasium" else steam_power_v0.env(**options)


each_interface = pytest.mark.parametrize("interface", ["gymnasium", "pettingzoo"])


@each_interface
def test_window__closed_by_its_button_does_not_end_a_loop(interface: str, pygame: Any) -> None:
    env = make_env(interface, render_mode="human")
    env.reset(seed=1)
    assert pygame.display.get_surface().get_size() == (WIDTH, HEIGHT)
    press_close_button(pygame)
    with pytest.warns(UserWarning, match="the window was closed"):
        env.step(0)
    env.step(0)
    assert not pygame.display.get_init()
    env.reset(seed=2)
    assert not pygame.display.get_init()
    env.close()
    env.reset(seed=3)
    assert pygame.display.get_init()
    env.close()


@pytest.mark.parametrize("driver", ["no such driver", None])
def test_window__without_a_display_says_what_to_do(driver: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    close_window()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    if driver is not None:
        monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    elif sys.platform != "linux":
        pytest.skip("other systems have a display")
    with pytest.raises(RuntimeError, match=r"no window can be opened here .*'rgb_array', 'svg' or 'ansi'"):
        show_pixels(np.zeros((20, 30, 3), np.uint8))


def test_positions__are_the_game_from_its_start() -> None:
    *_, game = walk(TABLES["automas"], 3)
    positions = list(game.positions())
    assert len(positions) == game.num_steps + 1
    assert [position.num_steps for position in positions] == list(range(len(positions)))
    assert positions[0].records.tobytes() == Game(game.rules, seed=3).records.tobytes()
    assert positions[-1].records.tobytes() == game.records.tobytes()
    assert positions[-1].log == game.log


def test_animate__writes_a_picture_for_each_turn(tmp_path: Path) -> None:
    game = Game(Rules(**TABLES["two"]), seed=1)
    for _ in range(4):
        game.step("money")
    turns = animate(game, tmp_path / "turns.gif", width=240, seconds=0.2)
    actions = animate(game, tmp_path / "actions.gif", width=240, every="action", theme="dark")
    assert (turns, actions) == (3, 5)
    for name, frames in (("turns.gif", turns), ("actions.gif", actions)):
        with Image.open(tmp_path / name) as picture:
            assert (picture.n_frames, picture.size) == (frames, (240, 160))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_animate__keeps_the_colours_of_thin_lines(theme: str, tmp_path: Path) -> None:
    game = find({"map": "mini", "num_players": 4}, lambda game: len({link["owner"] for link in game.links()}) == 4)
    animate(game, tmp_path / "game.gif", theme=theme)
    wanted = rasterise(str(game.render("svg", theme=theme)), 800)
    with Image.open(tmp_path / "game.gif") as picture:
        picture.seek(picture.n_frames - 1)
        gaps = np.abs(np.asarray(wanted, int) - np.asarray(picture.convert("RGB"), int)).max(axis=2)
    assert (gaps > 32).mean() < 5e-4


@pytest.fixture
def videos(monkeypatch: pytest.MonkeyPatch) -> list[list[np.ndarray]]:
    """The frames of the videos that a wrapper writes: MoviePy, which is heavy, is stood in for."""
    written: list[list[np.ndarray]] = []

    class ImageSequenceClip:
        def __init__(self, frames: list[np.ndarray], fps: float) -> None:
            assert fps == steam_power_v0.raw_env(**TABLES["two"]).metadata["render_fps"]
            self.frames = frames

        def write_videofile(self, *_: object, **__: object) -> None:
            written.append(list(self.frames))

    name = "moviepy.video.io.ImageSequenceClip"
    for part in ("moviepy", "moviepy.video", "moviepy.video.io", name):
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    monkeypatch.setattr(sys.modules[name], "ImageSequenceClip", ImageSequenceClip, raising=False)
    return written


def record_video(interface: str, folder: Path) -> int:
    """Record an episode, or its beginning; returns the number of its steps."""
    options = {"gymnasium": {"seat": 0}, "pettingzoo": {}}[interface]
    record = {"gymnasium": RecordVideo, "pettingzoo": RecordVideoAEC}[interface]
    env = make_env(interface, render_mode="rgb_array", **options)
    env = record(env, str(folder), episode_trigger=lambda _: True)
    env.reset(seed=1)
    for _ in range(2):  # the learner's one turn, or one each
        env.step(0)
    env.close()
    return 2


@each_interface
def test_video__holds_a_frame_for_each_step(interface: str, tmp_path: Path, videos: list[list[np.ndarray]]) -> None:
    steps = record_video(interface, tmp_path / "videos")
    (frames,) = videos
    assert len(frames) == steps + 1
    assert {frame.shape for frame in frames} == {(HEIGHT, WIDTH, 3)}
    assert not np.array_equal(frames[0], frames[-1])


# --- real videos: they need the extra `video`, and are skipped without it --------------------------------


@pytest.mark.filterwarnings("default")  # what MoviePy itself warns of is not ours
@each_interface
def test_video__is_written_as_a_file(interface: str, tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="the extra `video` is not installed")
    steps = record_video(interface, tmp_path / "videos")
    (path,) = (tmp_path / "videos").glob("*.mp4")
    assert path.stat().st_size > 5_000
    frames, _ = pytest.importorskip("imageio_ffmpeg").count_frames_and_secs(str(path))
    assert frames >= steps + 1
