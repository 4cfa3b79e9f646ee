"""Save files (bytes, at any moment) and game files (JSON, a whole game that can be replayed)."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.kit.checks import as_integer, check_outcomes, check_seed
from steam_env.kit.errors import SaveError
from steam_env.kit.files import write_whole
from steam_env.kit.json_lines import line_of, locate_entries
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.kit.show import describe, show, show_name
from steam_env.kit.text_files import MAX_MADE_BYTES, read_text
from steam_env.kit.version import __version__
from steam_env.spec import GameSpec, Setting, find_known, find_spec, load_named
from steam_env.table.notes import Notes, check_entry, check_players, check_policy
from steam_env.words.events import outcomes_of, read_trace

if TYPE_CHECKING:
    from steam_env.table.game import Game

MAGIC = b"STEAMENV"
SCHEMA = 2  # of saves and game files; changes with the record's layout or the actions' meaning
HEADER = struct.Struct("<8sHI")  # magic, schema version, length of the JSON that follows
CHECKSUM_BYTES = 16
GAME_FORMAT = "steam_env game"
NO_NOTES = Notes()
# What reading a file raises that has entries of other types than it should have, or none.
_BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)


# --- saves ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Save:
    """What a save holds."""

    setting: Setting
    seed: int | None
    scenario: dict[str, Any] | None
    dealt: bool  # whether the game began with a deal
    actions: list[tuple[int, tuple[int, ...]]]
    start: np.ndarray
    record: np.ndarray


def pack_save(game: Game) -> bytes:
    """The game as bytes: header, JSON, start record, record, checksum."""
    setting = game.setting
    content = {
        "game": setting.rules.game,
        "rules": setting.rules.to_dict(),
        **setting.contents,
        "seed": game.seed,
        "scenario": game._scenario,
        "dealt": game._deal_event is not None,
        "actions": game._actions,
    }
    text = dump_json(content).encode()
    body = HEADER.pack(MAGIC, SCHEMA, len(text)) + text + game._start.tobytes() + game.records.tobytes()
    return body + hashlib.sha256(body).digest()[:CHECKSUM_BYTES]


def unpack_save(data: bytes) -> Save:
    """Read a save.

    Raises:
        SaveError: if it is damaged or of another version.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SaveError(f"a save is bytes, not {type(data).__name__}")
    data = bytes(data)
    if len(data) < HEADER.size + CHECKSUM_BYTES:
        raise SaveError(f"a save has at least {HEADER.size + CHECKSUM_BYTES} bytes, not {len(data)}")
    magic, schema, length = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise SaveError(f"a save begins with {MAGIC!r}, not {magic!r}")
    if schema != SCHEMA:
        raise SaveError(f"this save has schema version {schema}: version {SCHEMA} is read")
    body, checksum = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    if hashlib.sha256(body).digest()[:CHECKSUM_BYTES] != checksum:
        raise SaveError("the save's checksum is wrong: it was cut or changed")
    return _read_content(body[HEADER.size : HEADER.size + length], body[HEADER.size + length :])


def _read_content(text: bytes, records: bytes) -> Save:
    """The save's JSON and records, checked."""
    try:
        content = parse_json(text.decode())
        spec = find_known(content.get("game"))
        size = spec.kernels.record.itemsize
        if len(records) != 2 * size:
            raise ValueError(f"its records have {len(records)} bytes, not {2 * size}")
        setting = _read_setting(spec, content)
        start, record = (
            spec.kernels.check_records(np.frombuffer(part, spec.kernels.record).copy(), setting)
            for part in (records[:size], records[size:])
        )
        seed = None if content["seed"] is None else check_seed(content["seed"])
        bound = spec.facts.outcome_bound
        actions = [(as_integer(action, "action"), check_outcomes(given, bound)) for action, given in content["actions"]]
        return Save(setting, seed, content["scenario"], content["dealt"] is True, actions, start, record)
    except _BROKEN as error:
        raise SaveError(f"the save's content is broken: {type(error).__name__}: {error}") from None


def _read_setting(spec: GameSpec, content: Any) -> Setting:
    setting: Setting = spec.load(spec.facts.rules.from_dict(content["rules"]), **spec.read_contents(content))
    return setting


def start_from_save(saved: Save) -> Game:
    """The game as the save says that it began; refused if it is not the save's own start record.

    Nothing in a save is believed: its checksum guards against accidents only, and kernels index arrays with
    what a record holds.

    Raises:
        SaveError: if the game cannot have begun like that.
    """
    try:
        game = _begin_as_saved(saved)
    except _BROKEN as error:
        raise SaveError(f"no game can begin as the save says: {error}") from None
    if game._start.tobytes() != saved.start.tobytes():
        raise SaveError("the save's start is not what its scenario, or its seed and its deal, lead to")
    return game


