"""Replays: the page shows every position with its log and policy, nothing hidden, and needs nothing but itself."""

import json
import re
from html.parser import HTMLParser
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules, SaveError
from steam_env.agents import ExplainingAgent, make_agent
from steam_env.commands import evaluate, replay
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.render.steam_power.svg import draw_canvas
from steam_env.replay import draw_replay, write_replay
from steam_env.replay.page import LEFT_OUT
from steam_env.spec import find_spec
from steam_env.table.files import SCHEMA

MEBIBYTE = 2**20
MINI = {"map": "mini", "contracts": "mini", "max_rounds": 6}
TABLES: dict[str, dict[str, Any]] = {
    "two": MINI,
    "automas": {**MINI, "num_players": 3, "automas": 1, "contracts": "standard"},
    "solo": {"map": "mini", "mode": "solo"},
}
PLAYERS = ["</script><b>", "two", "three"]


def play(rules: dict[str, Any], seed: int) -> Game:
    """A game by a mix of greedy and random play."""
    game, agent, rng = Game(Rules(**rules), seed=seed), make_agent("greedy"), np.random.default_rng(seed)
    agent.reset(seed)
    while not game.done:
        greedy = agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0]
        game.step(int(greedy if rng.random() < 0.6 else rng.choice(game.legal())))
    return game


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


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    played = {name: play(rules, 3) for name, rules in TABLES.items()}
    *_, played["solo"] = islice(played["solo"].positions(), 80)  # one of them is not over
    return played


# --- what the page shows ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seat", [None, 1])
def test_page__shows_the_picture_of_every_position(name: str, seat: int | None, games: dict[str, Game]) -> None:
    data = read_data(draw_replay(games[name], seat=seat))
    positions = list(games[name].positions())
    assert len(data["frames"]) == len(positions) == games[name].num_steps + 1
    for number, position in enumerate(positions):
        picture = draw_canvas(position.scene(seat)).layers()
        assert layers_of(data, number) == {layer: parts for layer, parts in picture.items() if layer not in LEFT_OUT}


@pytest.mark.parametrize("name", TABLES)
def test_page__log_decisions_and_points_are_in_step_with_the_board(name: str, games: dict[str, Game]) -> None:
    game = games[name]
    data = read_data(draw_replay(game))
    assert [line for _, _, line, _ in data["log"]] == game.log
    assert read_data(draw_replay(game, seat=0))["log"] == [
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


def test_page__of_a_game_under_way_and_of_none_yet(games: dict[str, Game]) -> None:
    *_, before, _ = games["two"].positions()
    assert "plays" not in read_data(draw_replay(before))["steps"][-1]
    assert len(read_data(draw_replay(Game(Rules(**MINI), seed=1)))["frames"]) == 1


def test_page__shows_the_policy_with_the_most_likely_first(games: dict[str, Game]) -> None:
    game = games["automas"]
    policy = think(game)
    data = read_data(draw_replay(game, policy=policy))
    assert any(entry is None for entry in policy)
    for step, entry in zip(data["steps"], policy, strict=False):
        if entry is None:
            assert "policy" not in step
            continue
        assert step["policy"]["v"] == pytest.approx(entry["value"], abs=1e-4)
        assert dict(step["policy"]["p"]) == pytest.approx(entry["probabilities"], abs=1e-4)
        shares = [share for _, share in step["policy"]["p"]]
        assert shares == sorted(shares, reverse=True)


def test_page__names_players_whatever_they_are_called(games: dict[str, Game]) -> None:
    page = draw_replay(games["automas"], players=PLAYERS)
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

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def test_page__needs_nothing_but_itself(games: dict[str, Game]) -> None:
    page = draw_replay(games["automas"], policy=think(games["automas"]))
    assert set(re.findall(r"\w+://[^\"' )]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page
    assert "@import" not in page
    outline = Outline(page)
    assert not outline.open
    assert not [attributes for _, attributes in outline.elements if {"src", "href"} & attributes.keys()]
    policies = [attributes["content"] for _, attributes in outline.elements if "http-equiv" in attributes]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"]


def test_page__everything_to_press_has_a_name(games: dict[str, Game]) -> None:
    page = draw_replay(games["two"])
    for button in re.findall(r"<button[^>]*>.*?</button>", page):
        assert "aria-label=" in button or re.sub(r"<[^>]*>", "", button).strip(), button
    for kind, attributes in Outline(page).elements:
        if kind == "section":
            assert "aria-label" in attributes or attributes["id"] in ("policy", "points", "story")  # they have headings


def test_page__of_a_whole_game_is_small() -> None:
    page = draw_replay(play({"map": "midwest"}, 5))
    assert len(read_data(page)["frames"]) > 200
    assert len(page.encode()) < 2 * MEBIBYTE


# --- nothing hidden -----------------------------------------------------------------------------------


def test_hidden__neither_seed_nor_deck_nor_hand_nor_thoughts_of_others_are_on_a_page() -> None:
    deal = Game(Rules(**MINI), seed=1).events[0].values
    (own, (card, *others)), (top, *deck) = deal["hands"], deal["deck"]
    worlds = [deal, {**deal, "deck": [*deck, top]}, {**deal, "hands": [own, [top, *others]], "deck": [card, *deck]}]
    pages: dict[int | None, set[str]] = {0: set(), 1: set(), None: set()}
    for number, world in enumerate(worlds):
        game = Game(Rules(**MINI), seed=1000 + number, deal=world)
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


def save(game: Game, folder: Path, **notes: Any) -> Path:
    game.to_file(folder / "game.json", **notes)
    return folder / "game.json"


@pytest.mark.parametrize("name", TABLES)
def test_file__gives_the_page_of_its_game(name: str, games: dict[str, Game], tmp_path: Path) -> None:
    game = games[name]
    notes = {"players": PLAYERS[: game.seats] + ["more"] * (game.seats - 3), "policy": think(game)}
    path = save(game, tmp_path, **notes)
    assert Game.from_file(path).log == game.log
    assert write_replay(path, tmp_path / "page.html", seat=0) == game.num_steps + 1
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == draw_replay(game, seat=0, **notes)


def test_file__without_notes_holds_none(games: dict[str, Game], tmp_path: Path) -> None:
    content = json.loads(save(games["two"], tmp_path).read_bytes())
    assert "players" not in content
    assert not any("policy" in step for step in content["steps"])


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
    ],
)
def test_policy__bad_entries_are_named(entry: Any, message: str, tmp_path: Path) -> None:
    game = Game(Rules(**MINI), seed=1)
    game.step("money")
    with pytest.raises(ValueError, match=message):
        draw_replay(game, policy=[entry])
    with pytest.raises(ValueError, match=message):
        save(game, tmp_path, policy=[entry])
    assert "policy" in draw_replay(game, policy=[GOOD])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": [GOOD]}, r"policy: 1 entries for \d\d+ actions"),
        ({"policy": "greedy"}, "policy: must be a list"),
        *[({"players": players}, "players: a list of 2 names") for players in (["one"], "ab", [1, 2])],
        ({"seat": 2}, "seat=2"),
    ],
)
def test_arguments__bad_ones_are_named(options: dict[str, Any], message: str, games: dict[str, Game]) -> None:
    with pytest.raises(ValueError, match=message):
        draw_replay(games["two"], **options)


