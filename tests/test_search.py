"""Search: right where it can be checked, blind to what is hidden, the same in any company, within its budget."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steam_env.agents.search_budget as search_budget
from steam_env import GameBatch, Rules
from steam_env.agents import SearchAgent, make_agent
from steam_env.agents.grounds import EVERYWHERE, Ground, count_seats, find_ground
from steam_env.agents.policy_files import find_policy
from steam_env.agents.search import Thought
from steam_env.agents.search_budget import Budget
from steam_env.agents.trained import TrainedAgent
from steam_env.commands import evaluate as evaluation
from steam_env.commands.evaluate import main as evaluate
from steam_env.evaluation import frozen, search_curve
from steam_env.evaluation.agent_names import hash_agent
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.protocol import Row, hash_parts
from steam_env.evaluation.steam_power import protocols
from steam_env.evaluation.steam_power.protocols import V1_SEARCH
from steam_env.kit.errors import UnfitError
from steam_env.spec import find_spec, load_named
from steam_env.steam import Rules as SteamRules
from steam_env.table.rewards import WinAndMargin
from tests import open_toy
from tests.open_toy import NONE, Position, find_worth, rate

MINI = {"map": "mini", "contracts": "mini"}
TABLES = [
    Rules(**MINI),
    Rules(**MINI, num_players=3),
    Rules(**MINI, num_players=3, automas=1),
    Rules(map="mini", mode="solo"),
]


def make_search(name: str, game: str | None = None) -> SearchAgent:
    agent = make_agent(name, game)
    assert isinstance(agent, SearchAgent)
    return agent


def play_on(batch: GameBatch, steps: int, seed: int = 0) -> GameBatch:
    """So many random actions in each game."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch


def think(agent: SearchAgent, batch: GameBatch) -> list[Thought | None]:
    return agent.think(batch.mask, batch.views())


# --- right --------------------------------------------------------------------------------------------


OPEN_POSITIONS = [
    Position(0, 5, (2, 1), (NONE, 3)),
    Position(1, 4, (0, 1), (2, NONE)),
    Position(1, 7, (3, 2), (4, 4)),
    Position(2, 5, (1, 0, 2), (5, NONE, 3)),
    Position(0, 4, (2, 2, 1), (0, 3, 1)),
]


@pytest.mark.parametrize("position", OPEN_POSITIONS, ids=str)
def test_search__converges_to_the_best_play_of_all_seats(position: Position) -> None:
    rules = open_toy.Rules(num_players=len(position.stones))
    batch = GameBatch.from_records(position.write(rules), rules)
    (thought,) = think(make_search("search:random@800", rules.game), batch)
    assert thought is not None
    worths = [rate(position, action)[position.seat] for action in thought.actions.tolist()]
    assert worths[thought.actions.tolist().index(thought.action)] == pytest.approx(max(worths), abs=1e-9)
    assert thought.value == pytest.approx(find_worth(position)[position.seat], abs=0.06)


def test_search__finds_the_best_last_turn() -> None:
    """All that can be done in a turn after which the game is over, and what it comes to, found one by one."""
    rules = Rules(**MINI, max_rounds=1)
    batch = play_on(GameBatch(rules, 24, seed=3), 6)
    rows = np.flatnonzero((batch.records["seat"] == 1) & (batch.mask.sum(axis=1) > 3))[:3]
    assert len(rows) == 3
    batch = GameBatch.from_records(batch.records[rows], rules)
    for index, thought in enumerate(think(make_search("search:random@600"), batch)):
        assert thought is not None
        worths = {action: find_best_end(batch, index, action) for action in thought.actions.tolist()}
        assert worths[thought.action] == pytest.approx(max(worths.values()), abs=1e-6)


def find_best_end(batch: GameBatch, index: int, action: int) -> float:
    """The best that the mover of a game can make of an action in the rest of the last turn."""
    ends = GameBatch.from_records(batch.records[index : index + 1], batch.rules)
    seat, best = int(ends.seats[0]), -np.inf
    ends.step([action])
    while len(ends):
        over = np.flatnonzero(ends.done)
        if len(over):
            best = max(best, WinAndMargin(0.5, 0.02).count(ends.records[over], ends.setting)[:, seat].max())
        games, actions = np.nonzero(ends.mask & ~ends.done[:, None])
        if not len(games):
            return best
        ends = GameBatch.from_records(ends.records[games], batch.rules)
        ends.step(actions)
    return best


