"""Rule 11 in games of every kind and through every face: nothing hidden leaks, and what may be seen is seen.

* Whole games are played in a second world that differs only in what a seat never saw: it is shown the same.
* Positions of random games in disguise have the same views and observations; and all that may be seen of a position
  can be read back from an observation.
* Redeals are compared with all the worlds that rule 11.4 allows, listed one by one.

All seeds are fixed. Chance could have failed a right program with a probability below 1e-6 (see ``is_even``).
"""

import copy
import itertools
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, steam_power_v0
from steam_env.agents import RandomAgent, make_agent
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.state import (
    GAME_FIELDS,
    MAX_CONTRACTS,
    NUM_PHASES,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
)
from steam_env.encoding import pick
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.spec import find_spec
from steam_env.table.view import redeal_seeds
from steam_env.words.events import HIDDEN, Event, outcomes_of
from steam_env.words.steam_power.events import hide_event
from tests.encoding_checks import encode, join, open_observation, rebuild, what_is_there
from tests.second_world import (
    NUM_HISTORIES,
    History,
    other_outcomes,
    other_start,
    play,
    player_of,
    relabel,
    takes_part,
)
from tests.seen import (
    KINDS,
    disguise,
    each_kind,
    in_other_hands,
    is_unseen,
    lay_links_otherwise,
    positions,
    seats_of,
)
from tests.worlds import (
    WORLDS,
    by_generation,
    compare_with_worlds,
    count_worlds,
    is_even,
    small_positions,
)

PARTS = 8  # of whole games, so that they can be played side by side
each_encoding = pytest.mark.parametrize("name", ENCODINGS)

# --- whole games that differ in hidden things alone -----------------------------------------------------------


def look(game: Game, seat: int) -> dict[str, Any]:
    """All that the seat is shown of the position."""
    seen: dict[str, Any] = {
        **{name: pickle.dumps(game.observe(seat, name)) for name in ENCODINGS},
        "view": game.view(seat).records.tobytes(),
        "hand": game.hand(seat),
        "table": (game.money, game.trains, game.factories_left, game.deck_size, game.off_map, game.round, game.phase),
        "scores": (game.scores(), game.winners(), game.links(), game.done, game.truncated, game.actions_left),
        "fulfilled": [game.fulfilled(other) for other in range(game.seats)],
        "cities": [game.city(name) for name in game.setting.map.cities],
    }
    if game.seat != NONE and player_of(game, game.seat) == player_of(game, seat):
        seen |= {"mask": game.mask.tobytes(), "legal": game.legal_text()}
    return seen


def look_closely(game: Game, seat: int) -> dict[str, Any]:
    """The same with pictures, reasons and the past, which take longer."""
    seen = look(game, seat) | {"scene": game.scene(seat), "events": game.events_for(seat), "log": game.log_for(seat)}
    seen |= {mode: game.render(mode, seat=seat) for mode in ("svg", "ansi")}
    seen |= {"json": game.view(seat).to_json(), "page": game.describe(seat)}
    if game.seat == seat:
        seen["reasons"] = [game.explain(action) for action in range(NUM_ACTIONS)]
    return seen


HAND_SHOWS = (*ENCODINGS, "view", "hand", "scene", "json", "page")


def compare_with_other_world(history: History, seat: int, rng: random.Random) -> None:
    """Play the same in a world that differs only in what the seat never sees, and look with its eyes at both."""
    other = relabel(history, seat)
    one, two = history.start.clone(), other_start(history, seat, other, rng)
    for holder in range(one.rules.players):  # who may see the difference sees it, by all that shows a hand
        if one.hand(holder) != two.hand(holder):
            both = look_closely(one, holder), look_closely(two, holder)
            assert not [face for face in HAND_SHOWS if both[0][face] == both[1][face]], (holder, one)
    for step, action in enumerate(history.actions):
        if rng.random() < 0.2:
            assert look(one, seat) == look(two, seat), (seat, one)
        one.step(action, outcomes_of(history.events[step], find_spec().facts))
        two.step(action, other_outcomes(history, step, other))
        assert one.events_for(seat, step) == two.events_for(seat, step), (seat, step, one)
        if one.seat == seat and rng.random() < 0.03:
            assert look_closely(one, seat) == look_closely(two, seat), (seat, one)
    assert look_closely(one, seat) == look_closely(two, seat), (seat, one)
    assert one.record.rng.tobytes() != two.record.rng.tobytes()


