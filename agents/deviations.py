"""Simple habits that any agent can be given, to look for one that beats it: see ``steam_env.evaluation.holes``.

``greedy+first:Chicago`` is greedy with the habit ``first:Chicago``. It sees what greedy sees and plays as greedy does,
but for the decisions that its habit is about; where what the habit wants is not legal, it plays on as greedy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from steam_env.agents.base import Agent
from steam_env.agents.shortest_ways import FAR, TILE, measure_ways
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    MONEY,
    REPLACE,
    SOURCE_FROM,
    START,
)
from steam_env.core.steam_power.state import (
    ACTION,
    BONUS,
    BONUS_NONE,
    HEAD,
    MAX_CONTRACTS,
    PLACE_HAND,
)
from steam_env.data.steam_power.map_stats import measure_map
from steam_env.data.steam_power.maps import find_groups
from steam_env.spec import Deviations
from steam_env.table.mixture import as_mixture, list_parts, single_out
from steam_env.table.view import View

ENOUGH_MONEY = 8
ENOUGH_CONTRACTS = 8
ENOUGH_READY = 3
NEAR_END = 2  # contracts that a seat still lacks to end the game: then nothing is kept back
NEAR = 4  # tiles: a city at which a way of fewer ends is near
BETWEEN = ","  # the two cities of a pair

STARTS = slice(START, HEAD_TO)
HEADS = slice(HEAD_TO, REPLACE)
BUILDS = slice(BUILD, AMOUNT_OF)
FULFILS = slice(FULFIL, SOURCE_FROM)


class Deviation:
    """An agent that plays as another one, but for one habit.

    Args:
        agent: the other one, which answers wherever the habit has nothing to say.
    """

    encoding: str | None

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.encoding = agent.encoding

    def reset(self, seed: int) -> None:
        """Begin new games."""
        self.agent.reset(seed)

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, what the agent answers, with the habit's answers in their place."""
        actions = np.array(self.agent.act(observations, self.narrow(masks, views), views))
        return self.correct(actions, masks, views)

    def correct(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """The agent's actions (n,) int64, with the habit's answers in their place; they are written over."""
        found = np.flatnonzero(self.find_rows(actions, masks, views))
        for _, setting, rows in list_parts(views.records, views.setting, found) if len(found) else ():
            for game, row in zip(single_out(views.records, views.setting, rows), rows.tolist(), strict=True):
                mover = Mover(game, int(views.seats[row]), masks[row], setting)
                actions[row] = self.answer(int(actions[row]), mover)
        return actions

    def narrow(self, masks: np.ndarray, views: View) -> np.ndarray:
        """The legal actions (n, actions) that the agent may choose from."""
        return masks

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) bool, in which games the habit has something to say to the agent's actions (n,)."""
        return np.zeros(len(actions), np.bool_)

    def answer(self, action: int, mover: Mover) -> int:
        """A legal action in place of the agent's."""
        return action


class Mover:
    """One game as the habit looks at it: what the mover sees, and what is legal.

    Args:
        game: the record of its view.
        seat: the mover's.
        mask: (actions,) bool, the legal actions.
        setting: of the game, which is of one map.
    """

    def __init__(self, game: np.record, seat: int, mask: np.ndarray, setting: Any) -> None:
        self.game, self.seat, self.mask, self.setting = game, seat, mask, setting
        self.board, self.deck = setting.boards[game["board_index"]], setting.decks[game["deck_index"]]

    def list_legal(self, block: slice) -> list[int]:
        """The legal ids of a block of the action space."""
        return (np.flatnonzero(self.mask[block]) + block.start).tolist()

    def count_needs(self) -> np.ndarray:
        """(resources,) int64: what the contracts in hand need of each colour."""
        held = self.game["place"] == PLACE_HAND + self.seat
        needs: np.ndarray = self.deck["wanted"][held].sum(axis=0, dtype=np.int64)
        return needs

    def list_rivals(self) -> list[int]:
        """The other seats."""
        return [seat for seat in range(int(self.game["num_seats"])) if seat != self.seat]

    def find_site(self) -> int:
        """The hex on which the next tile of the link under way lies; NONE if none is under way."""
        if self.game["phase"] == HEAD:
            hex_index, edge = self.board["city_hex"][self.game["start_city"]], self.game["start_edge"]
        else:
            hex_index, edge = self.game["tail_hex"][self.seat], self.game["tail_exit"][self.seat]
        return NONE if hex_index == NONE else int(self.board["neighbour"][hex_index, edge])

    def list_tails(self) -> dict[int, int]:
        """By rival with an incomplete link: the hex that the open edge leads to."""
        game = self.game
        tails = [seat for seat in self.list_rivals() if game["tail_hex"][seat] != NONE]
        return {seat: int(self.board["neighbour"][game["tail_hex"][seat], game["tail_exit"][seat]]) for seat in tails}

    def list_leads(self) -> dict[int, int]:
        """By legal start or far edge: the hex that it leads to."""
        leads, site = {start: self.find_first_hex(start) for start in self.list_legal(STARTS)}, self.find_site()
        if site != NONE:
            leads |= {head: int(self.board["neighbour"][site, head - HEAD_TO]) for head in self.list_legal(HEADS)}
        return leads

    def find_first_hex(self, start: int) -> int:
        """The hex on which the first tile of a link lies that begins with this action."""
        city, edge = divmod(start - START, NUM_EDGES)
        return int(self.board["neighbour"][self.board["city_hex"][city], edge])


