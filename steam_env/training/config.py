"""What a training run is: everything that its outcome depends on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from steam_env.agents.network import NetworkConfig
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.data.steam_power.rules import AUTOMA_LEVELS, Rules

LEAGUE, SCRIPTED, AUTOMA = "league", ("greedy", "random"), "automa"
Teacher = Literal["none", "greedy"]


@dataclass(frozen=True)
class Table:
    """Some of the games: who sits with the learner.

    Attributes:
        opponents: on the player seats after the learner's: `league`, `greedy` or `random`.
        automas: Automa seats, the last ones.
        level: of the Automas.
        share: of all games, beside the shares of the other tables.
    """

    opponents: tuple[str, ...]
    automas: int
    level: str
    share: float

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits on the seats after the learner's, Automas as `automa:LEVEL`."""
        return (*self.opponents, *[f"{AUTOMA}:{self.level}"] * self.automas)

    @property
    def seats(self) -> int:
        """Seats, Automas and the learner's included."""
        return 1 + len(self.opponents) + self.automas


def read_table(text: str) -> Table:
    """The table that a text such as `league=4`, `greedy+automa:hard` or `greedy+greedy=0.5` describes.

    Raises:
        ValueError: naming what is wrong and what is allowed.
    """
    names, _, number = text.partition("=")
    try:
        share = float(number) if number else 1.0
    except ValueError:
        share = -1.0
    if not 0 < share < float("inf"):
        raise ValueError(f"table {text!r}: its share must be a number above 0, as in 'league=2'")
    seats = names.split("+")
    automas = [name for name in seats if name.startswith(f"{AUTOMA}:")]
    players = tuple(name for name in seats if name not in automas)
    levels = {name.partition(":")[2] for name in automas}
    if not levels <= set(AUTOMA_LEVELS) or len(levels) > 1:
        raise ValueError(f"table {text!r}: Automas of one level are allowed, of {', '.join(AUTOMA_LEVELS)}")
    for name in players:
        if name not in (LEAGUE, *SCRIPTED):
            allowed = ", ".join((LEAGUE, *SCRIPTED, f"{AUTOMA}:LEVEL"))
            raise ValueError(f"table {text!r}: {name!r} is nobody; allowed are {allowed}, joined by '+'")
    if len(seats) > MAX_SEATS - 1:
        raise ValueError(f"table {text!r}: at most {MAX_SEATS - 1} opponents are allowed")
    return Table(players, len(automas), levels.pop() if levels else "normal", share)


