"""A program that plays, and at one point does something wrong: ``python program_bots.py FAULT [GAME]``.

It imports nothing of the package. In the game with this number, by default in all, its second answer is the fault.
Without a fault: ``none``.
"""

import json
import os
import subprocess
import sys
import time

WAIT = 60  # seconds: longer than any test


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def do_wrong(fault: str, answer: dict) -> None:
    """Do what the name says in place of the answer."""
    if fault == "late":
        time.sleep(WAIT)
    elif fault == "dead":
        print("first words\nthe engine is broken", file=sys.stderr)
        os._exit(3)
    elif fault == "killed":
        os.kill(os.getpid(), 9)
    elif fault == "mute":
        os.close(1)
        time.sleep(WAIT)
    elif fault == "broken":
        print('{"type": "answer", ', flush=True)
    elif fault == "list":
        say([answer])
    elif fault == "other type":
        say({**answer, "type": "move"})
    elif fault == "bytes":
        os.write(1, b"\xff\xfe\n")
    elif fault == "twice":
        say(answer)
        say(answer)
    elif fault == "stranger":
        say({**answer, "game": 99})
    elif fault == "flood":
        while True:
            os.write(1, b'{"type": "answer", "game": 99, "decision": 1, "action": 0}\n' * 100)
    elif fault == "endless":
        while True:
            os.write(1, b"x" * 100_000)
    elif fault == "memory":
        hoard = [bytearray(2**20) for _ in range(2**12)]
        say({**answer, "action": len(hoard)})
    elif fault == "family":
        subprocess.Popen([sys.executable, __file__, "sleep"])
        time.sleep(WAIT)
    elif fault in ("illegal", "always"):
        say({**answer, "action": 371})
    elif fault == "nonsense":
        say({**answer, "action": "fly to the moon"})
    elif fault == "no action":
        say({name: answer[name] for name in ("type", "game", "decision")})
    elif fault == "more":
        say({**answer, "comment": "hello"})


def greet(fault: str) -> None:
    """Say hello, or what is none."""
    if fault == "no hello":
        time.sleep(WAIT)
    protocol = 2 if fault == "other protocol" else 1
    say({"type": "hello", "protocol": protocol, "name": "x" * (201 if fault == "long name" else 9)})
    if fault == "deaf":
        time.sleep(WAIT)


def main(fault: str, game: str | None = None) -> None:
    if fault == "sleep":
        time.sleep(WAIT)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            greet(fault)
        elif message["type"] == "decision":
            answer = {"type": "answer", "game": message["game"], "decision": message["decision"]}
            answer["action"] = message["actions"][0]["id"]
            is_here = game is None or message["game"] == int(game)
            if fault == "always" or (message["decision"] == 2 and is_here and fault != "none"):
                do_wrong(fault, answer)
            else:
                say(answer)
        elif message["type"] == "fault":
            print(f"lost {message['game']}: {message['message']}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
