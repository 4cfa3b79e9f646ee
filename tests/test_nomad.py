"""The net for every map: it sees no numbers, only what belongs together; training, policy files and play with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents.networks import find_network, find_network_of  # noqa: E402
from steam_env.agents.nomad import NomadConfig, NomadNetwork  # noqa: E402
from steam_env.agents.nomad_graph import CITY, GLOBALS, NODES, SEATS, Reader, lay_out  # noqa: E402
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
    REPLACE,
    SOURCE_FROM,
    START,
)
from steam_env.core.steam_power.state import HEAD, MAX_CITIES, MAX_CONTRACTS, MAX_HEXES  # noqa: E402
from steam_env.encoding import pick  # noqa: E402
from steam_env.encoding.compact import expand  # noqa: E402
from steam_env.encoding.steam_power import ENCODINGS, graph  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from steam_env.training.config import find_presets, make_config  # noqa: E402

SPEC = find_spec()
SMALL = NomadConfig(width=32, hexes=16, rounds=2)
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


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(1)
    net = NomadNetwork(SMALL)
    for judged in (net.judge_city, net.judge_edge, net.judge_contract, net.judge_seat):
        torch.nn.init.normal_(judged.answer.weight)  # answers that differ
    return net.requires_grad_(False)


def answer(network: Any, seen: Any) -> tuple[np.ndarray, np.ndarray]:
    logits, values = network(to_tensors(seen, "cpu"))
    return logits.numpy(), values.numpy()


def renumber_cities(seen: dict[str, np.ndarray], other: np.ndarray) -> dict[str, np.ndarray]:
    """What would be seen if city i had the number ``other[i]``."""
    seen = {name: values.copy() for name, values in seen.items()}
    numbers = np.concatenate([[0], other + 1]).astype(np.uint8)
    seen["nodes"][:, :, CITY] = numbers[seen["nodes"][:, :, CITY]]
    places = graph.NUM_BORDERS + (other[:, np.newaxis] * NUM_EDGES + np.arange(NUM_EDGES)).ravel()
    for name in ("edges", "senders", "receivers"):
        seen[name][:, places] = seen[name][:, graph.NUM_BORDERS :].copy()
    return seen


def renumber_contracts(seen: dict[str, np.ndarray], other: np.ndarray) -> dict[str, np.ndarray]:
    contracts = np.empty_like(seen["contracts"])
    contracts[:, other] = seen["contracts"]
    return {**seen, "contracts": contracts}


def renumber_hexes(seen: dict[str, np.ndarray], other: np.ndarray) -> dict[str, np.ndarray]:
    moved = {name: values.copy() for name, values in seen.items()}
    moved["nodes"][:, other] = seen["nodes"]
    places = (other[:, np.newaxis] * NUM_EDGES + np.arange(NUM_EDGES)).ravel()
    for name in ("senders", "receivers"):
        values = other[seen[name]].astype(np.uint8)
        moved[name] = values.copy()
        moved[name][:, places] = values[:, : graph.NUM_BORDERS]
    moved["edges"][:, places] = seen["edges"][:, : graph.NUM_BORDERS]
    return moved


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
    seen = batch.observe("graph:compact")
    cities, contracts, hexes = (rng.permutation(count) for count in (MAX_CITIES, MAX_CONTRACTS, MAX_HEXES))
    moved = renumber_hexes(renumber_contracts(renumber_cities(seen, cities), contracts), hexes)
    logits, values = answer(network, seen)
    other_logits, other_values = answer(network, moved)
    assert np.allclose(other_values, values, atol=1e-4)
    assert np.allclose(other_logits[:, list_actions(cities, contracts)], logits, atol=1e-4)
    named = logits[:, START:HEAD_TO]
    assert len(np.unique(named[0][named[0] != 0])) > 20  # the answers tell things apart


def test_nomad__answers_a_position_alike_whatever_is_beside_it(batch: GameBatch, network: Any) -> None:
    seen = batch.observe("graph:compact")
    logits, values = answer(network, seen)
    for row in (0, 7, 13):
        alone = answer(network, pick(seen, slice(row, row + 1)))
        assert np.allclose(alone[0][0], logits[row], atol=1e-4)
        assert np.allclose(alone[1][0], values[row], atol=1e-4)


def test_reader__makes_the_features_that_the_encoding_tells(batch: GameBatch) -> None:
    packed = batch.observe("graph:compact")
    plain = expand(ENCODINGS["graph"].compact(None).expansions, packed)  # type: ignore[misc]
    for array, names in (("globals", GLOBALS), ("seats", SEATS), ("nodes", NODES)):
        parts = {part.name: part for part in graph.FEATURES[array]}
        wanted = []
        for name in names:
            values = plain[array][..., parts[name].start : parts[name].start + parts[name].length]
            if name in ("city_owner", "city_network", "city_linked"):
                values = np.stack([values[..., 0], values[..., 1:].sum(-1)], axis=-1)
            wanted.append(values)
        found = Reader(array, names)(torch.from_numpy(packed[array])).numpy()
        assert np.allclose(found, np.concatenate(wanted, axis=-1), atol=1e-6)


def test_board__has_neighbours_links_and_the_place_of_the_next_tile(batch: GameBatch) -> None:
    board = lay_out(to_tensors(batch.observe("graph:compact"), "cpu"))
    first = np.concatenate([[0], np.cumsum(np.bincount(board.game.numpy()))])
    none, checked = len(board.game), 0
    for row in range(NUM_GAMES):
        game = batch.game(row)
        record, land = game.record, game.setting.boards[0]
        count = int(land.num_hexes)
        neighbours = board.neighbours[first[row] : first[row + 1]].numpy()
        wanted = land.neighbour[:count].astype(np.int64)
        assert (neighbours == np.where(wanted < 0, none, wanted + first[row])).all()
        seat = game.seat
        if record.phase == HEAD:
            site = land.neighbour[land.city_hex[record.start_city], record.start_edge]
        elif record.tail_link[seat] >= 0:
            site = land.neighbour[record.tail_hex[seat], record.tail_exit[seat]]
        else:
            site = -1
        assert int(board.site[row]) == (none if site < 0 else site + first[row])
        tail = record.tail_hex[seat] if record.tail_link[seat] >= 0 else -1
        assert int(board.tail[row]) == (none if tail < 0 else tail + first[row])
        checked += site >= 0
    assert checked > 2


def test_nomad__every_action_of_the_masks_is_judged_by_what_it_names(batch: GameBatch, network: Any) -> None:
    """A hex beyond the edge that is changed changes the answer for that edge, and hardly any other of the city."""
    seen = batch.observe("graph:compact")
    logits, _ = answer(network, seen)
    legal = batch.mask
    assert logits.shape == legal.shape
    assert np.isfinite(logits).all()
    heads = logits[:, HEAD_TO:REPLACE][legal[:, HEAD_TO:REPLACE].sum(axis=1) > 1]
    assert all(len(np.unique(row)) > 1 for row in heads)


# --- training and files -----------------------------------------------------------------------------------
def test_preset__trains_a_policy_for_two_to_five_seats_that_goes_on_and_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--preset", "nomad", "--folder", str(tmp_path), "--quiet", "--device", "cpu", "--threads", "1"]
    words += [f"--tables={table}" for table in ("league", "random", "league+league+league+league")]
    words += ["--teacher", "random", "--imitation", "0.5", "--games", "6", "--steps", "4", "--batch-size", "12"]
    words += ["--network.width", "16", "--network.hexes", "8", "--network.rounds", "1", "--max-rounds", "3"]
    words += ["--decisions", "48", "--evaluate", "random", "--evaluate-every", "2", "--evaluate-deals", "1"]
    assert train.main(words) == 0
    assert "48 decisions" in capsys.readouterr().out
    content = json.loads((tmp_path / "config.json").read_text())
    assert content["config"]["net"] == "nomad"
    config = make_config(content["config"])
    assert config.network == NomadConfig(width=16, hexes=8, rounds=1)
    assert config.command().startswith("python train.py --preset nomad --tables league --tables random")
    assert "--network.hexes 8" in config.command()
    assert train.main(["--resume", "--folder", str(tmp_path), "--quiet"]) == 0
    policy = load_policy(tmp_path / "policy.safetensors")
    assert isinstance(policy.network, NomadNetwork)
    games = GameBatch(Rules(map="gen-v1:ood", contracts="gen-v1:ood", num_players=5), 3, seed=4)
    assert policy.encoding == "graph:compact"
    log_probs, _ = judge(policy.network, games.observe(policy.encoding), games.mask)
    assert np.allclose(np.exp(log_probs).sum(axis=1), 1, atol=1e-4)


def test_networks__are_found_by_name_and_by_configuration() -> None:
    assert find_network(SPEC, "nomad").network is NomadNetwork
    assert find_network_of(SPEC, SMALL).name == "nomad"
    assert find_presets(SPEC)["nomad"].kind.name == "nomad"
    assert find_presets(SPEC)["standard"].kind.name == ""
    with pytest.raises(ValueError, match="net='other': allowed are '', 'nomad'"):
        find_network(SPEC, "other")
    with pytest.raises(ValueError, match="network=3: allowed are NetworkConfig, NomadConfig"):
        find_network_of(SPEC, 3)
