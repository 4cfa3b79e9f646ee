"""Data sets: what ``evaluate.py --record`` writes is read back with Minari and played again."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import GameBatch, Rules, View, steam_power_v0
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
def test_trace__games_can_be_played_again_and_random_tells_one_in_so_many(match: MatchConfig) -> None:
    result, (plays,) = collect(match)
    assert len(plays.seeds) == match.num_games
    for number, seed in enumerate(plays.seeds):
        batch = GameBatch(match.rules, 1, seed=[seed])
        for place in range(plays.starts[number], plays.starts[number + 1]):
            agent = match.names[plays.players[number, batch.seats[0]]]
            assert plays.probabilities[place] == expect_probability(agent, batch)
            batch.step(plays.actions[place : place + 1])
        assert batch.done[0]
        seats = np.argsort(plays.players[number])  # of the agents
        told = result.games.scores[plays.deals[number], plays.rotations[number], : match.num_players, 0]
        assert batch.scores()[0][0, seats, 0].tolist() == told.tolist()


def expect_probability(agent: str, batch: GameBatch) -> Any:
    """With which probability an agent tells that it plays in the only game: greedy does not tell."""
    return pytest.approx(1 / batch.mask[0].sum() if agent == "random" else np.nan, rel=1e-6, nan_ok=True)


def test_trace__holds_every_table_once_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("match", "match_table"):
        monkeypatch.setattr(f"steam_env.evaluation.{module}.SHARD_DEALS", 1)
    result, kept = collect(replace(MATCH, batch_size=1))
    assert [plays.deals.tolist() for plays in kept] == [[0, 0], [1, 1], [2, 2]]
    assert np.array_equal(np.concatenate([plays.seeds for plays in kept]), np.repeat(result.deal_seeds, 2))
    assert sum(len(plays.actions) for plays in kept) == result.games.decisions.sum()
    assert np.array_equal(result.games.scores, play_match(MATCH).games.scores)


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
@pytest.mark.parametrize(
    ("table", "encoding"),
    [*((table, "flat") for table in TABLES), ("two agents", "grid"), ("two agents", "graph")],
)
def test_dataset__is_what_was_played(
    table: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_module, "GAMES_AT_ONCE", 4)  # games of a table in two chunks, the last not full
    match = TABLES[table]
    result = write(match, tmp_path, encoding=encoding)
    data = read(tmp_path)
    assert data.total_episodes == match.num_games * match.num_players
    assert data.total_steps == result.games.decisions.sum()
    assert data.observation_space == steam_power_v0.raw_env(encoding=encoding).observation_space("player_0")
    told = list(data.storage.get_episode_metadata(range(data.total_episodes)))
    for first in range(0, data.total_episodes, match.num_players):  # game by game
        numbers = range(first, first + match.num_players)
        check_game(match, result, encoding, [data[number] for number in numbers], [told[number] for number in numbers])


def check_game(match: MatchConfig, result: MatchResult, encoding: str, episodes: list[Any], about: list[Any]) -> None:
    """The episodes of one game, against the game itself."""
    options = [entry["options"] for entry in about]
    assert len({(entry["seed"], entry["options"]["deal"], entry["options"]["rotation"]) for entry in about}) == 1
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
        check_observation(episode.observations["observation"], step, batch.observe(encoding))
        assert np.array_equal(episode.observations["action_mask"][step], batch.mask[0])
        assert batch.mask[0, episode.actions[step]]
        assert episode.infos["behavior_probability"][step] == expect_probability(options[seat]["agent"], batch)
        batch.step(episode.actions[step : step + 1])
        paid += batch.rewards[0]
        steps[seat] += 1
    for seat, (episode, count) in enumerate(zip(episodes, steps, strict=True)):
        assert len(episode) == count == len(episode.actions)
        assert episode.rewards.sum() == episode.rewards[-1] == paid[seat]
        assert episode.terminations.tolist() == [False] * (count - 1) + [True]
        assert not episode.truncations.any()
        seen, masks = episode.observations["observation"], episode.observations["action_mask"]
        assert {len(part) for part in (*list_parts(seen), masks)} == {count + 1}
        check_observation(seen, count, batch.observe(encoding, seats=np.array([seat])))
        assert not masks[-1].any()
        assert {name: len(values) for name, values in episode.infos.items()} == dict.fromkeys(
            ("agent", "behavior_probability", "seat"), count + 1
        )
        agent = match.labels.index(options[seat]["agent"])
        assert (set(episode.infos["agent"]), set(episode.infos["seat"])) == ({agent}, {seat})
        assert np.isnan(episode.infos["behavior_probability"][-1])
        assert options[seat]["victory_points"] == result.games.scores[deal, rotation, agent, 0]
        assert options[seat]["win"] == result.games.shares[deal, rotation, agent]


def check_observation(told: Any, step: int, seen: Any) -> None:
    """What an episode tells of a step is what is seen of the only game, part by part."""
    for part, wanted in zip(list_parts(told), list_parts(seen), strict=True):
        assert np.array_equal(part[step], wanted[0])


def list_parts(observations: Any) -> list[np.ndarray]:
    return [observations[name] for name in sorted(observations)] if isinstance(observations, dict) else [observations]


@needs_minari
def test_dataset__says_where_it_comes_from_and_pays_the_reward_that_was_asked_for(tmp_path: Path) -> None:
    write(MATCH, tmp_path, reward="margin")
    data = read(tmp_path)
    told = data.storage.metadata
    assert told["agents"] == ["random", "greedy"]
    assert told["steam_env"]["command"] == MATCH.command()
    assert Rules.from_dict(told["steam_env"]["rules"]) == MATCH.rules
    assert told["steam_env"]["map"]["name"] == "mini"
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
PLAY = ["random", "--against", "greedy", *SHORT]


@needs_minari
def test_evaluate__writes_a_data_set_that_minari_loads_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import minari

    folder, result = tmp_path / "new" / "data", tmp_path / "result.json"
    assert evaluate.main([*PLAY, "--record", str(folder), "--json", str(result)]) == 0
    name = "random-against-greedy-v0"
    assert f"{name}: 12 episodes" in capsys.readouterr().out
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    told = [entry["options"] for entry in minari.load_dataset(name).storage.get_episode_metadata(range(12))]
    wins = sum(entry["win"] for entry in told if entry["agent"] == "random")
    assert wins == json.loads(result.read_text(encoding="utf-8"))["results"]["agents"][0]["wins"]
    assert [path.name for path in folder.iterdir()] == [name]


@needs_minari
def test_evaluate__an_older_data_set_is_replaced_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*PLAY, "--record", str(tmp_path), "--record-name", "games-v0"]
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
        ("--record-name games", "record_name='games': letters, digits, - and _ are allowed, and -v0 at the end"),
        ("--record-name a/b-v0", "record_name='a/b-v0'"),
        ("--record-encoding sharp", "record_encoding='sharp': allowed are 'flat'"),
        ("--record-reward fame", "record_reward='fame': allowed are 'win', 'margin', 'score'"),
        ("--record-name other-v0", "other-v0: is there, and is no data set"),
        ("--record-name other-v0 --record-replace", "other-v0: is there, and is no data set"),
        ("--record file", "file: data sets cannot be written there: "),
        ("--protocol v1", "--record cannot be given together with --protocol"),
    ],
)
def test_evaluate__bad_input_is_refused_before_anything_is_played(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other-v0").mkdir()
    Path("file").write_text("mine", encoding="utf-8")
    match = ["greedy"] if "--protocol" in words else PLAY
    assert evaluate.main([*match, "--record", ".", *words.split()]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "nothing was played" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other-v0"]


def test_evaluate__says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_module, "NEEDED", ("steam_env", "no_such_module"))
    with pytest.raises(ValueError, match=r"--record needs no_such_module: pip install .*\[tools,record\]"):
        check_record(RecordConfig(tmp_path, "games-v0"))


@pytest.mark.parametrize(
    ("agents", "name"),
    [
        (("greedy", "random"), "greedy-against-random-v0"),
        (("greedy", "automa:very_hard", "automa:very_hard"), "greedy-against-automa-very_hard-automa-very_hard-2-v0"),
        (("runs/a.b/p.safetensors", "mine.py:Mine"), "runs-a-b-p-safetensors-against-mine-py-Mine-v0"),
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
