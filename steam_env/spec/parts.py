"""The parts of what a game brings: facts, kernels, words, sight and players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from steam_env.kit.forms import find_form
from steam_env.kit.simple import tell_fields, tell_plainly, tell_scene
from steam_env.spec.setting import Position


class Block(NamedTuple):
    """A block of the action space: ids ``start`` to ``start + length - 1``."""

    name: str  # first word of the action's text
    start: int
    length: int
    meaning: str


class Openings(NamedTuple):
    """How agents may open a game: matches tell how much an agent varies it. Numbered from 0."""

    word: str  # what is chosen, such as "first city"
    of: np.ndarray  # (actions,) int64, the number of the opening that an action begins, -1 where it begins none
    names: Callable[[Any], Sequence[str]]  # (setting): names by number


class Deviations(NamedTuple):
    """Simple habits that any agent of a game can be given: ``steam_env.evaluation.holes`` looks for one that wins."""

    names: Callable[[Any], Sequence[str]]  # (setting): all that make sense there
    make: Callable[[str], Callable[[Any], Any] | None]  # (name): gives an agent that habit; None: no such name
    meanings: Mapping[str, str]  # by form of the name: what an agent with it does


@dataclass(frozen=True)
class Facts:
    """The fixed facts of a game: names, counts, actions, phases, events.

    Attributes:
        title: the game's name for people.
        rules: the class of its ``Rules``.
        seat_counts: how many seats a match may have, ascending.
        blocks: the action space, in the order of its ids, without gaps.
        resting_action: the id that alone is set in the mask of a game that is over, so that no policy meets an
            empty row.
        action_kinds: names of the actions of the rules, which statistics count.
        kind_of: (actions,) int64, the number in ``action_kinds`` of the action that an id begins, -1 where it begins
            none.
        phases: names by the record's ``phase``.
        action_phase: the phase in which one of ``action_kinds`` is chosen.
        score_parts: columns of a score, the total first.
        max_seats: rows of a score: capacity of the record.
        reward_scale: points that count as a reward of one in the rewards `margin` and `score`.
        outcome_bound: chance outcomes are integers from 0 to below it.
        events: by kind, in the order of its numbers, the names of the event's values.
        chance_events: by kind, which value is an outcome of chance.
        reveals: kinds of events that show somebody what was hidden before.
        score_word: what a point is called.
        end_word: what ends a game, but for the round limit.
        round_word: what a round is called.
        headlines: kinds of events that begin or end something, which replays set apart.
        openings: how agents may open a game; ``None``: that is not told.
    """

    title: str
    rules: type[Any]
    seat_counts: tuple[int, ...]
    blocks: tuple[Block, ...]
    resting_action: int
    action_kinds: tuple[str, ...]
    kind_of: np.ndarray
    phases: tuple[str, ...]
    action_phase: int
    score_parts: tuple[str, ...]
    max_seats: int
    reward_scale: float
    outcome_bound: int
    events: Mapping[str, tuple[str, ...]]
    chance_events: Mapping[str, str] = field(default_factory=dict)
    reveals: tuple[str, ...] = ()
    headlines: tuple[str, ...] = ()
    score_word: str = "points"
    end_word: str = "its rules"
    round_word: str = "round"
    openings: Openings | None = None

    @cached_property
    def num_actions(self) -> int:
        """Number of ids of the action space."""
        return self.blocks[-1].start + self.blocks[-1].length

    @cached_property
    def event_kinds(self) -> tuple[str, ...]:
        """Kinds of events by number."""
        return tuple(self.events)

    @cached_property
    def event_names(self) -> tuple[tuple[str, ...], ...]:
        """Names of an event's values by the number of its kind."""
        return tuple(self.events.values())