def test_search__agrees_with_another_implementation() -> None:
    """The package mcts: UCT with random playouts, written by others, on the game with all cards known."""
    other = pytest.importorskip("mcts")
    rules = open_toy.Rules()
    for position in [Position(0, pile, (0, 0), (cards, 2)) for pile in (4, 5, 6) for cards in (1, 3)]:
        worths = {action: rate(position, action)[0] for action in position.list_actions()}
        best = {action for action, worth in worths.items() if worth > max(worths.values()) - 1e-9}
        batch = GameBatch.from_records(position.write(rules), rules)
        (thought,) = think(make_search("search:random@400", rules.game), batch)
        assert thought is not None
        theirs = other.mcts(iterationLimit=3000).search(OtherState(position))
        assert {thought.action, theirs} <= best


class OtherState:
    """A position as the package mcts wants it."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def getCurrentPlayer(self) -> int:  # noqa: N802
        return 1 if self.position.seat == 0 else -1

    def getPossibleActions(self) -> list[int]:  # noqa: N802
        return self.position.list_actions()

    def takeAction(self, action: int) -> "OtherState":  # noqa: N802
        return OtherState(next(self.position.play(action)))

    def isTerminal(self) -> bool:  # noqa: N802
        return self.position.pile == 0

    def getReward(self) -> float:  # noqa: N802
        return open_toy.count_worth(self.position)[0]


# --- information, determinism -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_search__never_sees_what_is_hidden(rules: Rules) -> None:
    batch = play_on(GameBatch(rules, 12, seed=5), 25)
    first, again = make_search("search:greedy@12"), make_search("search:greedy@12")
    wanted = first.act(None, batch.mask, batch.views())
    other = batch.redeal(np.maximum(batch.seats, 0), np.arange(12) + 100)
    assert (other.records != batch.records).any()
    assert (again.act(None, other.mask, other.views()) == wanted).all()


def ask_one_by_one(agent: SearchAgent, batch: GameBatch) -> list[int]:
    views = [batch.game(index).view(int(batch.seats[index])) for index in range(len(batch))]
    return [int(agent.act(None, batch.mask[index : index + 1], view)[0]) for index, view in enumerate(views)]


def test_search__plays_alike_in_any_company() -> None:
    batch = play_on(GameBatch(TABLES[1], 6, seed=8), 20)
    together, alone = make_search("search:greedy@20"), make_search("search:greedy@20")
    for _ in range(3):
        actions = together.act(None, batch.mask, batch.views())
        assert ask_one_by_one(alone, batch) == actions.tolist()
        batch.step(actions)


def test_search__by_a_net_plays_alike_in_any_company_with_any_threads() -> None:
    torch = pytest.importorskip("torch")
    batch = play_on(GameBatch(Rules(), 5, seed=8), 40)
    actions = make_search("search:duel@24").act(None, batch.mask, batch.views())
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert ask_one_by_one(make_search("search:duel@24"), batch) == actions.tolist()
    finally:
        torch.set_num_threads(threads)


HOME = "was trained on map 'midwest' with 2 seats, and is asked on map"


@pytest.mark.parametrize(
    ("rules", "where"),
    [
        (Rules(**MINI), "'mini' with 2"),
        (Rules(num_players=3), "'midwest' with 3"),
        (Rules(num_players=3, automas=1), "'midwest' with 3"),
        (Rules(mode="solo"), "'midwest' with 1"),
        (Rules(map="gen-v1:test", contracts="gen-v1:test"), "'gen-v1:test:"),
    ],
    ids=str,
)
def test_search__by_a_policy_is_refused_where_that_was_not_trained(rules: Rules, where: str) -> None:
    pytest.importorskip("torch")
    batch = GameBatch(rules, 2, seed=1)
    for name in ("search:duel@4", f"search:{find_policy('duel')}@4"):
        with pytest.raises(UnfitError, match=f"{HOME} {where}"):
            make_search(name).act(None, batch.mask, batch.views())
    actions = make_search("search:duel:anywhere@4").act(None, batch.mask, batch.views())
    assert batch.mask[np.arange(2), actions].all()


def test_search__by_a_policy_is_refused_before_a_match_begins(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    for options in (["--map", "mini", "--contracts", "mini"], ["--seats", "3"], ["--protocol", "v1-search"]):
        against = [] if "--protocol" in options else ["--against", "greedy", "--deals", "1"]
        assert evaluate(["search:duel@4", *against, *options]) == 2
        assert f"search:duel {HOME}" in capsys.readouterr().err


def test_ground__of_a_net_for_all_maps_is_everywhere() -> None:
    pytest.importorskip("torch")
    about = {"config": {"tables": ["greedy", "league+league=2"]}, "map": {"name": "alps"}}
    paths = ("steam_env.agents.network:SteamNetwork", "steam_env.agents.nomad:NomadNetwork")
    plain, nomad = (load_named(path)() for path in paths)
    assert find_ground(TrainedAgent(plain, "flat", about=about)) == Ground("alps", (2, 3))
    assert find_ground(TrainedAgent(plain, "flat")) == EVERYWHERE
    assert find_ground(TrainedAgent(nomad, "graph", about=about)) == EVERYWHERE


def test_ground__has_the_seats_of_all_tables_of_a_run() -> None:
    pytest.importorskip("sb3_contrib")
    from steam_env.training.config import find_presets

    for game in ("steam_power", "steam"):
        spec = find_spec(game)
        for config in find_presets(spec).values():
            assert [count_seats(table, spec) for table in config.tables] == [one.num_seats for one in config.lineups]


def test_ground__of_a_run_whose_tables_have_maps_of_their_own_is_no_single_map() -> None:
    pytest.importorskip("torch")
    from steam_env.agents.grounds import Ground, find_ground
    from steam_env.agents.policy_files import load_policy

    assert find_ground(load_policy("magnate")) == Ground(None, (3, 4, 5))
    assert find_ground(load_policy("duel")) == Ground("midwest", (2,))


def test_search__follows_its_seed() -> None:
    batch = play_on(GameBatch(TABLES[0], 16, seed=2), 12)
    agent, values = make_search("search:random@8"), []
    for seed in (1, 1, 2):
        agent.reset(seed)
        values.append([thought and thought.value for thought in think(agent, batch)])
    assert values[0] == values[1] != values[2]


# --- budgets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evaluations", [1, 7, 30])
def test_search__spends_no_more_than_its_budget(evaluations: int) -> None:
    batch = play_on(GameBatch(Rules(), 4, seed=1), 30)
    names = ["greedy", "duel"] if has_torch() else ["greedy"]
    for name in names:
        thoughts = think(make_search(f"search:{name}@{evaluations}"), batch)
        spent = [thought.evaluations for thought in thoughts if thought is not None]
        assert 0 < max(spent) <= evaluations


def has_torch() -> bool:
    try:
        import safetensors
        import torch  # noqa: F401
    except ImportError:
        return False
    return bool(safetensors)


def test_search__spends_nothing_where_there_is_no_choice() -> None:
    agent, batch = make_search("search:greedy@8"), GameBatch(TABLES[0], 3, seed=1)
    agent.judge = None  # type: ignore[assignment]  # nobody to ask
    mask = np.zeros_like(batch.mask)
    mask[:, 5] = True
    assert agent.act(None, mask, batch.views()).tolist() == [5, 5, 5]


def test_search__looks_at_the_clock_inside_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a millisecond here."""
    times = iter(range(10**9))
    monkeypatch.setattr(search_budget.time, "perf_counter", lambda: next(times) / 1000)
    batch, agent = play_on(GameBatch(TABLES[0], 1, seed=1), 12), make_search("search:random@0.2s")
    assert agent.budget == Budget(seconds=0.2)
    begun = next(times)
    (thought,) = think(agent, batch)
    assert thought is not None
    assert 150 < next(times) - begun <= 205
    assert (agent.timed, agent.late) == (1, 0)


