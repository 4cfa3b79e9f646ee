"""The environments behind one interface, and what they should say: a game played by its definitions alone."""

from __future__ import annotations

import copy
import importlib.util
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from steam_env import Game, Rules, View
from steam_env.core.steam_power.actions import BUILD, NUM_ACTIONS
from steam_env.encoding import pick
from steam_env.envs.aec import make_env
from steam_env.envs.vector import SteamVectorEnv
from steam_env.spec import find_spec
from steam_env.words.events import Event, SeenEvents
from steam_env.words.seats import name_seat

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "environments"
EVENTFUL = ROOT / "steam_env/data/steam_power/scenarios/last-rounds.toml"  # three seats, and the deck is empty
VERSUS, SOLO = "SteamPower-v0", "SteamPowerSolo-v0"
IDS = (VERSUS, SOLO)
SCALE = 50.0  # points that `margin` and `score` count as one
ILLEGAL_AT_START = BUILD  # no link is complete, so no city may have a factory
COPIERS = (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))
SMALL: dict[str, Any] = {"map": "mini", "contracts": "standard", "max_rounds": 4}  # a short game on the small map


def fields_of(options: dict[str, Any]) -> dict[str, Any]:
    return options if "rules" in options else {**SMALL, **options}


# --- players without chance -----------------------------------------------------------------------------------


