"""Protocols: frozen yardsticks for one agent, to be cited by name.

A protocol fixes opponents, deals, seeds, rules and metric. Its results can be compared only as long as nothing
that they depend on has changed, so ``frozen.py`` holds a hash of each part of each protocol, see ``describe_parts``:

    python -m steam_env.evaluation.protocol            # tells whether they still hold
    python -m steam_env.evaluation.protocol --freeze   # writes frozen.py anew

A protocol has a *track*: what kind of agent it is for. Another track, or another set of matches, is a protocol with a
name of its own. Each is hashed by what it plays itself, so one that is added changes nothing of those before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from steam_env.agents.search import PREFIX
from steam_env.evaluation import frozen
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.deals import draw_deal_seeds
from steam_env.evaluation.map_gaps import (
    GAP_METHOD,
    Gap,
    SetRates,
    list_gaps,
    list_knobs,
    measure_set,
    tabulate_gaps,
)
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
    tabulate_openings,
    tell_forfeits,
)
from steam_env.evaluation.summary import summarise
from steam_env.kit.checks import look_up
from steam_env.kit.command_line import parse_options
from steam_env.kit.files import write_whole
from steam_env.kit.locks import PATIENCE, InUseError, hold
from steam_env.kit.program import BAD_INPUT, NOT_FROZEN, fail, make_program
from steam_env.spec import GameSpec, find_spec, list_games, load_named
from steam_env.table.engine import load_setting

FORMAT = "steam_env protocol"
SCHEMA = 2  # of the JSON; changes with the meaning of an entry
FROZEN_FILE = Path(frozen.__file__)
POLICY, SEARCH = "policy", "search"  # tracks: one evaluation a decision at most; as many, or as long, as an agent says
PLAYER = "greedy"  # whose first games are hashed
DEALS, GAMES, SCRIPTED = "deals", "games", "scripted"  # parts of a protocol; the last if its rules play opponents
PROGRAM = "protocol"
DESCRIPTION = "Tell whether what is here is what the protocols are frozen to, or freeze them anew."


@dataclass(frozen=True)
class Row:
    """One match of a protocol.

    Attributes:
        opponents: who fills the other seats: one name for each of them, scripted opponents last.
        games: of the match.
        rules: fields of the game's rules that differ from those of the protocol.
    """

    opponents: tuple[str, ...]
    games: int
    rules: tuple[tuple[str, Any], ...] = ()

    @property
    def label(self) -> str:
        """Its name: "greedy x 2, automa:normal", after the values of the rules that differ: "alps: greedy"."""
        return ": ".join([*dict.fromkeys(str(value) for _, value in self.rules), self.against])

    @property
    def against(self) -> str:
        """Who else sits there, in words."""
        counts = {name: self.opponents.count(name) for name in self.opponents}
        return ", ".join(f"{name} x {count}" if count > 1 else name for name, count in counts.items())


@dataclass(frozen=True)
class Protocol:
    """A frozen yardstick: one agent plays some matches.

    Attributes:
        name: the name to cite.
        track: what kind of agent it is for, and is told in its results.
        rows: the matches; each is named by its ``Row.label``.
        seed: seed of each match.
        rules: fields of the game's rules that a match may set, as they are fixed: all of them.
        game: the id of the game.
        games_hashed: games of each match that the hashes of ``games`` and ``scripted`` are taken over.
        learnt: the set of maps that agents learn from, where the protocol asks what they can do on others: each match
            goes evenly through the maps of a set, and gaps between sets are told. Empty: it does not ask.
    """

    name: str
    track: str
    rows: tuple[Row, ...]
    seed: int
    rules: tuple[tuple[str, Any], ...]
    game: str
    games_hashed: int
    learnt: str = ""

    def to_dict(self) -> dict[str, Any]:
        """All that is fixed, by name."""
        rows = [{"opponent": row.label, **asdict(row), "rules": dict(row.rules)} for row in self.rows]
        fixed = {"name": self.name, "track": self.track, "matches": rows, "seed": self.seed}
        told = {**fixed, **dict(self.rules), "games_hashed": self.games_hashed}
        return {**told, "learnt": self.learnt} if self.learnt else told

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the matches."""
        return tuple(row.label for row in self.rows)

    def matches(self, agent: str, batch_size: int = BATCH_SIZE) -> tuple[MatchConfig, ...]:
        """The matches of an agent, in the order of ``rows``."""
        return tuple(self._make_match(agent, row, row.games, batch_size) for row in self.rows)

    def short_matches(self) -> tuple[MatchConfig, ...]:
        """The matches of greedy whose games are hashed: the first games of each match."""
        return tuple(self._make_match(PLAYER, row, self.games_hashed) for row in self.rows)

    def _make_match(self, agent: str, row: Row, games: int, batch_size: int = BATCH_SIZE) -> MatchConfig:
        spec = find_spec(self.game)
        scripted = sum(is_scripted(name, spec) for name in row.opponents)
        return MatchConfig(
            agent=agent,
            against=row.opponents,
            seats=1 + len(row.opponents),
            deals=games // (1 + len(row.opponents) - scripted),
            seed=self.seed,
            batch_size=batch_size,
            game=self.game,
            each_map=bool(self.learnt),
            **{**dict(self.rules), **dict(row.rules)},
        )