@pytest.mark.parametrize("part", range(PARTS))
def test_hidden_things__leave_no_trace_in_what_a_seat_is_shown_in_a_whole_game(part: int) -> None:
    for number in range(part, NUM_HISTORIES, PARTS):
        history = play(number)
        for seat in range(history.start.seats):
            compare_with_other_world(history, seat, random.Random(f"{number} {seat}"))


def test_hidden_things__differ_in_those_games() -> None:
    """So that the test above looks at something."""
    changed: Counter[str] = Counter()
    for number in range(0, NUM_HISTORIES, 2):
        history = play(number)
        for seat in range(history.start.seats):
            start, two = history.start, other_start(history, seat, relabel(history, seat), random.Random(0))
            moved = set(start.record.place[start.record.place != two.record.place].tolist())
            changed["hand"] += any(PLACE_HAND <= place < PLACE_FULFILLED for place in moved)
            changed["deck"] += start.record.deck_order.tolist() != two.record.deck_order.tolist()
            changed["bag"] += start.record.bag.tolist() != two.record.bag.tolist()
            changed.update({event.kind: 1 for event in history.all_events})
    assert min(changed[name] for name in ("hand", "deck", "bag", "draw", "take", "stack", "reveal")) > 3, changed


# --- events -------------------------------------------------------------------------------------------------

FACE_DOWN = ("stack", "bag", "aside")  # the order of a new deck, of a filled bag, what is set aside: seen by nobody


def test_events__hide_what_a_seat_may_not_see_and_nothing_else() -> None:
    kinds: Counter[str] = Counter()
    for number in range(0, NUM_HISTORIES, 2):
        history = play(number)
        game = history.start.clone()
        for step, action in enumerate(history.actions):
            game.step(action, outcomes_of(history.events[step], find_spec().facts))
        solo, events = game.rules.mode == "solo", game.events
        before = copy.deepcopy(events)
        for seat in range(game.seats):
            for event, told, line, shown in zip(
                events, game.events_for(seat), game.log, game.log_for(seat), strict=True
            ):
                expected = dict(event.values)
                if event.kind == "deal":
                    hands = enumerate(expected["hands"])
                    expected["hands"] = [hand if solo or owner == seat else HIDDEN for owner, hand in hands]
                    expected["deck"] = HIDDEN
                    if solo:
                        expected["trains"] = expected["trains"][:1]  # the first one is drawn
                elif event.kind in FACE_DOWN:
                    expected = dict.fromkeys(expected, HIDDEN)
                elif event.kind in ("draw", "take") and not takes_part(event, seat, solo):
                    expected["contract"] = HIDDEN
                assert told == hide_event(event, seat, solo) == Event(event.kind, event.actor, expected)
                is_private = event.values != expected
                assert is_private or line == shown
                kinds[f"{event.kind} {'hidden' if is_private else 'seen'}"] += 1
        assert events == before
    for kind in ("draw", "take", "deal"):
        assert kinds[f"{kind} hidden"]
    assert kinds["draw seen"]
    assert kinds["take seen"]
    assert all(kinds[f"{kind} hidden"] and not kinds[f"{kind} seen"] for kind in FACE_DOWN), kinds
    assert all(kinds[f"{kind} seen"] for kind in ("reshuffle", "reveal", "discard", "train", "fulfil")), kinds


# --- positions of random games in disguise ----------------------------------------------------------------------

HIDDEN_FIELDS = {"place", "known", "slot", "deck_order", "bag", "rng"}  # wholly or in part


def everybody(batch: GameBatch, seat: int) -> np.ndarray:
    return np.full(len(batch), seat)