@dataclass(frozen=True)
class Kernels:
    """The rules as functions over arrays of records; ``statics`` are a setting's, one argument each.

    A finished game has ``seat`` NONE and is left as it is. ``works`` is the scratch memory, an array
    of one, into which events are written. ``rows`` are numbers of games; masks are renewed for them.

    Attributes:
        record: dtype of a game. Every game's has fields ``seat``, ``phase``, ``round_number``, ``truncated``,
            ``num_seats`` and ``rng``.
        scratch: each thread's scratch memory, a ``steam_env.core.work.Scratch``.
        deal: ``(records, setting, seeds, where)``: deal the blank games flagged in ``where`` (n,) bool.
        settle: ``(records, *statics, works, rows, masks)``: go on to the first decision and write its mask.
        step_many: ``(records, *statics, works, rows, actions, masks)``: play legal actions.
        find_problem: ``(records, *statics, work, action) -> code``: 0 if the action is legal in the only game, else
            the number of a reason.
        score: ``(records, *statics, scores, winners)``: (n, max_seats, parts) int64 and (n, max_seats) bool.
        blank: ``(records, seats)``: blank what a seat does not know; seat -1 knows no hidden thing.
        fill: ``(records, seeds)``: draw anew what is blank.
        check_records: ``(records, setting) -> records``: refuse records that would lead a kernel out of an array.
        prepare: ``(setting)``: compile or load what games of the setting need, and say so if it takes time.
        lay_out: ``(records, setting, values, seed)``: set up the only game from the values of a deal event; ``None``
            where the seed decides all of a deal, which then cannot be given.
        step_one: ``(records, *statics, works, masks, action, num_outcomes) -> events written``: ``step_many`` for the
            only game, made to be called often; the first outcomes in ``works`` are used in place of random ones.
            ``None``: ``step_many`` is called.
        play_scripted: ``(records, *statics, works, rows)``: scripted seats play up to the next player's action;
            ``None`` where there are none.
        watch_scripted: ``(records, *statics, works)``: the same in the only game; returns the moments on the way,
            ``steam_env.core.moments.Moment``. ``None``: there is nothing to be seen of them.
        rank: ``(records, scores) -> (n, seats)`` int64, greater is better: the order of the final ranking. Without
            one it is that of the totals.
        first_places: ``(records, num_seats) -> (n, seats)`` int64, place in the order of the first round, 0 = first,
            of games that have just been dealt. Without one it is that of the seats.
        check_position: ``(records, setting)``: refuse a record to which play cannot lead. Without one all pass that
            ``check_records`` lets through.
    """

    record: np.dtype[Any]
    scratch: Any
    deal: Callable[..., None]
    settle: Callable[..., None]
    step_many: Callable[..., None]
    find_problem: Callable[..., int]
    score: Callable[..., None]
    blank: Callable[..., None]
    fill: Callable[..., None]
    check_records: Callable[[Any, Any], np.ndarray]
    prepare: Callable[[Any], None] = lambda setting: None
    lay_out: Callable[..., None] | None = None
    step_one: Callable[..., int] | None = None
    play_scripted: Callable[..., None] | None = None
    watch_scripted: Callable[..., Sequence[Any]] | None = None
    rank: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda records, scores: scores[:, :, 0]
    first_places: Callable[[np.ndarray, int], np.ndarray] = lambda records, num_seats: np.tile(
        np.arange(num_seats, dtype=np.int64), (len(records), 1)
    )
    check_position: Callable[[np.ndarray, Any], None] = lambda records, setting: None


class Texts(Protocol):
    """Texts of actions in one position."""

    def text(self, action: int) -> str:
        """The text of an action id."""
        ...

    def parse(self, text: str) -> int:
        """The id of an action's text; ``IllegalActionError`` for what is none."""
        ...


@dataclass(frozen=True)
class Words:
    """The game in words.

    Attributes:
        texts: ``(record, setting)``: the texts of the position's actions.
        explain: ``(code, setting, record, work, action)``: a reason as a sentence, None for code 0.
        deal_event: ``(record, setting)``: the event of the deal that led to a position.
        find_offered: ``(record, action)``: of actions that are the same choice the one that masks offer; others may be
            played, too. Without one no two actions are the same.
        hide_event: ``(event, seat, is_solo)``: the event as the seat may see it. Without one it sees all.
        narrator: ``(setting)``: a function from an event to a line of text.
        tell_rules: ``(setting)``: what is played, in a few words.
        summarise_rules: ``(setting)``: the rules in short, some paragraphs for who knows nothing of the game.
        read_scenario: ``(table, seed)``: the position of a scenario, a dict.
        write_scenario: ``(position)``: the scenario of a position, a dict. Without these two it has every field.
    """

    texts: Callable[[Any, Any], Texts]
    explain: Callable[..., str | None]
    deal_event: Callable[[Any, Any], Any]
    find_offered: Callable[[Any, int], int] = lambda record, action: action
    hide_event: Callable[[Any, int, bool], Any] = lambda event, seat, is_solo: event
    narrator: Callable[[Any], Callable[[Any], str]] = tell_plainly
    tell_rules: Callable[[Any], str] = lambda setting: str(setting.title)
    summarise_rules: Callable[[Any], str] = lambda setting: ""
    read_scenario: Callable[..., Position] | None = None
    write_scenario: Callable[[Position], dict[str, Any]] | None = None