# --- between decisions, thoughts ----------------------------------------------------------------------


def test_search__goes_on_with_its_tree_in_the_same_turn() -> None:
    batch, agent = play_on(GameBatch(Rules(**MINI), 20, seed=4), 10), make_search("search:greedy@40")
    agent.act(None, batch.mask, batch.views())
    before = batch.seats.copy()
    actions = agent.act(None, batch.mask, batch.views())
    batch.step(actions)
    kept = [entry[0] for entry in agent._kept.values()]
    assert kept
    assert max(int(tree.forest.tries[: tree.forest.length[tree.root]].sum()) for tree in kept) > 0
    thoughts = [thought for thought, seat in zip(think(agent, batch), before, strict=True) if thought and seat >= 0]
    assert max(int(thought.visits.sum()) for thought in thoughts) > 40  # those of the decision before, too


def test_search__explains_what_it_then_plays() -> None:
    batch = play_on(GameBatch(Rules(**MINI), 8, seed=4), 12)
    agent, silent = make_search("search:greedy@24"), make_search("search:greedy@24")
    probabilities, values, plans = agent.explain(None, batch.mask, batch.views())
    actions = agent.act(None, batch.mask, batch.views())
    assert (actions == silent.act(None, batch.mask, batch.views())).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities[~batch.mask] == 0).all()
    assert np.isfinite(values).all()
    for thought, action, plan in zip(think(silent, batch), actions, plans, strict=True):
        assert (thought is None) == (plan is None)
        if thought is not None:
            assert thought.action == action == thought.line[0] == plan.line[0]
            tried = {int(one): int(count) for one, count in zip(thought.actions, thought.visits, strict=True) if count}
            assert plan.visits == tried
            assert plan.values.keys() == tried.keys()
            assert plan.values[thought.action] == thought.value


