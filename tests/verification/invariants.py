"""What must hold at every decision of every game, each as a function named after it.

``positions`` has what must hold of a position. What a step changes and tells is compared with the reference engine
(``lockstep``). ``watch_game`` follows one game and calls them all.
``python -m tests.verification.invariants --games 1000 --seed 1`` plays for as long as it is told.
"""

import copy
import itertools
import json
import pickle
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from steam_env import Game, GameBatch, IllegalActionError, Rules
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.state import ACTION
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.rules import AUTOMA_LEVELS
from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.command_line import show_progress
from steam_env.kit.files import write_whole
from tests.verification.lockstep.players import Players
from tests.verification.lockstep.scenarios import draw_scenario
from tests.verification.positions import POSITION_INVARIANTS, Chart, InvariantError, Snapshot, require

RULE_NAMED = re.compile(r"\(rule \d+(\.\d+)?\)")
BATCH_INTERVAL = 10  # games between two checks of a batch


def check_something_is_legal(game: Game, now: Snapshot) -> None:
    """The mover has a legal action, not `done` alone; after the end nothing is legal and the mask has `money`."""
    legal = game.legal()
    if now.over:
        require(legal == [] and np.flatnonzero(game.mask).tolist() == [0], "something is legal after the end", legal)
        return
    require(legal == np.flatnonzero(game.mask).tolist(), "legal() and the mask differ", legal)
    require(legal, "nothing is legal", game.phase)
    texts = game.legal_text()
    require(texts != ["done"], "`done` alone is no decision", texts)
    require([game.parse(text) for text in texts] == legal, "texts and ids differ", texts)
    require(now.phase != ACTION or 0 in legal, "taking $3 is always possible (rule 3.1)", texts)


def check_mask_is_recomputed(game: Game) -> None:
    """A game that is taken up at this position has the same mask and leaves the record as it is."""
    batch = GameBatch.from_records(game.records, game.rules, map=game.setting.map, deck=game.setting.deck)
    require(batch.records.tobytes() == game.records.tobytes(), "a position that is not settled", game)
    require(np.array_equal(batch.mask[0], game.mask), "the mask is not current", game)


def print_of(game: Game) -> tuple[bytes, bytes, int]:
    """What must not change when nothing is done: position, mask and number of steps."""
    return game.records.tobytes(), game.mask.tobytes(), game.num_steps


def check_legal_action_steps(game: Game, action: int) -> Game:
    """An action of the mask can be played on a clone, changes its position, and leaves the game alone."""
    before = print_of(game)
    twin = game.clone()
    twin.step(action)
    require(twin.records.tobytes() != before[0], "an action that changes nothing", game.text(action))
    require(game.explain(action) is None, "a legal action is explained away", game.explain(action))
    require(print_of(game) == before, "a step of a clone changes the game", game.text(action))
    return twin


def check_illegal_action_is_refused(game: Game, action: int) -> None:
    """An action that is not in the mask raises, naming a rule, and changes nothing."""
    before = print_of(game)
    try:
        game.step(action)
    except IllegalActionError as error:
        require(RULE_NAMED.search(str(error)), "a refusal that names no rule", str(error))
        reason = game.explain(action)
        require(reason and str(error).startswith(reason), "a refusal that is not the explanation", str(error), reason)
    else:
        raise InvariantError(f"an action that is not in the mask was played: {action} in {game}")
    require(print_of(game) == before, "a refused action changes the game", action)


def copies_of(game: Game) -> dict[str, Game]:
    """The game once more, on every road that there is."""
    return {
        "clone": game.clone(),
        "copy": copy.copy(game),
        "deepcopy": copy.deepcopy(game),
        "pickle": pickle.loads(pickle.dumps(game)),
        "save": Game.load(game.save()),
    }


def check_copies(game: Game, moves: int, seed: int) -> None:
    """Copies have equal bytes, an equal past and an equal future."""
    for road, twin in copies_of(game).items():
        require(print_of(twin) == print_of(game), f"another position after {road}", game)
        require(twin.events == game.events and twin.seed == game.seed, f"another past after {road}", game)
        check_same_future(game, twin, moves, seed, road)


def check_scenario(game: Game, moves: int, seed: int) -> None:
    """Between actions a scenario gives the same record and future; within one it is refused."""
    if game.phase != "action":
        try:
            game.to_scenario()
        except ValueError:
            return
        raise InvariantError(f"a scenario within an action or after the end: {game}")
    scenario = game.to_scenario()
    twin = Game.from_scenario(scenario)
    require(twin.records.tobytes() == game.records.tobytes(), "another position from the scenario", game)
    require(twin.to_scenario() == scenario, "another scenario the second time", game)
    check_same_future(game, twin, moves, seed, "a scenario")


