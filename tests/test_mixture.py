"""Batches of games with different maps, decks and numbers of seats: each game is what it is alone."""

import copy
import pickle
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules, steam_power_v0
from steam_env.agents import make_agent
from steam_env.data.steam_power.mixture import MAX_PARTS, mix_settings, open_set
from steam_env.data.steam_power.sets import WORLDS
from steam_env.encoding.steam_power.board_features import describe_setting
from steam_env.envs.vector import SteamVectorEnv
from steam_env.evaluation import provenance
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.summary import summarise
from steam_env.table.asking import ask
from steam_env.table.engine import load_setting, load_settings
from steam_env.table.mixture import list_parts, single_out
from steam_env.table.payment import Payment
from tests import toy

NUM_GAMES = 10
SEED = 5
SHORT = {"max_rounds": 6}


def make_rules(number: int, seats: int, automas: int = 0) -> Rules:
    name = f"gen-v1:test:{number}"
    return Rules(map=name, contracts=name, num_players=seats, automas=automas, **SHORT)


RULES = (make_rules(0, 2), make_rules(1, 5, 2), make_rules(2, 3), Rules(num_players=4, automas=3, **SHORT))


TRAIN = Rules(map="gen-v1:train", contracts="gen-v1:train", num_players=3, **SHORT)


def make_batch(**more: object) -> GameBatch:
    return GameBatch(RULES, NUM_GAMES, seed=SEED, **more)


def make_games() -> list[Game]:
    return [Game(RULES[number % len(RULES)], seed=SEED + number) for number in range(NUM_GAMES)]


def is_same(batch: GameBatch, row: int, game: Game) -> bool:
    """Whether a game of a batch is this one, with its map, deck and mask."""
    alone = batch.game(row)
    same_world = (alone.setting.map, alone.setting.deck) == (game.setting.map, game.setting.deck)
    return alone.record == game.record and same_world and batch.mask[row].tolist() == game.mask.tolist()


def test_batch__of_several_rules_plays_each_game_as_it_is_alone() -> None:
    batch, games, rng = make_batch(), make_games(), np.random.default_rng(1)
    paid = np.zeros((NUM_GAMES, 5))
    assert batch.rewards.shape == paid.shape
    while not batch.done.all():
        assert all(is_same(batch, row, game) for row, game in enumerate(games))
        actions = batch.sample_legal(rng)
        for game, action in zip(games, actions.tolist(), strict=True):
            if not game.done:
                game.step(action)
        batch.step(actions)
        paid += batch.rewards
    for row, game in enumerate(games):
        winners, seats = game.winners(), game.rules.seats
        assert is_same(batch, row, game)
        assert [seat for seat in range(5) if paid[row, seat] > 0] == (winners if len(winners) < seats else [])
        assert paid[row].sum() == pytest.approx(0)
        assert not paid[row, seats:].any()
        assert [score["total"] for score in game.scores()] == batch.scores()[0][row, :seats, 0].tolist()


def test_batch__deals_games_anew_on_the_maps_that_they_have() -> None:
    batch = make_batch()
    where = np.arange(NUM_GAMES) % 3 == 0
    before = batch.records.copy()
    batch.reset(where, seed=70)
    for row in range(NUM_GAMES):
        rules = RULES[row % len(RULES)]
        if where[row]:
            assert is_same(batch, row, Game(rules, seed=70 + row))
        else:
            assert batch.records[row] == before[row]


@pytest.mark.parametrize("make", [lambda batch: batch.clone(), lambda batch: batch.tile(2)])
def test_batch__is_copied_with_all_its_maps(make: Callable[[GameBatch], GameBatch]) -> None:
    batch = make_batch()
    twin = make(batch)
    times = len(twin) // len(batch)
    for row, game in enumerate(make_games()):
        assert is_same(twin, row * times, game)


