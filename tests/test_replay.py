"""Replays: the page shows every position with its log and policy, nothing hidden, and needs nothing but itself."""

import json
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.agents import ExplainingAgent, Plan, make_agent
from steam_env.commands import evaluate, replay
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.kit.errors import AgentError
from steam_env.render.steam_power.svg import draw_canvas
from steam_env.replay import draw_replay, write_replay
from steam_env.replay.page import LEFT_OUT
from steam_env.spec import find_spec
from tests.games import MINI, mini, play
from tests.test_files import write

ROOT = Path(__file__).parents[1]
MEBIBYTE = 2**20
TABLES: dict[str, dict[str, Any]] = {
    "two": {**MINI, "max_rounds": 4},
    "automas": {"map": "mini", "max_rounds": 4, "num_players": 3, "automas": 1},
    "solo": {"map": "mini", "mode": "solo"},
}
PLAYERS = ["</script><b>", "two", "three"]


def think(game: Game, seed: int = 0) -> list[dict[str, Any] | None]:
    """A made-up policy: something at two of three decisions."""
    rng = np.random.default_rng(seed)
    policy: list[dict[str, Any] | None] = []
    for number, position in enumerate(game.positions()):
        texts = position.legal_text()
        shares = rng.dirichlet(np.ones(len(texts))) if texts else []
        entry = {"probabilities": dict(zip(texts, map(float, shares), strict=True)), "value": float(rng.normal())}
        policy.append(None if number % 3 == 2 else entry)
    return policy[:-1]


def read_data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    content: dict[str, Any] = json.loads(found[1])
    return content


def layers_of(data: dict[str, Any], number: int) -> dict[str, list[str]]:
    """What the script puts together for a position."""
    chosen = zip(data["names"], data["frames"][number], strict=True)
    return {name: [data["elements"][element] for element in data["layers"][layer]] for name, layer in chosen}


@cache
def games() -> dict[str, Game]:
    played = {name: play(rules, 3) for name, rules in TABLES.items()}
    *_, played["solo"] = islice(played["solo"].positions(), 40)  # one of them is not over
    return played


@cache
def page_of(name: str, seat: int | None = None) -> str:
    return draw_replay(games()[name], seat=seat)


@cache
def page_with_notes() -> str:
    game = games()["automas"]
    return draw_replay(game, policy=think(game), players=PLAYERS)


# --- what the page shows ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seat", [None, 0])
def test_page__shows_the_picture_of_every_position(name: str, seat: int | None) -> None:
    data = read_data(page_of(name, seat))
    positions = list(games()[name].positions())
    assert len(data["frames"]) == len(positions) == games()[name].num_steps + 1
    for number, position in enumerate(positions):
        picture = draw_canvas(position.scene(seat)).layers()
        assert layers_of(data, number) == {layer: parts for layer, parts in picture.items() if layer not in LEFT_OUT}


@pytest.mark.parametrize("name", TABLES)
def test_page__log_decisions_and_points_are_in_step_with_the_board(name: str) -> None:
    game = games()[name]
    data = read_data(page_of(name))
    assert [line for _, _, line, _ in data["log"]] == game.log
    assert read_data(page_of(name, 0))["log"] == [
        [step, actor, hidden, headline]
        for (step, actor, _, headline), hidden in zip(data["log"], game.log_for(0), strict=True)
    ]
    assert data["parts"] == list(SCORE_PARTS)
    plays = [*game.actions, None]
    for number, (step, position) in enumerate(zip(data["steps"], game.positions(), strict=True)):
        assert step["lines"][1] == len(position.log)
        assert all(data["log"][line][0] == number for line in range(*step["lines"]))
        assert (step["seat"], step["round"]) == (None if position.done else position.seat, position.round)
        assert [dict(zip(SCORE_PARTS, row, strict=True)) for row in step["scores"]] == position.scores()
        assert step.get("plays") == (None if plays[number] is None else position.text(plays[number]))


def test_page__of_a_game_under_way_and_of_none_yet() -> None:
    *_, before, _ = games()["two"].positions()
    assert "plays" not in read_data(draw_replay(before))["steps"][-1]
    assert len(read_data(draw_replay(mini(1)))["frames"]) == 1


def test_page__shows_the_policy_with_the_most_likely_first() -> None:
    policy = think(games()["automas"])
    data = read_data(page_with_notes())
    assert any(entry is None for entry in policy)
    for step, entry in zip(data["steps"], policy, strict=False):
        if entry is None:
            assert "policy" not in step
            continue
        assert step["policy"]["v"] == pytest.approx(entry["value"], abs=1e-4)
        assert dict(step["policy"]["p"]) == pytest.approx(entry["probabilities"], abs=1e-4)
        shares = [share for _, share in step["policy"]["p"]]
        assert shares == sorted(shares, reverse=True)