def opens(actions: np.ndarray, views: View) -> np.ndarray:
    """(n,) bool, in which games the action begins the seat's first link."""
    begins = (actions >= START) & (actions < HEAD_TO)
    return np.asarray(begins & ~has_network(views))


def has_network(views: View) -> np.ndarray:
    """(n,) bool, whether the mover has a complete link."""
    return np.asarray(views.records["network"][np.arange(len(views)), views.seats] != 0)


def find_rival_tails(views: View) -> np.ndarray:
    """(n,) bool, whether a rival of the mover has an incomplete link."""
    tails = views.records["tail_hex"] != NONE
    tails[np.arange(len(views)), views.seats] = False
    return np.asarray(tails.any(axis=1))


def is_action(views: View) -> np.ndarray:
    """(n,) bool, whether one of the five actions is chosen (rule 3.1)."""
    return np.asarray(views.records["phase"] == ACTION)


def find_city(name: str, setting: Any) -> int:
    """The number of a city.

    Raises:
        ValueError: if the map has none of this name, or there are many maps.
    """
    if as_mixture(setting) is not None:
        raise ValueError(f"city {name!r}: the maps of {setting.title} have other cities each; name one map")
    if name not in setting.map.cities:
        raise ValueError(f"city {name!r}: the map {setting.title} has {', '.join(setting.map.cities)}")
    return int(setting.map.cities.index(name))


# --- the first link -----------------------------------------------------------------------------------


class FirstCity(Deviation):
    """Starts its first link at one city; over which edge, and when, is the agent's choice."""

    def __init__(self, agent: Agent, city: str) -> None:
        super().__init__(agent)
        self.city = city

    def narrow(self, masks: np.ndarray, views: View) -> np.ndarray:
        """As long as the seat has no link, none starts elsewhere."""
        first = START + find_city(self.city, views.setting) * NUM_EDGES
        here = np.zeros(masks.shape[1], np.bool_)
        here[first : first + NUM_EDGES] = True
        narrowed = masks.copy()
        opening = (masks & here).any(axis=1) & ~has_network(views)
        narrowed[opening, STARTS] &= here[STARTS]
        return narrowed


class FirstLink(Deviation):
    """Joins two cities with its first link, by the shortest way, whenever the agent starts its own."""

    def __init__(self, agent: Agent, cities: str) -> None:
        super().__init__(agent)
        self.start, _, self.end = cities.partition(BETWEEN)

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where the first link begins or goes on."""
        goes_on = masks[:, HEADS].any(axis=1) & ~has_network(views)
        return np.asarray(opens(actions, views) | goes_on)

    def answer(self, action: int, mover: Mover) -> int:
        """The start, or the next tile of the way."""
        start, end = (find_city(name, mover.setting) for name in (self.start, self.end))
        group = next(group for group in find_groups(mover.setting.map) if end in group)
        ways = measure_ways(mover.setting.map, group)
        heads = mover.list_legal(HEADS)
        if not heads:
            starts = mover.list_legal(slice(START + start * NUM_EDGES, START + (start + 1) * NUM_EDGES))
            return min(starts, key=lambda one: ways[mover.find_first_hex(one)], default=action)
        site, game = mover.find_site(), mover.game
        begun = game["start_city"] if game["phase"] == HEAD else game["link_start"][game["tail_link"][mover.seat]]
        beyond = {head: int(mover.board["neighbour"][site, head - HEAD_TO]) for head in heads}
        best = min(heads, key=lambda head: ways[beyond[head]])
        return best if begun == start and ways[beyond[best]] < FAR else action


# --- bonuses -----------------------------------------------------------------------------------------


class NeverBonus(Deviation):
    """Declines every bonus (rule 6.7)."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where a bonus is offered."""
        return np.asarray((views.records["phase"] == BONUS) & masks[:, DONE])

    def answer(self, action: int, mover: Mover) -> int:
        """Decline."""
        return DONE


