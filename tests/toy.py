"""A whole game in one file, to read before writing one: docs/add_a_game.md walks through it. No other file knows it.

Two to four seats take one, two or three stones in turn from a pile. Once a game each may draw a card instead, which
only that seat sees. Whoever has most in the end, stones and the worth of the card, wins.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.rng import draw_below, seed_stream
from steam_env.core.work import Scratch, make_work, write_event
from steam_env.encoding import ArraySpec, Encoding
from steam_env.encoding.layout import Layout, describe_parts
from steam_env.kit.configuration import Configuration
from steam_env.kit.simple import Decision, SimpleScene, SimpleSetting, SimpleTexts
from steam_env.spec import Block, Facts, GameSpec, Kernels, Players, Sight, Words
from steam_env.words.events import HIDDEN, TABLE, Event

# --- 1. the record: all of a position --------------------------------------------------------------------

SEATS, CARDS, MOST_STONES = 4, 6, 99
UNKNOWN = -2  # stands for a card that a view hides
SHARED = ("seat", "phase", "round_number", "truncated", "num_seats")
RECORD = make_record(
    (
        Field("rng", "<u4", (1, 4), "streams of random numbers"),
        *(Field(name, "<i2", (), "see Kernels.record") for name in SHARED),
        Field("pile", "<i2", (), "stones that are left"),
        Field("stones", "<i2", (SEATS,), "stones by seat"),
        Field("card", "<i2", (SEATS,), "worth of the card by seat; NONE before it is drawn"),
    )
)


# --- 2. rules and setting: what is played ----------------------------------------------------------------


@dataclass(frozen=True)
class Rules(Configuration):
    """The configuration.

    Attributes:
        num_players: Seats.
        pile: Stones in the beginning.
    """

    game: ClassVar[str] = "tests.toy:SPEC"
    num_players: int = 2
    pile: int = 12

    def __post_init__(self) -> None:
        self._check_number("num_players", 2, SEATS)
        self._check_number("pile", 1, MOST_STONES)


def load(rules: Rules) -> SimpleSetting:
    """The rules with all that they name loaded; these name nothing."""
    table = np.zeros(1, RECORD)
    table["num_seats"], table["pile"], table["round_number"], table["card"] = rules.num_players, rules.pile, 1, NONE
    return SimpleSetting(rules, table, rules.num_players, title="toy")


# --- 3. kernels: the rules -------------------------------------------------------------------------------

DRAW = 3  # the action; 0, 1 and 2 take one, two and three stones
BLOCKS = (Block("take", 0, 3, "take so many stones"), Block("draw", DRAW, 1, "draw a card"))
EVENTS = {"take": ("stones",), "draw": ("card",)}
TOOK, DREW = range(2)  # their numbers
REASONS = (None, "the game is over (rule 1)", "a card was drawn already (rule 2)", "too few stones (rule 3)")


def deal(records: Any, setting: Any, seeds: Any, where: Any) -> None:
    for row in np.flatnonzero(where):
        seed_stream(records[row]["rng"][0], int(seeds[row]), 0)


def find_problem(records: Any, work: Any, action: int) -> int:
    """Why an action is illegal, a number of ``REASONS``."""
    game = records[0]
    if game["seat"] == NONE:
        return 1
    if action == DRAW:
        return 2 if game["card"][game["seat"]] != NONE else 0
    return 3 if action + 1 > game["pile"] else 0


def settle(records: Any, works: Any, rows: Any, masks: Any) -> None:
    """Write the masks. A game whose rules go on by themselves for a while would do that here."""
    for row in rows:
        masks[row] = [find_problem(records[row : row + 1], works[0], action) == 0 for action in range(DRAW + 1)]
        masks[row, 0] |= records[row]["seat"] == NONE  # the resting action


def step_many(records: Any, works: Any, rows: Any, actions: Any, masks: Any) -> None:
    for row, action in zip(rows, actions, strict=True):
        if records[row]["seat"] != NONE:
            play(records[row], works[0], int(action))
    settle(records, works, rows, masks)


def play(game: Any, work: Any, action: int) -> None:
    seat = int(game["seat"])
    if action == DRAW:
        card = draw_below(game["rng"][0], CARDS)
        if work["num_outcomes"]:  # the caller, such as a replay, says what chance does
            card = int(work["outcomes"][work["next_outcome"]])
            work["next_outcome"] += 1
        game["card"][seat] = card
        write_event(work, DREW, seat, card)
    else:
        game["pile"] -= action + 1
        game["stones"][seat] += action + 1
        write_event(work, TOOK, seat, action + 1)
    game["seat"] = (seat + 1) % game["num_seats"]
    game["round_number"] += game["seat"] == 0
    if game["pile"] == 0:
        game["seat"], game["phase"] = NONE, 1


def score(records: Any, scores: Any, winners: Any) -> None:
    scores[:, :, 1], scores[:, :, 2] = records["stones"], np.maximum(records["card"], 0)
    scores[:, :, 0] = scores[:, :, 1:].sum(axis=2)
    present = np.arange(SEATS) < records["num_seats"][:, None]
    winners[:] = present & (scores[:, :, 0] == np.where(present, scores[:, :, 0], -1).max(axis=1, keepdims=True))


def blank(records: Any, seats: Any) -> None:
    """Leave what the seats know: others' cards and what chance will do are hidden."""
    others = np.arange(SEATS) != np.asarray(seats)[:, None]
    records["card"] = np.where(others & (records["card"] != NONE), UNKNOWN, records["card"])
    records["rng"] = 0