# --- bad files ----------------------------------------------------------------------------------------


def read_fault(path: Path, text: str) -> str:
    """What is said about a file with this text."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SaveError) as caught:
        write_replay(path, path.with_suffix(".html"))
    assert not path.with_suffix(".html").exists()
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_fault__a_cut_file_says_where(games: dict[str, Game], tmp_path: Path) -> None:
    path = save(games["two"], tmp_path)
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.startswith('  {"seat"'))
    for step, part in ((0, 0.5), (3, 0.1), (7, 0.9)):
        row = lines[first - 1 + step]
        cut = "\n".join([*lines[: first - 1 + step], row[: int(len(row) * part)]])
        fault = read_fault(path, cut)
        assert f"line {first + step}, in steps[{step}]: no game file can be read" in fault
        assert "was the file cut?" in fault
    for size in range(0, len(text) - 2, max(len(text) // 60, 1)):
        read_fault(path, text[:size])


def edit(path: Path, indent: int | None = None, **entries: Any) -> str:
    """The text of the file with other entries."""
    return json.dumps({**json.loads(path.read_bytes()), **entries}, indent=indent)


def test_fault__another_version_end_or_result_is_named(games: dict[str, Game], tmp_path: Path) -> None:
    path = save(games["two"], tmp_path)
    text = path.read_text(encoding="utf-8")
    fault = read_fault(path, text.replace(f'"schema": {SCHEMA},', '"schema": 999,'))
    assert "line 4: schema: the file has version 999" in fault
    assert f"{SCHEMA} is read" in fault
    path = save(games["two"], tmp_path)
    steps = json.loads(text)["steps"]
    assert f"steps[{games['two'].num_steps}]: the game is over" in read_fault(
        path, edit(path, steps=[*steps, steps[0]])
    )
    path = save(games["two"], tmp_path)
    text = edit(path, indent=1, winners=[5])
    line = next(number for number, row in enumerate(text.splitlines(), 1) if row.startswith(' "winners"'))
    assert f"line {line}: winners: is" in read_fault(path, text)
    assert "format" in read_fault(path, "[1]")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seat": 1}, "player_0 decides action, the file has 'money' of player_1"),
        ({"text": "contracts"}, "action 0 is 'money', the file has 'contracts'"),
        ({"id": 2, "text": "done"}, "'done' of player_0 does not replay: done: .* (rule"),
        ({"id": 999}, "action 999 is out of range"),
        ({"events": []}, "event 0 is {'kind': 'money'.*, the file has missing"),
        ({"events": [{"kind": "money", "actor": 0, "amount": 4}]}, "'amount': 3}, the file has .*'amount': 4}"),
        ({"events": [{"kind": "take", "contract": 3}]}, "outcome"),
        ({"events": None}, "broken"),
    ],
    ids=str,
)
def test_fault__the_first_step_that_differs_is_named(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    game = Game(Rules(**MINI, first_player="player_0"), seed=1)
    for _ in range(12):
        game.step("money")
    path = save(game, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith('  {"seat"')) + 5
    lines[at] = "  " + json.dumps({**json.loads(lines[at].rstrip(",")), **change}) + ","
    fault = read_fault(path, "\n".join(lines))
    assert re.search(rf"line {at + 1}: steps\[5\]: ", fault), fault
    assert re.search(message.replace("(", r"\("), fault), fault


def test_fault__a_missing_step_is_noticed_where_it_shows(games: dict[str, Game], tmp_path: Path) -> None:
    path = save(games["two"], tmp_path)
    content = json.loads(path.read_bytes())
    gap = next(n for n, (one, two) in enumerate(pairwise(content["steps"])) if one["seat"] != two["seat"])
    del content["steps"][gap]
    fault = read_fault(path, json.dumps(content, indent=1))
    number = int(re.findall(r": steps\[(\d+)\]: ", fault)[0])
    line = int(re.findall(r"line (\d+)", fault)[0])
    assert number >= gap
    assert path.read_text(encoding="utf-8").splitlines()[line - 1].strip() == "{"


# --- commands -----------------------------------------------------------------------------------------


def test_command__writes_the_page(games: dict[str, Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(games["two"], tmp_path)
    assert replay.main([str(path)]) == 0
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == draw_replay(games["two"])
    assert f"{games['two'].num_steps + 1} positions" in capsys.readouterr().out
    assert replay.main([str(path), "--seat", "1", "--output", str(tmp_path / "one.html")]) == 0
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == draw_replay(games["two"], seat=1)


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
    games: dict[str, Game],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    save(games["two"], tmp_path)
    before = (tmp_path / "game.json").read_bytes()
    assert replay.main(options) == code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said
    assert (tmp_path / "game.json").read_bytes() == before


class Thinker:
    """Random, and says that it is; against the rules of ``explain`` it would be noticed if that changed its play."""

    encoding = None

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observations: Any, masks: np.ndarray, views: Any) -> np.ndarray:
        return np.array([self.rng.choice(np.flatnonzero(mask)) for mask in masks])

    def explain(self, observations: Any, masks: np.ndarray, views: Any) -> tuple[np.ndarray, np.ndarray]:
        assert len(masks) == len(views)
        return masks / masks.sum(axis=1, keepdims=True), views.records["money"][np.arange(len(views)), views.seats]


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
        ((np.ones((2, 372)), None), r"Broken.explain: probabilities of shape \(2, 372\): None or shape \(1, 372\)"),
        ((None, np.ones((1, 1))), r"Broken.explain: values of shape \(1, 1\): None or shape \(1,\) is allowed"),
    ],
)
def test_match__thoughts_of_another_shape_are_refused(answer: Any, message: str) -> None:
    class Broken(Thinker):
        def explain(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
            return answer

    with pytest.raises(ValueError, match=message):
        match_of(Broken, deals=1, record=1)


@pytest.mark.parametrize("told", ["probabilities", "value"])
def test_match__an_agent_may_tell_one_thing_only(told: str) -> None:
    class Half(Thinker):
        def explain(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
            answer = super().explain(observations, masks, views)
            return (answer[0], None) if told == "probabilities" else (None, answer[1])

    result = match_of(Half, deals=1, record=1)
    _, policy = result.recorded[0].play_again(result.setting)
    assert {tuple(entry) for entry in policy if entry is not None} == {(told,)}


def test_match__recording_changes_nothing() -> None:
    one, other = match_of(Thinker), match_of(Thinker, record=4)
    assert np.array_equal(one.games.scores, other.games.scores)
    assert (one.recorded, len(other.recorded)) == ((), 4)


def test_match__games_are_written_with_what_the_players_thought(tmp_path: Path) -> None:
    result = match_of(Thinker, record=2)
    pages = replay.write_games(result, tmp_path / "new" / "folder")
    assert [page.name for page in pages] == ["thinker-greedy-deal-1.html", "thinker-greedy-deal-2.html"]
    for page in pages:
        data = read_data(page.read_text(encoding="utf-8"))
        assert {seat["player"] for seat in data["seats"]} == {"thinker", "greedy"}
        assert any("policy" in step for step in data["steps"])
        write_replay(page.with_suffix(".json"), tmp_path / "again.html")
        assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


SHORT = ["greedy", "--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "2", "--quiet"]


def test_evaluate__writes_replays_with_what_its_agent_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(find_spec().players.agents, "thinker", f"{__name__}:Thinker")
    folder = tmp_path / "games"
    options = ["--against", "automa:easy", "--replays", "2", "--replays-folder", str(folder)]
    assert evaluate.main(["thinker", *SHORT[1:], *options]) == 0
    names = [f"thinker-automa-easy-deal-{deal}.{kind}" for deal in (1, 2) for kind in ("html", "json")]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert str(folder / names[0]) in capsys.readouterr().out
    data = read_data((folder / names[0]).read_text(encoding="utf-8"))
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