def in_disguise(batch: GameBatch, seat: int) -> GameBatch:
    """Other positions that the seat cannot tell from these."""
    records = disguise(batch.records, seat, np.random.default_rng(seat))
    assert (records["deck_order"] != batch.records["deck_order"]).any()
    return GameBatch.from_records(records, batch.rules)


def test_positions__are_worth_looking_at() -> None:
    """So that the tests below look at something: each field has several values, each phase and knowledge occurs."""
    records = [positions(kind).records for kind in KINDS]
    left_out = {"slot", "board_index", "deck_index"}
    for field in {field.name for field in GAME_FIELDS} - left_out:
        assert len(np.unique(np.concatenate([each[field].ravel() for each in records]))) > 1, field
    assert set(np.concatenate([each["phase"] for each in records])) == set(range(NUM_PHASES))
    for kind, rules in KINDS.items():
        several = rules.players > 1
        assert (positions(kind).records["known"] > 0).any() == several, kind
        assert in_other_hands(positions(kind).records, 0).any() == several, kind
    assert sum(positions(kind).done.any() for kind in KINDS) > 6


@each_kind
def test_views__hide_all_that_is_hidden_and_nothing_else(kind: str) -> None:
    batch = positions(kind)
    records = batch.records
    for seat in seats_of(batch):
        views = batch.views(everybody(batch, seat)).records
        assert in_disguise(batch, seat).views(everybody(batch, seat)).records.tobytes() == views.tobytes()
        unseen, others = is_unseen(records, seat), in_other_hands(records, seat)
        assert np.array_equal(views["place"], np.where(unseen, PLACE_UNKNOWN, records["place"]))
        known = np.where(others, records["known"] & (1 << seat), records["known"])
        assert np.array_equal(views["known"], np.where(unseen, 0, known))
        assert (views["deck_order"] == NONE).all()
        assert not views["rng"].any()
        assert np.array_equal(np.sort(views["bag"], axis=1), np.sort(records["bag"], axis=1))
        for record, view, hidden in zip(records, views, unseen, strict=True):
            # how many unknown contracts of each generation are in each place: what a redeal needs
            counts = sorted(zip(record["generation"][hidden], record["place"][hidden], strict=True))
            assert view["slot"].tolist() == [place for _, place in counts] + [NONE] * (MAX_CONTRACTS - len(counts))
            trains = view["bag"][: view["bag_size"]]
            assert np.array_equal(trains, np.sort(trains))
        for field in {field.name for field in GAME_FIELDS} - HIDDEN_FIELDS:
            assert np.array_equal(views[field], records[field]), field


@each_kind
def test_views__of_nobody_show_no_hand(kind: str) -> None:
    batch = positions(kind)
    place = batch.records["place"]
    hidden = ((place >= PLACE_HAND) & (place < PLACE_FULFILLED)) | (place == PLACE_DECK) | (place == PLACE_ASIDE)
    hidden &= np.arange(MAX_CONTRACTS) != batch.records["contract"][:, np.newaxis]
    view = batch.views(everybody(batch, NONE)).records
    assert np.array_equal(view["place"], np.where(hidden, PLACE_UNKNOWN, place))
    assert not view["known"].any()


@each_encoding
@each_kind
def test_observations__are_the_same_in_disguise_and_of_the_view(name: str, kind: str) -> None:
    batch = positions(kind, 7)
    for seat in seats_of(batch):
        rows = join(encode(name, batch.setting, batch.records, seat))
        for other in (in_disguise(batch, seat), batch.views(everybody(batch, seat))):
            assert np.array_equal(join(encode(name, batch.setting, other.records, seat)), rows)


@each_encoding
@each_kind
def test_observations__tell_all_that_may_be_seen(name: str, kind: str) -> None:
    batch = positions(kind, 17)
    for seat in seats_of(batch):
        observations = encode(name, batch.setting, batch.records, seat)
        for index, record in enumerate(batch.records):
            there = what_is_there(record, seat)
            told = rebuild(open_observation(name, pick(observations, index), batch.setting), batch.setting, seat)
            assert told.keys() == there.keys()
            for field, values in there.items():
                assert np.array_equal(told[field], values) if field != "coins" else told[field] == values, field