@dataclass(frozen=True)
class Sight:
    """How a game is seen: observations of seats, scenes and pictures for people.

    Attributes:
        encodings: by name, the first is the default; all are ``steam_env.encoding.Encoding``.
        scene: ``(setting, records, mask, seat)``: the position as data for drawing; seat None sees everything. A scene
            has ``title``, ``round``, ``decision`` with ``seat`` and ``text``; for pictures ``hexes`` and ``choices``.
        tell_position: ``(setting, record)``: a record, blanked for a seat, as plain data; without one, every field.
        board_features: ``(setting)``: static arrays by name of what the setting fixes for good.
        write_secrets: ``(records, setting)``: (k,) float32 of what is hidden from all; k depends on the setting alone.
        draw_text: ``(scene)``: the scene as a text.
        draw_canvas: ``(scene)``: the scene as a ``steam_env.render.canvas.Canvas``; None where a game has no pictures.
        describe: ``(scene)``: the picture in one sentence.
        facts: ``(scene)``: what the head of a replay tells of the game, in a few words.
        map_frame: ``(scene)``: x, y, width and height of the map in the picture.
        panel_frame: of the panel in every picture.
        panel_layers: names of the canvas's layers that belong to the panel.
        seat_titles: ``(scene)``: by seat, who sits there by the rules, such as a scripted opponent; empty for players.
        spots: ``(scene)``: what a click means on each place that its canvas marks, ``steam_env.render.spots.Spot``.
    """

    encodings: Mapping[str, Any]
    scene: Callable[..., Any]
    tell_position: Callable[[Any, Any], dict[str, Any]] = tell_fields
    board_features: Callable[[Any], dict[str, np.ndarray]] = lambda setting: {}
    write_secrets: Callable[[np.ndarray, Any], np.ndarray] = lambda records, setting: np.zeros(0, np.float32)
    draw_text: Callable[[Any], str] = tell_scene
    draw_canvas: Callable[[Any], Any] | None = None
    describe: Callable[[Any], str] = tell_scene
    facts: Callable[[Any], str] = tell_scene
    map_frame: Callable[[Any], tuple[float, float, float, float]] | None = None
    panel_frame: tuple[float, float, float, float] = (0, 0, 0, 0)
    panel_layers: tuple[str, ...] = ()
    seat_titles: Callable[[Any], Sequence[str]] | None = None
    spots: Callable[[Any], Mapping[str, Any]] = lambda scene: {}

    def find_encoding(self, name: object = None, what: str = "encoding", setting: Any = None) -> Any:
        """The encoding with this name, or its digits as ``kit.forms`` tells; ``None``: the default.

        A tight form is for games of the ``setting``.

        Raises:
            ValueError: naming the value and the names that there are.
        """
        return find_form(self.encodings, next(iter(self.encodings)) if name is None else name, what, setting)


@dataclass(frozen=True)
class Players:
    """The players of a game: agents, policies, scripted opponents, and the net that training begins with.

    Agents and nets are named by import path, ``module:attribute``, and loaded on use: a game can be imported
    without torch.

    Attributes:
        agents: by name, the import path of a class or function that makes an agent without arguments.
        policies: names of the shipped policies, files in ``steam_env.agents``' folder ``policies``.
        playouts: by an agent's name, import path of how it plays in playouts, a ``steam_env.table.rollout.Choice``.
        scripted: names of opponents that the rules themselves play, as matches call them.
        seat_scripted: ``(names)``: the fields of ``Rules`` that seat these on the last seats.
        fill_seats: ``(fields, num_opponents)``: see ``GameSpec.fill_seats``. Without one, and without the next, the
            rules have a field ``num_players``.
        make_match_rules: ``(num_seats, names, fields)``: see ``GameSpec.make_match_rules``.
        match_fields: the fields of ``Rules`` that a match may set; the others follow from who plays.
        describe_scripted: ``(rules)``: the scripted opponents of a match, as entries of its result file.
        default_opponent: the agent that fills seats of which nothing is said.
        network, network_config: import paths of the net that training begins with, a ``torch.nn.Module`` that keeps its
            configuration as ``config`` and may name its ``encoding``, and of the configuration, a dataclass.
        networks: other nets by name, two such paths each: see ``steam_env.agents.networks``.
        presets: import path of configurations of training runs by name; empty: usual ones.
        deviations: import path of the game's ``Deviations``; empty: there are none.
    """

    agents: Mapping[str, str]
    policies: tuple[str, ...] = ()
    playouts: Mapping[str, str] = field(default_factory=dict)
    scripted: tuple[str, ...] = ()
    seat_scripted: Callable[[Sequence[str]], dict[str, Any]] = lambda names: {}
    fill_seats: Callable[[Mapping[str, Any], int | None], Any] | None = None
    make_match_rules: Callable[[int, Sequence[str], Mapping[str, Any]], Any] | None = None
    match_fields: tuple[str, ...] = ()
    describe_scripted: Callable[[Any], dict[str, Any]] = lambda rules: {}
    default_opponent: str = "random"
    network: str = ""
    network_config: str = ""
    networks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    presets: str = ""
    deviations: str = ""