def _begin_as_saved(saved: Save) -> Game:
    setting = saved.setting
    spec = find_spec(setting.rules.game)
    game_class: type[Game] = load_named(spec.game_class)
    if saved.scenario is not None:
        game = game_class.from_scenario(_as_table(saved.scenario), saved.seed)
        if game.setting.contents != setting.contents:
            raise ValueError("its scenario has another map or deck")
        return game
    if not saved.dealt:
        spec.kernels.check_position(saved.start, setting)
        return game_class._at(setting, saved.start.copy(), saved.seed)
    game = game_class._dealt(setting, saved.seed)
    if game._start.tobytes() == saved.start.tobytes():
        return game
    deal = spec.words.deal_event(saved.start[0], setting).values  # it was given, not drawn
    return game_class._dealt(setting, saved.seed, deal)


def _as_table(scenario: Any) -> Mapping[str, Any]:
    """A scenario inside a file: a table, for a path would lead to another file."""
    if not isinstance(scenario, Mapping):
        raise ValueError(f"scenario: must be a table, not {describe(scenario)}")
    return scenario


def replay_actions(game: Game, actions: Iterable[tuple[int, Sequence[int]]]) -> None:
    """Play the actions with their given outcomes.

    Raises:
        SaveError: naming the first action that cannot be played.
    """
    for number, (action, outcomes) in enumerate(actions):
        try:
            game.step(action, outcomes)
        except ValueError as error:
            raise SaveError(f"action {number} does not replay: {error}") from None


# --- game files -------------------------------------------------------------------------------------


def write_game_file(game: Game, path: Path, notes: Notes = NO_NOTES) -> None:
    """Write the game as JSON, one step a line, with the notes beside it."""
    write_whole(path, dump_game_file(game, notes))


def dump_game_file(game: Game, notes: Notes = NO_NOTES) -> str:
    """The text of a game file.

    Raises:
        ValueError: if the game began neither with a deal nor with a scenario, or for bad notes.
    """
    if game._deal_event is None and game._scenario is None:
        raise ValueError("only a game that began with a deal or a scenario can be written; use save() for others")
    content = game_to_dict(game)
    if notes.players is not None:
        content["players"] = check_players(notes.players, game.seats)
    if notes.policy is not None:
        policy = check_policy(notes.policy, game.num_steps)
        for number, (position, entry) in enumerate(zip(game.positions(), policy, strict=False)):
            if entry is not None:
                content["steps"][number]["policy"] = check_entry(entry, position.legal_text(), f"policy[{number}]")
    if notes.taken_back:
        content["taken_back"] = notes.taken_back
    return _dump_lines(content)


def game_to_dict(game: Game) -> dict[str, Any]:
    """The game file's content."""
    setting = game.setting
    return {
        "format": GAME_FORMAT,
        "game": setting.rules.game,
        "schema": SCHEMA,
        "version": __version__,
        "rules": setting.rules.to_dict(),
        "seed": game.seed,
        **setting.contents,
        "scenario": game._scenario,
        "deal": None if game._deal_event is None else game._deal_event.values,
        "steps": _steps(game),
        **_describe_end(game),
    }


def _describe_end(game: Game) -> dict[str, Any]:
    """How it stands after the last step."""
    return {
        "over": game.done,
        "truncated": game.truncated,
        "scores": game.scores(),
        "winners": game.winners() if game.done else [],
    }


def _steps(game: Game) -> list[dict[str, Any]]:
    """Each action with its mover, id, text and events; texts are made by replaying."""
    twin = type(game)._at(game.setting, game._start.copy())
    facts = find_spec(game.rules.game).facts
    steps = []
    for (action, _), trace in zip(game._actions, game._trace, strict=True):
        events = read_trace([trace], facts)
        steps.append(
            {
                "seat": twin.seat,
                "id": action,
                "text": twin.text(action),
                "events": [event.to_dict() for event in events],
            }
        )
        twin.step(action, outcomes_of(events, facts))
    return steps


def _dump_lines(content: dict[str, Any]) -> str:
    """JSON with one entry a line, and one step a line."""
    entries = []
    for key, value in content.items():
        if key == "steps" and value:
            lines = ",\n  ".join(dump_json(step) for step in value)
            entries.append(f'"steps": [\n  {lines}\n ]')
        else:
            entries.append(f"{dump_json(key)}: {dump_json(value)}")
    return "{\n " + ",\n ".join(entries) + "\n}\n"


class _Fault(Exception):
    """What is wrong with a game file: in which entry, and in words."""

    def __init__(self, entry: str, words: str) -> None:
        super().__init__(f"{entry}: {words}")
        self.entry = entry


def read_game_file(path: Path) -> Game:
    """Replay a game file from its start, with its chance outcomes.

    Raises:
        SaveError: naming the file, the line and what is wrong: the first step that differs.
    """
    return read_game_text(read_text(path, "game", SaveError, most=MAX_MADE_BYTES), str(path))