def test_from_records__takes_games_of_several_rules_and_checks_each_as_its_own() -> None:
    batch = make_batch()
    for rules, records in ((RULES, batch.records), (TRAIN, GameBatch(TRAIN, 3, seed=8).records)):
        again = GameBatch.from_records(records, rules)
        assert again.records.tobytes() == records.tobytes()
        assert again.records is not records
    wrong = batch.records.copy()
    wrong["deck_index"][2] = 0
    with pytest.raises(ValueError, match=r"records\['deck_index'\] holds 0: 0 to 3 are allowed, as 'board_index'"):
        GameBatch.from_records(wrong, RULES)
    wrong["deck_index"][2] = wrong["board_index"][2] = len(RULES)
    with pytest.raises(ValueError, match=r"records\['board_index'\] holds 4: 0 to 3 are allowed"):
        GameBatch.from_records(wrong, RULES)
    wrong["deck_index"][2] = wrong["board_index"][2] = 3  # there are other seats
    with pytest.raises(ValueError, match=r"records\['num_seats'\] holds 3: 4 to 4 are allowed"):
        GameBatch.from_records(wrong, RULES)
    with pytest.raises(ValueError, match=r"records must be a one-dimensional NumPy array"):
        GameBatch.from_records([1], RULES)


@pytest.mark.parametrize("encoding", ["flat", "grid", "graph"])
def test_batch__observes_each_game_on_its_own_map(encoding: str) -> None:
    batch = make_batch()
    seen = batch.observe(encoding)
    for row, game in enumerate(make_games()):
        alone = game.observe(game.seat, encoding)
        if encoding == "graph":
            assert all(np.array_equal(seen[name][row], alone[name]) for name in alone)
        else:
            assert np.array_equal(seen[row], alone)


@pytest.mark.parametrize("name", ["greedy", "planner", "random"])
def test_agents__play_games_of_different_maps_as_they_play_each_alone(name: str) -> None:
    batch, games = make_batch(), make_games()
    agent, alone = make_agent(name), make_agent(name)
    agent.reset(1)
    movers = batch.seats.astype(np.int64)
    chosen = ask(agent, batch.records, movers, batch.mask, batch.setting)
    assert batch.mask[np.arange(NUM_GAMES), chosen].all()
    if name != "random":
        for game, action in zip(games, chosen.tolist(), strict=True):
            alone.reset(1)
            mask, seat = game.mask[np.newaxis], np.array([game.seat])
            assert ask(alone, game.records, seat, mask, game.setting).tolist() == [action]


def test_payment__is_asked_for_the_games_of_each_rules() -> None:
    asked: list[tuple[Rules, int]] = []

    def reward(records: np.ndarray, rules: Rules) -> np.ndarray:
        asked.append((rules, len(records)))
        assert not records["board_index"].any()
        return np.tile(np.arange(1.0, rules.seats + 1), (len(records), 1))

    batch = make_batch()
    paid = Payment(reward, shaping=reward).count_final(batch.records, batch.setting)
    assert asked == [(RULES[0], 3), (RULES[1], 3), (RULES[2], 2), (RULES[3], 2)]
    assert paid[:4].tolist() == [[1, 2, 0, 0, 0], [1, 2, 3, 4, 5], [1, 2, 3, 0, 0], [1, 2, 3, 4, 0]]
    potential = Payment(shaping=reward).count_potential(batch.records, batch.setting)
    assert potential[0].tolist() == [-0.5, 0.5, 0, 0, 0]
    assert not Payment().count_potential(batch.records, batch.setting).any()


def test_load_settings__has_a_part_for_all_rules_that_differ() -> None:
    setting, numbers = load_settings([RULES[0], RULES[1], RULES[0]])
    assert numbers.tolist() == [0, 1, 0]
    assert [part.rules for part in setting.parts] == [RULES[0], RULES[1]]
    tables = setting.lay_tables(np.array([1, 0, 1]))
    assert tables["board_index"].tolist() == tables["deck_index"].tolist() == [1, 0, 1]
    assert tables["num_seats"].tolist() == [5, 2, 5]
    assert (setting.num_seats, setting.num_players, setting.num_companies, setting.title) == (5, 3, 5, "2 maps")
    assert setting.players.tolist() == [2, 3]
    assert setting.contents["map 1"]["name"] == "gen-v1:test:1"
    alone, same = load_settings([RULES[0], RULES[0]])
    assert not hasattr(alone, "parts")
    assert same.tolist() == [0, 0]


def test_list_parts__groups_the_rows_that_are_meant() -> None:
    batch = make_batch()
    found = [
        (number, rows.tolist()) for number, _, rows in list_parts(batch.records, batch.setting, np.array([9, 4, 1]))
    ]
    assert found == [(0, [4]), (1, [9, 1])]
    assert list(list_parts(batch.records, batch.setting, np.array([], np.int64))) == []
    assert single_out(batch.records, batch.setting, np.array([1]))["deck_index"].tolist() == [0]
    assert batch.records["deck_index"][1] == 1


