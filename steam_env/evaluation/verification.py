"""Samples of games in result files, and whether they come out the same when they are played again.

A result file holds some of its games move by move. Each is played again by its moves, which the rules must bring to the
same scores; and at each decision of the agent that was measured, the agent is asked once more. On another machine a net
may answer otherwise now and then, as its last bits come out otherwise: see ``MOST_DIFFERENT``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.agents import Agent
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.deals import draw_agent_seed
from steam_env.evaluation.match import MatchResult
from steam_env.evaluation.match_table import SHARD_DEALS
from steam_env.evaluation.provenance import describe_setting, hash_game
from steam_env.evaluation.recording import RecordedGame
from steam_env.spec import Setting, find_spec
from steam_env.table.asking import ask_mover
from steam_env.table.engine import load_setting
from steam_env.table.game import game_class_of

SAMPLE_DEALS = 4  # deals of a match of which one game each is kept move by move
MOST_DIFFERENT = 0.001  # part of the decisions in which a net may answer otherwise on another machine
SAMPLE = "sample"  # the entry of a result file

Content = Mapping[str, Any]


def describe_sample(result: MatchResult) -> dict[str, Any]:
    """The entry of a result file: what was recorded, and hashes of all that it depends on."""
    config = result.config
    return {
        "agent_sha256": hash_agent(config.agent, config.game),
        "game": config.game,
        "game_sha256": hash_game(config.game),
        "games": [_describe_game(result, recorded) for recorded in result.recorded[:SAMPLE_DEALS]],
    }


def _describe_game(result: MatchResult, recorded: RecordedGame) -> dict[str, Any]:
    scores = result.games.scores[recorded.deal, recorded.rotation, :, 0]
    labels = result.config.labels
    return {
        "deal": recorded.deal,
        "rotation": recorded.rotation,
        "seed": recorded.seed,
        "seat": recorded.players.index(labels[0]),
        "players": list(recorded.players),
        "actions": recorded.actions,
        "scores": {label: int(score) for label, score in zip(labels, scores, strict=True)},
    }


@dataclass(frozen=True)
class Verified:
    """What came out when samples were played again.

    Attributes:
        games: that were played.
        decisions: in which the agent was asked again.
        different: in which it answered otherwise.
        faults: what is not as it was, in words.
    """

    games: int
    decisions: int
    different: int
    faults: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether all came out as it should."""
        return not self.faults and self.different <= MOST_DIFFERENT * self.decisions


def list_games(content: Content) -> list[Content]:
    """The games of a result file that can be played again.

    Raises:
        ValueError: if there are none, or it is no result file.
    """
    matches = content.get("matches", [content]) if isinstance(content, dict) else []
    games = [game for match in matches for game in match.get(SAMPLE, {}).get("games", ())]
    if not games:
        raise ValueError(f"it holds no {SAMPLE!r}, which evaluate.py --json writes")
    return games


def verify(content: Content) -> Iterator[Verified]:
    """Play each game of a result file's samples again; yields what came out of each.

    Args:
        content: of the file: a match, or a protocol with its matches.

    Raises:
        ValueError: if something in it is not there any more, such as a map.
    """
    for match in content.get("matches", [content]):
        yield from _verify_match(match)


def _verify_match(match: Content) -> Iterator[Verified]:
    sample, name = match[SAMPLE], match["agents"][0]["name"]
    spec = find_spec(sample["game"])
    rules = spec.facts.rules
    setting = load_setting(rules.from_dict({key: match["rules"][key] for key in rules().to_dict()}))
    changed = [what for what, told in describe_setting(setting).items() if match[what]["sha256"] != told["sha256"]]
    changed += ["rules"] * (sample["game_sha256"] != hash_game(spec.game))
    changed += ["agent"] * (sample["agent_sha256"] != hash_agent(name, spec.game))
    yield Verified(0, 0, 0, tuple(f"{what}: not what it was made with" for what in changed))
    for recorded in sample["games"]:
        shard = recorded["deal"] // SHARD_DEALS
        agent = make_any_agent(name, spec.game)
        agent.reset(draw_agent_seed(match["seed"], shard, recorded["rotation"], 0))
        yield _verify_game(recorded, setting, agent)


def _verify_game(recorded: Content, setting: Setting, agent: Agent) -> Verified:
    """Play one game again by its moves, asking the agent at each of its decisions."""
    where = f"deal {recorded['deal'] + 1}"
    game, decisions, different = game_class_of(setting)(setting.rules, recorded["seed"]), 0, 0
    for number, action in enumerate(recorded["actions"]):
        if game.done or not game.mask[action]:
            return Verified(1, decisions, different, (f"{where}: action {number + 1} is not legal any more",))
        if setting.is_solo or game.seat == recorded["seat"]:
            answer = ask_mover(agent, game)
            if np.count_nonzero(game.mask) > 1:
                decisions += 1
                different += answer != action
        game.step(action)
    wanted = [recorded["scores"][label] for label in recorded["players"]]
    found = [int(score["total"]) for score in game.scores()][: len(wanted)]
    faults = () if game.done and found == wanted else (f"{where}: scores {found}, not {wanted}",)
    return Verified(1, decisions, different, faults)


def sum_up(parts: Iterator[Verified]) -> Verified:
    """All parts together."""
    games = decisions = different = 0
    faults: list[str] = []
    for part in parts:
        games, decisions, different = games + part.games, decisions + part.decisions, different + part.different
        faults += part.faults
    return Verified(games, decisions, different, tuple(faults))
