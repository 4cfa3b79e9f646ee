"""The pictures of Steam."""

from functools import partial

from steam_env.pages import gallery
from steam_env.pages.gallery import FOLDER, Gallery

END = 1000  # a turn that no game reaches

Picture = partial(gallery.Picture, game="steam", agent="thrifty")

GALLERY = Gallery(
    (
        Picture(
            file=FOLDER / "steam-middle.svg",
            caption="Four seats on `great_lakes` in the fourth turn: dashed hexes are those on which player_3 may lay "
            "track.",
            rules={"num_players": 4},
            seed=2,
            round=4,
            phase="build",
            theme="auto",
        ),
        Picture(
            file=FOLDER / "steam-first-turn.svg",
            caption="The first placement of the game: the tiles that may lie on the ringed hex stand in the lower "
            "right corner.",
            rules={"num_players": 3},
            seed=1,
            round=1,
            phase="tile",
        ),
        Picture(
            file=FOLDER / "steam-delivery.svg",
            caption="A cube on its way on `mini`, dark: double rings where it may go.",
            rules={"num_players": 4, "map": "mini"},
            seed=4,
            round=5,
            phase="hop",
            theme="dark",
        ),
        Picture(
            file=FOLDER / "steam-action-tiles.svg",
            caption="Five seats on `rhineland`: player_0 is the first to take an action tile.",
            rules={"num_players": 5, "map": "rhineland"},
            seed=3,
            round=5,
            phase="take",
        ),
        Picture(
            file=FOLDER / "steam-end-dark.svg",
            caption="The end of that game, dark.",
            rules={"num_players": 5, "map": "rhineland"},
            seed=3,
            round=END,
            phase="take",
            theme="dark",
        ),
    )
)
