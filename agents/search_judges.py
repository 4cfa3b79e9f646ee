"""What judges positions for a search: a trained net, or playouts by a compiled policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from steam_env.agents.grounds import EVERYWHERE, Ground, check_ground
from steam_env.agents.search_forest import Trust
from steam_env.agents.trained import judge
from steam_env.encoding import Encoding, pick
from steam_env.kit.arrays import FloatArray, IntArray
from steam_env.spec import Setting
from steam_env.table.payment import Payment
from steam_env.table.records import take_games
from steam_env.table.rewards import WinAndMargin
from steam_env.table.rollout import Choice, choose_randomly, roll_out

if TYPE_CHECKING:
    from steam_env.agents.trained import TrainedAgent

WIN, MARGIN = 0.5, 0.02  # what a win, and a point of margin, are worth where a policy does not tell: as in training
ROWS = 128  # that a net looks at together: more do not fit into a core's cache
ROUND = 8  # to a multiple of which rows are filled up: in fewer than four, last bits come out otherwise
FAITH = 0.5  # prior of what the policy of playouts would play; the other actions share the rest
MIDDLE = 0.5  # the fraction by which it is asked for that


class Questions(NamedTuple):
    """Positions to be judged.

    Attributes:
        records: (s,) games, in which all that the searching player does not know was dealt anew.
        masks: (s, actions) bool, their legal actions.
        setting: theirs.
        seeds: (s,) int64, for what chance does in playouts.
        priors: (p,) int64, games of which the mover's priors are asked.
        leaves: (v,) int64, games of which it is asked what they are worth.
        players: (v,) int64, to whom: a bit for each player.
    """

    records: np.ndarray
    masks: np.ndarray
    setting: Setting
    seeds: IntArray
    priors: IntArray
    leaves: IntArray
    players: IntArray


class Judge(Protocol):
    """Judges positions for a search.

    Attributes:
        payment: what the end of a game is worth, in the unit of the values.
        prior_cost: evaluations that it takes to tell priors.
        trust: how much its values count beside its priors.
        source: what it judges by, a net or a function.
        files: what that was made from, for hashes.
    """

    payment: Payment
    prior_cost: int
    trust: Trust
    source: Any
    files: tuple[Any, ...]

    def check_setting(self, setting: Setting) -> None:
        """Refuse games that it was not made for.

        Raises:
            UnfitError: saying which those are, and which it was made for.
        """
        ...

    def judge(self, questions: Questions) -> tuple[FloatArray, FloatArray]:
        """Logarithms of priors (p, actions), and what leaves are worth (v, seats): to those who are asked for."""
        ...

    def count_costs(self, players: IntArray) -> IntArray:
        """(v,) int64, evaluations that it takes to tell what leaves are worth to these players, bits as above."""
        ...


class NetworkJudge:
    """A trained policy as judge: an evaluation is a position, as one seat sees it, through its net.

    Its training pays points of margin as they come, so its values are of what is still to come: what the seats have
    so far is added to them.

    Args:
        policy: the policy.
        encoding: that it looks at.
        files: what it was made from.
        name: how errors call it.
        ground: where it may be asked.
    """

    prior_cost = 1
    trust = Trust(visits=50.0, scale=0.8)

    def __init__(
        self,
        policy: TrainedAgent,
        encoding: Encoding,
        files: tuple[Any, ...] = (),
        name: str = "the policy",
        ground: Ground = EVERYWHERE,
    ) -> None:
        self.source, self.encoding, self.files = policy.network, encoding, files
        self.name, self.ground = name, ground
        told = policy.about.get("config") or {}
        win, margin = float(told.get("win", WIN)), float(told.get("margin", MARGIN))
        late = float(told.get("late_cost", 0.0)), int(told.get("late_round", 0))
        self.payment = Payment(WinAndMargin(win, margin, *late), WinAndMargin(0.0, margin) if margin else None)

    def check_setting(self, setting: Setting) -> None:
        """See ``Judge.check_setting``."""
        check_ground(self.name, self.ground, setting)

    def count_costs(self, players: IntArray) -> IntArray:
        """(v,) int64, one for each player."""
        costs: IntArray = np.bitwise_count(players).astype(np.int64)
        return costs

    def judge(self, questions: Questions) -> tuple[FloatArray, FloatArray]:
        """See ``Judge.judge``: priors and leaves go through the net together."""
        records, setting = questions.records, questions.setting
        rows, players = list_pairs(questions.players)
        leaves = questions.leaves[rows]
        movers = records["seat"][questions.priors].astype(np.int64)
        observers = records["seat"][leaves].astype(np.int64) if setting.is_solo else players
        games, seats = np.concatenate([questions.priors, leaves]), np.concatenate([movers, observers])
        log_priors, values = self._look(take_games(records, games), questions.masks[games], seats, setting)
        worth = self.payment.count_potential(take_games(records, questions.leaves), setting)
        worth[rows, players] += values[len(movers) :]
        return log_priors[: len(movers)], worth

    def _look(self, games: np.ndarray, masks: np.ndarray, seats: IntArray, setting: Setting) -> tuple[Any, Any]:
        """Logarithms of priors and values of games as seats see them; a game's do not depend on the others."""
        count = len(games)
        padded = -(-count // ROUND) * ROUND
        seen = self.encoding.allocate(padded)
        self.encoding.encode(games, *setting.statics, seats, pick(seen, slice(count)))
        legal = np.zeros((padded, masks.shape[1]), np.bool_)
        legal[:count] = masks
        parts = [slice(start, start + ROWS) for start in range(0, padded, ROWS)]
        log_priors, values = zip(*(judge(self.source, pick(seen, part), legal[part]) for part in parts))
        return np.concatenate(log_priors)[:count], np.concatenate(values)[:count]


def list_pairs(players: IntArray) -> tuple[IntArray, IntArray]:
    """Every pair of a row and a player whose bit is set there: two arrays (pairs,) int64."""
    most = int(players.max(initial=0)).bit_length()
    rows, which = np.nonzero((players[:, None] >> np.arange(most)) & 1)
    return rows, which


class PlayoutJudge:
    """A compiled policy as judge: an evaluation is a game that it plays to the end for all seats.

    Its priors cost no evaluation: half goes to what it would play itself.
    """

    prior_cost = 0
    trust = Trust(visits=0.0, scale=0.5)  # one playout tells little, many tell more
    files: tuple[Any, ...] = ()

    def __init__(self, choice: Choice) -> None:
        self.source = choice
        self.payment = Payment(WinAndMargin(WIN, MARGIN))

    def check_setting(self, setting: Setting) -> None:
        """See ``Judge.check_setting``: it plays by all rules."""

    def count_costs(self, players: IntArray) -> IntArray:
        """(v,) int64, one each: a playout tells it to all players."""
        return np.ones(len(players), np.int64)

    def judge(self, questions: Questions) -> tuple[FloatArray, FloatArray]:
        """See ``Judge.judge``."""
        return self._guess_priors(questions), self._play_out(questions)

    def _guess_priors(self, questions: Questions) -> FloatArray:
        """Logarithms of priors (p, actions)."""
        rows, masks = questions.priors, questions.masks[questions.priors]
        priors: FloatArray = masks / masks.sum(axis=1, keepdims=True)
        if self.source is not choose_randomly and len(rows):
            played = np.empty(len(rows), np.int64)
            games = take_games(questions.records, rows)
            self.source(games, questions.setting, masks, np.full(len(rows), MIDDLE), played)
            priors *= 1 - FAITH
            priors[np.arange(len(rows)), played] += FAITH
        return np.log(priors, where=masks, out=np.full(masks.shape, -np.inf))

    def _play_out(self, questions: Questions) -> FloatArray:
        """What the ends of playouts are worth (v, seats)."""
        leaves, setting = questions.leaves, questions.setting
        games, masks = take_games(questions.records, leaves), questions.masks[leaves]
        roll_out(games, setting, masks, self.source, questions.seeds[leaves])
        return self.payment.count_final(games, setting)