def test_page__names_players_whatever_they_are_called() -> None:
    page = page_with_notes()
    assert [seat["player"] for seat in read_data(page)["seats"]] == PLAYERS
    assert page.count("</script>") == 2  # data and script


# --- the page itself ----------------------------------------------------------------------------------


class Outline(HTMLParser):
    """Elements with their attributes, and those that were not closed."""

    VOID = ("meta", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page__needs_nothing_but_itself() -> None:
    page = page_with_notes()
    assert set(re.findall(r"\w+://[^\"' )]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page
    assert "@import" not in page
    outline = Outline(page)
    assert not outline.open
    assert not [attributes for _, attributes in outline.elements if {"src", "href"} & attributes.keys()]
    policies = [attributes["content"] for _, attributes in outline.elements if "http-equiv" in attributes]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"]


def test_page__everything_to_press_has_a_name() -> None:
    page = page_of("two")
    for button in re.findall(r"<button[^>]*>.*?</button>", page):
        assert "aria-label=" in button or re.sub(r"<[^>]*>", "", button).strip(), button
    for kind, attributes in Outline(page).elements:
        if kind == "section":
            assert "aria-label" in attributes or attributes["id"] in ("policy", "points", "story")  # they have headings


def test_page__of_a_whole_game_is_small() -> None:
    page = (ROOT / "docs" / "replay.html").read_text(encoding="utf-8")  # which is as it is drawn now: test_pages
    assert len(read_data(page)["frames"]) >= 150
    assert len(page.encode()) < 2 * MEBIBYTE


# --- nothing hidden -----------------------------------------------------------------------------------


def test_hidden__neither_seed_nor_deck_nor_hand_nor_thoughts_of_others_are_on_a_page() -> None:
    deal = mini(1).events[0].values
    (own, (card, *others)), (top, *deck) = deal["hands"], deal["deck"]
    worlds = [deal, {**deal, "deck": [*deck, top]}, {**deal, "hands": [own, [top, *others]], "deck": [card, *deck]}]
    pages: dict[int | None, set[str]] = {0: set(), 1: set(), None: set()}
    for number, world in enumerate(worlds):
        game = Game(Rules(**MINI, max_rounds=6), seed=1000 + number, deal=world)
        while game.num_steps < 12:
            game.step("contracts" if game.seat == 1 and game.deck_size > 1 else "money")
        assert [event.actor for event in game.events if event.kind == "draw"] == [1] * 6
        policy = think(game, seed=number)
        for step, (position, thought) in enumerate(zip(game.positions(), think(game), strict=False)):
            if position.seat == 0:
                policy[step] = thought
        for seat, drawn in pages.items():
            drawn.add(draw_replay(game, seat=seat, policy=policy))
    assert {seat: len(drawn) for seat, drawn in pages.items()} == {0: 1, 1: 3, None: 3}
    assert any("policy" in step for step in read_data(*pages[0])["steps"])


# --- game files and their notes -----------------------------------------------------------------------


def test_file__gives_the_page_of_its_game(tmp_path: Path) -> None:
    game = games()["automas"]
    notes = {"players": PLAYERS, "policy": think(game)}
    path = write(game, tmp_path, **notes)
    assert write_replay(path, tmp_path / "page.html", seat=0) == game.num_steps + 1
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == draw_replay(game, seat=0, **notes)


GOOD = {"probabilities": {"money": 0.5}, "value": 1}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (5, r"policy\[0\]: must be a table"),
        ({"probs": {}}, r"policy\[0\]: has 'probs'"),
        ({"probabilities": [1]}, r"policy\[0\].probabilities: must be a table"),
        ({"probabilities": {"fly": 1}}, r"'fly' is not legal there: money, .*\.\.\. are"),
        ({"probabilities": {"money": 1.5}}, r"\['money'\]: 1.5: 0 to 1"),
        ({"probabilities": {"money": "much"}}, r"\['money'\]: must be a number, not 'much'"),
        ({"probabilities": {"money": 0.7, "contracts": 0.7}}, r"add up to 1.4"),
        ({"value": float("nan")}, r"policy\[0\].value: nan: a finite number"),
        ({"value": 10**400}, r"policy\[0\].value: .*a finite number"),
        ({"value": True}, r"policy\[0\].value: must be a number"),
        ({"visits": {"money": -1}}, r"visits\['money'\]: -1: whole numbers from 0 on"),
        ({"visits": {"money": 0.5}}, r"visits\['money'\]: 0.5: whole numbers from 0 on"),
        ({"visits": {"fly": 1}}, r"visits: 'fly' is not legal there"),
        ({"values": {"money": float("inf")}}, r"values\['money'\]: inf: a finite number"),
        ({"values": 3}, r"values: must be a table"),
        ({"line": "money"}, r"line: must be a list of actions as texts, not 'money'"),
        ({"line": []}, r"line: 0 actions: 1 to 500"),
        ({"line": ["fly"]}, r"line: 'fly' is not legal there"),
        ({"line": ["money", 3]}, r"line: must be a list of actions as texts"),
    ],
)
def test_policy__bad_entries_are_named(entry: Any, message: str, tmp_path: Path) -> None:
    game = mini(1)
    game.step("money")
    with pytest.raises(ValueError, match=message):
        draw_replay(game, policy=[entry])
    with pytest.raises(ValueError, match=message):
        write(game, tmp_path, policy=[entry])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": [GOOD]}, r"policy: 1 entry for \d\d+ actions"),
        ({"policy": "greedy"}, "policy: must be a list"),
        *[({"players": players}, "players: a list of 2 names") for players in (["one"], "ab", [1, 2])],
        ({"seat": 2}, "seat=2"),
    ],
)
def test_arguments__bad_ones_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_replay(games()["two"], **options)