# --- sets -------------------------------------------------------------------------------------------------


def test_seed__draws_the_map_of_a_set_in_games_and_batches_alike() -> None:
    batch = GameBatch(TRAIN, 6, seed=40)
    games = [Game(TRAIN, seed=40 + row) for row in range(6)]
    assert all(is_same(batch, row, game) for row, game in enumerate(games))
    names = [game.rules.map for game in games]
    assert batch.names["map"].tolist() == batch.names["deck"].tolist() == names
    assert names == [game.rules.contracts for game in games]
    assert len(set(names)) > 3
    assert all(name.startswith("gen-v1:train:") for name in names)
    assert Game.load(games[0].save()).rules == games[0].rules


def test_reset__draws_other_maps_and_leaves_copies_what_they_were() -> None:
    batch = GameBatch(TRAIN, 4, seed=1)
    twin, before = batch.clone(), batch.names["map"].tolist()
    where = np.array([True, False, True, False])
    batch.reset(where, seed=90)
    after = batch.names["map"].tolist()
    assert [name != old for name, old in zip(after, before, strict=True)] == where.tolist()
    assert is_same(batch, 0, Game(TRAIN, seed=90))
    assert is_same(twin, 0, Game(TRAIN, seed=1))
    while not batch.done.all():
        batch.step(batch.sample_legal(np.random.default_rng(1)))
    assert twin.names["map"].tolist() == before


def test_batch_of_a_set__goes_on_in_a_process_that_has_loaded_none_of_its_maps() -> None:
    batch = GameBatch(TRAIN, 4, seed=1)
    text = pickle.dumps(batch)
    open_set.cache_clear()  # as it is in a new process
    resumed, rng = pickle.loads(text), np.random.default_rng(1)
    assert resumed.setting is not batch.setting
    while not batch.done.all():
        actions = batch.sample_legal(rng)
        batch.step(actions)
        resumed.step(actions)
        assert (resumed.mask == batch.mask).all()
    assert (resumed.records == batch.records).all()
    assert resumed.names["map"].tolist() == batch.names["map"].tolist()


def test_set_of_maps__goes_with_one_deck_and_a_set_of_decks_with_one_map() -> None:
    game = Game(Rules(map="gen-v1:test"), seed=2)
    assert (game.rules.map.rpartition(":")[0], game.rules.contracts) == ("gen-v1:test", "standard")
    other = Game(Rules(contracts="gen-v1:test"), seed=2)
    assert (other.rules.map, other.rules.contracts) == ("midwest", game.rules.map)


def test_setting_of_a_set__is_one_for_all_who_ask_and_light_to_send() -> None:
    setting = load_setting(TRAIN)
    assert pickle.loads(pickle.dumps(setting)) is setting is copy.deepcopy(setting)
    assert len(pickle.dumps(setting)) < 2000
    assert (setting.title, setting.num_seats, setting.num_players, len(setting.parts)) == ("gen-v1:train", 3, 3, 10_000)
    assert setting.contents["set"]["name"] == "gen-v1:train"


@pytest.mark.parametrize("reward", ["win", "margin", lambda records, rules: np.full((len(records), 3), len(rules.map))])
def test_payment__on_a_set_is_that_of_each_game(reward: str | Callable[..., np.ndarray]) -> None:
    batch = GameBatch(TRAIN, 5, seed=3, reward=reward)
    for row in range(5):
        alone = GameBatch(batch.game(row).rules, 1, seed=3 + row, reward=reward)
        paid = alone._payment.count_final(alone.records, alone.setting)[0]
        assert batch._payment.count_final(batch.records, batch.setting)[row].tolist() == paid.tolist()


def test_environments__deal_from_a_set_and_tell_which_map_it_is() -> None:
    options = {"map": "gen-v1:train", "contracts": "gen-v1:train", "num_players": 2, "automas": 1}
    env = gymnasium.make("SteamPower-v0", **options)
    _, info = env.reset(seed=8)
    table = steam_power_v0.env(**options)
    table.reset(seed=8)
    envs = SteamVectorEnv(2, **options)
    _, infos = envs.reset(seed=[8, 9])
    assert info["map"] == info["deck"] == table.infos["player_0"]["map"] == env.unwrapped.game.rules.map
    assert infos["map"].tolist() == infos["deck"].tolist() == envs.games.names["map"].tolist()
    assert all(name.startswith("gen-v1:train:") for name in infos["map"])
    features = envs.board_features
    for row in range(2):
        for name, values in describe_setting(envs.games.game(row).setting).items():
            assert np.array_equal(features[name][row], values)


