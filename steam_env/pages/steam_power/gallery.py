"""``python -m steam_env.pages.steam_power.gallery``: draw the pictures of docs/ anew, and the page that shows them.

Each is a position of a game that the greedy agents play from a seed, so that the pictures are the same on every
machine; a test compares them with the files.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from steam_env.agents import make_agent
from steam_env.data.steam_power.rules import Rules
from steam_env.replay import draw_replay
from steam_env.table.asking import ask
from steam_env.table.steam_power.game import Game

FOLDER, PAGE, REPLAY = "gallery", "gallery.md", "replay.html"
AGENT = "greedy"
END = 1000  # a round that no game reaches


@dataclass(frozen=True)
class Picture:
    """A picture: of the first decision of this phase from this round on (of the end if there is none).

    Attributes:
        name: of the file, without its ending.
        caption: what is to be seen on it.
        rules: fields of ``Rules``.
        seed: of the game and of the agents.
        seat: who looks; None shows all hands.
    """

    name: str
    caption: str
    rules: dict[str, Any] = field(hash=False)
    seed: int
    round: int
    phase: str = "action"
    theme: str = "light"
    seat: int | None = None

    def play(self) -> Game:
        """The game at that position."""
        game = Game(Rules(**self.rules), seed=self.seed)
        agent = make_agent(AGENT)
        agent.reset(self.seed)
        while not game.done and (game.round < self.round or game.phase != self.phase):
            game.step(int(ask(agent, game.records, np.array([game.seat]), game.mask[np.newaxis], game.setting)[0]))
        return game

    def draw(self) -> str:
        """The SVG."""
        return str(self.play().render("svg", seat=self.seat, theme=self.theme))


BOARD = Picture(
    name="board",
    caption="Round Lake Michigan in the seventh round: player_1 goes on with its link or turns its last tile; the "
    "coins are the path that the Automa, player_2, is going to lay; its second link crosses its first on a bridge.",
    rules={"map": "mini", "num_players": 3, "automas": 1},
    seed=3,
    round=7,
    theme="auto",
)
PICTURES = (
    Picture(
        name="first-round",
        caption="Set up for five on the map `alps`, as player_2 sees it: its own hand, and how many contracts the "
        "others have.",
        rules={"map": "alps", "num_players": 5},
        seed=4,
        round=1,
        seat=2,
    ),
    Picture(
        name="two-automas",
        caption="Five seats on `midwest`, two of them Automas. A tile with a coloured rim is flipped and says what it "
        "is worth; arrows and the dashed ring are what player_0 may do.",
        rules={"map": "midwest", "num_players": 5, "automas": 2},
        seed=3,
        round=9,
    ),
    Picture(
        name="end-dark",
        caption="The end of a game of two on `midwest`, dark.",
        rules={"map": "midwest", "num_players": 2},
        seed=5,
        round=100,
        theme="dark",
    ),
    Picture(
        name="carrying",
        caption="A resource on its way: the token at its city, double rings where it may go, and the contract with "
        "what it has got already.",
        rules={"map": "mini", "num_players": 4},
        seed=1,
        round=2,
        phase="hop",
    ),
    Picture(
        name="laying-track",
        caption="The second placement of track: full arrows continue the link on the next hex, hollow ones turn the "
        "last tile, the cross takes it back.",
        rules={"map": "mini", "num_players": 4},
        seed=2,
        round=3,
        phase="track",
        theme="dark",
    ),
    Picture(
        name="solo",
        caption="The solo game: one purse and one hand, five companies, the trains in the bag.",
        rules={"map": "mini", "mode": "solo"},
        seed=4,
        round=6,
    ),
)


def write_replay_page() -> str:
    """The whole game that ``BOARD`` is a position of."""
    game = replace(BOARD, round=END).play()
    return draw_replay(game, players=[AGENT, AGENT, "Automa, normal"])


def write_page() -> str:
    """The page that shows all pictures, with the call that draws each kind."""
    parts = [
        "# Pictures",
        'Each picture is `game.render("svg")` of a position in a game of greedy agents; the command\n'
        "`python -m steam_env.pages.steam_power.gallery` draws them anew. `seat=` draws what one seat sees, `theme=` is"
        " "
        '`"light"`,\n`"dark"` or `"auto"`. Other outputs of the same scene: `game.render("ansi")` a text, '
        '`game.render("rgb_array")` pixels,\n`game.render("human")` a window, `steam_env.replay.animate(game, '
        '"game.gif")` an animation,\n`steam_env.replay.write_replay(game, "game.html")` a page to step through: '
        "[that of the first picture's game](replay.html), to be opened in a browser.",
        "Whoever closes the window gets no more pictures, and the program goes on without; `close()` of the "
        "environment or\n`steam_env.render.close_window()` lets the next picture open it anew.",
        "Seats differ by colour, by the pattern of their track and by the number on trains and factories; resources by "
        "colour,\nshape and letter.",
    ]
    for picture in (BOARD, *PICTURES):
        folder = "" if picture is BOARD else f"{FOLDER}/"
        parts.append(f"![{picture.name}]({folder}{picture.name}.svg)")
        parts.append(picture.caption)
    return "\n\n".join(parts) + "\n"


def draw_files() -> dict[str, str]:
    """All files of the gallery: their contents by path, relative to docs/."""
    files = {PAGE: write_page(), REPLAY: write_replay_page(), f"{BOARD.name}.svg": BOARD.draw()}
    return files | {f"{FOLDER}/{picture.name}.svg": picture.draw() for picture in PICTURES}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(
        prog="python -m steam_env.pages.steam_power.gallery", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="the folder to write into (default docs)")
    docs = parser.parse_args(arguments).docs
    (docs / FOLDER).mkdir(parents=True, exist_ok=True)
    for name, content in draw_files().items():
        (docs / name).write_text(content, encoding="utf-8", newline="\n")
        print(docs / name)


if __name__ == "__main__":
    main()
