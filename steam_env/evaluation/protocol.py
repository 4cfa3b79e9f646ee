"""Protocols: frozen yardsticks for one agent, to be cited by name.

A protocol fixes opponents, deals, seed, rules and metric. Its results can be compared only as long as nothing
that they depend on has changed, so ``frozen.py`` holds a hash of each of ``PARTS`` for each protocol:

    python -m steam_env.evaluation.protocol            # tells whether they still hold
    python -m steam_env.evaluation.protocol --freeze   # writes frozen.py anew
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import steam_env.agents
from steam_env.evaluation import frozen
from steam_env.evaluation.match import BATCH_SIZE, MatchConfig, MatchResult, is_scripted, play_match
from steam_env.evaluation.provenance import describe_setting, describe_software
from steam_env.evaluation.report import (
    INTERVALS,
    Grid,
    Report,
    describe_played,
    describe_run,
    describe_speed,
    say_interval,
    say_percent,
)
from steam_env.evaluation.source_hash import hash_files
from steam_env.evaluation.summary import summarise
from steam_env.kit.checks import look_up
from steam_env.kit.command_line import parse_options
from steam_env.kit.files import write_whole
from steam_env.kit.locks import PATIENCE, InUseError, hold
from steam_env.kit.program import BAD_INPUT, NOT_FROZEN, fail, make_program
from steam_env.spec import GameSpec, find_spec, load_named
from steam_env.table.engine import load_setting

FORMAT = "steam_env protocol"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
AGENT_FILES = Path(steam_env.agents.__file__).parent
FROZEN_FILE = Path(frozen.__file__)
PARTS = {
    "map": "content of the map",
    "deck": "content of the deck",
    "greedy": "syntax trees of agents/greedy*.py, without imports and docstrings",
    "games": "scores and lengths of greedy's first games against each opponent: what rules and Automas make of them",
}
PROGRAM = "protocol"
DESCRIPTION = "Tell whether what is here is what the protocols are frozen to, or freeze them anew."


@dataclass(frozen=True)
class Protocol:
    """A frozen yardstick: one agent plays a match against each of the opponents.

    Attributes:
        name: the name to cite.
        opponents: agents and Automas, one match against each, two seats.
        games: games against each opponent.
        seed: seed of each match.
        rules: fields of the game's rules that a match may set, as they are fixed: all of them.
        game: the id of the game.
        games_hashed: games against each opponent that the hash of ``games`` is taken over.
    """

    name: str
    opponents: tuple[str, ...]
    games: int
    seed: int
    rules: tuple[tuple[str, Any], ...]
    game: str
    games_hashed: int

    def to_dict(self) -> dict[str, Any]:
        """All that is fixed, by name."""
        fixed = {"name": self.name, "opponents": self.opponents, "games": self.games, "seed": self.seed}
        return {**fixed, **dict(self.rules), "games_hashed": self.games_hashed}

    def matches(self, agent: str, batch_size: int = BATCH_SIZE) -> tuple[MatchConfig, ...]:
        """The matches of an agent, in the order of the opponents."""
        return tuple(self._make_match(agent, opponent, self.games, batch_size) for opponent in self.opponents)

    def short_matches(self) -> tuple[MatchConfig, ...]:
        """The matches of greedy whose games are hashed: the first games against each opponent."""
        return tuple(self._make_match("greedy", opponent, self.games_hashed) for opponent in self.opponents)

    def _make_match(self, agent: str, opponent: str, games: int, batch_size: int = BATCH_SIZE) -> MatchConfig:
        return MatchConfig(
            agent=agent,
            against=(opponent,),
            seats=2,
            deals=games // (1 if is_scripted(opponent, find_spec(self.game)) else 2),
            seed=self.seed,
            batch_size=batch_size,
            game=self.game,
            **dict(self.rules),
        )


def find_protocols(spec: GameSpec) -> dict[str, Protocol]:
    """The protocols of a game by name."""
    return {protocol.name: protocol for protocol in map(load_named, spec.protocols)}


def find_protocol(name: str, game: str | None = None) -> Protocol:
    """The protocol of a game with this name.

    Raises:
        ValueError: if there is none, naming those that there are.
    """
    return look_up(find_protocols(find_spec(game)), "protocol", name)


# --- what is frozen ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """The comparison of one of ``PARTS`` with what a protocol is frozen to.

    Attributes:
        sha256: the hash of what is here.
        frozen: the hash that is frozen; empty if there is none.
        matches: whether they are the same.
    """

    sha256: str
    frozen: str
    matches: bool


def compare_frozen(protocol: Protocol) -> dict[str, Check]:
    """Compare each of ``PARTS``, as this source has it, with what the protocol is frozen to."""
    wanted = frozen.FROZEN.get(protocol.name, {})
    return {
        part: Check(found, wanted.get(part, ""), found == wanted.get(part))
        for part, found in hash_parts(protocol).items()
    }


def hash_parts(protocol: Protocol) -> dict[str, str]:
    """The hash of each of ``PARTS``, as this source has it."""
    setting = describe_setting(load_setting(protocol.short_matches()[0].rules))
    hashes = (setting["map"]["sha256"], setting["deck"]["sha256"], hash_greedy(), hash_games(protocol))
    return dict(zip(PARTS, hashes, strict=True))


def hash_greedy(folder: Path = AGENT_FILES) -> str:
    """SHA-256 over names and meanings of greedy's source files: comments, docstrings and formatting do not count."""
    return hash_files(folder.glob("greedy*.py"))


