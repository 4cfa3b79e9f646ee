"""What playing at the terminal asks of a game: its board in lines of text, what can be typed, who may sit where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from steam_env.render.pen import Pen
from steam_env.spec import find_spec, load_named


class SeatLine(NamedTuple):
    """A line of the table of seats."""

    seat: int | None  # whose colour it has; None: no seat's
    who: str
    cells: tuple[object, ...]  # a value for each of ``Desk.columns``; None: there is none
    decides: bool


class AsideLine(NamedTuple):
    """A line of the list beside seats and news, such as of a hand."""

    text: str
    bold: bool


class Topic(NamedTuple):
    """What a command of the game's own shows.

    Attributes:
        title: of its page.
        describe: ``(scene, person)``: its lines.
    """

    title: str
    describe: Callable[[Any, int], Iterable[str]]


def split_word(text: str) -> tuple[str, str, str]:
    """An action's kind, what it is about, and nothing more."""
    kind, _, what = text.partition(" ")
    return kind, what, ""


@dataclass(frozen=True)
class Desk:
    """How a game is played at the terminal. Scenes are the game's own.

    Attributes:
        program: import path of the command's program, a function from a command line to an exit code.
        help: what can be typed, in lines of less than 80 columns.
        adviser: the agent that is asked for a hint.
        columns: heads of the table of seats, after the names.
        list_seats: ``(scene, person, names)``: the lines of the table.
        tell_head: ``(scene)``: title and what is worth a place in the first line.
        write_map: ``(scene, pen)``: the map, a line for each of its rows.
        describe_map: ``(scene, pen)``: what the page `map` has below the map.
        codes: ``(setting)``: how the map writes places, by their names.
        list_notes: ``(scene)``: sentences below the seats.
        list_aside: ``(scene, person)``: a list beside seats and news, such as the person's hand; its heading first.
        aside_command: one of ``topics``, which shows all of it where there is no room.
        topics: what commands of the game's own show, by command.
        split: ``(text)``: an action's kind, what it is about, and an edge or nothing.
        quiet: kinds of events that are told by `log` alone, not as news.
        seat_names: ``(rules, names)``: the rules with a seat for each name, scripted opponents among them.
        check_names: ``(names, rules)``: refuse names that the game does not allow together.
    """

    program: str
    help: str
    adviser: str
    columns: tuple[str, ...]
    list_seats: Callable[[Any, int, Sequence[str]], Iterable[SeatLine]]
    tell_head: Callable[[Any], tuple[str, str]]
    write_map: Callable[[Any, Pen], Iterator[str]]
    describe_map: Callable[[Any, Pen], Iterable[str]]
    codes: Callable[[Any], Mapping[str, str]]
    list_notes: Callable[[Any], Iterable[str]] = lambda scene: ()
    list_aside: Callable[[Any, int], Sequence[AsideLine]] = lambda scene, person: ()
    aside_command: str = ""
    topics: Mapping[str, Topic] = field(default_factory=dict)
    split: Callable[[str], tuple[str, str, str]] = split_word
    quiet: tuple[str, ...] = ()
    seat_names: Callable[[Any, Sequence[str]], Any] = lambda rules, names: rules
    check_names: Callable[[Sequence[str], Any], None] = lambda names, rules: None


def find_desk(game: str) -> Desk:
    """The desk of a game.

    Raises:
        ValueError: if it cannot be played at the terminal.
    """
    spec = find_spec(game)
    if not spec.play:
        raise ValueError(f"{spec.facts.title} cannot be played at the terminal")
    desk: Desk = load_named(spec.play)
    return desk