def fill(records: Any, seeds: Any) -> None:
    """Draw anew what ``blank`` has hidden."""
    for game, seed in zip(records, seeds, strict=True):
        seed_stream(game["rng"][0], int(seed), 1)
        for seat in np.flatnonzero(game["card"] == UNKNOWN):
            game["card"][seat] = draw_below(game["rng"][0], CARDS)


def check_records(records: Any, setting: Any) -> Any:
    if not isinstance(records, np.ndarray) or records.dtype != RECORD or (records["pile"] < 0).any():
        raise ValueError("records must be games of the toy")
    return records


# --- 4. words: actions and events as text ----------------------------------------------------------------

TEXTS = SimpleTexts(("take 1", "take 2", "take 3", "draw"))


def hide_event(event: Event, seat: int, is_solo: bool) -> Event:
    hides = event.kind == "draw" and seat != event.actor
    return Event(event.kind, event.actor, {"card": HIDDEN}) if hides else event


# --- 5. sight: observations and pictures -----------------------------------------------------------------

LAYOUT = Layout()
PILE = LAYOUT.add("pile", 1, "stones that are left", "/ 99")
CARD = LAYOUT.add("card", 1, "the observer's card", "/ 9", low=-1.0)
STONES = LAYOUT.add("stones", SEATS, "stones by seat, the observer first", "/ 99")


def encode(records: Any, observers: Any, out: Any) -> None:
    for game, seat, row in zip(records, observers, out, strict=False):
        row[:] = 0  # what nobody sees
        if seat != NONE:
            row[PILE], row[CARD] = game["pile"] / MOST_STONES, game["card"][seat] / 9
            row[STONES:] = game["stones"][np.arange(seat, seat + SEATS) % SEATS] / MOST_STONES


SPACE = ArraySpec((LAYOUT.size,), -1, 1, np.dtype(np.float32))
PLAIN = Encoding("plain", SPACE, encode, lambda: "\n".join(describe_parts(LAYOUT.parts)), LAYOUT.parts)


def make_scene(setting: Any, records: Any, mask: Any, seat: int | None) -> SimpleScene:
    mover, pile = int(records[0]["seat"]), records[0]["pile"]
    text = "the game is over" if mover == NONE else f"player_{mover} takes stones of {pile}, or draws"
    return SimpleScene(setting.title, int(records[0]["round_number"]), Decision(mover, text))


# --- 6. the spec: all of it together ---------------------------------------------------------------------

SPEC = GameSpec(
    game=Rules.game,
    version=0,
    load=load,
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
        events=EVENTS,
        chance_events={"draw": "card"},
    ),
    kernels=Kernels(
        record=RECORD,
        scratch=Scratch(make_work()),
        deal=deal,
        settle=settle,
        step_many=step_many,
        find_problem=find_problem,
        score=score,
        blank=blank,
        fill=fill,
        check_records=check_records,
    ),
    words=Words(
        texts=lambda record, setting: TEXTS,
        explain=lambda code, setting, record, work, action: REASONS[code],
        deal_event=lambda record, setting: Event("deal", TABLE),
        hide_event=hide_event,
    ),
    sight=Sight(
        encodings={PLAIN.name: PLAIN},
        write_secrets=lambda records, setting: records["card"][0].astype(np.float32) / 9,
        scene=make_scene,
    ),
    players=Players(
        agents={"random": "steam_env.agents.random:RandomAgent"},
        match_fields=("pile",),
        network="tests.toy_network:ToyNetwork",
        network_config="tests.toy_network:NetworkConfig",
    ),
)
