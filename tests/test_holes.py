"""Habits do what they say, and the search for holes finds one, goes on after a kill and refuses what makes no sense."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.agents import deviations, make_agent
from steam_env.agents.deviations import DEVIATIONS, ENOUGH_CONTRACTS, ENOUGH_MONEY, ENOUGH_READY, FULFILS, NEAR_END
from steam_env.commands import evaluate
from steam_env.core.steam_power.actions import BUILD, CONTRACTS, DONE, FULFIL, HEAD_TO, MONEY, REPLACE, START
from steam_env.core.steam_power.state import ACTION, BONUS, BONUS_NONE, MAX_CONTRACTS
from steam_env.data.steam_power.rules import Rules
from steam_env.evaluation import holes
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, HOLE_FOUND, INTERRUPTED
from steam_env.pages import robustness
from steam_env.spec import Deviations, find_spec
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting
from steam_env.table.view import view_records

RULES = Rules(map="mini", contracts="mini")
SETTING = load_setting(RULES)
GAMES = 30
FEW = ("rush", "hoard:money", "bonus:never", "block:sites")
SHORT = ["--map", "mini", "--contracts", "mini", "--contracts-to-end", "2", "--max-rounds", "8", "--quiet"]
SMALL = [*SHORT, "--screen", "3", "--deals", "4", "--worst", "2"]
LAZY = """
from steam_env.agents import RandomAgent

class Lazy(RandomAgent):
    def act(self, observations, masks, views):
        others = masks.copy()
        others[:, {first}:{last}] = False  # it fulfils no contract
        return super().act(observations, others, views)
