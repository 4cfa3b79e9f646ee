"""The configuration of a training run: everything that its outcome depends on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from typing import Any, Final, Literal

from steam_env.agents.grounds import LEAGUE, MAP, ON
from steam_env.agents.networks import USUAL, NetworkKind, find_network, find_network_of
from steam_env.agents.policy_files import NET, tell_network
from steam_env.agents.search import AT
from steam_env.agents.search_budget import read_budget
from steam_env.data.generate import find_set, find_worlds
from steam_env.kit.show import show_options
from steam_env.spec import GameSpec, find_known, find_spec, load_named
from steam_env.training.population import is_member, list_members, split_names

NOBODY = "none"  # in the teacher's place
SEARCH = "search"  # in the teacher's place: the learner's own search
USUAL_EVALUATIONS = 64  # of a teacher that searches
IMPROVED: Final = "improved"
VISITS: Final = "visits"
LESSONS = (IMPROVED, VISITS)  # that a search may teach


@dataclass(frozen=True)
class Lineup:
    """A share of a run's games, by who sits with the learner.

    Attributes:
        opponents: on the player seats after the learner's: `league`, agents and policies, with habits or without.
        scripted: opponents that the rules play, on the last seats.
        share: of all games, beside the shares of the other lineups.
        given: the field of the rules that the lineup names, its map, or nothing.
    """

    opponents: tuple[str, ...]
    scripted: tuple[str, ...]
    share: float
    given: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of who sits on the seats after the learner's."""
        return (*self.opponents, *self.scripted)

    @property
    def num_seats(self) -> int:
        """Number of seats, the learner's included."""
        return 1 + len(self.names)


def read_share(text: str, what: str) -> tuple[str, float]:
    """Who is named before the `=` in a text such as `greedy=2`, and the share after it.

    Raises:
        ValueError: naming what it is, for a share that is no number above 0.
    """
    names, _, number = text.partition("=")
    try:
        share = float(number) if number else 1.0
    except ValueError:
        share = -1.0
    if not 0 < share < float("inf"):
        raise ValueError(f"{what} {text!r}: its share must be a number above 0, as in 'league=2'")
    return names, share


def read_lineup(text: str, spec: GameSpec) -> Lineup:
    """The lineup that a text such as `league=4`, `greedy+automa:hard` or `greedy+greedy@alps=0.5` describes.

    A table for fewer seats than the game has is filled up by the last one named. After an `@` comes the map that it
    plays on.

    Raises:
        ValueError: naming what is wrong and what is allowed.
    """
    told, share = read_share(text, "table")
    names, _, world = told.partition(ON)
    seats = split_names(names, spec)
    seats += seats[-1:] * (spec.facts.seat_counts[0] - 1 - len(seats))
    scripted = tuple(name for name in seats if name in spec.players.scripted)
    opponents = tuple(name for name in seats if name not in scripted)
    try:
        spec.players.seat_scripted(scripted)
    except ValueError as error:
        raise ValueError(f"table {text!r}: {error}") from None
    for name in opponents:
        if not is_member(name, spec):
            known = ", ".join((*list_members(spec), *spec.players.scripted))
            raise ValueError(f"table {text!r}: {name!r} is nobody; allowed are {known}, joined by '+'")
    most = spec.facts.seat_counts[-1] - 1
    if len(seats) > most:
        raise ValueError(f"table {text!r}: at most {most} opponents are allowed")
    return Lineup(opponents, scripted, share, ((MAP, world),) if world else ())


def read_evaluations(teacher: str) -> int | None:
    """The evaluations a decision of a teacher that searches, such as `search@64`; ``None`` for any other teacher.

    Raises:
        ValueError: naming a budget that cannot be, and what is allowed.
    """
    base, at, text = teacher.partition(AT)
    if base != SEARCH:
        return None
    try:
        budget = read_budget(text) if at else None
    except ValueError as error:
        raise ValueError(f"teacher={teacher!r}: {error}") from None
    if budget is not None and budget.evaluations is None:
        raise ValueError(f"teacher={teacher!r}: evaluations are allowed, not seconds: a run must not depend on a clock")
    return USUAL_EVALUATIONS if budget is None else budget.evaluations