@each_encoding
@pytest.mark.parametrize("kind", ["two", "four", "solo"])
def test_observations__tell_neither_the_order_nor_the_direction_of_links(name: str, kind: str) -> None:
    """What the table does not show: a link laid from its other end, and before another one."""
    batch = positions(kind)
    records = batch.records[batch.records["num_links"] > 3][::7]
    others = lay_links_otherwise(records, batch.setting.boards[0])
    assert not (others["link_start"] == records["link_start"]).all(axis=1).any()
    for seat in seats_of(batch):
        both = (join(encode(name, batch.setting, each, seat)) for each in (records, others))
        assert np.array_equal(*both)
    assert len(records) > 10


OWN_AGENTS = list(itertools.product(find_spec().players.agents, ("two", "four", "two and two automas", "solo")))


@pytest.mark.parametrize(("agent", "kind"), [*OWN_AGENTS, *((net, "two") for net in find_spec().players.policies)])
def test_agents__choose_the_same_in_disguise(agent: str, kind: str) -> None:
    whole = positions(kind, 7 if agent in find_spec().players.agents else 61)  # nets see observations alone
    for seat in range(whole.rules.players):
        of_seat = np.flatnonzero((whole.seats == seat) | ((whole.rules.mode == "solo") & (whole.seats != NONE)))
        batch = GameBatch.from_records(whole.records[of_seat], whole.rules)
        chosen = []
        for each in (batch, in_disguise(batch, seat)):
            player = make_agent(agent)
            player.reset(seed=1)
            seen = None if player.encoding is None else each.observe(player.encoding)
            chosen.append(player.act(seen, each.mask, each.views()))
        assert np.array_equal(*chosen)


# --- environments -------------------------------------------------------------------------------------------


def check_told(game: Game, seat: int, observation: Any, info: dict[str, Any], *more: str) -> None:
    """A seat is told what the game tells it, events since it was last asked, and nothing else."""
    seen = game.observe(max(game.seat, 0) if game.rules.mode == "solo" else seat)
    assert np.array_equal(observation, seen)
    assert info.keys() == {"events", "map", "deck", "round_limit", *more}
    assert (info["map"], info["deck"]) == (game.setting.map.name, game.setting.deck.name)
    told = list(info["events"])
    assert told == game.events_for(seat)[len(game.events) - len(told) :]


@each_kind
def test_environments__tell_a_seat_what_the_game_tells_it_and_nothing_else(kind: str) -> None:
    rules, rng = KINDS[kind], np.random.default_rng(0)
    aec = steam_power_v0.env(rules=rules)
    aec.reset(seed=1)
    for _, agent in zip(range(60), aec.agent_iter(), strict=False):
        for player, other in enumerate(aec.agents):
            seen = aec.observe(other)
            check_told(aec.game, player, seen["observation"], aec.infos[other])
            assert np.array_equal(seen["action_mask"], aec.game.mask * (other == agent and not aec.game.done))
        aec.step(aec.sample_legal(rng))
    others = None if rules.players == 1 else RandomAgent
    single = LearnerEnv(rules=rules, opponents=None if rules.mode == "solo" else others)
    told, over = single.reset(seed=2), False
    for _ in range(60):
        observation, info = told
        more = ("scores", "winners") if over else ()
        check_told(single.game, single.seat, observation, info, "action_mask", "seat", *more)
        assert np.array_equal(info["action_mask"], single.game.mask)
        if over:
            break
        observation, _, over, _, info = single.step(single.sample_legal(rng))
        told = observation, info
    envs = SteamVectorEnv(4, rules=rules, opponents=others)
    observations, infos = envs.reset(seed=3)
    for _ in range(60):
        lookers = np.maximum(envs.games.seats, 0) if rules.mode == "solo" else envs.seats
        assert np.array_equal(observations, envs.games.observe(seats=lookers))
        told = ("action_mask", "seat", "round_limit", "map", "deck")
        more = ("final_obs", "final_info") if "final_obs" in infos else ()
        assert infos.keys() == {prefix + name for name in (*told, *more) for prefix in ("", "_")}
        assert np.array_equal(infos["action_mask"], envs.games.mask)
        observations, _, _, _, infos = envs.step(envs.sample_legal(rng))