def hash_games(protocol: Protocol) -> str:
    """SHA-256 over the scores and lengths of greedy's first games against each opponent."""
    digest = hashlib.sha256()
    for match in protocol.short_matches():
        games = play_match(match).games
        for values in (games.scores, games.rounds):
            digest.update(np.ascontiguousarray(values, "<i8").tobytes())
    return digest.hexdigest()


def write_frozen() -> str:
    """The source text of ``frozen.py`` that freezes the protocols to this source."""
    lines = [f'"""{frozen.__doc__}"""', "", "FROZEN: dict[str, dict[str, str]] = {"]
    for name, protocol in find_protocols(find_spec()).items():
        hashes = [f'        "{part}": "{found}",' for part, found in hash_parts(protocol).items()]
        lines += [f'    "{name}": {{', *hashes, "    },"]
    return "\n".join([*lines, "}"]) + "\n"


# --- results ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ProtocolResult:
    """A protocol that was played.

    Attributes:
        protocol: what was played.
        agent: by whom.
        results: one match against each opponent, or those before an agent failed.
        checks: by part, whether it is what the protocol is frozen to.
    """

    protocol: Protocol
    agent: str
    results: tuple[MatchResult, ...]
    checks: dict[str, Check]

    @property
    def differing(self) -> tuple[str, ...]:
        """The parts that differ from what the protocol is frozen to."""
        return tuple(part for part, check in self.checks.items() if not check.matches)

    @property
    def command(self) -> str:
        """The command line that plays it."""
        return f"python evaluate.py {self.agent} --protocol {self.protocol.name}"


def protocol_to_dict(outcome: ProtocolResult, finished: str) -> dict[str, Any]:
    """The content of a result file. All but ``run`` and ``software`` is the same each time it is played.

    Args:
        outcome: what was played.
        finished: date and time of its end (UTC).
    """
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "protocol": outcome.protocol.name,
        "command": outcome.command,
        "agent": outcome.agent,
        "is_frozen": not outcome.differing,
        "frozen": {part: asdict(check) for part, check in outcome.checks.items()},
        **describe_setting(outcome.results[0].setting),
        "fixed": outcome.protocol.to_dict(),
        "intervals": INTERVALS,
        "matches": [
            {"opponent": opponent, **describe_played(result), "results": asdict(summarise(result))}
            for opponent, result in zip(outcome.protocol.opponents, outcome.results, strict=False)
        ],
        "software": describe_software(),
        "run": describe_run(outcome.results, finished),
    }


def report_protocol(outcome: ProtocolResult) -> Report:
    """The report of a protocol that was played: one table."""
    name, differing = outcome.protocol.name, outcome.differing
    warning = f"NOT PROTOCOL {name}: {', '.join(differing).upper()} NOT AS FROZEN"
    lines = [f"{part}: {check.sha256} {_say_check(check)}" for part, check in outcome.checks.items()]
    return Report(
        heading=warning if differing else f"Protocol {name}: {outcome.agent} against each opponent, 2 seats",
        command=outcome.command,
        grids=(Grid(warning if differing else f"Protocol {name}: {outcome.agent}", COLUMNS, _make_rows(outcome)),),
        lines=tuple(lines),
        speed=describe_speed(outcome.results),
    )


COLUMNS = ("opponent", "games", "win rate", "95 % interval", "1/n", "VP margin", "95 % interval", "ended by contracts")


def _make_rows(outcome: ProtocolResult) -> tuple[tuple[str, ...], ...]:
    rows = []
    for opponent, result in zip(outcome.protocol.opponents, outcome.results, strict=False):
        summary = summarise(result)
        agent = summary.agents[0]
        rows.append(
            (
                opponent,
                str(summary.games),
                say_percent(agent.win_rate.mean),
                say_interval(agent.win_rate, 100, " %"),
                say_percent(summary.chance),
                f"{agent.margin.mean:+.1f}",
                say_interval(agent.margin, sign="+"),
                say_percent(summary.ended_by_contracts / summary.games),
            )
        )
    return tuple(rows)


def _say_check(check: Check) -> str:
    return "as frozen" if check.matches else f"DIFFERS, frozen is {check.frozen or 'nothing'}"


# --- the command line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        freeze: Write frozen.py anew, with the hashes of what is here.
    """

    freeze: bool = False


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Tell whether this source is what the protocols are frozen to, or freeze them to it; returns the exit code."""
    try:
        options = parse_options(
            Options, arguments, "Tell whether the frozen protocols still hold, or freeze them anew."
        )
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    if options.freeze:
        text = write_frozen()
        try:
            with hold(FROZEN_FILE, PATIENCE):
                write_whole(FROZEN_FILE, text)
        except InUseError as error:
            return fail(PROGRAM, BAD_INPUT, str(error))
        print(text, end="")
        return 0
    return max(_tell_checks(protocol) for protocol in find_protocols(find_spec()).values())


def _tell_checks(protocol: Protocol) -> int:
    checks = compare_frozen(protocol)
    for part, check in checks.items():
        print(f"{protocol.name} {part}: {check.sha256} {_say_check(check)} ({PARTS[part]})")
    return 0 if all(check.matches for check in checks.values()) else NOT_FROZEN


if __name__ == "__main__":
    raise SystemExit(main())
