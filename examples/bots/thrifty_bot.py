#!/usr/bin/env python3
"""A bot that needs nothing but Python: it takes the first kind of action of a list that is legal.

    python evaluate.py "cmd:python examples/bots/thrifty_bot.py" --against greedy

It plays every game of the house: an action of a kind that it does not know is as good as any other to it.
"""

import json
import random
import sys

WANTED = ("fulfil", "build", "head", "source", "hop", "start", "contracts", "money")


def send(**message: object) -> None:
    """Send a message, at once."""
    print(json.dumps(message), flush=True)


def choose(actions: list[dict], chance: random.Random) -> int:
    """The id of a legal action: of the kind that is wanted most, any."""
    for kind in WANTED:
        fitting = [action["id"] for action in actions if action["text"].split()[0] == kind]
        if fitting:
            return chance.choice(fitting)
    return chance.choice(actions)["id"]


def main() -> None:
    """Answer messages as long as they come."""
    chance: dict[int, random.Random] = {}  # by game
    for line in sys.stdin:
        message = json.loads(line)
        kind, game = message["type"], message.get("game")
        if kind == "hello":
            send(type="hello", protocol=1, name="thrifty bot")
        elif kind == "start":
            chance[game] = random.Random(message["seed"])
        elif kind == "decision":
            action = choose(message["actions"], chance[game])
            send(type="answer", game=game, decision=message["decision"], action=action)
        elif kind in ("end", "fault"):
            del chance[game]
            if kind == "fault":
                print(f"game {game} is lost: {message['message']}", file=sys.stderr)


if __name__ == "__main__":
    main()
