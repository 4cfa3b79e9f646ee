"""The shipped policies: their files, what is known of them, and that they play. Needs the extra `train`."""

import hashlib
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("sb3_contrib")

from steam_env.agents import load_policy, policy_files
from steam_env.agents.policy_files import (
    WITHOUT_HASHES,
    describe_fit,
    find_game_of,
    find_policy,
    list_shipped,
    read_policy,
    write_policy,
)
from steam_env.commands import convert_policy
from steam_env.commands.publish import MOST_BYTES, YARDSTICKS, main, make_match
from steam_env.encoding.layout import Part
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.pages.policies import FOLDER, PAGE, PICTURES, read_shipped
from steam_env.spec import GameSpec, find_spec
from steam_env.training.config import TrainConfig
from steam_env.training.run import CONFIG, HISTORY, POLICY

LEAST_AGAIN = 3  # iterations that show of a run from a checkout with changes which program it was
LEAST_GAMES = {"duel": 2000, "table": 2000, "nomad": 2000, "magnate": 1200}
TEST, OOD = "gen-v1:test", "gen-v1:ood"  # maps that no policy has learnt from


@pytest.fixture(autouse=True)
def stand_in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])


@pytest.mark.parametrize("name", list_shipped())
def test_a_shipped_policy_is_the_file_that_was_measured(name: str) -> None:
    weights, known = find_policy(name).read_bytes(), read_shipped(name)
    assert len(weights) == known["bytes"] <= MOST_BYTES
    assert hashlib.sha256(weights).hexdigest() == known["sha256"]
    last = known["runs"][-1]
    assert last["decisions"] == load_policy(name).about["decisions"]
    config, left = last["config"], sum(run["decisions"] for run in known["runs"]) - known["curve"][-1]["decisions"]
    is_stopped = last["decisions"] < config["decisions"]  # then its last evaluation was some iterations before
    assert 0 <= left < is_stopped * config["evaluate_every"] * config["games"] * config["steps"] + 1
    for run in known["runs"]:
        assert run["config"]["tables"]
        program = run["again"] if run["software"]["git"]["dirty"] else run["software"]
        assert program["git"]["commit"]
        assert not program["git"]["dirty"]
        assert program.get("iterations", LEAST_AGAIN) >= LEAST_AGAIN


@pytest.mark.parametrize("name", list_shipped())
def test_its_matches_are_as_many_games_as_they_say(name: str) -> None:
    least = LEAST_GAMES[name]
    for text, match in zip(YARDSTICKS[name], read_shipped(name)["matches"], strict=True):
        config = make_match(name, text, least, find_game_of(name))
        assert match["against"] == text
        assert match["games"] >= config.num_games >= least
        assert match["win_rate"][1] < match["win_rate"][0] < match["win_rate"][2]
        assert match["chance"] == pytest.approx(1 / config.num_seats)


def test_duel_beats_the_normal_mautoma() -> None:
    result = play_match(MatchConfig("duel", ("automa:normal",), deals=20, seed=5))
    assert result.games.shares[:, :, 0].mean() > 0.5


def test_nomad_is_greedys_equal_on_maps_that_it_has_not_learnt_from() -> None:
    config = MatchConfig("nomad", ("greedy",), deals=100, each_map=True, seed=5, map=TEST, contracts=TEST)
    assert play_match(config).games.shares[:, :, 0].sum() >= 94  # of 200


MAGNATE_DEALS = 24


@pytest.mark.parametrize(
    ("world", "seats", "least"),  # a share of the games that chance does not give it; on mini it was hardly trained
    [("great_lakes", 3, 0.55), ("great_lakes", 4, 0.45), ("rhineland", 5, 0.3), ("mini", 3, 0.0)],
)
def test_magnate_plays_legally_on_all_maps_and_wins_more_than_its_share_where_it_was_trained(
    world: str, seats: int, least: float
) -> None:
    config = MatchConfig(
        "magnate", "greedy", seats=seats, deals=MAGNATE_DEALS, seed=5, game="steam", given=(("map", world),)
    )
    games = play_match(config, make_agent=partial(make_any_agent, game="steam")).games  # which refuses illegal actions
    assert games.shares[:, :, 0].mean() >= least


@pytest.mark.parametrize(
    ("agent", "against", "rules", "deals", "least"),
    [
        ("table", ("greedy", "automa:hard"), {}, 2, 12),
        ("table", ("greedy", "greedy", "greedy", "automa:hard"), {}, 2, 12),
        *(("nomad", ("greedy",) * others, {"map": OOD, "contracts": OOD}, 1, 12) for others in (1, 2, 3, 4)),
        ("duel", ("random",), {"map": "mini", "contracts": "mini", "max_rounds": 20}, 20, 1),  # which it does not know
    ],
)
def test_policies_play_with_all_others_and_by_all_rules(
    agent: str, against: tuple[str, ...], rules: dict, deals: int, least: int
) -> None:
    result = play_match(MatchConfig(agent, against, deals=deals, seed=5, **rules))
    assert result.games.scores[:, :, 0, 0].mean() > least