def read_game_text(text: str, name: str) -> Game:
    """Replay the text of a game file; ``name`` is what errors call it.

    Raises:
        SaveError: as ``read_game_file``.
    """
    content = _parse_text(text, name)
    try:
        return _replay_file(content)
    except _Fault as fault:
        offset = locate_entries(text).get(fault.entry)
        line = "" if offset is None else f", line {line_of(text, offset)}"
        raise SaveError(f"{show_name(name)}{line}: {fault}") from None


def read_notes(path: Path) -> Notes:
    """What a game file that replays holds beside the game."""
    return read_notes_text(read_text(path, "game", SaveError, most=MAX_MADE_BYTES), str(path))


def read_notes_text(text: str, name: str) -> Notes:
    """What the text of a game file that replays holds beside the game; ``name`` is what errors call it."""
    content = _parse_text(text, name)
    policy = [step.get("policy") for step in content["steps"]]
    has_policy = any(entry is not None for entry in policy)
    return Notes(content.get("players"), policy if has_policy else None, content.get("taken_back"))


def _parse_text(text: str, name: str) -> Any:
    """What the text of a file holds."""
    name = show_name(name)
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise SaveError(f"{name}, line {error.lineno}{_say_cut(error)}") from None
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{name}: no game file can be read: {error}") from None


def _say_cut(error: json.JSONDecodeError) -> str:
    """Where among the steps the text breaks off or goes wrong."""
    steps = [entry for entry in locate_entries(error.doc) if entry.startswith("steps[")]
    where = f", in {steps[-1]}" if steps else ""
    is_cut = error.msg.startswith("Unterminated") or len(error.doc.rstrip()) - error.pos < len("false")
    return f"{where}: no game file can be read: {error.msg}{': was the file cut?' if is_cut else ''}"


def _replay_file(content: Any) -> Game:
    if not isinstance(content, dict) or content.get("format") != GAME_FORMAT:
        raise _Fault("format", f"is not {GAME_FORMAT!r}: this is no game file")
    if content.get("schema") != SCHEMA:
        written = f", written by steam_env {show(content['version'])}" if "version" in content else ""
        raise _Fault("schema", f"the file has version {show(content.get('schema'))}{written}: {SCHEMA} is read")
    try:
        spec = find_known(content.get("game"))
    except ValueError as error:
        raise _Fault("game", str(error)) from None
    try:
        game = _start_from_file(spec, content)
        steps = list(content["steps"])
    except _BROKEN as error:
        raise _Fault("start", f"the content is broken: {type(error).__name__}: {error}") from None
    began = len(game.events)
    for number, step in enumerate(steps):
        entry = f"steps[{number}]"
        try:
            _replay_step(game, step, entry, began, spec.facts.chance_events)
        except _BROKEN as error:
            raise _Fault(entry, f"the content is broken: {type(error).__name__}: {error}") from None
    for name, value in _describe_end(game).items():
        if name not in content or content[name] != value:
            raise _Fault(name, f"is {value} in the final position, the file has {show(content.get(name))}")
    return game


def _replay_step(game: Game, step: Any, entry: str, began: int, chance: Mapping[str, str]) -> None:
    """Play a step of a file; the game began with so many events."""
    outcomes = [event[chance[event["kind"]]] for event in step["events"] if event["kind"] in chance]
    played = f"{show(step['text'])} of player_{show(step['seat'])}"
    if game.done:
        raise _Fault(entry, f"the game is over, the file has {played}")
    if step["seat"] != game.seat:
        raise _Fault(entry, f"player_{game.seat} decides {game.phase}, the file has {played}")
    if game.text(step["id"]) != step["text"]:
        raise _Fault(entry, f"action {step['id']} is {game.text(step['id'])!r}, the file has {show(step['text'])}")
    number = game.num_steps
    try:
        game.step(step["id"], outcomes)
    except ValueError as error:
        raise _Fault(entry, f"{played} does not replay: {error}") from None
    happened = [event.to_dict() for event in game.events_since(number)[0 if number else began :]]
    for place, (wanted, event) in enumerate(zip_longest(step["events"], happened)):
        if wanted != event:
            raise _Fault(entry, f"event {place} is {_show_event(event)}, the file has {_show_event(wanted)}")


def _show_event(event: Any) -> str:
    return "missing" if event is None else show(event)


def _start_from_file(spec: GameSpec, content: dict[str, Any]) -> Game:
    game_class: type[Game] = load_named(spec.game_class)
    if content["scenario"] is not None:
        return game_class.from_scenario(_as_table(content["scenario"]), content["seed"])
    return game_class._dealt(_read_setting(spec, content), content["seed"], content["deal"])