def test_infos__of_a_game_that_has_ended_name_its_map_beside_that_of_the_new_one() -> None:
    envs = SteamVectorEnv(1, map="gen-v1:train", num_players=2, automas=1, max_rounds=1)
    _, infos = envs.reset(seed=1)
    first = infos["map"][0]
    while "final_info" not in infos:
        *_, infos = envs.step(envs.sample_legal(np.random.default_rng(1)))
    assert infos["final_info"]["map"][0] == first != infos["map"][0]


def test_match__on_a_set_plays_each_deal_on_one_map_in_all_rotations() -> None:
    seen: list[list[str]] = []
    options = {**SHORT, **WORLDS.name_fields("gen-v1:test")}
    config = MatchConfig("random", "greedy", deals=4, seats=2, **options)
    result = play_match(config, watch=lambda batch: seen.append(batch.names["map"].tolist()))
    assert len(set(seen[0])) == 4
    assert {seen[0].count(name) for name in seen[0]} == {2}
    agents = summarise(result).agents
    assert [agent.openings for agent in agents] == [None, None]  # on each map they have other names
    assert provenance.describe_setting(result.setting)["set"]["name"] == "gen-v1:test"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"map": "gen-v2:train"}, "map: 'gen-v2:train': family 'gen-v2': allowed are gen-v1"),
        ({"contracts": "gen-v1:tain"}, "contracts: 'gen-v1:tain': set 'tain': allowed are train, test, ood, hand"),
        (
            {"map": "gen-v1:train", "contracts": "gen-v1:test"},
            "contracts='gen-v1:test': with map='gen-v1:train' the same set or one deck is allowed",
        ),
    ],
)
def test_bad_sets__are_refused_by_name(fields: dict[str, str], message: str) -> None:
    for make in (Game, lambda rules: GameBatch(rules, 2)):
        with pytest.raises(ValueError, match=f"^{message}"):
            make(Rules(**fields))


def test_set__is_not_one_of_several_rules() -> None:
    with pytest.raises(ValueError, match=r"^map='gen-v1:train' is not one map but many: it cannot be one of several"):
        GameBatch([Rules(), TRAIN], 3)


# --- bad input --------------------------------------------------------------------------------------------
def test_bad_mixtures__are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^rules=\[\]: one or more are allowed"):
        GameBatch([], 3)
    with pytest.raises(ValueError, match=r"^mode='multiplayer' and mode='solo': games of one batch must have the same"):
        GameBatch([Rules(), Rules(mode="solo")], 3)
    with pytest.raises(TypeError, match=r"rules=.*: an object of .*Rules is allowed"):
        GameBatch([Rules(), toy.Rules()], 3)
    with pytest.raises(ValueError, match=r"game 'tests.toy:SPEC': a batch holds games of the same rules"):
        GameBatch([toy.Rules(), toy.Rules(num_players=3)], 3)
    with pytest.raises(ValueError, match=r"contracts='mini' has 16 contracts: 4 player seats need at least 20"):
        GameBatch([Rules(), Rules(contracts="mini", num_players=4)], 3)
    with pytest.raises(ValueError, match=rf"^{MAX_PARTS + 1} different rules: at most {MAX_PARTS} fit into one batch"):
        mix_settings([load_setting(Rules())] * (MAX_PARTS + 1))


# --- on named maps ----------------------------------------------------------------------------------------
EASY = Rules(map="gen-v1:easy", contracts="gen-v1:easy", **SHORT)


def name_train(number: int) -> str:
    """What a map of `easy` is called."""
    return f"gen-v1:train:{WORLDS.families['gen-v1']['easy'].list_numbers()[number]}"  # type: ignore[attr-defined]


def test_reset__deals_games_on_the_maps_that_are_named() -> None:
    batch = GameBatch(TRAIN, 3, seed=1)
    before = batch.names["map"].tolist()
    batch.reset(np.array([True, False, True]), seed=5, maps=["gen-v1:train:17", "gen-v1:nothing:1", "gen-v1:train:8"])
    assert batch.names["map"].tolist() == ["gen-v1:train:17", before[1], "gen-v1:train:8"]
    alone = Game(Rules(**{**TRAIN.to_dict(), "map": "gen-v1:train:17", "contracts": "gen-v1:train:17"}), seed=5)
    assert is_same(batch, 0, alone)
    several = make_batch()
    several.reset(seed=5, maps=[RULES[2].map] * NUM_GAMES)
    assert set(several.names["map"]) == {RULES[2].map}