@dataclass(frozen=True)
class TrainConfig:
    """The configuration of a run. A decision is one of the learner's own, with more than one legal action.

    Attributes:
        tables: Who sits with the learner: opponents joined by +, and the table's share of the games after =. An
            opponent is league (the latest and past policies), an agent of the game, a policy, or a scripted opponent.
            One with a habit has it after another +: greedy+rush; greedy+any has another one in each game. A table may
            have a map of its own, after @: greedy+greedy@alps.
        midgame: The share of the games that the learner joins in the middle.
        midgame_rounds: It joins after so many rounds at most.
        stand_ins: Who plays all seats before, opponents as at tables, each with its share.
        decisions: Decisions to learn from, those of the imitation included.
        start: A policy to begin with, a shipped one's name or the path of a file. Left out: random weights.
        teacher: Who is imitated first: an agent of the game, none, or search: what a search by the learner's own net
            finds in its games. search@64, as without a number, looks at 64 positions a decision.
        lessons: What a search teaches of each decision: improved, the probabilities of all actions after it, or visits,
            the shares of its simulations that began with them.
        heed: How much the values that a search finds change the probabilities that it teaches as improved, beside how
            much they count in the search itself. Little: their noise is learnt less, and so is what they tell.
        imitation: The share of the decisions that are spent on imitating the teacher.
        games: Games at once.
        steps: Decisions of each game between two updates: an iteration is games x steps decisions.
        batch_size: Decisions that make one step of the optimizer.
        epochs: How often an update goes through all decisions, but through what an agent teaches once.
        learning_rate: At first; it falls to a tenth by a cosine.
        imitation_rate: The learning rate of the imitation.
        gamma: Discount from one decision to the next.
        gae_lambda: How far advantages look ahead (Schulman et al. 2016).
        clip: How far an update may change a probability (Schulman et al. 2017).
        entropy: Weight of the entropy bonus, at first; it falls to a tenth with the learning rate.
        value_weight: Weight of the value's loss.
        win: Reward for winning, against -1/(n - 1) of it for losing.
        margin: Reward for each victory point of margin over the mean of the others, paid as it changes.
        late_cost: Cost of each round after late_round, paid at the end. Without it nothing is lost by stalling.
        late_round: How many rounds games last at most that do not stall.
        past_every: Iterations between two past policies that join the league.
        past_most: Past policies in the league; the oldest but the first leaves.
        past_at_once: Past policies that new games may meet at a time. Others have their turn some iterations later.
        latest: How often the latest policy is drawn from the league, against all past ones together.
        evaluate_every: Iterations between two evaluations.
        evaluate_deals: Deals of each evaluation, played in all rotations.
        evaluate: Opponents of evaluations, each a table without a share.
        held_out: A set of maps on which evaluations are played, such as gen-v1:test. Left out: what is trained on.
        network: How large the net is. Left out: as its configuration has it.
        seed: Everything random follows from it.
        game: The id of the game. Left out: the default game.
        rules: Fields of the game's rules that a match may set, by name; those left out get their defaults.
    """

    tables: tuple[str, ...] = (LEAGUE,)
    midgame: float = 0.0
    midgame_rounds: int = 12
    stand_ins: tuple[str, ...] = (LEAGUE,)
    decisions: int = 6_000_000
    start: str | None = None
    teacher: str = NOBODY
    lessons: Literal["improved", "visits"] = IMPROVED
    heed: float = 1.0
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
    late_cost: float = 0.0
    late_round: int = 30
    past_every: int = 5
    past_most: int = 12
    past_at_once: int = 2
    latest: float = 0.5
    evaluate_every: int = 5
    evaluate_deals: int = 100
    evaluate: tuple[str, ...] = ("random",)
    held_out: str | None = None
    network: Any = None
    seed: int = 1
    game: str | None = None
    rules: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", self.spec.game)
        object.__setattr__(self, "start", self.start and os.fspath(self.start))
        object.__setattr__(self, "rules", tuple(self._list_rules(dict(self.rules))))
        for name in (
            "decisions",
            "games",
            "steps",
            "epochs",
            "past_every",
            "past_most",
            "past_at_once",
            "midgame_rounds",
        ):
            self._check(name, 1)
        for name in ("batch_size", "iteration"):
            self._check(name, 2)  # advantages are divided by their spread
        for name in ("evaluate_every", "evaluate_deals", "late_round", "seed"):
            self._check(name, 0)
        for name in ("learning_rate", "imitation_rate", "clip", "value_weight", "entropy"):
            self._check(name, 0.0)
        for name in ("win", "margin", "late_cost", "heed"):
            self._check(name, 0.0)
        for name in ("gamma", "gae_lambda", "imitation", "latest", "midgame"):
            self._check(name, 0.0, 1.0)
        if not self.tables:
            raise ValueError("tables=(): one table at least is needed")
        for text in (*self.tables, *self.evaluate):
            read_lineup(text, self.spec)
        self.list_stand_ins()
        if self.held_out is not None:
            find_set(self.held_out, find_worlds(self.game).families, "held_out")
            if self.spec.mix is None:
                raise ValueError(f"held_out={self.held_out!r}: game {self.game!r} plays on one map at a time")
        if self.evaluations is None and self.teacher not in (NOBODY, *self.spec.players.agents):
            allowed = ", ".join((NOBODY, *self.spec.players.agents, SEARCH))
            raise ValueError(f"teacher={self.teacher!r}: allowed are {allowed}, or {SEARCH}{AT}EVALUATIONS")
        if self.lessons not in LESSONS:
            raise ValueError(f"lessons={self.lessons!r}: allowed are {', '.join(LESSONS)}")
        if self.network is None:
            object.__setattr__(self, "network", find_network(self.spec).config())

    def _list_rules(self, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """All rules that a match may set, by name."""
        allowed = self.spec.players.match_fields
        for name in given:
            if name not in allowed:
                raise ValueError(f"{name}={given[name]!r}: no rule of a match; allowed are {', '.join(allowed)}")
        usual = {field.name: field.default for field in fields(self.spec.facts.rules)}
        return ((name, given.get(name, usual[name])) for name in allowed)

    def _check(self, name: str, least: float, most: float = float("inf")) -> None:
        value = getattr(self, name)
        if not least <= value <= most or value == float("inf"):
            finite = ", and finite," if isinstance(least, float) else ""
            bounds = f"at least {least}{finite}" if most == float("inf") else f"{least} to {most}"
            raise ValueError(f"{name}={value!r}: {bounds} is allowed")

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    @property
    def kind(self) -> NetworkKind:
        """The net that learns."""
        return find_network_of(self.spec, self.network)

    @property
    def iteration(self) -> int:
        """Number of decisions between two updates."""
        return self.games * self.steps

    @property
    def iterations(self) -> int:
        """Number of iterations of the run, the last of which may go beyond ``decisions``."""
        return -(-self.decisions // self.iteration)

    @property
    def imitations(self) -> int:
        """Number of iterations that imitate the teacher, the first ones."""
        return 0 if self.teacher == NOBODY else round(self.imitation * self.iterations)

    @property
    def evaluations(self) -> int | None:
        """Evaluations a decision of the teacher, if that is the learner's own search."""
        return read_evaluations(self.teacher)

    @property
    def lineups(self) -> list[Lineup]:
        """The lineups of the run, in the order of ``tables``."""
        return [read_lineup(text, self.spec) for text in self.tables]

    def list_stand_ins(self) -> dict[str, float]:
        """The share of each stand-in, by name.

        Raises:
            ValueError: for a share or a name that cannot be, or if there are none.
        """
        shares = dict(read_share(text, "stand-in") for text in self.stand_ins)
        for name in shares:
            if not is_member(name, self.spec):
                allowed = ", ".join(list_members(self.spec))
                raise ValueError(f"stand-in {name!r}: is nobody; allowed are {allowed}")
        if not shares:
            raise ValueError("stand_ins=(): one stand-in at least is needed")
        return shares

    def make_rules(self, lineup: Lineup) -> Any:
        """The rules of a lineup's games."""
        return self.spec.make_match_rules(lineup.num_seats, lineup.scripted, dict(self.rules) | dict(lineup.given))

    def share_games(self) -> list[tuple[Lineup, int]]:
        """Each lineup with its number of games: at least one, in all ``games``."""
        tables = self.lineups
        if self.games < len(tables):
            raise ValueError(f"games={self.games}: at least {len(tables)} are needed, one for each table")
        total = sum(table.share for table in tables)
        counts = [max(1, int(self.games * table.share / total)) for table in tables]
        counts[counts.index(max(counts))] += self.games - sum(counts)
        return list(zip(tables, counts, strict=True))

    def command(self) -> str:
        """The command line that starts a run of this configuration."""
        presets = find_presets(self.spec)
        like = (name for name in (DEFAULT_PRESET, *presets) if isinstance(self.network, type(presets[name].network)))
        preset = next(like, DEFAULT_PRESET)  # of the same net, whose options there are
        words = ["python train.py"] if preset == DEFAULT_PRESET else [f"python train.py --preset {preset}"]
        usual = {**dict(_list_values(presets[preset])), "game": find_spec().game}  # which game a preset is of is told
        return " ".join((*words, *show_options(_list_values(self), usual)))

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, fields of the rules beside the others; ``make_config`` reads it back."""
        content = asdict(self)
        rules = dict(content.pop("rules"))
        return {**content, **tell_network(self.spec, self.network), **rules}


def _list_values(config: TrainConfig) -> Iterator[tuple[str, Any]]:
    """What each option of the command line is in a configuration."""
    for field in fields(config):
        value = getattr(config, field.name)
        if is_dataclass(value):
            yield from ((f"{field.name}.{part}", number) for part, number in asdict(value).items())  # type: ignore[arg-type]
        elif field.name == "rules":
            yield from value
        else:
            yield field.name, value


def make_config(given: Mapping[str, Any]) -> TrainConfig:
    """The configuration that ``TrainConfig.to_dict`` told, as a file of JSON holds it.

    Raises:
        KeyError, TypeError: for an entry that is missing or unknown.
        ValueError: for a game or a value that cannot be.
    """
    spec = find_known(given.get("game"))
    rules = tuple((name, given[name]) for name in spec.players.match_fields if name in given)
    others = {name: value for name, value in given.items() if name not in (*dict(rules), NET)}
    lists = {name: tuple(value) for name, value in others.items() if isinstance(value, list)}
    network = find_network(spec, given.get(NET, USUAL)).config(**given["network"])
    return TrainConfig(**{**others, **lists, "network": network, "game": spec.game, "rules": rules})


DEFAULT_PRESET = "standard"


def find_presets(spec: GameSpec) -> dict[str, TrainConfig]:
    """The configurations that a game's runs begin from, by name."""
    if spec.players.presets:
        presets: dict[str, TrainConfig] = load_named(spec.players.presets)
        return presets
    usual = TrainConfig(game=spec.game, tables=(LEAGUE, spec.players.default_opponent))
    return {DEFAULT_PRESET: usual, "quick": replace(usual, decisions=300_000, games=512)}
