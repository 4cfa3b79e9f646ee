"""A toy game that proves that ``GameSpec`` is enough: nothing outside this file knows it.

Two to four seats take one, two or three stones in turn from a pile, or draw: a card of the deck at random, once a game.
Who has most at the end, stones and the secret card's worth, wins.
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.rng import draw_below, seed_stream
from steam_env.core.work import Scratch, make_work
from steam_env.encoding import ArraySpec, Encoding
from steam_env.kit.errors import IllegalActionError, ScenarioError
from steam_env.spec import Block, Facts, GameSpec, Kernels, Players, Position, Sight, Words
from steam_env.words.events import HIDDEN, Event

SEATS, CARDS, DRAW = 4, 6, 3
BLOCKS = (Block("take", 0, 3, "take so many stones"), Block("draw", DRAW, 1, "draw a card"))
RECORD = make_record(
    (
        Field("rng", "<u4", (1, 4), "chance"),
        *(Field(name, "<i2", (), name) for name in ("seat", "phase", "round_number", "truncated", "num_seats", "pile")),
        Field("stones", "<i2", (SEATS,), "taken by seat"),
        Field("card", "<i2", (SEATS,), "by seat; NONE before it is drawn; in a view UNKNOWN"),
    )
)
UNKNOWN = -2


@dataclass(frozen=True)
class Rules:
    """The configuration.

    Attributes:
        num_players: seats.
        pile: stones.
        max_rounds: the last round.
    """

    game: ClassVar[str] = "tests.toy:SPEC"
    num_players: int = 2
    pile: int = 12
    max_rounds: int = 20

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Any) -> "Rules":
        return cls(**values)


@dataclass(frozen=True)
class Setting:
    rules: Rules
    title: str = "toy"
    statics: tuple[np.ndarray, ...] = ()
    is_solo: bool = False

    num_seats = num_players = num_companies = property(lambda self: self.rules.num_players)
    settled = contents = property(lambda self: {})

    @property
    def blank(self) -> np.ndarray:
        records = np.zeros(1, RECORD)
        records["num_seats"], records["pile"], records["round_number"] = self.rules.num_players, self.rules.pile, 1
        records["card"] = NONE
        return records

    def check_deal(self) -> None:
        if not 2 <= self.rules.num_players <= SEATS:
            raise ValueError(f"num_players={self.rules.num_players}: 2 to {SEATS} are allowed")


class Scene(NamedTuple):
    title: str
    round: int
    decision: Any


def find_problem(records: Any, work: Any, action: int) -> int:
    game = records[0]
    if game["seat"] == NONE:
        return 1
    return 2 * int(game["card"][game["seat"]] != NONE) if action == DRAW else 3 * int(action + 1 > game["pile"])


def settle(records: Any, works: Any, rows: Any, masks: Any) -> None:
    for row in rows:
        for action in range(DRAW + 1):
            masks[row, action] = find_problem(records[row : row + 1], works[0], action) == 0
        masks[row, 0] |= records[row]["seat"] == NONE


def emit(work: Any, *event: int) -> None:
    if work["tracing"]:
        work["events"][work["num_events"], :] = (*event, *[NONE] * (7 - len(event)))
        work["num_events"] += 1


def play(game: Any, work: Any, action: int) -> None:
    seat = int(game["seat"])
    if action == DRAW:
        card = draw_below(game["rng"][0], CARDS)
        if work["num_outcomes"]:
            card = int(work["outcomes"][work["next_outcome"]])
            work["next_outcome"] += 1
        game["card"][seat] = card
        emit(work, 1, seat, card)
    else:
        game["pile"] -= action + 1
        game["stones"][seat] += action + 1
        emit(work, 0, seat, action + 1)
    game["seat"] = (seat + 1) % game["num_seats"]
    game["round_number"] += game["seat"] == 0
    if game["pile"] == 0:
        game["seat"], game["phase"] = NONE, 1


def step_many(records: Any, works: Any, rows: Any, actions: Any, masks: Any) -> None:
    for row, action in zip(rows, actions, strict=True):
        if records[row]["seat"] != NONE:
            play(records[row], works[0], int(action))
    settle(records, works, rows, masks)


def step_one(records: Any, works: Any, masks: Any, action: int, num_outcomes: int) -> int:
    for name in ("num_events", "next_outcome", "bad_outcome"):
        works[0][name] = 0
    works[0]["tracing"], works[0]["num_outcomes"] = 1, num_outcomes
    step_many(records, works, [0], [action], masks)
    return int(works[0]["num_events"])


def deal(records: Any, setting: Setting, seeds: Any, where: Any) -> None:
    for row in np.flatnonzero(where):
        seed_stream(records[row]["rng"][0], int(seeds[row]), 0)


def score(records: Any, scores: Any, winners: Any) -> None:
    scores[:, :, 1], scores[:, :, 2] = records["stones"], np.maximum(records["card"], 0)
    scores[:, :, 0] = scores[:, :, 1:].sum(2)
    present = np.arange(SEATS) < records["num_seats"][:, None]
    winners[:] = present & (scores[:, :, 0] == np.where(present, scores[:, :, 0], -1).max(1, keepdims=True))


def blank(records: Any, seats: Any) -> None:
    others = np.arange(SEATS) != np.asarray(seats)[:, None]
    records["card"] = np.where(others & (records["card"] != NONE), UNKNOWN, records["card"])
    records["rng"] = 0


def fill(records: Any, seeds: Any) -> None:
    for row, seed in enumerate(seeds):
        seed_stream(records[row]["rng"][0], int(seed), 1)
        for seat in np.flatnonzero(records[row]["card"] == UNKNOWN):
            records[row]["card"][seat] = draw_below(records[row]["rng"][0], CARDS)


def check_records(records: Any, setting: Setting) -> Any:
    if not isinstance(records, np.ndarray) or records.dtype != RECORD or (records["pile"] < 0).any():
        raise ValueError("records must be games of the toy")
    return records


class Texts(NamedTuple):
    known: tuple[str, ...] = ("take 1", "take 2", "take 3", "draw")

    def text(self, action: int) -> str:
        return self.known[action]

    def parse(self, text: str) -> int:
        if text not in self.known:
            raise IllegalActionError(f"{text!r} is no action: {', '.join(self.known)} are allowed")
        return self.known.index(text)


def explain(code: int, setting: Setting, record: Any, work: Any, action: int) -> str | None:
    return (None, "the game is over (rule 1)", "a card was drawn already (rule 2)", "too few stones (rule 3)")[code]


def hide_event(event: Event, seat: int, is_solo: bool) -> Event:
    hides = event.kind == "draw" and seat != event.actor
    return Event(event.kind, event.actor, {"card": HIDDEN}) if hides else event


def read_scenario(table: Any, seed: int) -> Position:
    try:
        setting = Setting(Rules.from_dict(table["rules"]))
        records = setting.blank.copy()
        for name, value in table["position"].items():
            records[name] = value
    except (KeyError, TypeError, ValueError) as error:
        raise ScenarioError(f"position: {error}") from None
    return Position(setting, records)


def write_scenario(position: Position) -> dict[str, Any]:
    record = position.records[0]
    if record["seat"] == NONE:
        raise ValueError("the game is over")
    names = [name for name in RECORD.names or () if name != "spare"]
    return {"rules": position.setting.rules.to_dict(), "position": {name: record[name].tolist() for name in names}}


def encode(records: Any, observers: Any, out: Any) -> None:
    for row, observer in enumerate(observers):
        game, seat = records[row], max(int(observer), 0)
        own = np.arange(seat, seat + SEATS) % SEATS
        out[row] = 0 if observer == NONE else [game["pile"] / 99, game["card"][seat] / 9, *(game["stones"][own] / 99)]


def describe(scene: Scene) -> str:
    return f"{scene.title}, round {scene.round}: {scene.decision.text}"


def make_scene(setting: Setting, records: Any, mask: Any, seat: int | None) -> Scene:
    decision = Position(records[0]["seat"], None)
    return Scene(setting.title, int(records[0]["round_number"]), decision)


def make_network(config: "NetworkConfig") -> Any:
    from tests.toy_network import ToyNetwork

    return ToyNetwork(config)


@dataclass(frozen=True)
class NetworkConfig:
    width: int = 8


SPEC = GameSpec(
    game=Rules.game,
    version=0,
    load=Setting,
    read_contents=lambda content: {},
    facts=Facts(
        title="Toy",
        rules=Rules,
        seat_counts=(2, 3, 4),
        blocks=BLOCKS,
        resting_action=0,
        action_kinds=("take", "draw"),
        kind_of=np.array([0, 0, 0, 1]),
        phases=("action", "over"),
        action_phase=0,
        score_parts=("total", "stones", "card"),
        max_seats=SEATS,
        reward_scale=10.0,
        outcome_bound=CARDS,
        events={"take": ("stones",), "draw": ("card",)},
        chance_events={"draw": "card"},
    ),
    kernels=Kernels(
        record=RECORD,
        scratch=Scratch(make_work()),
        prepare=lambda setting: None,
        deal=deal,
        lay_out=lambda records, setting, values, seed: deal(records, setting, [seed], [True]),
        settle=settle,
        step_many=step_many,
        step_one=step_one,
        play_scripted=None,
        find_problem=find_problem,
        score=score,
        rank=lambda records, scores: scores[:, :, 0],
        first_places=lambda records, seats: np.tile(np.arange(seats), (len(records), 1)),
        blank=blank,
        fill=fill,
        check_records=check_records,
        check_position=check_records,
    ),
    words=Words(
        texts=lambda record, setting: Texts(),
        explain=explain,
        deal_event=lambda record, setting: Event("deal", NONE, {}),
        hide_event=hide_event,
        narrator=lambda setting: lambda event: f"player_{event.actor} {event.kind} {event.values}",
        read_scenario=read_scenario,
        write_scenario=write_scenario,
        tell_rules=lambda setting: f"{setting.rules.pile} stones",
    ),
    sight=Sight(
        encodings={"plain": Encoding("plain", ArraySpec((6,), -1, 1, np.dtype(np.float32)), encode, str)},
        board_features=lambda setting: {},
        write_secrets=lambda records, setting: records["card"][0].astype(np.float32),
        scene=make_scene,
        draw_text=lambda scene: f"{scene.title}, round {scene.round}",
    ),
    players=Players(
        agents={"random": "steam_env.agents.random:RandomAgent"},
        fill_seats=lambda fields, opponents: Rules(**{"num_players": 1 + (opponents or 1), **fields}),
        make_match_rules=lambda seats, scripted, fields: Rules(**{"num_players": seats, **fields}),
        match_fields=("pile", "max_rounds"),
        network="tests.toy_network:ToyNetwork",
        network_config="tests.toy:NetworkConfig",
    ),
)