def check_same_future(game: Game, twin: Game, moves: int, seed: int, road: str) -> None:
    """The same actions lead to the same positions and events."""
    rng = np.random.default_rng(seed)
    one, other = game.clone(), twin
    for _ in range(moves):
        if one.done:
            return
        action = int(rng.choice(one.legal()))
        told, other_told = len(one.events), len(other.events)
        one.step(action)
        other.step(action)
        same = one.records.tobytes() == other.records.tobytes() and np.array_equal(one.mask, other.mask)
        require(same, f"another future after {road}", one, other)
        require(one.events[told:] == other.events[other_told:], f"other events after {road}", one)


def check_looking_changes_nothing(game: Game) -> None:
    """Everything that only looks leaves the game as it is, and tells the same twice."""
    before, seats = print_of(game), range(game.seats)
    first, second = (_look(game, seats) for _ in range(2))
    require(first == second, "a look that tells something else the second time", game)
    require(print_of(game) == before, "a look that changes the game", game)


def _look(game: Game, seats: Iterable[int]) -> list[object]:
    seen: list[object] = [game.legal(), game.legal_text(), game.scores(), game.winners(), game.links(), repr(game)]
    seen += [game.money, game.trains, game.factories_left, game.off_map, game.deck_size, game.render(), game.log]
    seen += [game.city(name) for name in game.setting.map.cities]
    seen += [game.explain(action) for action in range(0, NUM_ACTIONS, 7)]
    for seat in seats:
        view = game.view(seat)
        seen += [game.observe(seat).tobytes(), view.records.tobytes(), game.hand(seat), game.fulfilled(seat)]
        seen += [game.log_for(seat), game.redeal(seat, 5).records.tobytes()]
    return seen


# --- following games ----------------------------------------------------------------------------------------


def check_position(game: Game, chart: Chart | None = None) -> Snapshot:
    """All that must hold at a decision, whatever happened before."""
    now = Snapshot(game, chart)
    for invariant in POSITION_INVARIANTS:
        invariant(now)
    check_something_is_legal(game, now)
    return now


@dataclass(frozen=True)
class Care:
    """How often the dear checks are made: at one decision in so many; 0 = never."""

    illegal: int = 10  # actions tried at every decision
    every_action: int = 40  # all of the 372
    futures: int = 12  # copies and scenarios, played on
    looks: int = 10
    masks: int = 5  # renewed
    moves: int = 6  # of a future


EVERY_FEW = Care()


def check_decision(game: Game, rng: random.Random, care: Care, chart: Chart) -> None:
    """Position, what is legal and what is not, and the checks whose turn it is by chance."""

    def is_due(interval: int) -> bool:
        return interval > 0 and rng.randrange(interval) == 0

    events = len(game.events)
    check_position(game, chart)
    if is_due(care.masks):
        check_mask_is_recomputed(game)
    illegal, legal = np.flatnonzero(~game.mask).tolist(), game.legal()
    everything = is_due(care.every_action)
    for action in illegal if everything else rng.sample(illegal, min(care.illegal, len(illegal))):
        check_illegal_action_is_refused(game, action)
    for action in legal if everything else rng.sample(legal, min(2, len(legal))):
        twin = check_legal_action_steps(game, action)
        if not everything:
            check_position(twin, chart)
    if is_due(care.futures):
        check_copies(game, care.moves, game.num_steps)
        check_scenario(game, care.moves, game.num_steps)
    if is_due(care.looks):
        check_looking_changes_nothing(game)
    require(len(game.events) == events, "looking or refused actions leave events", game)


def check_batch(rules: Rules, games: int, seed: int, steps: int) -> None:
    """Game i of a batch is the single game with seed + i at every step, rewards and the end included."""
    batch = GameBatch(rules, games, seed=seed)
    singles = [Game(rules, seed=seed + index) for index in range(games)]
    rng = np.random.default_rng(seed)
    for step in range(steps):
        _compare(batch, singles, step)
        if batch.done.all():
            return
        actions = batch.sample_legal(rng)
        running = [not single.done for single in singles]
        batch.step(actions)
        for single, action, runs in zip(singles, actions.tolist(), running, strict=True):
            if runs:
                single.step(action)
        for index, (single, runs) in enumerate(zip(singles, running, strict=True)):
            expected = _reward(single) if runs and single.done else [0.0] * rules.seats
            require(np.allclose(batch.rewards[index], expected, rtol=0, atol=1e-12), "rewards", index, expected)
    _compare(batch, singles, steps)


