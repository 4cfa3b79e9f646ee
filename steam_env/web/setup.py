"""Which games can be begun here: what the start page offers, and how what a browser chose becomes a game.

A browser names maps that are shipped or made from a seed, and agents that the program was started with: never a path.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from steam_env.data.generate import find_worlds
from steam_env.kit.json_text import parse_json
from steam_env.kit.show import say_count, show, show_name
from steam_env.spec import GameSpec, find_spec, list_games
from steam_env.table.engine import load_setting
from steam_env.table.files import read_game_text, read_notes_text
from steam_env.table.game import Game, game_class_of
from steam_env.table.notes import check_taken_back
from steam_env.web.messages import MessageError

HERE, GUEST = "here", "guest"  # people: at the screen of whoever begins the game, or invited by a link
PEOPLE = (HERE, GUEST)
WORLD = re.compile(r"[\w-]+:[\w-]+(:\d{1,9})?")  # a set of made maps, or one of them: `gen-v1:train:17`


@dataclass(frozen=True)
class Table:
    """Who sits where at a game.

    Attributes:
        names: by seat, one of ``PEOPLE``, an agent's name, or that of a scripted opponent.
        is_open: whether everybody sees all hands.
        pace: seconds between the actions of agents; ``None``: they wait.
    """

    names: tuple[str, ...]
    is_open: bool = False
    pace: float | None = 0.0

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, name in enumerate(self.names) if name in PEOPLE)


# --- what there is to choose ---------------------------------------------------------------------------------


def describe_games(agents: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """What the start page offers: each game with its seats, agents, variants and the fields of its rules."""
    return [_describe_game(find_spec(game), agents.get(game, ())) for game in list_games()]


def _describe_game(spec: GameSpec, agents: Sequence[str]) -> dict[str, Any]:
    return {
        "id": spec.game,
        "title": spec.facts.title,
        "seats": list(spec.facts.seat_counts),
        "agents": list(agents),
        "scripted": list(spec.players.scripted),
        "variants": list(_list_variants(spec)),
        "fields": [_describe_field(spec, name) for name in spec.players.match_fields],
        "pictures": spec.sight.draw_canvas is not None,
    }


def _list_variants(spec: GameSpec) -> Iterator[str]:
    """Names of environments whose rules fix fields, such as a mode for one player."""
    return (name for name, fields in spec.environments.items() if fields)


def _describe_field(spec: GameSpec, name: str) -> dict[str, Any]:
    """A field of the rules: its default, and the words or kind of value that it takes."""
    hint = get_type_hints(spec.facts.rules)[name]
    told: dict[str, Any] = {"name": name, "default": getattr(spec.facts.rules, name, None)}
    shipped = _list_shipped(spec).get(name)
    if shipped is not None:
        return {**told, "words": list(shipped), "worlds": _name_world(spec)}
    if get_origin(hint) is Literal:
        return {**told, "words": list(get_args(hint))}
    kinds = get_args(hint) or (hint,)
    return {**told, "kind": "flag" if hint is bool else "text" if str in kinds else "number"}


def _name_world(spec: GameSpec) -> str:
    """The name of a map that is made from a seed; empty where the game makes none."""
    return find_worlds(spec.game).example if spec.worlds else ""


def _list_shipped(spec: GameSpec) -> dict[str, Sequence[str]]:
    """By field of the rules, the names of what is shipped: ``map`` and ``maps`` mean the same."""
    fields = get_type_hints(spec.facts.rules)
    return {field: names for what, names in spec.shipped().items() for field in (what, what[:-1]) if field in fields}


# --- what was chosen ------------------------------------------------------------------------------------------


def begin_game(order: Mapping[str, Any], agents: Mapping[str, Sequence[str]]) -> tuple[Game, Table]:
    """The game and the table that a message ``create`` asks for.

    Raises:
        MessageError: naming what is wrong and what is allowed.
    """
    spec, names = _find_game(order["game"]), order["seats"]
    check_names(spec, names, agents)
    check_named(spec, order["fields"])
    try:
        rules = _make_rules(spec, names, order)
        game = game_class_of(load_setting(rules, spec.game))(rules, order.get("seed"))
    except (ValueError, TypeError) as error:
        raise MessageError(str(error)) from None
    return game, seat_players(game, names, order)


def seat_players(game: Game, names: Sequence[str], order: Mapping[str, Any]) -> Table:
    """The table of a game, refused if the names do not fit it.

    Raises:
        MessageError: naming what is wrong and what is allowed.
    """
    setting, scripted = game.setting, find_spec(game.rules.game).players.scripted
    if len(names) != setting.num_seats:
        raise MessageError(f"seats: {say_count(len(names), 'name')} for {say_count(setting.num_seats, 'seat')}")
    for seat, name in enumerate(names):
        if (name in scripted) != (seat >= setting.num_players):
            raise MessageError(f"seats[{seat}]={show(name)}: scripted opponents hold the last seats, and they alone")
    return Table(tuple(names), order.get("open", False), order.get("pace", 0.0))


def _find_game(game: str) -> GameSpec:
    if game not in list_games():
        raise MessageError(f"game={show(game)}: allowed are {', '.join(list_games())}")
    return find_spec(game)


def check_names(spec: GameSpec, names: Sequence[str], agents: Mapping[str, Sequence[str]]) -> None:
    """Refuse names of seats that were not offered.

    Raises:
        MessageError: naming it and what is allowed.
    """
    allowed = (*PEOPLE, *agents.get(spec.game, ()), *spec.players.scripted)
    for seat, name in enumerate(names):
        if name not in allowed:
            raise MessageError(f"seats[{seat}]={show(name)}: allowed are {', '.join(allowed)}")


def check_named(spec: GameSpec, fields: Mapping[str, Any]) -> None:
    """Refuse names of maps and the like that are neither shipped nor made from a seed: they could be paths.

    Raises:
        MessageError: naming it and what is allowed.
    """
    for name, shipped in _list_shipped(spec).items():
        value = fields.get(name)
        if isinstance(value, str) and value not in shipped and not (spec.worlds and WORLD.fullmatch(value)):
            made = f", or one made from a seed, such as {_name_world(spec)}" if spec.worlds else ""
            raise MessageError(f"{name}={show_name(value)}: allowed are {', '.join(shipped)}{made}")


def _make_rules(spec: GameSpec, names: Sequence[str], order: Mapping[str, Any]) -> Any:
    """The rules of what was chosen: by the variant, or as those of a match between those who sit there."""
    for field in order["fields"]:
        if field not in spec.players.match_fields:
            raise MessageError(f"fields.{show_name(field)}: allowed are {', '.join(spec.players.match_fields)}")
    variant = order.get("variant")
    if variant is None:
        scripted = [name for name in names if name in spec.players.scripted]
        return spec.make_match_rules(len(names), scripted, order["fields"])
    if variant not in _list_variants(spec):
        raise MessageError(f"variant={show(variant)}: allowed are {', '.join(_list_variants(spec)) or 'none'}")
    return spec.facts.rules(**spec.environments[variant], **order["fields"])


# --- games from files -----------------------------------------------------------------------------------------


def read_upload(order: Mapping[str, Any], agents: Mapping[str, Sequence[str]]) -> tuple[Game, Table, int]:
    """The game of a game file or a scenario that a message ``load`` brings, with who sits there from now on.

    The last is how many actions were taken back in it, as its file tells.

    Raises:
        MessageError: naming what is wrong with it.
    """
    taken_back = 0
    try:
        if order["form"] == "game":
            game = _read_game(order["content"])
            taken_back = check_taken_back(read_notes_text(order["content"], "game").taken_back)
        else:
            game = _read_scenario(order["content"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MessageError(f"this {order['form']} cannot be read: {error}") from None
    check_names(find_spec(game.rules.game), order["seats"], agents)
    return game, seat_players(game, order["seats"], order), taken_back


def _read_game(text: str) -> Game:
    content = parse_json(text)
    _check_file(content)
    scenario = content.get("scenario")
    if isinstance(scenario, Mapping):
        _check_file({**scenario, "game": content.get("game")})
    return read_game_text(text, "game")


def _read_scenario(text: str) -> Game:
    content = tomllib.loads(text)
    _check_file(content)
    return Game.from_scenario(content)


def _check_file(content: Any) -> None:
    """Refuse a file that names a map or the like by a path."""
    if not isinstance(content, Mapping):
        raise MessageError("a table is needed")
    spec = _find_game(content.get("game") or find_spec().game)
    rules = content.get("rules")
    for fields in (content, rules if isinstance(rules, Mapping) else {}):
        check_named(spec, fields)
