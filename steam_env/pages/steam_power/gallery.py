"""The pictures of docs/, the page that shows them, and the replay of the first one's game.

Each is a position of a game that the greedy agents play from a seed, so that the pictures are the same on every
machine; a test compares them with the files.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from steam_env.agents import make_agent
from steam_env.data.steam_power.rules import Rules
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import join
from steam_env.pages.steam_power.map_sheet import CAPTION, draw_sheet
from steam_env.replay import draw_replay
from steam_env.table.asking import ask_mover
from steam_env.table.steam_power.game import Game

DOCS = Path("docs")
FOLDER, PAGE, REPLAY = DOCS / "gallery", DOCS / "gallery.md", DOCS / "replay.html"
SHEET = FOLDER / "generated-maps.svg"
AGENT = "greedy:v0"  # which stays as it is
END = 1000  # a round that no game reaches


@dataclass(frozen=True)
class Picture:
    """A picture: of the first decision of this phase from this round on (of the end if there is none).

    Attributes:
        name: of the file, without its ending.
        caption: what is to be seen on it.
        rules: fields of ``Rules``.
        seed: of the game and of the agents.
        seat: the observer; None shows all hands.
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
            game.step(ask_mover(agent, game))
        return game

    def draw(self) -> str:
        """The SVG."""
        return str(self.play().render("svg", seat=self.seat, theme=self.theme))


BOARD = Picture(
    name="board",
    caption="Round Lake Michigan in the seventh round: player_1 goes on with its link or turns its last tile; the "
    "coins are the path that the Automa, player_2, is going to lay; links cross on two bridges.",
    rules={"map": "mini", "num_players": 3, "automas": 1},
    seed=60,
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
    """The replay page of the game that ``BOARD`` is a position of."""
    game = replace(BOARD, round=END).play()
    return draw_replay(game, players=[AGENT, AGENT, "Automa, normal"])


def show_pictures() -> str:
    """All pictures with their captions."""
    shown = [(find_file(one), one.caption) for one in (BOARD, *PICTURES)] + [(SHEET, CAPTION)]
    return join(*(f"![{file.stem}]({file.relative_to(DOCS)})\n\n{caption}" for file, caption in shown))


def find_file(picture: Picture) -> Path:
    """The file of a picture."""
    return (DOCS if picture is BOARD else FOLDER) / f"{picture.name}.svg"


def make_files() -> dict[Path, str]:
    """The texts of the page, the pictures and the replay by path."""
    files = {PAGE: renew_file(PAGE, {"pictures": show_pictures}), REPLAY: write_replay_page()}
    return files | {find_file(picture): picture.draw() for picture in (BOARD, *PICTURES)} | {SHEET: draw_sheet()}