def choose_last(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy for many games."""
    return NUM_ACTIONS - 1 - np.argmax(masks[:, ::-1], axis=1)


def choose_first(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.argmax(masks, axis=1)


def choose_seen(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy that depends on all that it sees."""
    codes = np.rint(observations * 360).astype(np.int64).sum(axis=1)
    ranks = np.cumsum(masks, axis=1) - 1
    return np.argmax(masks & (ranks == (codes % masks.sum(axis=1))[:, np.newaxis]), axis=1)


def choose_any(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def draw_legal(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


# --- rewards, by the words of their definitions ---------------------------------------------------------------


def win_rewards(game: Game) -> list[float]:
    winners, seats = game.winners(), game.rules.seats
    losers = seats - len(winners)
    return [(1 / len(winners) if seat in winners else -1 / losers) if losers else 0.0 for seat in range(seats)]


def score_rewards(game: Game) -> list[float]:
    return [score["total"] / SCALE for score in game.scores()]


def margin_rewards(game: Game) -> list[float]:
    scores = score_rewards(game)
    return [own - (sum(scores) - own) / max(len(scores) - 1, 1) for own in scores]


def pay_nothing(records: np.ndarray, rules: Rules) -> np.ndarray:
    return np.zeros((len(records), rules.seats))


def pay_money(records: np.ndarray, rules: Rules) -> np.ndarray:
    return np.asarray(records["money"][:, : rules.seats])


def money_potential(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Not zero at the start, and not centred."""
    return np.asarray(records["money"][:, : rules.seats] / 7 + np.arange(1, rules.seats + 1) ** 2)


def potential_of(game: Game, shaping: Any = money_potential) -> np.ndarray:
    """Φ of each seat, less the mean; in solo as it is."""
    values = shaping(game.records, game.rules)[0]
    return np.asarray(values if game.rules.mode == "solo" else values - values.mean())


REWARDS: dict[str, Callable[[Game], list[float]]] = {
    "win": win_rewards,
    "margin": margin_rewards,
    "score": score_rewards,
}


# --- what a learner is told ------------------------------------------------------------------------------------


@dataclass
class Told:
    """What a learner is told, whatever the interface: at a decision the mask, at the end in its place ``end``."""

    observation: Any
    mask: np.ndarray | None
    reward: float
    end: dict[str, Any] | None = None
    events: list[Event] = field(default_factory=list)  # where the interface tells them


class Reference:
    """A game by its definitions: the learner is asked, other players play by the policy; options as environments'."""

    def __init__(
        self, rules: Rules, seed: int, learner: int, policy: Any, *, pays_from_deal: bool = False, **options: Any
    ) -> None:
        self.game, self.learner, self.policy, self.options = Game(rules, seed=seed), learner, policy, options
        self.solo = rules.mode == "solo"
        start, dealt = self._potential(), len(self.game.actions)
        self._advance()
        self.paid_from = self._potential()
        self.first_reward = self.options.get("gamma", 1.0) * self.paid_from - start
        if not pays_from_deal or len(self.game.actions) == dealt:  # the shaping counts from the first decision on
            self.first_reward = 0.0

    def _advance(self) -> None:
        """Play on to the learner's decision."""
        game = self.game
        while not game.done:
            legal = game.legal()
            if self.options.get("skip_forced") and len(legal) == 1:
                game.step(legal[0])
            elif self.solo or game.seat == self.learner:
                return
            else:
                seen = game.observe(game.seat)[np.newaxis]
                game.step(int(self.policy(seen, game.mask[np.newaxis])[0]))

    def _potential(self) -> float:
        shaping = self.options.get("shaping")
        return 0.0 if shaping is None else float(potential_of(self.game, shaping)[self.learner])

    def look(self, reward: float = 0.0) -> Told:
        game = self.game
        seat = max(game.seat, 0) if self.solo else self.learner
        observation = game.observe(seat, self.options.get("encoding"))
        end = {
            "seat": self.learner,
            "round_limit": game.truncated,
            "scores": [list(score.values()) for score in game.scores()],
            "winners": game.winners(),
        }
        return Told(observation, None, reward, end) if game.done else Told(observation, game.mask.copy(), reward)

    def step(self, action: int) -> Told:
        game, before = self.game, self.paid_from
        if action not in game.legal():  # a forfeit
            told = self.look(-1.0 - before)
            assert told.end is None
            others = [seat for seat in range(game.rules.seats) if seat != self.learner]
            scores = [list(score.values()) for score in game.scores()]
            end = {"seat": self.learner, "round_limit": False, "scores": scores, "winners": others, "forfeit": True}
            return Told(told.observation, None, told.reward, end)
        game.step(action)
        self._advance()
        if not game.done:
            self.paid_from = self._potential()
            return self.look(self.options.get("gamma", 1.0) * self.paid_from - before)
        reward = self.options.get("reward") or ("score" if self.solo else "win")
        paid = REWARDS[reward](game) if reward in REWARDS else reward(game.records, game.rules)[0]
        return self.look(paid[self.learner] - before)


# --- the faces ---------------------------------------------------------------------------------------------------


class Face:
    """An environment as its users have it, driven as one learner's: ``opponents`` is a policy, ``seat`` a number."""

    def __init__(self, **options: Any) -> None:
        self.options = fields_of(options)
        self.env = self.make(**self.options)

    make: Any  # makes the environment from its options
    begin: Callable[..., Told]  # resets it by a seed and options
    step: Callable[[Any], Told]
    pays_from_deal = False  # whether the shaping counts from the deal, not from the learner's first decision

    @property
    def rules(self) -> Any:
        return self.env.unwrapped.rules

    @property
    def game(self) -> Any:
        return self.env.unwrapped.game

    def reset(self, seed: Any) -> Any:
        """Reset as users do; what the call returns."""
        return self.env.reset(seed=seed)

    def raw_step(self, action: Any) -> Any:
        """Step as users do; what the call returns."""
        return self.env.step(action)

    def state(self) -> bytes:
        """All that the environment is made of."""
        return pickle.dumps(self.env.unwrapped)

    def mask(self) -> np.ndarray:
        """Legal actions of the learner."""
        return np.asarray(self.env.unwrapped.action_masks())

    def play(self, rng: np.random.Generator, steps: int = 10**6) -> Iterator[Told]:
        """Play at random to the end, or so many steps."""
        mask: Any = self.mask()
        for _ in range(steps):
            told = self.step(draw_legal(mask, rng))
            yield told
            if told.mask is None:
                return
            mask = told.mask


class AecFace(Face):
    """PettingZoo: seats that are not the learner's are stepped here."""

    make = staticmethod(make_env)
    pays_from_deal = True

    def __init__(self, opponents: Any = None, seat: int = 0, **options: Any) -> None:
        self.policy, self.seat = opponents, seat
        if opponents is not None:
            options.setdefault("num_players", 2 + options.get("automas", 0))
        super().__init__(**options)
        self.agent = name_seat(seat)

    def begin(self, seed: int | None = None, **options: Any) -> Told:
        self.env.reset(seed=seed, options=options)
        return self._go_on()

    def step(self, action: Any) -> Told:
        assert self.env.agent_selection == self.agent
        self.env.step(action)
        return self._go_on()

    def _go_on(self) -> Told:
        env = self.env
        while env.agent_selection != self.agent:
            over = env.terminations[env.agent_selection]
            seen = env.observe(env.agent_selection)
            mask = seen["action_mask"][np.newaxis] > 0
            env.step(None if over else int(self.policy(seen["observation"][np.newaxis], mask)[0]))
        seen, reward, over, truncated, info = env.last()
        events = list(info["events"])
        assert not truncated
        assert over or np.array_equal(seen["action_mask"], env.game.mask)
        if not over:
            assert not info["round_limit"]
            return Told(seen["observation"], seen["action_mask"].astype(bool), reward, events=events)
        assert not seen["action_mask"].any()
        end = {"seat": self.seat, "round_limit": info["round_limit"]}
        if "forfeit" in info:
            end["forfeit"] = info["forfeit"]["agent"] == self.agent
        return Told(seen["observation"], None, reward, end, events)

    def mask(self) -> np.ndarray:
        return np.asarray(self.env.observe(self.env.agent_selection)["action_mask"] > 0)


class GymnasiumFace(Face):
    """One learner, one game."""

    make = staticmethod(partial(gymnasium.make, VERSUS))

    def begin(self, seed: int | None = None, **options: Any) -> Told:
        observation, info = self.env.reset(seed=seed, options=options or None)
        return self._tell(observation, 0.0, False, info)

    def step(self, action: Any) -> Told:
        observation, reward, over, truncated, info = self.env.step(action)
        assert not truncated
        return self._tell(observation, reward, over, info)

    def _tell(self, observation: Any, reward: float, over: bool, info: dict[str, Any]) -> Told:
        mask, events = info["action_mask"].astype(bool), list(info["events"])
        assert info["action_mask"].dtype == np.int8
        assert np.array_equal(mask, self.env.unwrapped.action_masks())
        assert info["seat"] == self.env.unwrapped.seat
        if not over:
            assert not {"scores", "winners", "forfeit"} & info.keys()
            return Told(observation, mask, reward, events=events)
        assert np.flatnonzero(mask).tolist() == [find_spec().facts.resting_action]
        end = {name: info[name] for name in ("seat", "round_limit", "winners")}
        end["scores"] = [list(score.values()) for score in info["scores"]]
        if "forfeit" in info:
            end["forfeit"] = info["forfeit"]["agent"] == name_seat(info["seat"])
            assert self.env.unwrapped.game.explain(info["forfeit"]["action"]).startswith(info["forfeit"]["reason"])
        return Told(observation, None, reward, end, events)


class ManyFace(Face):
    """A batch of one game; that the other games of a batch change nothing is tested by itself."""

    def raw_step(self, action: Any) -> Any:
        return self.env.step([action])

    @property
    def game(self) -> Game:
        return self._tables.batch.game(0)

    _tables: Any  # what plays the games

    def mask(self) -> np.ndarray:
        return np.asarray(self.env.unwrapped.action_masks()[0].copy())

    def _tell_end(self, observation: Any, reward: float, told: dict[str, Any]) -> Told:
        """``told`` holds entries of the only game that has ended."""
        end = {"seat": int(told["seat"]), "round_limit": bool(told["round_limit"])}
        end["scores"], end["winners"] = told["scores"].tolist(), np.flatnonzero(told["winners"]).tolist()
        if told.get("forfeit"):
            end["forfeit"] = True
        return Told(observation, None, reward, end)


class VectorFace(ManyFace):
    """Gymnasium's vector interface."""

    mode = "DISABLED"

    def __init__(self, **options: Any) -> None:
        super().__init__(autoreset_mode=self.mode, **options)

    make = staticmethod(partial(SteamVectorEnv, 1))

    @property
    def _tables(self) -> Any:
        return self.env.unwrapped._tables

    def begin(self, seed: int | None = None, **options: Any) -> Told:
        observations, infos = self.env.reset(seed=seed)
        assert np.array_equal(infos["action_mask"][0].astype(bool), self.mask())
        return Told(pick(observations, 0), self.mask(), 0.0)

    def step(self, action: Any) -> Told:
        observations, rewards, ended, truncated, infos = self.env.step([action])
        assert not truncated.any()
        if not ended[0]:
            assert not infos["round_limit"][0]
            return Told(pick(observations, 0), self.mask(), rewards[0])
        told = infos.get("final_info", infos)
        if self.mode == "SAME_STEP":
            return self._tell_end(infos["final_obs"][0], rewards[0], pick(told, 0))
        assert np.flatnonzero(infos["action_mask"][0]).tolist() == [find_spec().facts.resting_action]
        return self._tell_end(pick(observations, 0), rewards[0], pick(told, 0))


class SameStepFace(VectorFace):
    mode = "SAME_STEP"


class NextStepFace(VectorFace):
    mode = "NEXT_STEP"


class Sb3Face(ManyFace):
    """Stable-Baselines3's interface: the next game begins at once."""

    make = staticmethod(lambda **options: importlib.import_module("steam_env.envs.sb3").SteamVecEnv(1, **options))

    @property
    def rules(self) -> Any:
        return self._tables.setting.rules

    @property
    def _tables(self) -> Any:
        return self.env.groups[0]

    def reset(self, seed: Any) -> Any:
        self.env.seed(seed)
        return self.env.reset()

    def begin(self, seed: int | None = None, **options: Any) -> Told:
        return Told(pick(self.reset(seed), 0), self.mask(), 0.0)

    def step(self, action: Any) -> Told:
        observations, rewards, dones, infos = self.env.step(np.array([action]))
        if not dones[0]:
            assert infos == [{"TimeLimit.truncated": False}]
            return Told(pick(observations, 0), self.mask(), float(rewards[0]))
        (told,) = infos
        assert told["TimeLimit.truncated"] is False
        return self._tell_end(told["terminal_observation"], float(rewards[0]), told)

    def state(self) -> bytes:
        self.env.step_async(np.zeros(1, np.int64))  # what is noted last is no state
        return pickle.dumps(self.env)


FACES: dict[str, type[Face]] = {
    "PettingZoo": AecFace,
    "Gymnasium": GymnasiumFace,
    "vector": VectorFace,
    "vector, same step": SameStepFace,
    "vector, next step": NextStepFace,
    "Stable-Baselines3": Sb3Face,
}
SINGLE = ("PettingZoo", "Gymnasium")  # faces of one game, which may begin at a scenario
LEARNERS = ("Gymnasium", "vector", "Stable-Baselines3")  # faces that play the others themselves
MISSING = pytest.mark.skipif(importlib.util.find_spec("stable_baselines3") is None, reason="needs the extra `train`")


def over_faces(*names: str) -> Any:
    """A test for each of these faces; by default for those of different interfaces."""
    chosen = [name for name in FACES if name in names or (not names and "," not in name)]
    marked = [
        pytest.param(FACES[name], id=name, marks=MISSING if name == "Stable-Baselines3" else ()) for name in chosen
    ]
    return pytest.mark.parametrize("face", marked)


# --- scenarios -----------------------------------------------------------------------------------------------------


def last_action(points: list[int], **others: Any) -> dict[str, Any]:
    """A scenario whose last seat ends the game with `money`; the seats then have so many points in cash."""
    seats = len(points)
    rules = {"map": "mini", "contracts": "standard", "max_rounds": 1, "first_player": "player_0", **others}
    scenario = Game(Rules(num_players=seats, **rules), seed=0).to_scenario()
    scenario["turn"] = {"seat": seats - 1, "actions_left": 1, "first_player": 0, "round": 1}
    scenario["seats"]["money"] = [5 * value for value in points]
    scenario["seats"]["money"][-1] -= 3
    return scenario


def narrow_pass(money: tuple[int, int] = (0, 30), max_rounds: int = 9, has_hands: bool = True) -> dict[str, Any]:
    """A scenario with a map of its own in which only `money` is legal: nothing to take, no money for the mountains."""
    held = [[0, 1, 2], [3, 4]]
    contract = {"needs": "W", "money": 1, "vp": 1, "bonus": "none", "automa": "track"}
    hexes = {"A1": "city", "A3": "mountains", "B2": "mountains", "C1": "mountains", "C3": "city"}
    return {
        "rules": {"num_players": 2, "max_rounds": max_rounds},
        "cities": "PP",
        "contracts": [contract] * 5,
        "map": {"name": "pass", "cities": ["Ames", "Boone"], "tiles": "PP", "hexes": hexes},
        "seats": {"money": list(money), **({"hands": held} if has_hands else {"hands": [[], []], "fulfilled": held})},
        "turn": {"seat": 0, "actions_left": 1, "first_player": 0, "round": 1},
        "deck": {"order": []},
    }


# --- comparisons ---------------------------------------------------------------------------------------------------


def tell_all(played: Face, rng: np.random.Generator, steps: int = 10**6) -> bytes:
    """All that is told when chance chooses, as bytes."""
    return pickle.dumps([(told.observation, told.mask, told.reward, told.end) for told in played.play(rng, steps)])


def choose_in(encoding: str | None, note: Callable[[Any], object] = id) -> Any:
    """A policy that wants this encoding, and shows what it observes."""

    def choose(observations: Any, masks: np.ndarray) -> np.ndarray:
        note(observations)
        return np.argmax(masks, axis=1)

    choose.encoding = encoding  # type: ignore[attr-defined]
    return choose


def spoil(thing: Any) -> None:
    """Change all that can be changed in it."""
    if isinstance(thing, np.ndarray):
        if thing.dtype == object:
            for one in thing.tolist():
                spoil(one)
        thing[...] = 7
    elif isinstance(thing, Event):
        spoil(thing.values)
    elif isinstance(thing, dict | list | tuple | SeenEvents):
        for value in thing.values() if isinstance(thing, dict) else thing:
            spoil(value)
        if isinstance(thing, dict | list):
            thing.clear()