# --- whole games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("against", [("greedy",), ("greedy", "automa:normal")], ids=str)
def test_search__plays_matches(against: tuple[str, ...]) -> None:
    config = MatchConfig("search:greedy@3", against, deals=1, max_rounds=4, **MINI)
    assert play_match(config).games.rounds.max() <= 4


def test_search__plays_the_other_game() -> None:
    batch = GameBatch(SteamRules(map="mini"), 2, seed=1)
    agents = [make_search("search:thrifty@3", "steam") for _ in range(3)]
    for _ in range(12):
        actions = np.zeros(2, np.int64)
        for row in range(2):
            view = batch.game(row).view(int(batch.seats[row]))
            actions[row] = agents[batch.seats[row]].act(None, batch.mask[row : row + 1], view)[0]
        batch.step(actions)
    assert not batch.done.any()


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("search:greedy@", "budget '': 1 to 1000000 evaluations"),
        ("search:greedy@0", "budget '0': 1 to"),
        ("search:greedy@-3", "budget '-3'"),
        ("search:greedy@many", "budget 'many'"),
        ("search:greedy@1e9", "budget '1e9'"),
        ("search:greedy@10000000", "budget '10000000'"),
        ("search:greedy@0s", "budget '0s'.*up to 3600 seconds"),
        ("search:greedy@nans", "budget 'nans'"),
        ("search:greedy@infs", "budget 'infs'"),
        ("search:planner@8", "nothing searches by 'planner'; allowed are 'greedy', 'random', 'duel', 'table'"),
        ("search:", "nothing searches by ''"),
        ("search:gone.safetensors@8", "there is no such file"),
    ],
)
def test_make_agent__refuses_a_search_that_there_is_not(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"agent '{name}': .*{words}"):
        make_agent(name)


def test_hash_agent__covers_the_policy_of_a_search() -> None:
    pytest.importorskip("safetensors")
    assert len({hash_agent(name) for name in ("search:duel@8", "search:table@8", "search:greedy@8", "duel")}) == 4


# --- playouts -----------------------------------------------------------------------------------------


def test_rollout__plays_as_the_agent_does() -> None:
    batch, agent = GameBatch(Rules(**MINI), 12, seed=1), make_agent("greedy")
    other = batch.clone()
    assert other.rollout("greedy") > 12
    while not batch.done.all():
        batch.step(agent.act(None, batch.mask, batch.views()))
    assert (other.records == batch.records).all()
    assert (other.mask == batch.mask).all()
    assert other.done.all()
    assert (np.abs(other.rewards).sum(axis=1) > 0).any()