class AlwaysBonus(Deviation):
    """Takes every bonus that can be taken, and of the contracts in hand fulfils those with a bonus first."""

    def narrow(self, masks: np.ndarray, views: View) -> np.ndarray:
        """A bonus cannot be declined."""
        narrowed = masks.copy()
        narrowed[views.records["phase"] == BONUS, DONE] = False
        return np.where(narrowed.any(axis=1, keepdims=True), narrowed, masks)

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where a contract is fulfilled."""
        return np.asarray((actions >= FULFIL) & (actions < FULFIL + MAX_CONTRACTS))

    def answer(self, action: int, mover: Mover) -> int:
        """The contract with a bonus that is worth most."""
        bonus, points = mover.deck["bonus"], mover.deck["vp"]
        if bonus[action - FULFIL] != BONUS_NONE:
            return action
        with_bonus = [one for one in mover.list_legal(FULFILS) if bonus[one - FULFIL] != BONUS_NONE]
        return max(with_bonus, key=lambda one: points[one - FULFIL], default=action)


# --- hoarding ----------------------------------------------------------------------------------------


class HoardMoney(Deviation):
    """Takes money whenever it has little."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where it has little."""
        money = views.records["money"][np.arange(len(views)), views.seats]
        return np.asarray(is_action(views) & (money < ENOUGH_MONEY) & masks[:, MONEY])

    def answer(self, action: int, mover: Mover) -> int:
        """Take $3."""
        return MONEY


class HoardContracts(Deviation):
    """Takes contracts whenever it holds few."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where it holds few."""
        held = views.records["hand_size"][np.arange(len(views)), views.seats]
        return np.asarray(is_action(views) & (held < ENOUGH_CONTRACTS) & masks[:, CONTRACTS])

    def answer(self, action: int, mover: Mover) -> int:
        """Take contracts."""
        return CONTRACTS


class KeepContracts(Deviation):
    """Keeps contracts back until several can be fulfilled, or the end of the game is near."""

    def narrow(self, masks: np.ndarray, views: View) -> np.ndarray:
        """No contract can be fulfilled as long as few could be."""
        records = views.records
        lacking = records["contracts_to_end"] - records["num_fulfilled"].max(axis=1)
        ready = masks[:, FULFILS].sum(axis=1)
        narrowed = masks.copy()
        narrowed[is_action(views) & (ready < ENOUGH_READY) & (lacking > NEAR_END), FULFILS] = False
        return narrowed


# --- rush and block ----------------------------------------------------------------------------------


class Rush(Deviation):
    """Fulfils whatever can be fulfilled, the smallest contract first, and builds only what its hand needs."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where a contract can be fulfilled, or a factory is built."""
        builds = (actions >= BUILD) & (actions < AMOUNT_OF)
        return np.asarray(is_action(views) & (masks[:, FULFILS].any(axis=1) | builds))

    def answer(self, action: int, mover: Mover) -> int:
        """The contract with the fewest resources, of these the one worth most; else contracts or money."""
        needs, points = mover.deck["num_needs"], mover.deck["vp"]
        ready = mover.list_legal(FULFILS)
        if ready:
            return min(ready, key=lambda one: (needs[one - FULFIL], -points[one - FULFIL]))
        if mover.count_needs()[mover.game["color"][action - BUILD]] > 0:
            return action
        return CONTRACTS if mover.mask[CONTRACTS] else MONEY


class BlockTrack(Deviation):
    """Lays track on the hex before which a rival's incomplete link stands, or leads its own link there."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where a rival has an incomplete link, and track can be laid."""
        track = masks[:, STARTS].any(axis=1) | masks[:, HEADS].any(axis=1)
        return np.asarray(find_rival_tails(views) & track)

    def answer(self, action: int, mover: Mover) -> int:
        """A start or a far edge that leads there."""
        wanted = set(mover.list_tails().values())
        return next((one for one, hex_index in mover.list_leads().items() if hex_index in wanted), action)


