"""The conformance kit: checks that a game with a ``GameSpec`` keeps what the shared rooms promise to users.

    from steam_env.testing import check_game
    check_game(find_spec("my_package.my_game:SPEC"))

plays random games at every seat count and looks at every decision of them. It needs no test framework.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from steam_env.encoding import pick
from steam_env.encoding.compact import expand
from steam_env.envs.aec import GameAEC
from steam_env.kit.errors import IllegalActionError
from steam_env.kit.forms import FORMS, MARK
from steam_env.playing.desk import find_desk
from steam_env.render import AUTO, draw_svg
from steam_env.render.pen import Pen
from steam_env.spec import GameSpec, find_spec
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting
from steam_env.table.game import Game, game_class_of
from steam_env.table.payment import Payment
from steam_env.words.events import SeenEvents

NEEDED_FIELDS = ("seat", "phase", "round_number", "truncated", "num_seats", "rng")
ZERO_SUM = ("win", "margin")
TOLERANCE = 1e-9
LOOK_EVERY = 7  # decisions: drawing takes longer than all else


class ConformanceError(AssertionError):
    """A promise that a game does not keep: which one, and where."""


def check_game(spec: GameSpec, settings: Iterable[Any] = (), *, games: int = 1, seed: int = 0) -> int:
    """Play random games of a spec and check, at every decision, what users of the shared rooms rely on.

    The mask agrees with the reasons; texts lead back to their actions; clones, saves, pickles, scenarios and game files
    lead to equal games; a batch plays what single games do; views and events hide what redeals may change; rewards add
    up; boards, pictures and the terminal show every decision; the environments play to the end.

    Args:
        spec: the game.
        settings: rules to check beside those of a match at every seat count, such as other modes of the game.
        games: random games of each rules.
        seed: of the first.

    Returns:
        how many decisions were looked at.

    Raises:
        ConformanceError: naming the promise, the rules, the seed and the decision.
    """
    check_facts(spec)
    matches = [spec.make_match_rules(count, (), {}) for count in spec.facts.seat_counts]
    return sum(_check_rules(spec, rules, seed + number) for rules in (*matches, *settings) for number in range(games))


def check_facts(spec: GameSpec) -> None:
    """Check what the spec says of itself.

    Raises:
        ConformanceError: naming the part.
    """
    facts = spec.facts
    _hold(spec.facts.rules.game == spec.game, f"the rules name the game {facts.rules.game!r}, the spec {spec.game!r}")
    for name in NEEDED_FIELDS:
        _hold(name in (spec.kernels.record.names or ()), f"the record has no field {name!r}")
    ends = [block.start + block.length for block in facts.blocks]
    _hold([block.start for block in facts.blocks] == [0, *ends[:-1]], "the blocks of actions have gaps")
    _hold(0 <= facts.resting_action < facts.num_actions, "the resting action is none")
    _hold(facts.kind_of.shape == (facts.num_actions,), "kind_of has not one entry for each action")
    _hold(bool((facts.kind_of < len(facts.action_kinds)).all()), "kind_of names kinds that there are not")
    _hold(set(facts.chance_events) <= set(facts.events), "chance_events are no events")


def _hold(fine: bool, promise: str, where: str = "") -> None:
    if not fine:
        raise ConformanceError(f"{where}{promise}")


def _check_rules(spec: GameSpec, rules: Any, seed: int) -> int:
    """Check a game by these rules; how many decisions it had."""
    _hold(spec.facts.rules.from_dict(rules.to_dict()) == rules, f"{rules}: not the same after to_dict and from_dict")
    setting = load_setting(rules)
    game = game_class_of(setting)(rules, seed)
    batch = GameBatch(rules, 2, seed=[seed, seed + 1])
    rng = np.random.default_rng(seed)
    while not game.done:
        where = f"{rules}, seed {seed}, decision {game.num_steps}: "
        _check_decision(spec, game, rng, where)
        _check_sight(spec, game, where)
        _hold(_same(batch.records[0], game.record) and (batch.mask[0] == game.mask).all(), "batch differs", where)
        actions = batch.sample_legal(rng)
        game.step(int(actions[0]))
        batch.step(actions)
    where = f"{rules}, seed {seed}, at the end: "
    _hold(np.flatnonzero(game.mask).tolist() == [spec.facts.resting_action], "the resting action is not alone", where)
    _hold(_same(batch.records[0], game.record), "batch differs", where)
    _check_sight(spec, game, where)
    _check_file(game, where)
    _check_rewards(spec, game, where)
    _check_environment(spec, rules, seed)
    return game.num_steps


def _check_decision(spec: GameSpec, game: Game, rng: np.random.Generator, where: str) -> None:
    actions = range(spec.facts.num_actions)
    legal = game.legal()
    _hold(bool(legal), "nothing is legal", where)
    offered = {action: spec.words.find_offered(game.record, action) for action in actions}
    _hold(all(offered[action] == action for action in legal), "the mask offers a choice twice", where)
    for action in actions:
        reason, is_legal = game.explain(action), offered[action] in legal
        _hold((reason is None) == is_legal, f"the mask and the reason {reason!r} of {action} differ", where)
    for action in legal:
        text = game.text(action)
        _hold(game.parse(text) == action, f"{text!r} of action {action} is read as {game.parse(text)}", where)
    for action in actions:
        if offered[action] != action and offered[action] in legal:
            game.clone().step(action)  # the same choice as one that is offered
    illegal = next((action for action in actions if offered[action] not in legal), None)
    if illegal is not None:
        _check_refusal(game, illegal, where)
    _check_copies(game, int(rng.choice(legal)), where)
    for seat in range(game.setting.num_companies):
        _check_view(spec, game, seat, int(rng.integers(2**31)), where)


def _check_refusal(game: Game, action: int, where: str) -> None:
    before = game.record.tobytes()
    try:
        game.step(action)
    except IllegalActionError:
        _hold(game.record.tobytes() == before, f"the refusal of {action} changes the game", where)
    else:
        raise ConformanceError(f"{where}the illegal action {action} is played")


def _check_copies(game: Game, action: int, where: str) -> None:
    """Check that copies of every kind are equal games with the same future, and leave the original alone."""
    before = game.record.tobytes()
    copies = {
        "clone": game.clone(),
        "save": type(game).load(game.save()),
        "pickle": pickle.loads(pickle.dumps(game)),
    }
    with suppress(ValueError):  # inside an action: a scenario is a position between actions
        copies["scenario"] = type(game).from_scenario(game.to_scenario(), 0)
    futures = set()
    for name, copied in copies.items():
        _hold(copied.record.tobytes() == before, f"{name}: another record", where)
        _hold(copied.legal() == game.legal(), f"{name}: other legal actions", where)
        copied.step(action)
        futures.add(copied.record.tobytes())
    _hold(len(futures) == 1, f"{', '.join(copies)}: different futures", where)
    _hold(game.record.tobytes() == before, "a copy that is played changes the original", where)


def _check_view(spec: GameSpec, game: Game, seat: int, seed: int, where: str) -> None:
    """Check that what a seat sees stays the same when what it does not know is dealt anew."""
    other = game.redeal(seat, seed)
    _hold(_same(other.view(seat).record, game.view(seat).record), f"seat {seat} notices a redeal in its view", where)
    _hold(other.view(seat).to_json() == game.view(seat).to_json(), f"seat {seat} notices a redeal in JSON", where)
    if seat == game.seat:
        _hold(other.describe(seat) == game.describe(seat), f"seat {seat} notices a redeal in its page", where)
        _hold(bool((other.mask == game.mask).all()), f"seat {seat} notices a redeal in its mask", where)
    for name in spec.sight.encodings:
        seen, again = game.observe(seat, name), other.observe(seat, name)
        pairs = zip(seen.values(), again.values(), strict=True) if isinstance(seen, dict) else ((seen, again),)
        _hold(all(map(np.array_equal, *zip(*pairs, strict=True))), f"seat {seat} notices a redeal in {name}", where)
        if spec.sight.encodings[name].compact is not None:
            _check_digits(game, seat, name, where)
    shown = game.events_for(seat, max(game.num_steps - 1, 0))
    again_hidden = [spec.words.hide_event(event, seat, game.setting.is_solo) for event in shown]
    _hold(isinstance(shown, SeenEvents) and list(shown) == again_hidden, f"events for {seat} hide more twice", where)


def _check_sight(spec: GameSpec, game: Game, where: str) -> None:
    """Check that the board in text tells what is decided, and that its pictures are what replays are made of."""
    scene = game.scene()
    _hold(scene.round == game.round, f"the scene is of round {scene.round}", where)
    for told in (spec.sight.draw_text(scene), spec.sight.describe(scene)):
        _hold(scene.decision.text in told, f"{scene.decision.text!r} is not told", where)
    if game.num_steps % LOOK_EVERY == 0:
        _check_choices(game, scene, where)
        if spec.sight.draw_canvas is not None:
            _check_picture(spec, game, scene, where)
    if spec.play:
        _check_desk(spec, game, scene, where)


def _check_choices(game: Game, scene: Any, where: str) -> None:
    """Check that what may be done is in the scene: for the mover and for who sees all, for nobody else."""
    if not hasattr(scene, "choices"):
        return
    shown = {} if game.done else dict(enumerate(game.legal_text()))
    for seat in (None, *range(game.seats)):
        choices = game.scene(seat).choices
        wanted = list(shown.values()) if seat in (None, game.seat) or game.setting.is_solo else []
        _hold([choice.text for choice in choices] == wanted, f"what seat {seat} may do is not its choices", where)


def _check_picture(spec: GameSpec, game: Game, scene: Any, where: str) -> None:
    """Check that a picture is well-formed, and has the layers that a page of the whole game puts together."""
    sight = spec.sight
    ElementTree.fromstring(draw_svg(scene, sight, AUTO))
    assert sight.draw_canvas is not None
    layers = sight.draw_canvas(scene).layers()
    _hold(set(sight.panel_layers) <= set(layers), "a layer of the panel is missing in the picture", where)
    first = next(game.positions()).scene()
    _hold(list(layers) == list(sight.draw_canvas(first).layers()), "pictures of one game have other layers", where)
    _hold(sight.map_frame is not None and sight.map_frame(scene) == sight.map_frame(first), "the map moves", where)


def _check_desk(spec: GameSpec, game: Game, scene: Any, where: str) -> None:
    """Check that the terminal can show the position, and that places may be typed as the map writes them."""
    desk, person = find_desk(spec.game), max(game.seat, 0)
    seats = list(desk.list_seats(scene, person, ["human"] * game.setting.num_companies))
    _hold(all(len(seat.cells) == len(desk.columns) for seat in seats), "the table of seats has other columns", where)
    rows = list(desk.write_map(scene, Pen(False)))
    _hold(bool(rows) and all(row.isprintable() for row in rows), "the map has no lines", where)
    aside = list(desk.list_aside(scene, 0 if game.setting.is_solo else person))
    _hold(not aside or desk.aside_command in desk.topics, "no command shows all of the list beside the seats", where)
    for topic in desk.topics.values():
        _hold(all(isinstance(line, str) for line in topic.describe(scene, person)), f"topic {topic.title!r}", where)
    codes = list(desk.codes(game.setting).values())
    _hold(len(set(codes)) == len(codes), "two places are written alike", where)


def _check_digits(game: Game, seat: int, name: str, where: str) -> None:
    """Check that digits give the observation back, bit for bit."""
    for form in FORMS:
        told = f"{name}{MARK}{form}"
        encoding = find_spec(game.setting.rules.game).sight.find_encoding(told, setting=game.setting)
        found: Any = pick(expand(encoding.expansions, pick(game.observe(seat, told), np.newaxis)), 0)
        wanted = game.observe(seat, name)
        pairs = [(found[key], wanted[key]) for key in wanted] if isinstance(wanted, dict) else [(found, wanted)]
        _hold(all(np.array_equal(*pair) for pair in pairs), f"{told} does not give {name} back", where)


def _check_file(game: Game, where: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        game.to_file(path)
        read = type(game).from_file(path)
    # Not the records: a file tells what chance brought, and keeps the random state to come to itself.
    seen = all(_same(read.view(seat).record, game.view(seat).record) for seat in range(game.seats))
    _hold(seen and read.log == game.log, "the game file leads to another game", where)


def _check_rewards(spec: GameSpec, game: Game, where: str) -> None:
    setting = game.setting
    for name in ("score",) if setting.is_solo else (*ZERO_SUM, "score"):
        paid = Payment(name).count_final(game.records.copy(), setting)[0]
        _hold(paid.shape == (setting.num_seats,), f"reward {name}: not one for each seat", where)
        if name in ZERO_SUM:
            _hold(abs(paid.sum()) < TOLERANCE, f"reward {name} adds up to {paid.sum()}", where)
        else:
            totals = np.array([score[spec.facts.score_parts[0]] for score in game.scores()])
            _hold(bool(np.allclose(paid, totals / spec.facts.reward_scale)), "reward score is not the score", where)
    for score in game.scores():
        parts = list(score.values())
        _hold(sum(parts[1:]) == parts[0], f"the parts of {score} do not add up", where)


def _check_environment(spec: GameSpec, rules: Any, seed: int) -> None:
    """Play a random game through the PettingZoo environment: spaces hold what is observed, and it ends."""
    env: Any = GameAEC(rules=rules)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        _hold(env.observation_space(agent).contains(observation), f"{agent}: outside of its space", f"{rules}: ")
        env.step(None if terminated or truncated else env.sample_legal(rng))


def _same(first: Any, second: Any) -> bool:
    return bool(first.tobytes() == second.tobytes())