def _compare(batch: GameBatch, singles: Sequence[Game], step: int) -> None:
    for index, single in enumerate(singles):
        same = batch.records[index].tobytes() == single.records.tobytes()
        require(same, f"game {index} of a batch at step {step}", batch, single)
        require(np.array_equal(batch.mask[index], single.mask), f"mask {index} at step {step}", batch, single)
        told = batch.seats[index], batch.done[index], batch.truncated[index]
        require(told == (single.seat, single.done, single.truncated), f"game {index} at step {step}", told)


def _reward(game: Game) -> list[float]:
    """What the end pays: the win shared, in solo points (interfaces of the environments)."""
    if game.rules.mode == "solo":
        return [game.scores()[0]["total"] / 50]
    winners, seats = game.winners(), game.rules.seats
    if len(winners) == seats:
        return [0.0] * seats
    lost = seats - len(winners)
    return [1 / len(winners) if seat in winners else -1 / lost for seat in range(seats)]


class RandomStates:
    """The global random states, which nothing may touch: ``with RandomStates(): ...``."""

    def __enter__(self) -> None:
        self.before = self._read()

    def __exit__(self, *_: object) -> None:
        require(self._read() == self.before, "a global random state was touched")

    def _read(self) -> tuple[object, ...]:
        kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - the state that must stay as it is
        return (random.getstate(), kind, keys.tobytes(), *rest)


# --- configurations -------------------------------------------------------------------------------------------

MAPS = ("mini", "midwest", "alps")
DECKS = ("standard", "mini")


def all_rules() -> Iterator[Rules]:
    """Every number of seats and Automas, both editions, both routings and solo, on all shipped maps and decks.

    Levels and round limits go round, so that each meets every other thing.
    """
    levels, limits = itertools.cycle(AUTOMA_LEVELS), itertools.cycle((100, 12, 30, 100, 5))
    for board, deck, routing in itertools.product(MAPS, DECKS, ("any", "cheapest")):
        common: dict[str, Any] = {"map": board, "contracts": deck, "routing": routing}
        yield Rules(mode="solo", **common, max_rounds=next(limits))
        for seats, automas in itertools.product((2, 3, 4, 5), (0, 1, 2, 3, 4)):
            if automas >= seats or 5 * (seats - automas) > len(load_deck(deck).contracts):
                continue
            more = {"num_players": seats, "max_rounds": next(limits)}
            yield Rules(automas=automas, automa_level=next(levels), **more, **common)
            if not automas:
                yield Rules(edition="preview", **more, **common)


def draw_game(number: int, seed: int) -> Game:
    """Game ``number`` of a run: configurations dealt anew and random scenarios take turns."""
    own_seed = seed * 1_000_003 + number
    if number % 2:
        return Game.from_scenario(draw_scenario(own_seed), seed=own_seed)
    return Game(ALL_RULES[number // 2 % len(ALL_RULES)], seed=own_seed)


def watch_game(number: int, seed: int, decisions: int, care: Care = EVERY_FEW) -> int:
    """Check so many decisions of game ``number``, from anywhere in it on; returns how many there were.

    Raises:
        InvariantError: naming the invariant's words and the game.
    """
    rng = random.Random(f"watch {seed * 1_000_003 + number}")
    with RandomStates():
        game, players = draw_game(number, seed), Players(rng)
        chart, skipped = Chart(game.setting), rng.choice((0, 0, 10, 40, 100, 200))
        checked = 0
        try:
            for step in range(skipped + decisions):
                if step >= skipped or game.done:
                    check_decision(game, rng, care, chart)
                    checked += 1
                if game.done:
                    break
                game.step(players.choose(game))
        except Exception as error:
            error.add_note(f"in game {number} of seed {seed}, after {game.num_steps} actions: {game}, {game.rules}")
            raise
    return checked


ALL_RULES = tuple(all_rules())


def main(games: int = 100, seed: int = 0, decisions: int = 60, first: int = 0, output: Path | None = None) -> None:
    """Watch many games.

    Args:
        games: how many.
        seed: all that is random follows from it.
        decisions: how many are checked in each game.
        first: number of the first game, to look at one again.
        output: where what was watched is written, as JSON.
    """
    total, began = 0, time.monotonic()
    with show_progress(games) as tell:
        for number in range(first, first + games):
            total += watch_game(number, seed, decisions)
            if number % BATCH_INTERVAL == 0:
                check_batch(ALL_RULES[number // BATCH_INTERVAL % len(ALL_RULES)], 3, seed + number, 2 * decisions)
            tell(1)
    print(f"{total} decisions in {games} games of seed {seed}: every invariant holds")
    if output is not None:
        played = {"seed": seed, "first": first, "games": games, "decisions": total}
        where = {"software": describe_software(), "machine": describe_machine()}
        report = {**played, "seconds": round(time.monotonic() - began, 1), **where}
        output.parent.mkdir(parents=True, exist_ok=True)
        write_whole(output, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    tyro.cli(main)
