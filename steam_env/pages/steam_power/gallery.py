"""The pictures of Steam Power, and the replay of the first one's game."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from steam_env.pages import gallery
from steam_env.pages.gallery import DOCS, FOLDER, Gallery
from steam_env.pages.steam_power.map_sheet import CAPTION, draw_sheet
from steam_env.replay import draw_replay

REPLAY = DOCS / "replay.html"
SHEET = FOLDER / "generated-maps.svg"
AGENT = "greedy:v0"  # which stays as it is
END = 1000  # a round that no game reaches

Picture = partial(gallery.Picture, game="steam_power", agent=AGENT)

BOARD = Picture(
    file=DOCS / "board.svg",
    caption="Round Lake Michigan in the seventh round: player_1 goes on with its link or turns its last tile; the "
    "coins are the path that the Automa, player_2, is going to lay; links cross on two bridges.",
    rules={"map": "mini", "num_players": 3, "automas": 1},
    seed=60,
    round=7,
    phase="action",
    theme="auto",
)
PICTURES = (
    Picture(
        file=FOLDER / "first-round.svg",
        caption="Set up for five on the map `alps`, as player_2 sees it: its own hand, and how many contracts the "
        "others have.",
        rules={"map": "alps", "num_players": 5},
        seed=4,
        round=1,
        phase="action",
        seat=2,
    ),
    Picture(
        file=FOLDER / "two-automas.svg",
        caption="Five seats on `midwest`, two of them Automas. A tile with a coloured rim is flipped and says what it "
        "is worth; arrows and the dashed ring are what player_0 may do.",
        rules={"map": "midwest", "num_players": 5, "automas": 2},
        seed=3,
        round=9,
        phase="action",
    ),
    Picture(
        file=FOLDER / "end-dark.svg",
        caption="The end of a game of two on `midwest`, dark.",
        rules={"map": "midwest", "num_players": 2},
        seed=5,
        round=100,
        phase="action",
        theme="dark",
    ),
    Picture(
        file=FOLDER / "carrying.svg",
        caption="A resource on its way: the token at its city, double rings where it may go, and the contract with "
        "what it has got already.",
        rules={"map": "mini", "num_players": 4},
        seed=1,
        round=2,
        phase="hop",
    ),
    Picture(
        file=FOLDER / "laying-track.svg",
        caption="The second placement of track: full arrows continue the link on the next hex, hollow ones turn the "
        "last tile, the cross takes it back.",
        rules={"map": "mini", "num_players": 4},
        seed=2,
        round=3,
        phase="track",
        theme="dark",
    ),
    Picture(
        file=FOLDER / "solo.svg",
        caption="The solo game: one purse and one hand, five companies, the trains in the bag.",
        rules={"map": "mini", "mode": "solo"},
        seed=4,
        round=6,
        phase="action",
    ),
)


def make_others() -> dict[Path, str]:
    """The sheet of generated maps, and the replay of the game that ``BOARD`` is a position of."""
    game = replace(BOARD, round=END).play()
    return {SHEET: draw_sheet(), REPLAY: draw_replay(game, players=[AGENT, AGENT, "Automa, normal"])}


GALLERY = Gallery((BOARD, *PICTURES), {SHEET: CAPTION}, make_others)