# --- files that do not fit ----------------------------------------------------------------------------


SPEC = find_spec("steam_power")
SEEN = SPEC.sight.encodings["advised"]  # by the policy


def lay_out(parts: tuple[Part, ...]) -> GameSpec:
    """The game with another layout of its observations."""
    return replace(
        SPEC, sight=replace(SPEC.sight, encodings={**SPEC.sight.encodings, SEEN.name: replace(SEEN, parts=parts)})
    )


OTHERS = {
    "reordered": (lay_out(SEEN.parts[::-1]), "layout_sha256"),
    "bounds": (lay_out((SEEN.parts[0]._replace(low=-1.0), *SEEN.parts[1:])), "layout_sha256"),
    "actions": (replace(SPEC, facts=replace(SPEC.facts, blocks=SPEC.facts.blocks[::-1])), "actions_sha256"),
}


@pytest.mark.parametrize(("other", "hashed"), OTHERS.values(), ids=OTHERS)
def test_a_file_of_another_layout_or_actions_is_refused(other: GameSpec, hashed: str, tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    write_policy(path, *read_policy(find_policy("duel")), other)
    here, there = describe_fit(SPEC, SEEN.name), describe_fit(other, SEEN.name)
    assert [key for key in here if there[key] != here[key]] == [hashed]
    with pytest.raises(ValueError, match=f"{there[hashed]} in the file, {here[hashed]} here"):
        load_policy(path)


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    write_policy(tmp_path / "other.safetensors", *read_policy(find_policy("duel")), replace(SPEC, game="chess"))
    with pytest.raises(ValueError, match=r"game='chess': known are 'steam_power'"):
        load_policy(tmp_path / "other.safetensors")


def test_the_layout_s_hash_is_not_over_its_prose() -> None:
    told = tuple(part._replace(meaning="something") for part in SEEN.parts)
    assert describe_fit(lay_out(told)) == describe_fit(SPEC)


def test_a_file_without_hashes_is_refused_until_it_is_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.safetensors"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policy_files, "FORMAT", WITHOUT_HASHES)
        write_policy(path, *read_policy(find_policy("duel")), SPEC)
    with pytest.raises(ValueError, match=f"python -m steam_env.commands.convert_policy {path}"):
        load_policy(path)
    assert convert_policy.main([str(path)]) == 0
    assert f"{path}: converted, assuming that it was trained with this version's" in capsys.readouterr().out
    assert path.read_bytes() == find_policy("duel").read_bytes()
    assert convert_policy.main([str(path)]) == 0
    assert f"{path}: it holds hashes, left as it is" in capsys.readouterr().out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policy_files, "FORMAT", "other")
        write_policy(path, *read_policy(find_policy("duel")), SPEC)
    with pytest.raises(ValueError, match="format 'other'"):
        load_policy(path)
    assert convert_policy.main([str(path)]) == 2
    assert "format 'other': 'steam_env policy 1' is allowed" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


# --- publishing ---------------------------------------------------------------------------------------


def write_run(folder: Path, start: str | None, decisions: tuple[int, ...]) -> Path:
    """The files of a run that has trained nothing: a shipped policy's weights."""
    folder.mkdir()
    config = TrainConfig(start=start, teacher="none", evaluate=("random",))
    (folder / CONFIG).write_text(json.dumps({"config": config.to_dict(), "software": {"git": None}}))
    entries = [
        {"decisions": number, "seconds": 30.0, "stage": "self-play", "evaluation": {"random": {"win_rate": 0.5}}}
        for number in decisions
    ]
    (folder / HISTORY).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (folder / POLICY).write_bytes(find_policy("duel").read_bytes())
    return folder


def test_a_policy_is_published_with_all_runs_that_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(YARDSTICKS, "duel", ("automa:easy",))
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text("<!-- policy duel -->\n<!-- end -->\n", encoding="utf-8")
    write_run(Path("first"), None, (100, 200))
    write_run(Path("second"), "first/policy.safetensors", (50,))
    assert main(["duel", "--run", "first", "--run", "second", "--games", "4", "--quiet"]) == 0
    known = json.loads((FOLDER / "duel.json").read_text())
    assert [run["decisions"] for run in known["runs"]] == [200, 50]
    assert [point["decisions"] for point in known["curve"]] == [100, 200, 250]
    assert known["matches"][0]["games"] == 4
    assert (FOLDER / "duel.safetensors").read_bytes() == find_policy("duel").read_bytes()
    page = PAGE.read_text()
    assert "| decisions, from random weights | 250 |" in page
    assert "--start first/policy.safetensors --teacher none --evaluate random`: 50 decisions in 0 minutes" in page
    assert "</svg>" in (PICTURES / "duel.svg").read_text()

    assert main(["duel", "--games", "6", "--quiet"]) == 0
    again = json.loads((FOLDER / "duel.json").read_text())
    assert again["matches"][0]["games"] == 6
    assert [again[name] for name in ("sha256", "runs", "curve")] == [
        known[name] for name in ("sha256", "runs", "curve")
    ]

    assert main(["duel", "--run", "second", "--run", "first", "--quiet"]) == 2
    assert "it began with first/policy.safetensors, not random weights" in capsys.readouterr().err

    later = write_run(Path("later"), "duel", (30, 60))
    assert main(["duel", "--run", "later", "--quiet"]) == 2
    assert f"a policy duel of hash None, not {known['sha256']}" in capsys.readouterr().err
    config = json.loads((later / CONFIG).read_text())
    (later / CONFIG).write_text(json.dumps(config | {"policies": {"duel": known["sha256"]}}))
    assert main(["duel", "--run", "later", "--games", "4", "--quiet"]) == 0
    more = json.loads((FOLDER / "duel.json").read_text())
    assert more["runs"][:2] == known["runs"]
    assert [run["decisions"] for run in more["runs"]] == [200, 50, 60]
    assert [point["decisions"] for point in more["curve"]] == [100, 200, 250, 280, 310]
    assert "--start runs/second/policy.safetensors --teacher none --evaluate random`: 60 decisions" in PAGE.read_text()