# --- commands -----------------------------------------------------------------------------------------


def test_command__writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(games()["two"], tmp_path)
    assert replay.main([str(path)]) == 0
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == page_of("two")
    assert f"{games()['two'].num_steps + 1} positions" in capsys.readouterr().out
    assert replay.main([str(path), "--seat", "0", "--output", str(tmp_path / "one.html")]) == 0
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == page_of("two", 0)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "GAME.json"),
        (["missing.json"], 2, "missing.json"),
        (["game.json", "--seat", "9"], 2, "seat=9"),
        (["game.json", "--output", "game.json"], 2, "would replace the game file"),
        (["game.json", "--output", "no/such/folder.html"], 1, "not written"),
    ],
    ids=str,
)
def test_command__bad_input_is_one_line(
    options: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(games()["two"], tmp_path)
    before = (tmp_path / "game.json").read_bytes()
    assert replay.main(options) == code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said
    assert (tmp_path / "game.json").read_bytes() == before


class Thinker:
    """Random, and says that it is; against the rules of ``explain`` it would be noticed if that changed its play."""

    encoding = None

    def __init__(self, tell: Callable[[Any, Any], Any] = lambda shares, values: (shares, values)) -> None:
        self.tell = tell

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observations: Any, masks: np.ndarray, views: Any) -> np.ndarray:
        return np.array([self.rng.choice(np.flatnonzero(mask)) for mask in masks])

    def explain(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
        assert len(masks) == len(views)
        money = views.records["money"][np.arange(len(views)), views.seats]
        return self.tell(masks / masks.sum(axis=1, keepdims=True), money)


MATCH = MatchConfig("thinker", ("greedy",), map="mini", contracts_to_end=1, max_rounds=5, deals=4, seed=2)


def match_of(agent: Any, **options: Any) -> Any:
    """A match of a thinking agent against greedy."""
    config = MatchConfig(**{**vars(MATCH), **{name: options.pop(name) for name in set(options) & set(vars(MATCH))}})
    return play_match(config, make_agent=lambda name: agent() if name == "thinker" else make_agent(name), **options)


@pytest.mark.parametrize("batch_size", [1, 1024])
def test_match__records_the_games_that_it_plays(batch_size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steam_env.evaluation.match.SHARD_DEALS", 2)
    result = match_of(Thinker, batch_size=batch_size, record=3)
    assert [(game.deal, game.rotation) for game in result.recorded] == [(0, 0), (1, 1), (2, 0)]
    for recorded in result.recorded:
        game, policy = recorded.play_again(result.setting)
        assert game.done
        assert game.num_steps == result.games.decisions[recorded.deal, recorded.rotation]
        assert recorded.players == (("thinker", "greedy"), ("greedy", "thinker"))[recorded.rotation]
        totals = [score["total"] for score in game.scores()]
        by_agent = result.games.scores[recorded.deal, recorded.rotation, :, 0].tolist()
        assert totals == (by_agent if recorded.rotation == 0 else by_agent[::-1])
        for position, entry in zip(game.positions(), policy, strict=False):
            if recorded.players[position.seat] == "greedy":
                assert entry is None
                continue
            assert entry is not None
            assert entry["value"] == position.money[position.seat]
            share = pytest.approx(1 / len(position.legal()))
            assert entry["probabilities"] == dict.fromkeys(position.legal_text(), share)


def test_match__only_agents_that_explain_are_asked() -> None:
    assert isinstance(Thinker(), ExplainingAgent)
    assert isinstance(make_agent("random"), ExplainingAgent)
    assert not isinstance(make_agent("greedy"), ExplainingAgent)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((np.ones((2, 372)), None), r"Thinker.explain: probabilities of shape \(2, 372\): None or shape \(1, 372\)"),
        ((None, np.ones((1, 1))), r"Thinker.explain: values of shape \(1, 1\): None or shape \(1,\) is allowed"),
    ],
)
def test_match__thoughts_of_another_shape_are_refused(answer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match_of(lambda: Thinker(lambda *_: answer), deals=1, record=1)


BAD_PLANS = {
    "one too many": [None, None],
    "illegal": [Plan({371: 1}, {}, (371,))],
    "infinite": [Plan({0: 1}, {0: float("inf")}, (0,))],
    "no line": [Plan({0: 1}, {}, ())],
    "a text": "p",
}


@pytest.mark.parametrize("plans", BAD_PLANS.values(), ids=BAD_PLANS)
def test_match__plans_that_cannot_be_are_refused(plans: Any) -> None:
    with pytest.raises(AgentError, match=r"Thinker\.explain: "):
        match_of(lambda: Thinker(lambda *_: (None, None, plans)), deals=1, record=1)


def test_match__what_a_search_plans_is_in_files_and_pages(tmp_path: Path) -> None:
    """Visits, values and the line, as ``explain`` tells them, in the words of the game."""
    result = match_of(lambda: make_agent("search:greedy@8"), deals=1, record=1)
    game, policy = result.recorded[0].play_again(result.setting)
    players = list(result.recorded[0].players)
    page = read_data(draw_replay(game, policy=policy, players=players))
    write_replay(write(game, tmp_path, policy=policy, players=players), tmp_path / "page.html")
    assert read_data((tmp_path / "page.html").read_text(encoding="utf-8")) == page
    planned = [step for step, entry in enumerate(policy) if entry and "line" in entry]
    assert planned
    for step in planned:
        entry, shown, plays = policy[step], page["steps"][step]["policy"], page["steps"][step]["plays"]
        assert entry["line"][0] == plays == max(entry["probabilities"], key=entry["probabilities"].get)
        assert shown["line"] == entry["line"]
        assert shown["n"] == entry["visits"]
        assert shown["q"].keys() == entry["values"].keys() == entry["visits"].keys()
        assert entry["values"][plays] == entry["value"]
    assert any(len(policy[step]["line"]) > 2 for step in planned)


@pytest.mark.parametrize(
    ("told", "tell"),
    [("probabilities", lambda shares, _: (shares, None)), ("value", lambda _, values: (None, values))],
)
def test_match__an_agent_may_tell_one_thing_only(told: str, tell: Callable[[Any, Any], Any]) -> None:
    result = match_of(lambda: Thinker(tell), deals=1, record=1)
    _, policy = result.recorded[0].play_again(result.setting)
    assert {tuple(entry) for entry in policy if entry is not None} == {(told,)}


def test_match__recording_changes_nothing() -> None:
    one, other = match_of(Thinker), match_of(Thinker, record=4)
    assert np.array_equal(one.games.scores, other.games.scores)
    assert (one.recorded, len(other.recorded)) == ((), 4)


SHORT = ["greedy", "--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "2", "--quiet"]


def test_evaluate__writes_replays_with_what_its_agent_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(find_spec().players.agents, "thinker", f"{__name__}:Thinker")
    folder = tmp_path / "new" / "games"
    options = ["--against", "automa:easy", "--replays", "2", "--replays-folder", str(folder)]
    assert evaluate.main(["thinker", *SHORT[1:], *options]) == 0
    names = [f"thinker-automa-easy-deal-{deal}.{kind}" for deal in (1, 2) for kind in ("html", "json")]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert str(folder / names[0]) in capsys.readouterr().out
    data = read_data((folder / names[0]).read_text(encoding="utf-8"))
    assert data["seats"][0]["player"] == "thinker"
    write_replay(folder / names[1], tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (folder / names[0]).read_bytes()
    assert len(data["steps"]) > 5
    for step in data["steps"][:-1]:  # all decisions are its own
        assert sum(share for _, share in step["policy"]["p"]) == pytest.approx(1, abs=0.01)
        assert step["plays"] in dict(step["policy"]["p"])
        assert "v" in step["policy"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--replays", "3"], "replays=3: 0 to 2 are allowed"),
        (["--replays", "-1"], "replays=-1"),
        (["--replays", "1", "--replays-folder", "file"], "file: is no folder"),
    ],
)
def test_evaluate__bad_replays_are_refused_before_anything_is_played(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert evaluate.main([*SHORT, *options]) == 2
    assert message in capsys.readouterr().err
