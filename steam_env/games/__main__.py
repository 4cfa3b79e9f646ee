"""``python -m steam_env.games``: print what each game brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steam_env.kit.program import make_program
from steam_env.spec import GameSpec, find_spec, list_games

WIDTH = 20  # of the column of names


def describe_game(spec: GameSpec) -> Iterator[str]:
    """The game, a line for each thing that it brings."""
    facts, players = spec.facts, spec.players
    things = {
        "title": facts.title,
        "version": f"v{spec.version}",
        "seats": ", ".join(map(str, facts.seat_counts)),
        "rules": f"{facts.rules.__module__}.{facts.rules.__qualname__}",
        "actions": f"{facts.num_actions}: {', '.join(block.name for block in facts.blocks)}",
        "phases": ", ".join(facts.phases),
        "score": ", ".join(facts.score_parts),
        "events": f"{len(facts.events)} kinds",
        "record": f"{spec.kernels.record.itemsize:,} bytes",
        "encodings": ", ".join(spec.sight.encodings),
        "agents": ", ".join((*players.agents, *players.policies)),
        "scripted opponents": ", ".join(players.scripted),
        "network": ", ".join(filter(None, (players.network, *(net for net, _ in players.networks.values())))),
        "habits": players.deviations,
        "environments": ", ".join(spec.environments),
        "protocols": ", ".join(spec.protocols),
        **{what: ", ".join(names) for what, names in spec.shipped().items()},
        "one game": spec.game_class,
        "at the terminal": spec.play,
    }
    yield spec.game
    for name, told in things.items():
        if told:
            yield f"  {name:<{WIDTH}} {told}"


@make_program("games")
def main(arguments: Sequence[str] | None = None) -> int:
    """Print all shipped games."""
    for game in list_games():
        print(*describe_game(find_spec(game)), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