def test_a_run_that_is_begun_again_tells_its_program_if_it_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(YARDSTICKS, "duel", ())
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text("<!-- policy duel -->\n<!-- end -->\n", encoding="utf-8")
    write_run(Path("first"), None, (100, 200, 300))
    write_run(Path("same"), None, (100, 200))
    write_run(Path("other"), None, (100, 250))
    write_run(Path("later"), "first/policy.safetensors", (100,))
    assert main(["duel", "--run", "first", "--again", "same", "--quiet"]) == 0
    assert json.loads((FOLDER / "duel.json").read_text())["runs"][0]["again"] == {"git": None, "iterations": 2}
    for folder, words in (("other", "other figures than those of first"), ("later", "the configuration of none")):
        assert main(["duel", "--run", "first", "--again", folder, "--quiet"]) == 2
        assert words in capsys.readouterr().err


def test_a_run_that_was_stopped_is_published_up_to_its_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(YARDSTICKS, "duel", ())
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text("<!-- policy duel -->\n<!-- end -->\n", encoding="utf-8")
    last = load_policy(str(find_policy("duel"))).about["decisions"]
    write_run(Path("first"), None, (100, last, last + 100))
    assert main(["duel", "--run", "first", "--quiet"]) == 0
    known = json.loads((FOLDER / "duel.json").read_text())
    assert (known["runs"][0]["decisions"], known["runs"][0]["seconds"]) == (last, 60)
    assert [point["decisions"] for point in known["curve"]] == [100, last]


def test_a_policy_is_published_from_a_run_alone_or_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["nobody", "--run", str(tmp_path)]) == 2
    FOLDER.mkdir(parents=True)
    assert main(["duel"]) == 2
    (tmp_path / CONFIG).write_text("{}")
    assert main(["duel", "--run", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "name='nobody'" in err
    assert "duel.json" in err
    assert "policy.safetensors is needed" in err


# --- agents of one policy -------------------------------------------------------------------------------
def test_load_policy__agents_share_a_net_until_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "one.safetensors"
    about, weights = read_policy(find_policy("duel"))
    write_policy(path, about, weights, SPEC)
    first, second = load_policy(path), load_policy(path)
    assert first.network is second.network
    second.about["decisions"] = -1
    assert load_policy(path).about == first.about != second.about
    write_policy(path, {**about, "note": "changed"}, {name: 2 * weight for name, weight in weights.items()}, SPEC)
    changed = load_policy(path)
    assert changed.network is not first.network
    assert changed.about["note"] == "changed"


def test_match__one_agent_is_asked_for_all_its_twins_and_the_batch_size_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from steam_env.agents.trained import TrainedAgent
    from steam_env.evaluation import match, match_table

    for module in (match, match_table):  # so that a short match has several
        monkeypatch.setattr(module, "SHARD_DEALS", 2)
    asked: list[int] = []
    act = TrainedAgent.act
    monkeypatch.setattr(TrainedAgent, "act", lambda self, *told: asked.append(len(told[1])) or act(self, *told))
    config = MatchConfig("duel", "duel", deals=6, map="mini", contracts="mini", max_rounds=3)
    whole = play_match(config)
    steps = int(whole.games.decisions.max())
    assert len(asked) <= 2 * (steps + 1)  # each of two labels once in a step, and to warm up
    by_two = play_match(replace(config, batch_size=1))
    for name, values in vars(whole.games).items():
        assert np.array_equal(values, vars(by_two.games)[name]), name


def test_twins__are_greedy_agents_of_one_net_and_one_label() -> None:
    from steam_env.evaluation.match_table import find_twins

    agents = [load_policy("duel"), load_policy("duel"), load_policy("duel", is_greedy=False), load_policy("table")]
    agents += [load_policy("duel"), load_policy("duel", is_greedy=False)]
    labels = ["duel", "duel", "duel", "table", "duel 2", "duel"]
    assert find_twins(agents, labels).tolist() == [0, 0, 2, 3, 4, 5]