"""


def play(name: str, seed: int = 1) -> Iterator[tuple[np.record, np.ndarray, int]]:
    """Record, mask and action of every decision of an agent that plays against the first greedy, which stays."""
    batch, agents = GameBatch(RULES, GAMES, seed=seed), [make_any_agent(name), make_agent("greedy:v0")]
    while not batch.done.all():
        actions = np.full(GAMES, MONEY, np.int64)
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(batch.seats == seat)
            records, masks, movers = batch.records[rows].copy(), batch.mask[rows].copy(), np.full(len(rows), seat)
            if len(rows):
                actions[rows] = agent.act(None, masks, view_records(records, movers, batch.setting))
            assert masks[np.arange(len(rows)), actions[rows]].all()
            if seat == 0:
                yield from zip(records, masks, actions[rows].tolist(), strict=True)
        batch.step(actions)


def fulfils(action: int) -> bool:
    return FULFIL <= action < FULFIL + MAX_CONTRACTS


def never_declines(game: np.record, mask: np.ndarray, action: int) -> bool:
    deck = SETTING.decks[0]
    with_bonus = any(deck["bonus"][one] != BONUS_NONE for one in np.flatnonzero(mask[FULFILS]))
    if fulfils(action) and with_bonus:
        return bool(deck["bonus"][action - FULFIL] != BONUS_NONE)
    return not (game["phase"] == BONUS and action == DONE and mask.sum() > 1)


def keeps_back(game: np.record, mask: np.ndarray, action: int) -> bool:
    near = game["contracts_to_end"] - game["num_fulfilled"].max() <= NEAR_END
    return not fulfils(action) or mask[FULFILS].sum() >= ENOUGH_READY or bool(near)


def fulfils_smallest(game: np.record, mask: np.ndarray, action: int) -> bool:
    needs = SETTING.decks[0]["num_needs"]
    ready = [needs[one] for one in np.flatnonzero(mask[FULFILS])]
    return game["phase"] != ACTION or not ready or (fulfils(action) and needs[action - FULFIL] == min(ready))


def builds_for_rivals(game: np.record, mask: np.ndarray, action: int) -> bool:
    group, network = SETTING.boards[0]["group"], int(game["network"][1])
    sites = [BUILD + int(city) for city in np.flatnonzero(mask[BUILD : BUILD + 12]) if network >> int(group[city]) & 1]
    return game["phase"] != ACTION or not sites or action in sites


HOLDS: dict[str, Callable[[np.record, np.ndarray, int], bool]] = {
    "bonus:never": lambda game, mask, action: not (game["phase"] == BONUS and mask[DONE]) or action == DONE,
    "bonus:always": never_declines,
    "hoard:money": lambda game, mask, action: (
        game["phase"] != ACTION or game["money"][0] >= ENOUGH_MONEY or action == MONEY
    ),
    "hoard:contracts": lambda game, mask, action: (
        not (game["phase"] == ACTION and mask[CONTRACTS] and game["hand_size"][0] < ENOUGH_CONTRACTS)
        or action == CONTRACTS
    ),
    "hoard:kept": keeps_back,
    "rush": fulfils_smallest,
    "block:sites": builds_for_rivals,
}


@pytest.mark.parametrize("name", HOLDS)
def test_habit__is_kept_at_every_decision_and_greedy_has_it_not(name: str) -> None:
    assert all(HOLDS[name](*decision) for decision in play(f"greedy+{name}"))
    assert not all(HOLDS[name](*decision) for decision in play("greedy"))


def list_starts(name: str) -> list[str]:
    """The city at which each first link starts."""
    begun = [action for game, _, action in play(name) if START <= action < HEAD_TO and not game["network"][0]]
    return [SETTING.map.cities[(action - START) // 6] for action in begun]


def test_habit__first_city() -> None:
    assert set(list_starts("greedy+first:Gary")) == {"Gary"}
    assert set(list_starts("greedy")) != {"Gary"}


def test_habit__first_pair_is_joined_by_the_shortest_way() -> None:
    start, end = (SETTING.map.cities.index(name) for name in ("Gary", "Kalamazoo"))
    joined = []
    for game, _, _ in play("greedy+pair:Gary,Kalamazoo"):
        if game["network"][0]:
            first = np.flatnonzero(game["link_owner"] == 0)[0]
            joined.append((game["link_start"][first], game["link_end"][first]) == (start, end))
    assert np.mean(joined) > 0.95  # else a rival was there before


def test_habit__blocks_the_hex_before_a_rivals_tail() -> None:
    neighbour, city_hex = SETTING.boards[0]["neighbour"], SETTING.boards[0]["city_hex"]
    ways = {True: 0, False: 0}
    for game, mask, action in play("greedy+block:track"):
        if game["phase"] == ACTION and game["tail_hex"][1] >= 0 and mask[START:HEAD_TO].any():
            wanted = neighbour[game["tail_hex"][1], game["tail_exit"][1]]
            starts = np.flatnonzero(mask[START:HEAD_TO])
            there = [one for one in starts if neighbour[city_hex[one // 6], one % 6] == wanted]
            if there:
                ways[action - START in there] += 1
    assert ways[True] > 0 == ways[False]


def test_habit__leads_to_the_city_that_a_rival_aims_at() -> None:
    """Of all links begun, more end at the city nearest to the rival's tail than greedy's do."""

    def count_met(name: str) -> float:
        met = []
        for game, mask, action in play(name):
            mover = deviations.Mover(game, 0, mask, SETTING)
            ways = deviations.BlockCities(make_agent("greedy")).find_ways(mover)
            leads = mover.list_leads()
            if START <= action < REPLACE and ways is not None and leads:
                met.append(ways[leads[action]] == min(ways[hex_index] for hex_index in leads.values()))
        return float(np.mean(met))

    assert count_met("greedy:v0+block:cities") > 0.9 > count_met("greedy:v0")


def test_habits__of_a_map_are_cities_neighbours_and_ways_of_playing_and_each_is_made() -> None:
    names = DEVIATIONS.names(SETTING)
    assert {f"first:{city}" for city in SETTING.map.cities} < set(names)
    assert "pair:Milwaukee,Chicago" in names
    assert {*HOLDS, "block:track", "block:cities"} < set(names)
    assert all(DEVIATIONS.make(name) is not None for name in names)
    assert DEVIATIONS.make("rush.safetensors") is None


def test_names__with_a_habit_are_taken_wherever_agents_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a+b.py"
    file.write_text(LAZY.format(first=0, last=0), encoding="utf-8")
    assert isinstance(make_any_agent(f"{file}:Lazy+rush+bonus:never"), deviations.NeverBonus)
    assert not isinstance(make_any_agent(f"{file}:Lazy"), deviations.Deviation)
    assert len({hash_agent(name) for name in ("greedy", "random", "greedy+rush", "random+rush")}) == 4
    assert evaluate.main(["greedy+rush", "--against", "greedy+first:Gary", "--deals", "1", *SHORT]) == 0
    assert "greedy+first:Gary" in capsys.readouterr().out
    assert evaluate.main(["greedy+first:Paris", "--deals", "1", *SHORT]) == AGENT_FAILED
    assert "city 'Paris': the map mini has Wausau" in capsys.readouterr().err
    assert evaluate.main(["greedy+nothing", "--deals", "1", *SHORT]) == BAD_INPUT


# --- the search ---------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few habits only."""
    monkeypatch.setattr(holes, "find_deviations", lambda game: Deviations(lambda setting: FEW, DEVIATIONS.make, {}))


def read(folder: Path) -> dict[str, Any]:
    """What is the same each time a search is made."""
    content: dict[str, Any] = json.loads(next(folder.glob("*.json")).read_text(encoding="utf-8"))
    for match in content["matches"]:
        del match["seconds"]
    return {name: value for name, value in content.items() if name not in ("run", "software")}