# --- redeals ------------------------------------------------------------------------------------------------


@each_kind
def test_redeals__look_the_same_to_the_seat_and_can_be_played(kind: str) -> None:
    batch, rng = positions(kind), np.random.default_rng(3)
    for seat in seats_of(batch):
        seats = everybody(batch, seat)
        redealt = batch.redeal(seats, np.arange(len(batch)))
        records = redealt.records
        assert records.tobytes() != batch.records.tobytes()
        assert redealt.views(seats).records.tobytes() == batch.views(seats).records.tobytes()
        assert redealt.observe(seats=seats).tobytes() == batch.observe(seats=seats).tobytes()
        assert (records["slot"] == NONE).all()
    own = batch.redeal(np.maximum(batch.seats, 0), np.arange(len(batch)))
    assert np.array_equal(own.mask, batch.mask)
    for _ in range(30):
        own.step(own.sample_legal(rng))


@each_kind
def test_samples__are_redeals_in_the_order_of_the_views(kind: str) -> None:
    batch = positions(kind, 37)
    seats = np.arange(len(batch)) % len(seats_of(batch))
    sample = batch.views(seats).sample(2, seed=11)
    assert len(sample) == 2 * len(batch)
    for number, seed in enumerate(redeal_seeds(len(sample), 11)):
        index = number // 2
        redealt = batch.game(index).redeal(int(seats[index]), int(seed))
        assert sample.records[number].tobytes() == redealt.record.tobytes()
    again = batch.redeal(seats, seats).views(seats).sample(2, seed=11)  # the view has nothing else in it
    assert again.records.tobytes() == sample.records.tobytes()


def test_solo__every_company_is_the_same_player() -> None:
    game = positions("solo").game(100)
    for seat in range(1, 5):
        assert game.hand(seat) == game.hand(0) != []
        assert game.view(seat).records.tobytes() == game.view(0).records.tobytes()
        assert game.redeal(seat, 3).records.tobytes() == game.redeal(0, 3).records.tobytes()


# --- redeals are even over all worlds of rule 11.4 ----------------------------------------------------------------


@pytest.mark.parametrize("make", WORLDS, ids=lambda make: make.__name__)
def test_redeals__are_even_over_the_worlds_of_rule_11_4(make: Callable[[], Game]) -> None:
    game = make()
    assert [count_worlds(game, seat) for seat in range(game.rules.players)] == WORLDS[make]
    for seat in range(game.rules.players):
        compare_with_worlds(game, seat)


@pytest.mark.parametrize("part", range(4))
def test_redeals__are_even_over_the_worlds_of_random_positions(part: int) -> None:
    for game, seat in small_positions()[part::4]:
        compare_with_worlds(game, seat)


def test_small_positions__are_of_all_kinds() -> None:
    """So that the test above looks at something."""
    kinds: Counter[str] = Counter()
    for game, seat in small_positions():
        record = game.record
        kinds["empty deck"] += game.deck_size == 0
        kinds["deck"] += game.deck_size > 0
        kinds["known"] += bool((record.known >> seat & 1).any())
        kinds["generations"] += len(by_generation(game, seat)) > 1
        kinds["solo"] += game.rules.mode == "solo"
        kinds["aside"] += bool((record.place == PLACE_ASIDE).any())
        kinds["automas"] += game.rules.automas > 0
    assert len(small_positions()) >= 16
    assert min(kinds.values()) > 0, kinds
    assert len(kinds) == 7


def test_evenness__notices_shares_that_are_off() -> None:
    total, cells = 24000, 60
    shares = np.full(cells, 1 / cells)
    even = np.full(cells, total // cells)
    assert is_even(even, shares, total)
    assert is_even(np.random.default_rng(1).multinomial(total, shares), shares, total)
    for seen in (0, total // cells // 2, total // cells * 2):
        wrong = even.copy()
        wrong[7] = seen
        assert not is_even(wrong, shares, total)