def find_protocols(spec: GameSpec) -> dict[str, Protocol]:
    """The protocols of a game by name."""
    return {protocol.name: protocol for protocol in map(load_named, spec.protocols)}


def list_protocols() -> dict[str, Protocol]:
    """The protocols of all shipped games by name, those of the default game first."""
    return {name: protocol for game in list_games() for name, protocol in find_protocols(find_spec(game)).items()}


def find_protocol(name: str, game: str | None = None) -> Protocol:
    """The protocol of a game with this name.

    Raises:
        ValueError: if there is none, naming those that there are.
    """
    return look_up(find_protocols(find_spec(game)), "protocol", name)


def refuse_track(protocol: Protocol, agent: str) -> None:
    """Refuse an agent that searches in a protocol for policies.

    Raises:
        ValueError: naming the protocols that are for it.
    """
    if protocol.track == POLICY and agent.startswith(PREFIX):
        others = [one.name for one in find_protocols(find_spec(protocol.game)).values() if one.track == SEARCH]
        raise ValueError(
            f"agent {agent!r}: it searches, and protocol {protocol.name} is of the track {POLICY!r}; "
            f"of the track {SEARCH!r} is {', '.join(others) or 'none'}"
        )


# --- what is frozen ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """The comparison of a part of a protocol with what a protocol is frozen to.

    Attributes:
        sha256: the hash of what is here.
        frozen: the hash that is frozen; empty if there is none.
        matches: whether they are the same.
    """

    sha256: str
    frozen: str
    matches: bool


def compare_frozen(protocol: Protocol) -> dict[str, Check]:
    """Compare each part, as this source has it, with what the protocol is frozen to."""
    wanted = frozen.FROZEN.get(protocol.name, {})
    return {
        part: Check(found, wanted.get(part, ""), found == wanted.get(part))
        for part, found in hash_parts(protocol).items()
    }


def describe_parts(protocol: Protocol) -> dict[str, str]:
    """What the hash of each part is taken over."""
    scripted = f"the same of {PLAYER}'s first games in which scripted opponents play"
    return {
        **{part: f"content of the {part.partition(' ')[0]}" for part in _hash_contents(protocol)},
        **{f"agent {name}": f"what the source files of {name} mean" for name in list_agents(protocol)},
        DEALS: "the seeds of all deals",
        GAMES: f"scores and lengths of {PLAYER}'s first games against agents: what the rules make of them",
        **({SCRIPTED: scripted} if any(match.scripted for match in protocol.short_matches()) else {}),
    }


def hash_parts(protocol: Protocol) -> dict[str, str]:
    """The hash of each part, as this source has it."""
    matches = protocol.short_matches()
    scripted = [match for match in matches if match.scripted]
    return {
        **_hash_contents(protocol),
        **{f"agent {name}": hash_agent(name, protocol.game) for name in list_agents(protocol)},
        DEALS: _hash_arrays(draw_deal_seeds(match.seed, match.deals) for match in protocol.matches(PLAYER)),
        GAMES: hash_games(match for match in matches if not match.scripted),
        **({SCRIPTED: hash_games(scripted)} if scripted else {}),
    }


def list_agents(protocol: Protocol) -> list[str]:
    """The opponents of a protocol that are agents, each once."""
    names = dict.fromkeys(name for row in protocol.rows for name in row.opponents)
    return [name for name in names if not is_scripted(name, find_spec(protocol.game))]


def _hash_contents(protocol: Protocol) -> dict[str, str]:
    """The hashes of all that the rules of the matches name, such as maps."""
    settings = [describe_setting(load_setting(match.rules)) for match in protocol.short_matches()]
    return {f"{what} {told['name']}": told["sha256"] for setting in settings for what, told in setting.items()}


def hash_games(matches: Iterable[MatchConfig]) -> str:
    """SHA-256 over the scores and lengths of the games of matches."""
    games = (play_match(match, make_agent=partial(make_any_agent, game=match.game)).games for match in matches)
    return _hash_arrays(values for one in games for values in (one.scores, one.rounds))


def _hash_arrays(arrays: Iterable[np.ndarray]) -> str:
    digest = hashlib.sha256()
    for values in arrays:
        digest.update(np.ascontiguousarray(values, "<i8").tobytes())
    return digest.hexdigest()


def write_frozen() -> str:
    """The source text of ``frozen.py`` that freezes the protocols to this source."""
    lines = [f'"""{frozen.__doc__}"""', "", "FROZEN: dict[str, dict[str, str]] = {"]
    for name, protocol in list_protocols().items():
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
        results: its matches, or those before an agent failed.
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

    @cached_property
    def sets(self) -> list[SetRates]:
        """The win rates on each set of maps, where the protocol asks for them."""
        if not self.protocol.learnt:
            return []
        rows = zip(self.protocol.rows, self.results, strict=False)
        return [measure_set(result, row.against) for row, result in rows]

    @property
    def gaps(self) -> list[Gap]:
        """From the set that agents learn from to the others."""
        return list(list_gaps(self.sets, self.protocol.learnt))

    @property
    def knobs(self) -> list[tuple[SetRates, list[Gap]]]:
        """By knob of the maps, on other sets, against the first opponents."""
        asked = (one for one in self.sets if one.maps != self.protocol.learnt and one.knobs)
        return [(one, list(list_knobs(one))) for one in asked if one.against == self.sets[0].against]

    @property
    def command(self) -> str:
        """The command line that plays it."""
        game = "" if self.protocol.game == find_spec().game else f" --game {self.protocol.game}"
        return f"python evaluate.py {self.agent}{game} --protocol {self.protocol.name}"


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
        "track": outcome.protocol.track,
        "command": outcome.command,
        "agent": outcome.agent,
        "is_frozen": not outcome.differing,
        "frozen": {part: asdict(check) for part, check in outcome.checks.items()},
        "fixed": outcome.protocol.to_dict(),
        "intervals": INTERVALS,
        "matches": [
            {
                "opponent": label,
                **describe_played(result),
                **describe_setting(result.setting),
                "results": asdict(summarise(result)),
            }
            for label, result in zip(outcome.protocol.labels, outcome.results, strict=False)
        ],
        **_describe_gaps(outcome),
        "software": describe_software(),
        "run": describe_run(outcome.results, finished),
    }


def _describe_gaps(outcome: ProtocolResult) -> dict[str, Any]:
    if not outcome.protocol.learnt:
        return {}
    return {
        "gap_method": GAP_METHOD,
        "gaps": [asdict(gap) for gap in outcome.gaps],
        "knobs": {one.maps: [asdict(gap) for gap in gaps] for one, gaps in outcome.knobs},
    }


def report_protocol(outcome: ProtocolResult) -> Report:
    """The report of a protocol that was played: a table of its matches, and one of the agent's openings in them."""
    protocol, differing = outcome.protocol, outcome.differing
    warning = f"NOT PROTOCOL {protocol.name}: {', '.join(differing).upper()} NOT AS FROZEN"
    title = warning if differing else f"Protocol {protocol.name}: {outcome.agent}"
    facts, played = find_spec(protocol.game).facts, list(zip(protocol.labels, outcome.results, strict=False))
    agents = [(label, summarise(result).agents[0]) for label, result in played]
    openings = tabulate_openings(facts, "opponent", agents) if any(agent.openings for _, agent in agents) else ()
    return Report(
        heading=title if differing else f"{title}, track {protocol.track}",
        command=outcome.command,
        grids=(Grid(title, COLUMNS, _make_rows(outcome)), *_tabulate_sets(outcome), *openings),
        lines=(
            *(f"{part}: {check.sha256} {_say_check(check)}" for part, check in outcome.checks.items()),
            *tell_forfeits(outcome.results),
        ),
        speed=describe_speed(outcome.results),
    )