@pytest.mark.parametrize(
    ("rules", "name", "message"),
    [
        (TRAIN, "gen-v1:easy:3", "map='gen-v1:easy:3': gen-v1:train:0 to 9999 are allowed"),
        (TRAIN, "gen-v1:train:10000", "number '10000': 0 to 9999 are allowed"),
        (RULES, "alps", "map='alps': allowed are 'gen-v1:test:0'"),
        (Rules(map="mini", contracts="standard"), "alps", "map='alps': all games have the map of"),
    ],
)
def test_reset__refuses_a_map_that_the_rules_do_not_have(rules: Rules, name: str, message: str) -> None:
    batch = GameBatch(rules, 2, seed=1)
    before = batch.records.copy()
    with pytest.raises(ValueError, match=message):
        batch.reset(seed=2, maps=[name, name])
    assert (batch.records == before).all()


def test_vector__begins_games_on_the_maps_that_are_named_and_goes_on_with_others() -> None:
    envs = SteamVectorEnv(3, autoreset_mode="DISABLED", rules=EASY, opponents=make_agent("random").__class__)
    names = [f"gen-v1:easy:{number}" for number in (3, 5, 3)]
    _, infos = envs.reset(seed=1, options={"map": names})
    assert infos["map"].tolist() == [name_train(number) for number in (3, 5, 3)]
    one = np.array([False, True, False])
    _, infos = envs.reset(options={"reset_mask": one, "map": "gen-v1:easy:9"})
    assert infos["map"].tolist() == [name_train(number) for number in (3, 9, 3)]
    for options, message in {
        "map='gen-v1:hard:3'": {"map": "gen-v1:hard:3"},
        "a name, or 3 names, are allowed": {"map": ["gen-v1:easy:1"]},
        "'reset_mask' and 'map' are allowed": {"maps": names},
    }.items():
        with pytest.raises(ValueError, match=options):
            envs.reset(options=message)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        _, _, ended, _, infos = envs.step(envs.sample_legal())
    row = int(np.flatnonzero(ended)[0])
    assert infos["scores"][row].shape == (2, 5)
    assert infos["map"][row] == name_train((3, 9, 3)[row])


def test_environments__begin_a_game_on_a_named_map_with_its_deck() -> None:
    env = gymnasium.make("SteamPower-v0", opponents=make_agent("random").__class__, map="mini", contracts="standard")
    for name, deck in {"gen-v1:test:17": "gen-v1:test:17", "alps": "standard", "mini": "standard"}.items():
        _, info = env.reset(seed=3, options={"map": name})
        assert (info["map"], info["deck"]) == (name, deck)
        assert env.unwrapped.game.setting == load_setting(
            Rules(**{**env.unwrapped.rules.to_dict(), "map": name, "contracts": deck})
        )
    _, info = env.reset(seed=3, options={"map": "gen-v1:test", "contracts": "standard"})
    assert info["map"].startswith("gen-v1:test:")
    assert info["deck"] == "standard"
    with pytest.raises(ValueError, match="map='gen-v1:test:1': a scenario has a map of its own"):
        env.reset(options={"map": "gen-v1:test:1", "scenario": {}})
    with pytest.raises(ValueError, match="set 'nowhere': allowed are train"):
        env.reset(options={"map": "gen-v1:nowhere:1"})


def test_aec__tells_scores_and_map_at_the_end_of_a_game_on_a_named_map() -> None:
    env, rng = steam_power_v0.env(map="mini", contracts="standard", max_rounds=1), np.random.default_rng(1)
    env.reset(seed=1, options={"map": "gen-v1:hard:5"})
    name = env.infos["player_0"]["map"]
    assert name.startswith("gen-v1:train:")
    assert env.unwrapped.game.record == Game(Rules(map=name, contracts=name, max_rounds=1), seed=1).record
    assert "scores" not in env.infos["player_0"]
    while not all(env.terminations.values()):
        env.step(env.unwrapped.sample_legal(rng))
    for info in env.infos.values():
        assert info["map"] == name
        assert info["scores"] == env.unwrapped.game.scores()
        assert info["winners"] == env.unwrapped.game.winners()
