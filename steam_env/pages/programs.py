"""What ``docs/agents_as_programs.md`` shows of messages and of a long match, from code and from a result file.

The file is written by the command that it names, with ``--json docs/protocol/thousand.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from steam_env.agents.program_messages import (
    ANSWER,
    HELLO,
    PROTOCOL,
    Question,
    ToldGame,
    write_decision,
    write_end,
    write_hello,
    write_start,
)
from steam_env.agents.program_process import Limits
from steam_env.kit.json_text import dump_json, read_json
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import code, join, say_commit, table
from steam_env.spec import find_spec
from steam_env.table.game import game_class_of

PAGE = Path("docs") / "agents_as_programs.md"
RESULT = Path("docs") / "protocol" / "thousand.json"
SEED = 1  # of the game that is shown
FROM_US, FROM_PROGRAM = "> ", "< "
MOST_SHOWN = 1  # entries of what is inside of a message

Content = dict[str, Any]


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, make_blocks(read_json(RESULT, "result")))}


def make_blocks(content: Content) -> Makers:
    """The functions that write the blocks of the page, from the content of the result file."""
    return {"conversation": tell_conversation, "thousand": lambda: tell_match(content)}


def tell_conversation() -> str:
    """The messages about the first decision of a game, cut."""
    rules = find_spec().facts.rules()
    game = game_class_of(find_spec().load(rules))(rules, SEED)
    question = Question(0, ToldGame(0, 0, SEED, decisions=1), game.view(game.seat), game.mask)
    answer = {"type": ANSWER, "game": 0, "decision": 1, "action": game.legal()[0]}
    lines = [
        (FROM_US, write_hello(Limits())),
        (FROM_PROGRAM, dump_json({"type": HELLO, "protocol": PROTOCOL, "name": "my bot"})),
        (FROM_US, write_start(question)),
        (FROM_US, write_decision(question, Limits())),
        (FROM_PROGRAM, dump_json(answer)),
        (FROM_US, write_end(question.game, {"scores": game.scores(), "winners": [0]})),
    ]
    return code((mark + _shorten(json.loads(line)) for mark, line in lines), "")


def _shorten(value: Any, most: int | None = None) -> str:
    """A message as JSON, with the first of many entries inside."""
    if not isinstance(value, dict | list) or not value:
        return dump_json(value)
    pairs = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    shown = [("" if name is None else f'"{name}": ') + _shorten(one, MOST_SHOWN) for name, one in pairs]
    cut = [*shown[:most], *(["..."] if len(shown) > len(shown[:most]) else [])]
    return f"{{{', '.join(cut)}}}" if isinstance(value, dict) else f"[{', '.join(cut)}]"


def tell_match(content: Content) -> str:
    """What a long match came to: forfeits and speed, with its command."""
    results, run = content["results"], content["run"]
    rows = {
        "games": f"{content['games']:,}",
        "decisions": f"{round(results['decisions']['mean'] * content['games']):,}, of all seats",
        "forfeits": ", ".join(f"{agent['forfeits']} of `{agent['label']}`" for agent in results["agents"]),
        "time": f"{run['seconds']:.0f} s, {run['games_per_second']:.1f} games a second",
        "machine": f"{run['machine']['cpu_count']} processors, {run['machine']['platform']}",
        "commit": say_commit(content["software"]),
    }
    return join(code([content["command"]]), table(("what", "is"), rows.items(), words=2))
