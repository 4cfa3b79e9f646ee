"""Games to take home: as a game file, a replay page or a scenario, with nothing that the viewer may not see."""

from __future__ import annotations

from steam_env.replay.page import draw_replay
from steam_env.table.files import dump_game_file
from steam_env.table.game import Game
from steam_env.table.notes import Notes
from steam_env.web.look import ALL, NOBODY, Viewer
from steam_env.web.messages import MessageError
from steam_env.web.played import PlayedGame
from steam_env.words.scenario_file import dump_scenario_text


def export(played: PlayedGame, game: Game, form: str, viewer: Viewer) -> dict[str, str]:
    """A file of a game up to a position: its name and its text.

    Args:
        played: the game as it is played.
        game: its past up to the position that is meant.
        form: ``"game"``, ``"replay"`` or ``"scenario"``.
        viewer: who wants it; a game file and a scenario hold all hands.

    Raises:
        MessageError: if it would show what the viewer may not see, or cannot be made.
    """
    name = f"{played.spec.game}-{played.name}"
    if viewer is not ALL and form != "replay":
        raise MessageError(f"a {form} file shows all hands: it can be had when the game is over")
    if viewer == NOBODY:
        raise MessageError("a replay shows what a seat sees: who watches can have it when the game is over")
    try:
        if form == "replay":
            page = draw_replay(game.clone(), seat=viewer, players=list(played.table.names))
            return {"name": f"{name}.html", "type": "text/html", "content": page}
        if form == "scenario":
            return {"name": f"{name}.toml", "type": "text/plain", "content": dump_scenario_text(game.to_scenario())}
        notes = Notes(list(played.table.names), None, played.taken_back)
        return {"name": f"{name}.json", "type": "application/json", "content": dump_game_file(game, notes)}
    except ValueError as error:
        raise MessageError(str(error)) from None
