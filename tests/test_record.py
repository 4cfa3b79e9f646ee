"""Data sets: what ``evaluate.py --record`` writes is read back with Minari and played again."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules, View, steam_power_v0
from steam_env.agents import make_agent
from steam_env.commands import evaluate
from steam_env.evaluation import dataset as dataset_module
from steam_env.evaluation.dataset import DatasetWriter, RecordConfig, check_record, name_dataset
from steam_env.evaluation.match import MatchConfig, MatchResult, play_match
from steam_env.evaluation.recording import Plays

ROOT = Path(__file__).resolve().parents[1]
SHORT = ["--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "3", "--quiet"]
MATCH = MatchConfig("random", ("greedy",), map="mini", contracts_to_end=1, max_rounds=5, deals=3, seed=2)
TABLES = {
    "two agents": MATCH,
    "three agents": replace(MATCH, against=("greedy", "greedy")),
    "with an Automa": replace(MATCH, against=("greedy", "automa:easy")),
}
needs_minari = pytest.mark.skipif(
    not all(dataset_module.importlib.util.find_spec(name) for name in dataset_module.NEEDED),
    reason="the extra `record` is not installed",
)


class Liar:
    """Random, and tells a probability that is none."""

    encoding = None

    def __init__(self, told: float) -> None:
        self.told = told

    def reset(self, seed: int) -> None: ...

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        return np.asarray(masks.argmax(axis=1))

    def explain(self, observations: Any, masks: np.ndarray, views: View) -> tuple[np.ndarray, None]:
        return np.full(masks.shape, self.told), None


def collect(match: MatchConfig, **options: Any) -> tuple[MatchResult, list[Plays]]:
    kept: list[Plays] = []
    return play_match(match, keep=kept.append, **options), kept


def write(match: MatchConfig, folder: Path, **options: Any) -> MatchResult:
    with DatasetWriter(RecordConfig(folder, "games-v0", **options), match) as writer:
        return play_match(match, keep=writer.write)


def read(folder: Path) -> Any:
    from minari import MinariDataset

    return MinariDataset(folder / "games-v0" / "data")


# --- what is kept of a match, without Minari ------------------------------------------------------------
@pytest.mark.parametrize("match", TABLES.values(), ids=TABLES.keys())
def test_trace__games_can_be_played_again(match: MatchConfig) -> None:
    result, (plays,) = collect(match)
    assert len(plays.seeds) == match.num_games
    for number in range(match.num_games):
        game = Game(match.rules, seed=int(plays.seeds[number]))
        for place in range(plays.starts[number], plays.starts[number + 1]):
            game.step(int(plays.actions[place]))
        assert game.done
        seats = [plays.players[number].tolist().index(agent) for agent in range(match.num_players)]
        totals = [game.scores()[seat]["total"] for seat in seats]
        deal, rotation = plays.deals[number], plays.rotations[number]
        assert totals == result.games.scores[deal, rotation, : match.num_players, 0].tolist()


def test_trace__changes_nothing() -> None:
    with_trace, _ = collect(MATCH)
    assert np.array_equal(with_trace.games.scores, play_match(MATCH).games.scores)


def test_trace__holds_every_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steam_env.evaluation.match.SHARD_DEALS", 1)
    result, kept = collect(replace(MATCH, batch_size=1))
    assert [plays.deals.tolist() for plays in kept] == [[0, 0], [1, 1], [2, 2]]
    assert np.array_equal(np.concatenate([plays.seeds for plays in kept]), np.repeat(result.deal_seeds, 2))
    assert sum(len(plays.actions) for plays in kept) == result.games.decisions.sum()


def test_trace__random_tells_one_in_so_many_and_greedy_nothing() -> None:
    _, (plays,) = collect(MATCH)
    batch = GameBatch(MATCH.rules, MATCH.num_games, seed=plays.seeds)
    for step in range(int(np.diff(plays.starts).max())):
        actions = np.zeros(len(batch), np.int64)
        for game in np.flatnonzero(~batch.done):
            place = plays.starts[game] + step
            is_random = plays.players[game, batch.seats[game]] == 0
            wanted = 1 / batch.mask[game].sum() if is_random else np.nan
            assert plays.probabilities[place] == pytest.approx(wanted, rel=1e-6, nan_ok=True)
            actions[game] = plays.actions[place]
        batch.step(actions)


def test_trace__who_always_plays_the_likeliest_action_is_sure_of_it() -> None:
    class Sure(Liar):
        is_greedy = True

    _, (plays,) = collect(MATCH, make_agent=lambda name: Sure(0.1) if name == "random" else make_agent(name))
    assert set(plays.probabilities[~np.isnan(plays.probabilities)]) == {1.0}


@pytest.mark.parametrize("told", [-0.1, 1.1, np.nan])
def test_trace__a_probability_that_is_none_is_refused(told: float) -> None:
    with pytest.raises(ValueError, match=rf"Liar.explain: probability {told} of its action: 0 to 1 are allowed"):
        collect(MATCH, make_agent=lambda name: Liar(told) if name == "random" else make_agent(name))


# --- the data set ---------------------------------------------------------------------------------------
@needs_minari
@pytest.mark.parametrize("match", TABLES.values(), ids=TABLES.keys())
def test_dataset__is_what_was_played(match: MatchConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_module, "GAMES_AT_ONCE", 4)  # games of a table in two chunks, the last not full
    result = write(match, tmp_path)
    data = read(tmp_path)
    assert data.total_episodes == match.num_games * match.num_players
    assert data.total_steps == result.games.decisions.sum()
    space = steam_power_v0.raw_env().observation_space("player_0")
    assert data.observation_space == space
    told = list(data.storage.get_episode_metadata(range(data.total_episodes)))
    for first in range(0, data.total_episodes, match.num_players):  # game by game
        episodes = [data[number] for number in range(first, first + match.num_players)]
        about = told[first : first + match.num_players]
        check_game(match, result, episodes, about)


def check_game(match: MatchConfig, result: MatchResult, episodes: list[Any], about: list[Any]) -> None:
    """The episodes of one game, against the game itself."""
    assert len({(entry["seed"], entry["options"]["deal"], entry["options"]["rotation"]) for entry in about}) == 1
    options = [entry["options"] for entry in about]
    assert [entry["seat"] for entry in options] == list(range(match.num_players))
    assert sorted(entry["agent"] for entry in options) == sorted(match.labels[: match.num_players])
    deal, rotation = int(options[0]["deal"]), int(options[0]["rotation"])
    assert about[0]["seed"] == result.deal_seeds[deal]
    batch = GameBatch(match.rules, 1, seed=[about[0]["seed"]])
    paid = np.zeros(match.num_seats)
    steps = [0] * match.num_players
    while not batch.done[0]:
        seat = int(batch.seats[0])
        episode, step = episodes[seat], steps[seat]
        assert np.array_equal(episode.observations["observation"][step], batch.observe()[0])
        assert np.array_equal(episode.observations["action_mask"][step], batch.mask[0])
        assert batch.mask[0, episode.actions[step]]
        share = 1 / batch.mask[0].sum() if options[seat]["agent"] == "random" else np.nan
        assert episode.infos["behavior_probability"][step] == pytest.approx(share, rel=1e-6, nan_ok=True)
        batch.step(episode.actions[step : step + 1])
        paid += batch.rewards[0]
        steps[seat] += 1
    for seat, episode in enumerate(episodes):
        count = steps[seat]
        assert len(episode) == count == len(episode.actions)
        assert episode.rewards.sum() == episode.rewards[-1] == paid[seat]
        assert episode.terminations.tolist() == [False] * (count - 1) + [True]
        assert not episode.truncations.any()
        assert len(episode.observations["observation"]) == len(episode.observations["action_mask"]) == count + 1
        last = batch.observe(seats=np.array([seat]))[0]
        assert np.array_equal(episode.observations["observation"][-1], last)
        assert not episode.observations["action_mask"][-1].any()
        assert {name: len(values) for name, values in episode.infos.items()} == dict.fromkeys(
            ("agent", "behavior_probability", "seat"), count + 1
        )
        agent = match.labels.index(options[seat]["agent"])
        assert set(episode.infos["agent"]) == {agent}
        assert set(episode.infos["seat"]) == {seat}
        assert np.isnan(episode.infos["behavior_probability"][-1])
        assert options[seat]["victory_points"] == result.games.scores[deal, rotation, agent, 0]
        assert options[seat]["win"] == result.games.shares[deal, rotation, agent]


@needs_minari
@pytest.mark.parametrize("encoding", ["grid", "graph"])
def test_dataset__observations_are_those_of_the_encoding_that_was_asked_for(encoding: str, tmp_path: Path) -> None:
    match = replace(MATCH, deals=1)
    write(match, tmp_path, encoding=encoding)
    data = read(tmp_path)
    assert data.observation_space == steam_power_v0.raw_env(encoding=encoding).observation_space("player_0")
    seed = next(iter(data.storage.get_episode_metadata(range(1))))["seed"]
    batch, steps = GameBatch(match.rules, 1, seed=[seed]), [0, 0]
    while not batch.done[0]:
        seat = int(batch.seats[0])
        episode, seen = data[seat], batch.observe(encoding)
        parts = seen if isinstance(seen, dict) else {"": seen}
        told = episode.observations["observation"]
        for name, values in parts.items():
            assert np.array_equal((told[name] if name else told)[steps[seat]], values[0]), name
        batch.step(episode.actions[steps[seat] : steps[seat] + 1])
        steps[seat] += 1
    assert steps == [len(data[0]), len(data[1])]


@needs_minari
def test_dataset__says_where_it_comes_from(tmp_path: Path) -> None:
    write(MATCH, tmp_path)
    told = read(tmp_path).storage.metadata
    assert told["agents"] == ["random", "greedy"]
    assert told["steam_env"]["command"] == MATCH.command()
    assert Rules.from_dict(told["steam_env"]["rules"]) == MATCH.rules
    assert told["steam_env"]["map"]["name"] == "mini"


@needs_minari
def test_dataset__pays_the_reward_that_was_asked_for(tmp_path: Path) -> None:
    write(MATCH, tmp_path, reward="margin")
    data = read(tmp_path)
    points = [entry["options"]["victory_points"] for entry in data.storage.get_episode_metadata(range(2))]
    assert data[0].rewards.sum() == pytest.approx((points[0] - points[1]) / 50)


@needs_minari
def test_dataset__a_match_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def stop(ended: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), DatasetWriter(RecordConfig(tmp_path, "games-v0"), MATCH) as writer:
        play_match(MATCH, keep=writer.write, report=stop)
    assert list(tmp_path.iterdir()) == []


@needs_minari
def test_dataset__an_older_one_stays_if_the_new_one_cannot_be_moved_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(MATCH, tmp_path)
    before = (tmp_path / "games-v0" / "data" / "main_data.hdf5").read_bytes()
    rename = Path.rename

    def refuse_draft(self: Path, target: Path) -> Path:
        if self.suffix == ".part":
            raise OSError(5, "no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse_draft)
    with pytest.raises(OSError, match="no"):
        write(replace(MATCH, seed=9), tmp_path, replace=True)
    assert [path.name for path in tmp_path.iterdir()] == ["games-v0"]
    assert (tmp_path / "games-v0" / "data" / "main_data.hdf5").read_bytes() == before


# --- the command line -----------------------------------------------------------------------------------
@needs_minari
def test_evaluate__writes_a_data_set_that_minari_loads_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import minari

    result = tmp_path / "result.json"
    words = ["random", "--against", "greedy", *SHORT, "--record", str(tmp_path / "new" / "data"), "--json", str(result)]
    assert evaluate.main(words) == 0
    name = "random-against-greedy-v0"
    assert f"{name}: 12 episodes" in capsys.readouterr().out
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "new" / "data"))
    data = minari.load_dataset(name)
    wins = sum(
        entry["options"]["win"]
        for entry in data.storage.get_episode_metadata(range(12))
        if entry["options"]["agent"] == "random"
    )
    assert wins == json.loads(result.read_text(encoding="utf-8"))["results"]["agents"][0]["wins"]
    assert [path.name for path in (tmp_path / "new" / "data").iterdir()] == [name]


@needs_minari
def test_evaluate__an_older_data_set_is_replaced_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["random", "--against", "greedy", *SHORT, "--record", str(tmp_path), "--record-name", "games-v0"]
    assert evaluate.main(words) == 0
    before = (tmp_path / "games-v0" / "data" / "main_data.hdf5").read_bytes()
    assert evaluate.main([*words, "--seed", "9"]) == 2
    assert "games-v0: there is a data set of this name: --record-name or --record-replace" in capsys.readouterr().err
    assert (tmp_path / "games-v0" / "data" / "main_data.hdf5").read_bytes() == before
    assert evaluate.main([*words, "--seed", "9", "--record-replace"]) == 0
    assert read(tmp_path).storage.metadata["steam_env"]["seed"] == 9


@needs_minari
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--record-name", "games"], "record_name='games': letters, digits, - and _ are allowed, and -v0 at the end"),
        (["--record-name", "a/b-v0"], "record_name='a/b-v0'"),
        (["--record-encoding", "sharp"], "record_encoding='sharp': allowed are 'flat'"),
        (["--record-reward", "fame"], "record_reward='fame': allowed are 'win', 'margin', 'score'"),
        (["--record-name", "other-v0"], "other-v0: is there, and is no data set"),
        (["--record-name", "other-v0", "--record-replace"], "other-v0: is there, and is no data set"),
        (["--record", "{folder}/file"], "file: data sets cannot be written there: "),
    ],
)
def test_evaluate__bad_input_is_refused_before_anything_is_played(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other-v0").mkdir()
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    given = [word.replace("{folder}", str(tmp_path)) for word in words]
    record = [] if "--record" in given else ["--record", str(tmp_path)]
    assert evaluate.main(["random", "--against", "greedy", *SHORT, *record, *given]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "nothing was played" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other-v0"]


def test_evaluate__a_protocol_is_not_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["greedy", "--protocol", "v0", "--record", "data"]) == 2
    assert "--record cannot be given together with --protocol" in capsys.readouterr().err


def test_evaluate__says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_module, "NEEDED", ("steam_env", "no_such_module"))
    with pytest.raises(ValueError, match=r"--record needs no_such_module: pip install .*\[tools,record\]"):
        check_record(RecordConfig(tmp_path, "games-v0"))


@pytest.mark.parametrize(
    ("agents", "name"),
    [
        (("greedy", "random"), "greedy-against-random-v0"),
        (("greedy", "automa:very_hard", "automa:very_hard"), "greedy-against-automa-very_hard-automa-very_hard-2-v0"),
        (
            ("runs/a.b/p.safetensors", "examples/mine.py:Mine"),
            "runs-a-b-p-safetensors-against-examples-mine-py-Mine-v0",
        ),
    ],
)
def test_name__says_who_plays_whom(agents: tuple[str, ...], name: str) -> None:
    match = MatchConfig(agents[0], agents[1:])
    assert name_dataset(match) == name
    assert RecordConfig(Path("data"), name).path == Path("data") / name


@needs_minari
def test_page__its_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    assert evaluate.main(["greedy", "--against", "random", *SHORT, "--record", "data"]) == 0
    found: dict[str, Any] = {}
    exec(compile(code, "datasets.md", "exec"), found)
    assert len(found["greedy"]) == 6
    assert len(found["steps"][0]) == len(found["steps"][2])
