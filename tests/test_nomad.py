"""The nets for every map: they see no numbers, only what belongs together; training, policy files, play with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents import advising, charts  # noqa: E402
from steam_env.agents.charted import ChartedConfig, ChartedNetwork  # noqa: E402
from steam_env.agents.networks import find_network, find_network_of  # noqa: E402
from steam_env.agents.nomad import NomadConfig, NomadNetwork  # noqa: E402
from steam_env.agents.policy_files import load_policy  # noqa: E402
from steam_env.agents.trained import judge, to_tensors  # noqa: E402
from steam_env.commands import train  # noqa: E402
from steam_env.core.hexes import NUM_EDGES  # noqa: E402
from steam_env.core.steam_power.actions import (  # noqa: E402
    BUILD,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    NUM_ACTIONS,
    SOURCE_FROM,
    START,
)
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES  # noqa: E402
from steam_env.encoding import pick  # noqa: E402
from steam_env.encoding.steam_power import flat  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from steam_env.training.config import find_presets, make_config  # noqa: E402

SPEC = find_spec()
NUM_GAMES = 24


@pytest.fixture(scope="module")
def batch() -> GameBatch:
    """Games of two and of five seats on different maps, some way on."""
    names = [f"gen-v1:train:{number}" for number in (3, 8)]
    rules = [Rules(map=name, contracts=name, num_players=seats) for name in names for seats in (2, 5)]
    games, rng = GameBatch(rules, NUM_GAMES, seed=1), np.random.default_rng(1)
    for _ in range(120):
        games.step(games.sample_legal(rng))
    return games


@pytest.fixture(scope="module", params=[(NomadNetwork, NomadConfig), (ChartedNetwork, ChartedConfig)])
def network(request: pytest.FixtureRequest) -> Any:
    kind, config = request.param
    torch.manual_seed(1)
    net = kind(config(width=32, entity=16))
    told = [net.weigh_standing] if kind is ChartedNetwork else []
    for last in (net.judge_city[-1], net.judge_contract[-1], net.judge_seat[-1], net.judge_plain, net.weigh, *told):
        torch.nn.init.normal_(last.weight)  # answers that differ
    return net.requires_grad_(False)


def answer(network: Any, seen: Any) -> tuple[np.ndarray, np.ndarray]:
    with torch.inference_mode():
        logits, values = network(to_tensors(seen, "cpu"))
    return logits.numpy(), values.numpy()


def renumber(seen: dict[str, np.ndarray], axis: str, other: np.ndarray) -> dict[str, np.ndarray]:
    """What would be seen if thing i of this axis (cities, contracts, hexes) had the number ``other[i]``."""
    table = seen["flat"].copy()
    for part in flat.LAYOUT:
        if getattr(part.shape[0] if part.shape else None, "name", "") == axis:
            stop = part.start + part.length
            things = seen["flat"][:, part.start : stop].reshape(len(table), len(other), -1)
            moved = np.empty_like(things)
            moved[:, other] = things
            table[:, part.start : stop] = moved.reshape(len(table), -1)
    return {**seen, "flat": table}


def renumber_advice(seen: dict[str, np.ndarray], ids: np.ndarray) -> dict[str, np.ndarray]:
    """What would be advised if action a had the id ``ids[a]``."""
    told = seen["advice"].copy()
    choices = np.rint(told[:, advising.CHOICE] * NUM_ACTIONS).astype(np.int64)
    told[:, advising.CHOICE] = np.concatenate([[0], ids + 1])[choices] / NUM_ACTIONS
    told[:, advising.RATES + ids] = seen["advice"][:, advising.RATES : advising.RATES + NUM_ACTIONS]
    return {**seen, "advice": told}


def renumber_chart(seen: dict[str, np.ndarray], cities: np.ndarray) -> dict[str, np.ndarray]:
    """What would be told if city i had the number ``cities[i]``, where a chart is told."""
    told = seen["advice"].copy()
    if told.shape[1] == charts.LAYOUT.size:
        for part in charts.LAYOUT.parts:
            if MAX_CITIES in part.shape:
                axis, stop = part.shape.index(MAX_CITIES), part.start + part.length
                things = told[:, part.start : stop].reshape(len(told), *part.shape).swapaxes(0, axis + 1).copy()
                things[cities] = things.copy()
                told[:, part.start : stop] = things.swapaxes(0, axis + 1).reshape(len(told), -1)
    return {**seen, "advice": told}


def list_actions(cities: np.ndarray, contracts: np.ndarray) -> np.ndarray:
    """(actions,) the id that each action has when cities and contracts are renumbered."""
    ids = np.arange(NUM_ACTIONS)
    for start in (BUILD, SOURCE_FROM, HOP_TO):
        ids[start : start + MAX_CITIES] = start + cities
    ids[START:HEAD_TO] = START + (cities[:, np.newaxis] * NUM_EDGES + np.arange(NUM_EDGES)).ravel()
    ids[FULFIL : FULFIL + MAX_CONTRACTS] = FULFIL + contracts
    return ids


# --- the net ----------------------------------------------------------------------------------------------
def test_nomad__renumbering_cities_contracts_and_hexes_renumbers_its_answers(batch: GameBatch, network: Any) -> None:
    rng = np.random.default_rng(2)
    seen = batch.observe(network.encoding)
    orders = {"cities": MAX_CITIES, "contracts": MAX_CONTRACTS, "hexes": MAX_HEXES}
    other = {axis: rng.permutation(count) for axis, count in orders.items()}
    moved = seen
    for axis, numbers in other.items():
        moved = renumber(moved, axis, numbers)
        assert (moved["flat"] != seen["flat"]).any()
    ids = list_actions(other["cities"], other["contracts"])
    logits, values = answer(network, seen)
    moved = renumber_chart(renumber_advice(moved, ids), other["cities"])
    other_logits, other_values = answer(network, moved)
    assert np.allclose(other_values, values, atol=1e-4)
    assert np.allclose(other_logits[:, ids], logits, atol=1e-4)
    assert not np.allclose(other_logits, logits, atol=1e-2)
    for row in logits[:, BUILD : BUILD + MAX_CITIES]:  # the answers tell things apart
        assert len(np.unique(row.round(4))) > 5


def test_nomad__sees_no_number_of_the_tails_hex_and_no_place_on_the_map(batch: GameBatch, network: Any) -> None:
    seen = batch.observe(network.encoding)
    table = seen["flat"].copy()
    table[:, flat.SEAT_TAIL_HEX : flat.CITY_COLOR] = 0.5
    for one, other in zip(answer(network, seen), answer(network, {**seen, "flat": table}), strict=True):
        assert (one == other).all()


def test_nomad__answers_a_position_alike_whatever_is_beside_it(batch: GameBatch, network: Any) -> None:
    seen = batch.observe(network.encoding)
    logits, values = answer(network, seen)
    for row in (0, 7, 13):
        alone = answer(network, pick(seen, slice(row, row + 1)))
        assert (alone[0][0] == logits[row]).all()
        assert (alone[1][0] == values[row]).all()


def test_nomad__told_the_masks_answers_the_same_of_what_is_legal(batch: GameBatch, network: Any) -> None:
    seen = to_tensors(batch.observe(network.encoding), "cpu")
    with torch.inference_mode():
        logits, values = network(seen)
        masked, same = network(seen, torch.from_numpy(batch.mask))
    assert torch.equal(values, same)
    assert torch.equal(logits[batch.mask], masked[batch.mask])


@pytest.mark.parametrize("kind", [NomadNetwork, ChartedNetwork])
def test_nomad__before_it_has_learnt_plays_what_greedy_advises(batch: GameBatch, kind: Any) -> None:
    torch.manual_seed(3)
    seen = batch.observe(kind.encoding)
    log_probs, _ = judge(kind(), seen, batch.mask)
    told = np.rint(seen["advice"][:, advising.CHOICE] * NUM_ACTIONS).astype(np.int64) - 1
    assert (log_probs.argmax(axis=1) == told).all()


def test_nomad__judges_by_the_advice_of_each_action(batch: GameBatch, network: Any) -> None:
    """An estimate that is changed changes the answer for that edge, more than that for the others of the city."""
    seen = batch.observe(network.encoding)
    action = START + 4 * NUM_EDGES + 2
    told = seen["advice"].copy()
    told[:, advising.RATES + action] = 1.0
    changes = np.abs(answer(network, {**seen, "advice": told})[0] - answer(network, seen)[0])
    beside = [START + 4 * NUM_EDGES + edge for edge in (0, 1, 3, 4, 5)]
    assert (changes[:, [action]] != changes[:, beside]).all()


# --- training and files -----------------------------------------------------------------------------------
def test_preset__trains_a_policy_for_two_to_five_seats_that_goes_on_and_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--preset", "charted", "--folder", str(tmp_path), "--quiet", "--device", "cpu", "--threads", "1"]
    words += [f"--tables={table}" for table in ("league", "random", "league+league+league+league")]
    words += ["--teacher", "random", "--imitation", "0.5", "--games", "6", "--steps", "4", "--batch-size", "12"]
    words += ["--network.width", "16", "--network.entity", "8", "--max-rounds", "3"]
    words += ["--decisions", "48", "--evaluate", "random", "--evaluate-every", "2", "--evaluate-deals", "1"]
    assert train.main(words) == 0
    assert "48 decisions" in capsys.readouterr().out
    content = json.loads((tmp_path / "config.json").read_text())
    assert content["config"]["net"] == "charted"
    config = make_config(content["config"])
    assert config.network == ChartedConfig(width=16, entity=8)
    assert config.command().startswith("python train.py --preset charted --tables league --tables random")
    assert "--network.entity 8" in config.command()
    assert train.main(["--resume", "--folder", str(tmp_path), "--quiet"]) == 0
    policy = load_policy(tmp_path / "policy.safetensors")
    assert isinstance(policy.network, ChartedNetwork)
    games = GameBatch(Rules(map="gen-v1:ood", contracts="gen-v1:ood", num_players=5), 3, seed=4)
    assert policy.encoding == "charted"
    log_probs, _ = judge(policy.network, games.observe(policy.encoding), games.mask)
    assert np.allclose(np.exp(log_probs).sum(axis=1), 1, atol=1e-4)


def test_networks__are_found_by_name_and_by_configuration() -> None:
    assert find_network(SPEC, "nomad").network is NomadNetwork
    assert find_network_of(SPEC, NomadConfig()).name == "nomad"
    assert find_network_of(SPEC, ChartedConfig()).name == "charted"
    for name in ("nomad", "charted"):
        assert find_presets(SPEC)[name].kind.name == name
    assert find_presets(SPEC)["standard"].kind.name == ""
    with pytest.raises(ValueError, match="net='other': allowed are '', 'advised', 'nomad', 'charted'"):
        find_network(SPEC, "other")
    with pytest.raises(
        ValueError, match="network=3: allowed are NetworkConfig, AdvisedConfig, NomadConfig, ChartedConfig"
    ):
        find_network_of(SPEC, 3)
