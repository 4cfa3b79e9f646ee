"""The picture of generated maps in the gallery: twelve on one sheet."""

from steam_env.data.steam_power.rules import Rules
from steam_env.render.canvas import BOLD, Canvas
from steam_env.render.steam_power import make_scene
from steam_env.render.steam_power.draw_map import MapDrawer
from steam_env.table.steam_power.game import Game

SHOWN = (*(f"train:{number}" for number in range(6)), *(f"test:{number}" for number in range(2)))
SHOWN += tuple(f"ood:{number}" for number in range(4))
FAMILY = "gen-v1"
COLUMNS, SIDE, HEAD, GAP = 3, 520, 44, 20  # maps in a row; units of the picture
SEED = 1  # of the deals, which lay out the cities' colours
CAPTION = (
    "Twelve maps that are made from seeds, six of the set `gen-v1:train`, two of `gen-v1:test`, and four out of "
    "distribution: [generated maps](maps.md)."
)


def draw_sheet() -> str:
    """The SVG: each map with its cities dealt, under its name."""
    rows = -(-len(SHOWN) // COLUMNS)
    canvas = Canvas(COLUMNS * (SIDE + GAP) + GAP, rows * (SIDE + HEAD) + GAP, "steam-power")
    canvas.box(0, 0, canvas.width, canvas.height, "paper", radius=0)
    for place, name in enumerate(f"{FAMILY}:{shown}" for shown in SHOWN):
        left, top = GAP + place % COLUMNS * (SIDE + GAP), place // COLUMNS * (SIDE + HEAD)
        game = Game(Rules(map=name, contracts=name), seed=SEED)
        scene = make_scene(game.setting, game.records)
        canvas.write(f"{name} · {scene.title}", left, top + HEAD - GAP / 2, 18, weight=BOLD, width=SIDE)
        MapDrawer(canvas, scene, (left, top + HEAD, SIDE, SIDE)).draw()
    return canvas.to_svg("light", "Steam Power, twelve generated maps")