def test_rollout__depends_on_each_games_own_seed() -> None:
    batch = GameBatch(Rules(**MINI), 70, seed=1)
    first, threads, part = batch.clone(), batch.clone(), GameBatch(Rules(**MINI), 3, seed=1)
    threads.threads = 2
    first.rollout("random", seed=7)
    threads.rollout("random", seed=7)
    part.rollout("random", seed=[7, 8, 50])
    assert (threads.records == first.records).all()
    assert (part.records[:2] == first.records[:2]).all()
    assert part.records[2] != first.records[2]


def test_rollout__takes_a_function_and_refuses_what_it_does_not_know() -> None:
    def choose_last(records: Any, setting: Any, masks: Any, fractions: Any, actions: Any) -> None:
        assert ((fractions >= 0) & (fractions < 1)).all()
        actions[:] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    batch = GameBatch(Rules(**MINI, max_rounds=3), 2, seed=1)
    batch.rollout(choose_last)
    assert batch.done.all()
    with pytest.raises(ValueError, match="policy='deep': allowed are 'greedy', 'random'"):
        batch.rollout("deep")


# --- files --------------------------------------------------------------------------------------------
SMALL_MATCH = ["--map", "mini", "--contracts", "mini", "--max-rounds", "3", "--deals", "2", "--quiet"]


def test_verify__plays_a_sample_again_and_finds_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.json"
    assert evaluate(["search:greedy@4", "--against", "greedy", *SMALL_MATCH, "--json", str(file)]) == 0
    content = json.loads(file.read_text())
    assert content["faults"] == {"failed": 0, "late": 0, "timed": 0}
    assert len(content["sample"]["games"]) == 2
    assert evaluate(["--verify", str(file)]) == 0
    assert "2 games played again, 0 of" in capsys.readouterr().out
    game = content["sample"]["games"][0]
    for change in ({"scores": {**game["scores"], "greedy": 99}}, {"actions": game["actions"][1:]}):
        content["sample"]["games"][0] = {**game, **change}
        file.write_text(json.dumps(content))
        assert evaluate(["--verify", str(file)]) == 1
        assert "DIFFERS: deal 1: " in capsys.readouterr().out
    content["sample"] = {**content["sample"], "agent_sha256": "0", "games": [game]}
    file.write_text(json.dumps(content))
    assert evaluate(["--verify", str(file)]) == 1
    assert "DIFFERS: agent: not what it was made with" in capsys.readouterr().out
    file.write_text("{}")
    assert evaluate(["--verify", str(file)]) == 2


def test_protocol__of_policies_refuses_agents_that_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(["search:greedy@4", "--protocol", "v1"]) == 2
    assert "track 'policy'; of the track 'search' is v1-search" in capsys.readouterr().err


def test_interruption__keeps_what_was_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches of a protocol: the second is interrupted."""
    played = []

    def interrupt(match: MatchConfig, **options: Any) -> Any:
        if played:
            raise KeyboardInterrupt
        played.append(match)
        return play_match(match, **options)

    short = replace(V1_SEARCH, rows=(Row(("random",), 2), Row(("greedy",), 2)), games_hashed=2)
    short = replace(short, rules=tuple({**dict(short.rules), "map": "mini", "max_rounds": 3}.items()))
    monkeypatch.setattr(protocols, "V1_SEARCH", short)
    monkeypatch.setitem(frozen.FROZEN, "v1-search", hash_parts(short))
    monkeypatch.setattr(evaluation, "play_match", interrupt)
    file = tmp_path / "result.json"
    assert evaluate(["search:greedy@2", "--protocol", "v1-search", "--json", str(file), "--quiet"]) == 130
    content = json.loads(file.read_text())
    assert ([match["opponent"] for match in content["matches"]], content["stopped"]) == (["random"], "interrupted")


def test_search_curve__goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "curve.json"
    words = ["greedy", "--evaluations", "2", *SMALL_MATCH, "--json", str(file)]
    assert search_curve.main(words) == 0
    first = json.loads(file.read_text())
    assert [block["agent"] for block in first["blocks"]] == ["greedy", "search:greedy@2"]
    assert search_curve.main([*words, "--evaluations", "3"]) == 0
    second = json.loads(file.read_text())
    assert second["blocks"][:2] == first["blocks"]
    assert "search:greedy@3" in capsys.readouterr().out
    assert search_curve.main([*words, "--seed", "7"]) == 2
    assert "seed differ" in capsys.readouterr().err