@pytest.mark.usefixtures("few")
def test_search__finds_the_hole_of_an_agent_that_fulfils_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lazy.py").write_text(LAZY.format(first=FULFIL, last=FULFIL + MAX_CONTRACTS), encoding="utf-8")
    words = ["--out", "out", "--own-only", "--seats", "3", "--seats", "2", "--worst", "1"]
    assert holes.main(["lazy.py:Lazy", *SMALL, *words]) == HOLE_FOUND
    printed, content = capsys.readouterr().out, read(Path("out"))
    tables = content["tables"]
    assert [(table["seats"], table["screened"]) for table in tables] == [(2, 4), (3, 4)]
    assert [table["limit"] for table in tables] == [0.55, pytest.approx(1.25 / 3)]
    assert [table["holes"] for table in tables] == [["lazy.py:Lazy+rush"]] * 2
    assert "lazy.py:Lazy+rush" in printed
    fresh = {match["seed"] for match in content["matches"] if match["stage"] == "fresh"}
    assert fresh == {match["seed"] + 1 for match in content["matches"] if match["stage"] == "screen"}


@pytest.mark.usefixtures("few")
def test_search__other_agents_and_their_habits_play_too_and_may_win_as_much_as_they_do(tmp_path: Path) -> None:
    assert holes.main(["random", *SMALL, "--out", str(tmp_path), "--other", "greedy"]) in (0, HOLE_FOUND)
    rows = read(tmp_path)["tables"][0]["rows"]
    assert [row["of"] for row in rows] == ["random"] * 2 + ["greedy"] * 3
    other = next(row for row in rows if row["name"] == "greedy")
    assert other["fresh"]["mean"] > 0.6
    assert not other["is_hole"]
    assert rows[-1]["limit"] == pytest.approx(0.05 + other["fresh"]["mean"])


@pytest.mark.usefixtures("few")
def test_search__goes_on_after_a_kill_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["greedy", *SMALL, "--own-only"]
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    code = holes.main([*words, "--out", str(whole)])
    played: list[str] = []

    def play_some(config: Any, **options: Any) -> Any:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(config.agent)
        return play_match(config, **options)

    play_match = holes.play_match
    with monkeypatch.context() as patch:
        patch.setattr(holes, "play_match", play_some)
        assert holes.main([*words, "--out", str(cut)]) == INTERRUPTED
        assert len(read(cut)["matches"]) == 3
        played[:] = [""]  # two more
        assert holes.main([*words, "--out", str(cut)]) == INTERRUPTED
        assert played[1:] == [match["name"] for match in read(cut)["matches"][3:]]
    assert holes.main([*words, "--out", str(cut)]) == code
    assert {**read(cut), "command": ""} == {**read(whole), "command": ""}
    assert holes.main([*words, "--out", str(cut), "--seed", "3"]) == BAD_INPUT
    assert holes.main([*words, "--out", str(cut), "--seed", "3", "--anew"]) in (0, HOLE_FOUND)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("nobody", "agent 'nobody': allowed are"),
        ("greedy --other nobody", "agent 'nobody': allowed are"),
        ("greedy --seats 6", "seats=6: 2 to 5 are allowed"),
        ("greedy --screen 0", "screen=0: 1 to"),
        ("greedy --worst 0", "worst=0: 1 or more"),
        ("greedy --seed -1", "seed=-1: 0 to"),
        ("greedy --map nowhere", "'nowhere' is not shipped"),
        ("random --game tests.toy:SPEC", "it brings no habits"),
    ],
)
def test_search__refuses_in_one_line(
    words: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert holes.main([*words.split(), "--out", str(tmp_path / "out")]) == BAD_INPUT
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("few")
def test_page__tells_what_was_found_and_what_has_not_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robustness, "FOLDER", tmp_path)
    before = robustness.make_files()[robustness.PAGE]
    assert before.count(robustness.NOTHING) == 2
    assert all(f"| `{habit}` | {meaning} |" in before for habit, meaning in DEVIATIONS.meanings.items())
    holes.main(["random", *SMALL, "--out", str(tmp_path), "--other", "greedy"])
    told = robustness.make_files()[robustness.PAGE]
    row = read(tmp_path)["tables"][0]["rows"][0]
    assert f"| random | mini, mini | 2 | `{row['name']}` | {100 * row['fresh']['mean']:.1f} %" in told
    assert "### random, mini, mini" in told
    cut = {**read(tmp_path), "tables": []}
    assert "The search has not ended." in robustness.make_blocks([cut])["details"]()


@pytest.mark.usefixtures("few")
def test_names__with_a_colon_are_taken_wherever_agents_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "greedy:v9"
    monkeypatch.setitem(find_spec().players.agents, name, "steam_env.agents.greedy:GreedyAgent")  # type: ignore[index]
    words = [name, "--against", name, "--deals", "1", *SHORT]
    assert evaluate.main([*words, "--replays", "1", "--replays-folder", str(tmp_path)]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".html", ".json"]
    assert not any(":" in path.name for path in tmp_path.iterdir())
    assert hash_agent(name) == hash_agent("greedy")
    assert holes.main([name, *SMALL, "--out", str(tmp_path / "holes"), "--own-only"]) in (0, HOLE_FOUND)
    assert [path.name for path in (tmp_path / "holes").iterdir()] == ["greedy-v9-mini.json"]