@dataclass(frozen=True)
class TrainConfig:
    """A training run. A decision is one of the learner's own, with more than one legal action.

    Attributes:
        tables: Who sits with the learner: opponents joined by +, and the table's share of the games after =. An
            opponent is league (the latest and past policies), greedy, random, or automa:LEVEL.
        map: A shipped map's name, or the path of a map file.
        contracts: A shipped deck's name, or the path of a deck file.
        decisions: Decisions to learn from, those of the imitation included.
        start: A policy to begin with, a shipped one's name or the path of a file. Left out: random weights.
        teacher: Who is imitated first.
        imitation: The share of the decisions that are spent on imitating the teacher.
        games: Games at once.
        steps: Decisions of each game between two updates: an iteration is games x steps decisions.
        batch_size: Decisions that make one step of the optimizer.
        epochs: How often an update goes through all decisions.
        learning_rate: At first; it falls to a tenth by a cosine.
        imitation_rate: The learning rate of the imitation.
        gamma: Discount from one decision to the next.
        gae_lambda: How far advantages look ahead (Schulman et al. 2016).
        clip: How far an update may change a probability (Schulman et al. 2017).
        entropy: Weight of the entropy bonus, at first; it falls to a tenth with the learning rate.
        value_weight: Weight of the value's loss.
        win: Reward for winning, against -1/(n - 1) of it for losing.
        margin: Reward for each victory point of margin over the mean of the others, paid as it changes.
        past_every: Iterations between two past policies that join the league.
        past_most: Past policies in the league; the oldest but the first leaves.
        latest: How often the latest policy is drawn from the league, against all past ones together.
        evaluate_every: Iterations between two evaluations.
        evaluate_deals: Deals of each evaluation, played in all rotations.
        evaluate: Opponents of evaluations, each a table without a share.
        network: How large the network is.
        seed: Everything random follows from it.
    """

    tables: tuple[str, ...] = ("automa:very_hard=4", "automa:hard=2", "greedy=2", "league=2")
    map: str = Rules.map
    contracts: str = Rules.contracts
    decisions: int = 6_000_000
    start: str | None = None
    teacher: Teacher = "greedy"
    imitation: float = 0.3
    games: int = 2048
    steps: int = 32
    batch_size: int = 2048
    epochs: int = 2
    learning_rate: float = 4e-4
    imitation_rate: float = 1e-3
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.005
    value_weight: float = 0.5
    win: float = 0.5
    margin: float = 0.02
    past_every: int = 5
    past_most: int = 12
    latest: float = 0.5
    evaluate_every: int = 5
    evaluate_deals: int = 100
    evaluate: tuple[str, ...] = ("greedy", "automa:normal", "automa:hard", "automa:very_hard")
    network: NetworkConfig = field(default_factory=NetworkConfig)
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("decisions", "games", "steps", "batch_size", "epochs", "past_every", "past_most"):
            self._check(name, 1)
        for name in ("evaluate_every", "evaluate_deals", "seed"):
            self._check(name, 0)
        for name in ("learning_rate", "imitation_rate", "clip", "value_weight", "entropy", "win", "margin"):
            self._check(name, 0.0)
        for name in ("gamma", "gae_lambda", "imitation", "latest"):
            self._check(name, 0.0, 1.0)
        if not self.tables:
            raise ValueError("tables=(): one table at least is needed")
        for text in (*self.tables, *self.evaluate):
            read_table(text)

    def _check(self, name: str, least: float, most: float = float("inf")) -> None:
        value = getattr(self, name)
        if not least <= value <= most or value == float("inf"):
            bounds = f"at least {least}" if most == float("inf") else f"{least} to {most}"
            raise ValueError(f"{name}={value!r}: {bounds} is allowed")

    @property
    def iteration(self) -> int:
        """Decisions between two updates."""
        return self.games * self.steps

    @property
    def iterations(self) -> int:
        """Iterations of the run, the last of which may go beyond ``decisions``."""
        return -(-self.decisions // self.iteration)

    @property
    def imitations(self) -> int:
        """Iterations that imitate the teacher, the first ones."""
        return 0 if self.teacher == "none" else round(self.imitation * self.iterations)

    def make_rules(self, table: Table) -> Rules:
        """The rules of a table's games."""
        return Rules(
            num_players=table.seats,
            automas=table.automas,
            automa_level=table.level,
            map=self.map,
            contracts=self.contracts,
        )

    def share_games(self) -> list[tuple[Table, int]]:
        """Each table with its number of games: at least one, in all ``games``."""
        tables = [read_table(text) for text in self.tables]
        if self.games < len(tables):
            raise ValueError(f"games={self.games}: at least {len(tables)} are needed, one for each table")
        total = sum(table.share for table in tables)
        counts = [max(1, int(self.games * table.share / total)) for table in tables]
        counts[counts.index(max(counts))] += self.games - sum(counts)
        return list(zip(tables, counts, strict=True))

    def command(self) -> str:
        """The command line that trains it."""
        words = ["python train.py"]
        for name, value in _list_values(self):
            if value != dict(_list_values(STANDARD))[name]:
                given = value if isinstance(value, tuple) else (value,)
                words += [f"--{name.replace('_', '-')} {shlex.quote(str(one))}" for one in given]
        return " ".join(words)


def _list_values(config: TrainConfig) -> Iterator[tuple[str, Any]]:
    """What each option of the command line is in a configuration."""
    for field_ in fields(config):
        value = getattr(config, field_.name)
        if isinstance(value, NetworkConfig):
            yield from ((f"{field_.name}.{part}", number) for part, number in asdict(value).items())
        else:
            yield field_.name, value


STANDARD = TrainConfig()
PRESETS = {
    "quick": replace(
        STANDARD,
        tables=("league", "random"),
        teacher="none",
        decisions=300_000,
        games=512,
        past_every=4,
        evaluate_every=6,
        evaluate=("random",),
        network=NetworkConfig(width=128),
        entropy=0.01,
        learning_rate=1e-3,
    ),
    "standard": STANDARD,
    "strong": replace(
        STANDARD,
        decisions=40_000_000,
        imitation=0.05,
        batch_size=4096,
        learning_rate=5e-4,
        win=0.8,
        margin=0.012,
        past_every=25,
        evaluate_every=20,
    ),
}