class BlockCities(Deviation):
    """Leads its links to the city that a rival's incomplete link seems to aim at, wherever it lays track at all."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where track is laid and a rival has an incomplete link."""
        return np.asarray((actions >= START) & (actions < REPLACE) & find_rival_tails(views))

    def answer(self, action: int, mover: Mover) -> int:
        """The start or the far edge with the shortest way to that city, unless that is far."""
        ways = self.find_ways(mover)
        leads = mover.list_leads()
        if ways is None or not leads:
            return action
        best = min(leads, key=lambda one: ways[leads[one]])
        return best if ways[leads[best]] < NEAR * TILE else action

    def find_ways(self, mover: Mover) -> np.ndarray | None:
        """The ways to the group nearest to a rival's tail that is in neither network; None if there is none."""
        game, board = mover.game, mover.board
        nearest, found = FAR, None
        for seat, hex_index in mover.list_tails().items():
            networks = int(game["network"][seat] | game["network"][mover.seat])
            for group in find_groups(mover.setting.map):
                ways = measure_ways(mover.setting.map, group)
                if not has(networks, int(board["group"][group[0]])) and ways[hex_index] < nearest:
                    nearest, found = ways[hex_index], ways
        return found


class BlockSites(Deviation):
    """Builds a factory wherever a rival's network has a site for one, of the colour that its hand needs most."""

    def find_rows(self, actions: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
        """Where a factory can be built."""
        return np.asarray(is_action(views) & masks[:, BUILDS].any(axis=1))

    def answer(self, action: int, mover: Mover) -> int:
        """A factory in a rival's network."""
        game, needs = mover.game, mover.count_needs()
        networks = int(np.bitwise_or.reduce(game["network"][mover.list_rivals()]))
        sites = [one for one in mover.list_legal(BUILDS) if has(networks, int(mover.board["group"][one - BUILD]))]
        return max(sites, key=lambda one: int(needs[game["color"][one - BUILD]]), default=action)


# --- by name -----------------------------------------------------------------------------------------

HABITS: dict[str, Callable[[Agent], Deviation]] = {
    "bonus:never": NeverBonus,
    "bonus:always": AlwaysBonus,
    "hoard:money": HoardMoney,
    "hoard:contracts": HoardContracts,
    "hoard:kept": KeepContracts,
    "rush": Rush,
    "block:track": BlockTrack,
    "block:cities": BlockCities,
    "block:sites": BlockSites,
}
FIRST, PAIR = "first:", "pair:"


def list_deviations(setting: Any) -> tuple[str, ...]:
    """The names of all habits on a map: of its pairs of cities those of neighbours, see ``map_stats``.

    On a set of maps they are those that name no city.
    """
    if as_mixture(setting) is not None:
        return tuple(HABITS)
    cities = setting.map.cities
    groups = find_groups(setting.map)
    pairs = [[cities[groups[index][0]] for index in link.groups] for link in measure_map(setting.map).links]
    return (
        *(f"{FIRST}{city}" for city in cities),
        *(f"{PAIR}{BETWEEN.join(pair)}" for pair in pairs),
        *HABITS,
    )


def make_deviation(name: str) -> Callable[[Agent], Deviation] | None:
    """What gives an agent the habit of this name; ``None`` for what names none."""
    if name.startswith(FIRST):
        return partial(FirstCity, city=name.removeprefix(FIRST))
    if name.startswith(PAIR) and BETWEEN in name:
        return partial(FirstLink, cities=name.removeprefix(PAIR))
    return HABITS.get(name)


MEANINGS = {
    f"{FIRST}CITY": "starts its first link at this city, over whichever edge the agent likes best",
    f"{PAIR}CITY{BETWEEN}CITY": "joins these two neighbours with its first link, by the shortest way",
    "bonus:never": "declines every bonus",
    "bonus:always": "takes every bonus that can be taken, and fulfils contracts with a bonus first",
    "hoard:money": f"takes money whenever it has less than ${ENOUGH_MONEY}",
    "hoard:contracts": f"takes contracts whenever it holds fewer than {ENOUGH_CONTRACTS}",
    "hoard:kept": f"keeps contracts back until {ENOUGH_READY} can be fulfilled, or the end is near",
    "rush": "fulfils whatever can be fulfilled, the smallest first, and builds only what its hand needs",
    "block:track": "lays track on the hex before which a rival's incomplete link stands",
    "block:cities": "leads its links to the city that a rival's incomplete link seems to aim at",
    "block:sites": "builds a factory wherever a rival's network has a site for one",
}
DEVIATIONS = Deviations(list_deviations, make_deviation, MEANINGS)