def _tabulate_sets(outcome: ProtocolResult) -> Iterator[Grid]:
    """The tables of gaps, and of knobs."""
    if outcome.gaps:
        yield tabulate_gaps(outcome.gaps, "Gaps in percentage points, intervals over maps", ("learnt", "other"))
    for one, gaps in outcome.knobs:
        yield tabulate_gaps(gaps, f"{one.maps} by knob", ("half", "other half"))


COLUMNS = ("opponent", "games", "win rate", "95 % interval", "1/n", "VP margin", "95 % interval", "ended by contracts")


def _make_rows(outcome: ProtocolResult) -> tuple[tuple[str, ...], ...]:
    rows = []
    for label, result in zip(outcome.protocol.labels, outcome.results, strict=False):
        summary = summarise(result)
        agent = summary.agents[0]
        rows.append(
            (
                label,
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
    return max(_tell_checks(protocol) for protocol in list_protocols().values())


def _tell_checks(protocol: Protocol) -> int:
    checks, meanings = compare_frozen(protocol), describe_parts(protocol)
    for part, check in checks.items():
        print(f"{protocol.name} {part}: {check.sha256} {_say_check(check)} ({meanings[part]})")
    return 0 if all(check.matches for check in checks.values()) else NOT_FROZEN


if __name__ == "__main__":
    raise SystemExit(main())
