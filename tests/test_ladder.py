"""The ladder: who meets whom, what is kept, ratings, and agents in files of one's own."""

import json
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.agents import AGENTS
from steam_env.commands import evaluate, ladder
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation import agent_names, ladder_results, ratings
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.ladder_results import find_lone, measure_ahead, pair_up
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.ratings import ADDED, RESAMPLES, SCALE, Pairing, Ratings, rate
from steam_env.pages.leaderboard import draw_ratings, tabulate_pairs, tabulate_ratings
from steam_env.spec import find_spec

REASON = "the extra `ladder` is not installed"
pytest.importorskip("choix", reason=REASON)
pytest.importorskip("matplotlib", reason=REASON)

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = f"{ROOT / 'examples' / 'hasty_agent.py'}:HastyAgent"
SHORT = ["--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "4", "--quiet"]
FOUR = ["greedy", "random", "automa:easy", "automa:normal"]
PAIRS = [("greedy", "random"), *((agent, automa) for agent in FOUR[:2] for automa in FOUR[2:])]
PLAIN = "--only random --only automa:normal"
PASSING = ("run", "software")  # what differs each time a match is played
AGENT = """
import numpy as np

class Mine:
    encoding = None
    def reset(self, seed):
        pass
    def act(self, observations, masks, views):
        return {answer}
"""


def climb(folder: Path, *words: str, only: list[str] = FOUR) -> dict[str, Any]:
    """Play a ladder of short games; the content of its file."""
    named = [word for name in only for word in ("--only", name)]
    assert ladder.main(["--out", str(folder), *named, *SHORT, *words]) == 0
    return read(folder)


def read(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    return content


def keep(content: dict[str, Any]) -> dict[str, Any]:
    """What is the same each time a ladder is played; matches in the order of names."""
    matches = [{key: value for key, value in match.items() if key not in PASSING} for match in content["matches"]]
    rest = {key: value for key, value in content.items() if key not in ("command", "software", "matches")}
    return rest | {"matches": sorted(matches, key=lambda match: str(match["names"]))}


def name_matches(content: dict[str, Any]) -> list[tuple[str, ...]]:
    return [tuple(match["names"]) for match in content["matches"]]


def write_agent(path: Path, answer: str = "masks.argmax(axis=1)") -> str:
    path.write_text(AGENT.format(answer=answer), encoding="utf-8")
    return f"{path}:Mine"


@pytest.fixture(scope="module", autouse=True)
def _few_resamples() -> Iterator[None]:
    """Few are enough where no test looks at intervals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "RESAMPLES", 50)
        yield


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("four") / "board"
    climb(folder)
    return folder


@pytest.fixture
def board(four: Path, tmp_path: Path) -> Path:
    """A copy of that ladder."""
    (tmp_path / "board").mkdir()
    shutil.copy(four / "ladder.json", tmp_path / "board")
    return tmp_path / "board"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The matches that are played from now on; ratings are not drawn."""
    found: list[tuple[str, ...]] = []

    def spy(config: MatchConfig, **options: Any) -> Any:
        found.append(config.names)
        return play_match(config, **options)

    monkeypatch.setattr(ladder, "play_match", spy)
    monkeypatch.setattr(ladder, "draw_ratings", lambda content, path: None)
    return found


# --- ratings ------------------------------------------------------------------------------------------
HALF = [0.0, 1.0] * 50  # both games won of every other deal


def pair(first: int, second: int, shares: list[float] | float, deals: int = 100) -> Pairing:
    return Pairing(first, second, 2, np.full(deals, shares) if isinstance(shares, float) else np.array(shares))


def rate_all(*pairs: Pairing, anchor: int = 1) -> Ratings:
    """The ratings of as many as met, the anchor's 1000."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "RESAMPLES", RESAMPLES)
        return rate(list(pairs), 1 + max(max(one.first, one.second) for one in pairs), anchor, 1000.0, seed=0)


def measure_width(rated: Ratings, number: int) -> float:
    return float(rated.high[number] - rated.low[number])


def test_rating__odds_of_ten_to_one_are_400_points() -> None:
    rated = rate_all(pair(0, 1, 10 / 11, deals=5000))
    assert rated.values.tolist() == pytest.approx([1400, 1000], abs=0.2)
    assert rated.expect(0, 1) == pytest.approx(10 / 11, abs=1e-4)


def test_rating__strengths_are_found_again_though_some_never_meet() -> None:
    true = np.array([1250.0, 1000.0, 1111.0, 700.0])
    met = [(0, 1), (0, 2), (0, 3), (1, 3)]  # 1 and 2 meet only through 0, 2 and 3 too
    rated = rate_all(*(pair(a, b, float(1 / (1 + 10 ** ((true[b] - true[a]) / 400))), deals=5000) for a, b in met))
    assert rated.values.tolist() == pytest.approx(true.tolist(), abs=0.5)


def test_rating__a_shared_win_is_half_a_win_to_each() -> None:
    assert rate_all(pair(0, 1, 0.5)).values.tolist() == pytest.approx([1000, 1000])
    shared, won = (rate_all(pair(0, 1, shares * 50)) for shares in ([0.5, 1.0], [0.75, 0.75]))
    assert shared.values.tolist() == pytest.approx(won.values.tolist())


@pytest.mark.parametrize("deals", [10, 1000])
def test_rating__who_never_wins_is_rated_by_the_added_draw(deals: int) -> None:
    lost = 2 * deals + ADDED / 2
    wanted = 1000 - SCALE * np.log(lost / (ADDED / 2))
    assert rate_all(pair(0, 1, 0.0, deals=deals)).values[0] == pytest.approx(wanted, abs=0.01)


def test_interval__is_of_the_difference_to_the_anchor() -> None:
    rated = rate_all(pair(0, 1, HALF), pair(1, 2, [1.0, 0.5] * 50))
    assert (rated.low[1], rated.high[1]) == (1000, 1000)
    assert (rated.low < rated.values).tolist() == (rated.values < rated.high).tolist() == [True, False, True]


def test_interval__resamples_deals_and_not_games() -> None:
    assert measure_width(rate_all(pair(0, 1, 0.5)), 0) == pytest.approx(0)  # each wins one game of each deal
    swept, many = (measure_width(rate_all(pair(0, 1, HALF * times)), 0) for times in (1, 4))
    width = 2 * 1.96 * SCALE * 0.5 / np.sqrt(100) / 0.25  # of log-odds at one half, from 100 independent deals
    assert swept == pytest.approx(width, rel=0.15)
    assert swept / many == pytest.approx(2, rel=0.15)  # four times the deals halve it


def test_interval__a_deal_is_drawn_for_all_matches_at_once() -> None:
    together, apart = (rate_all(pair(0, 1, HALF), pair(2, 1, other), anchor=0) for other in (HALF, HALF[::-1]))
    assert measure_width(together, 2) == pytest.approx(0, abs=1e-6)
    assert measure_width(apart, 2) > 100


# --- who meets whom -----------------------------------------------------------------------------------
def test_ladder__everybody_meets_everybody_but_automas() -> None:
    options = ladder.options_of(find_spec())(add=("b.py:B",))
    met = [frozenset(match.names) for match in options.matches()]
    names = {"b.py:B", *AGENTS, *AUTOMA_NAMES}
    assert options.participants == (*sorted(names - {*AUTOMA_NAMES}), *AUTOMA_NAMES)
    assert {*met} == {frozenset(two) for two in combinations(names, 2) if not {*two} <= {*AUTOMA_NAMES}}
    assert len(met) == len({*met})


def test_ladder__with_more_seats_each_of_a_pair_sits_alone_among_seats_of_the_other(tmp_path: Path) -> None:
    content = climb(tmp_path / "board", "--seats", "3", only=["greedy", "random", "automa:normal"])
    assert content["fixed"]["seats"] == 3
    assert name_matches(content) == [
        ("greedy", "random", "random"),
        ("random", "greedy", "greedy"),
        ("greedy", "automa:normal", "automa:normal"),
        ("greedy", "greedy", "automa:normal"),
        ("random", "automa:normal", "automa:normal"),
        ("random", "random", "automa:normal"),
    ]
    assert [match["games"] // match["deals"] for match in content["matches"]] == [3, 3, 1, 2, 1, 2]
    assert "how often ahead" in (tmp_path / "board.md").read_text(encoding="utf-8")
    assert "(Azari Soufiani" in content["methods"]["ratings"]
    rows = {row["name"]: row for row in content["ratings"]}
    alone = content["matches"][0]["results"]["agents"][0], content["matches"][2]["results"]["agents"][0]
    assert rows["greedy"]["games"] == sum(agent["games"] for agent in alone) == 16
    assert rows["greedy"]["wins"] == pytest.approx(sum(agent["wins"] for agent in alone))
    assert len(rows["greedy"]["between_agents"]["by_seat"]) == 3
    automa = [content["matches"][3]["results"]["agents"][2], content["matches"][5]["results"]["agents"][2]]
    assert rows["automa:normal"]["wins"] == pytest.approx(sum(agent["wins"] for agent in automa))
    (pairs,) = [row for row in tabulate_pairs(content).rows if row[0] == "random"]
    names = [row["name"] for row in content["ratings"]]
    told = content["matches"][1]["results"]["agents"][0]["win_rate"]["mean"]
    assert pairs[1 + names.index("greedy")] == f"{100 * told:.1f} %"


def test_ladder__who_sits_alone_is_ahead_of_seats_with_a_worse_place(four: Path) -> None:
    for match in read(four)["matches"]:
        assert match["ahead"] == match["shares"]  # with two seats that is who wins
    config = MatchConfig("greedy", ("greedy", "random"), map="mini", contracts="mini", deals=6)
    ranks = (result := play_match(config, make_agent=make_any_agent)).games.ranks
    behind = [[(rank[:2] < rank[2]).mean() + (rank[:2] == rank[2]).mean() / 2 for rank in deal] for deal in ranks]
    config = MatchConfig("random", ("greedy",), 3, map="mini", contracts="mini", deals=6)
    assert find_lone(config.names) == 0
    assert find_lone(result.config.names) == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder_results, "find_lone", lambda names: 2)
        assert measure_ahead(result).tolist() == pytest.approx((1 - np.mean(behind, axis=1)).tolist())


def test_pairs__join_the_games_of_both_lineups_by_their_numbers() -> None:
    matches = [
        {"names": ["a", "b", "b"], "games": 6, "deals": 2, "ahead": [1.0, 0.5]},
        {"names": ["a", "a", "b"], "games": 2, "deals": 2, "ahead": [1.0, 0.0]},
    ]
    (joined,) = pair_up(["a", "b"], matches)
    assert (joined.first, joined.second, joined.games) == (0, 1, 4)
    assert joined.shares.tolist() == [(3 * 1.0 + 0.0) / 4, (3 * 0.5 + 1.0) / 4]


def test_ladder__of_steam_has_three_seats() -> None:
    options = ladder.options_of(find_spec("steam"))(game="steam", only=("greedy", "random"), anchor="greedy")
    assert options.num_seats == 3
    assert [match.names for match in options.matches()] == [("greedy", *["random"] * 2), ("random", *["greedy"] * 2)]


def test_ladder__of_steam_is_played_by_the_agents_of_steam(tmp_path: Path) -> None:
    words = ["--game", "steam", "--map", "mini", "--only", "thrifty", "--only", "greedy", "--anchor", "greedy"]
    assert evaluate.main(["ladder", "--out", str(tmp_path / "steam"), *words, "--deals", "2", "--quiet"]) == 0
    content, result = read(tmp_path / "steam"), tmp_path / "match.json"
    assert name_matches(content) == [("greedy", "thrifty", "thrifty"), ("thrifty", "greedy", "greedy")]
    alone = ["--game", "steam", "--map", "mini", "--seats", "3", "--deals", "2", "--json", str(result)]
    seed = ["--seed", str(content["fixed"]["seed"])]
    assert evaluate.main(["greedy", "--against", "thrifty", "--against", "thrifty", *alone, *seed]) == 0
    assert json.loads(result.read_text(encoding="utf-8"))["results"] == content["matches"][0]["results"]


def test_ladder__file_holds_the_matches_that_evaluate_plays(four: Path, tmp_path: Path) -> None:
    content = read(four)
    assert name_matches(content) == PAIRS
    match = content["matches"][2]
    result = tmp_path / "match.json"
    words = ["--seed", str(content["fixed"]["seed"]), "--seats", "2", "--json", str(result)]
    assert evaluate.main([match["names"][0], "--against", match["names"][1], *SHORT, *words]) == 0
    alone = json.loads(result.read_text(encoding="utf-8"))
    assert alone["results"] == match["results"]
    assert [first for first, _ in alone["by_deal"]["shares"]] == match["shares"]


def test_ladder__file_says_where_it_comes_from(four: Path) -> None:
    content = read(four)
    named = " ".join(f"--only {name}" for name in FOUR)
    short = "--deals 4 --map mini --contracts-to-end 1 --max-rounds 4"
    assert content["command"] == f"python evaluate.py ladder --out {four} {named} {short}"
    assert content["fixed"]["map"]["name"] == "mini"
    assert content["fixed"]["rules"]["contracts_to_end"] == 1
    assert content["software"]["git"] is None or content["software"]["git"]["commit"]
    assert len(content["fixed"]["map"]["sha256"]) == len(content["fixed"]["game_sha256"]) == 64
    hashes = {entry["name"]: entry["sha256"] for entry in content["participants"]}
    assert hashes["greedy"] == hash_agent("greedy") != hashes["random"]
    assert hashes["automa:easy"] is None


def test_ladder__totals_and_seats_are_those_of_the_matches(four: Path) -> None:
    content = read(four)
    rows = {row["name"]: row for row in content["ratings"]}
    own = [match for match in content["matches"] if "greedy" in match["names"]]
    assert rows["greedy"]["games"] == sum(match["games"] for match in own) == 8 + 4 + 4
    wins = sum(np.sum(match["shares"]) * match["games"] / 4 for match in own)
    assert rows["greedy"]["wins"] == pytest.approx(wins)
    between = own[0]["results"]["agents"][0]
    wanted = {"games": 8, "by_seat": between["by_seat"], "by_turn": between["by_turn"]}
    assert rows["greedy"]["between_agents"] == wanted
    anchor = rows["automa:normal"]
    assert (anchor["rating"], anchor["low"], anchor["high"], anchor["between_agents"]) == (1000, 1000, 1000, None)


def test_ladder__of_another_game_has_its_agents_and_its_page(tmp_path: Path) -> None:
    mine = write_agent(tmp_path / "mine.py")
    words = ["--game", "tests.toy:SPEC", "--only", mine, "--only", "random", "--anchor", "random", "--deals", "2"]
    assert evaluate.main(["ladder", "--out", str(tmp_path / "toys"), *words, "--quiet"]) == 0
    content = read(tmp_path / "toys")
    assert name_matches(content) == [(mine, "random")]
    assert "--game tests.toy:SPEC" in content["command"]
    assert all(entry["sha256"] for entry in content["participants"])
    assert f"agent `{mine}`" in (tmp_path / "toys.md").read_text(encoding="utf-8")


# --- going on -----------------------------------------------------------------------------------------
def test_resume__nothing_is_played_twice(four: Path, played: list[tuple[str, ...]]) -> None:
    before = read(four)
    assert keep(climb(four)) == keep(before)
    assert played == []


def test_resume__an_added_agent_plays_its_own_matches_only(
    four: Path, board: Path, tmp_path: Path, played: list[tuple[str, ...]]
) -> None:
    mine = write_agent(tmp_path / "mine.py")
    content = climb(board, only=[mine, *FOUR])
    assert len(played) == len(FOUR)
    assert all(mine in names for names in played)
    assert mine in {row["name"] for row in content["ratings"]}
    played.clear()
    assert keep(climb(board))["ratings"] == keep(read(four))["ratings"]  # and without it again
    assert played == []


def test_resume__a_run_that_was_cut_short_loses_one_match(
    four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(config: MatchConfig, **options: Any) -> Any:
        if config.names == PAIRS[2]:
            raise KeyboardInterrupt
        return play_match(config, **options)

    folder = tmp_path / "board"
    words = ["--out", str(folder), *(word for name in FOUR for word in ("--only", name)), *SHORT]
    with monkeypatch.context() as patch:
        patch.setattr(ladder, "play_match", stop)
        assert ladder.main(words) == 130
    assert "holds 2 matches" in capsys.readouterr().err
    assert name_matches(read(folder)) == PAIRS[:2]
    assert not folder.with_suffix(".md").exists()
    assert ladder.main([*words, "--page-only"]) == 2
    assert "no ratings yet" in capsys.readouterr().err
    assert keep(climb(folder)) == keep(read(four))


def test_resume__who_has_changed_plays_anew(tmp_path: Path, played: list[tuple[str, ...]]) -> None:
    mine = write_agent(tmp_path / "mine.py")
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    for change, anew in (("", 3), ("# changed\n", 0), ("changed = 1\n", 2)):
        played.clear()
        (tmp_path / "mine.py").write_text(text + change, encoding="utf-8")
        content = climb(tmp_path / "board", only=[mine, "random", "automa:normal"])
        assert played == [(mine, "random"), (mine, "automa:normal"), ("random", "automa:normal")][:anew]
    assert len(content["matches"]) == 3


def test_resume__another_ladder_is_not_replaced_unasked(
    four: Path, board: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[str, ...]]
) -> None:
    words = ["--out", str(board), *PLAIN.split(), *SHORT, "--deals", "3"]
    assert ladder.main(words) == 2
    assert "is another ladder, deals differ: name another --out, or say --fresh" in capsys.readouterr().err
    assert (board / "ladder.json").read_bytes() == (four / "ladder.json").read_bytes()
    for times in (1, 2):
        assert ladder.main([*words, "--fresh"]) == 0
        assert name_matches(read(board)) == [("random", "automa:normal")]
        assert played == name_matches(read(board)) * times


# --- bad input ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{PLAIN} --only nobody", "agent 'nobody': allowed are"),
        (f"{PLAIN} --only automa:brutal", "opponent 'automa:brutal': allowed Automas are"),
        (f"{PLAIN} --only random", "random: named twice"),
        (f"{PLAIN} --only no.py:X", "agent file 'no.py': there is no such file"),
        (f"{PLAIN} --only no.safetensors", "safetensors"),
        ("--only greedy", "greedy: a ladder needs two participants or more"),
        ("--only automa:easy --only automa:normal", "of which one is an agent"),
        ("--only greedy --only automa:easy", "anchor='automa:normal': a participant is allowed: greedy, auto"),
        (f"{PLAIN} --add random", "--add and --only cannot be given together"),
        (f"{PLAIN} --deals 1", "deals=1: 2 to 1000000 are allowed"),
        (f"{PLAIN} --seats 1", "seats=1: 2 to 5 are allowed"),
        (f"{PLAIN} --seats 6", "seats=6: 2 to 5 are allowed"),
        ("--deals many", "parsing --deals: invalid literal for int() with base 10: 'many'"),
        ("--page-only", "ladder.json: there is no such file"),
    ],
)
def test_bad_input__is_refused_before_anything_is_played(
    words: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[str, ...]]
) -> None:
    assert ladder.main(["--out", str(tmp_path / "board"), "--quiet", *words.split()]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "nothing was played" in told
    assert played == []
    assert not (tmp_path / "board" / "ladder.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "steam_env match", "schema": 1}'])
def test_bad_input__a_file_of_something_else_is_left_alone(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[str, ...]]
) -> None:
    (tmp_path / "ladder.json").write_text(text, encoding="utf-8")
    assert ladder.main(["--out", str(tmp_path), *PLAIN.split(), "--quiet", "--fresh"]) == 2
    assert "ladder.json: no" in capsys.readouterr().err
    assert (tmp_path / "ladder.json").read_text(encoding="utf-8") == text
    assert played == []


# --- the page -----------------------------------------------------------------------------------------
def test_page__is_made_from_the_file_alone(four: Path, tmp_path: Path) -> None:
    page = four.with_suffix(".md")
    text, plot = page.read_text(encoding="utf-8"), (four / "ratings.svg").read_bytes()
    draw_ratings(read(four), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == plot
    page.unlink()
    (four / "ratings.svg").unlink()
    assert ladder.main(["--out", str(four), "--page-only"]) == 0
    assert page.read_text(encoding="utf-8") == text
    assert (four / "ratings.svg").read_bytes() == plot


def test_page__ranks_and_pairs(four: Path) -> None:
    content, text = read(four), four.with_suffix(".md").read_text(encoding="utf-8")
    ratings = [row["rating"] for row in content["ratings"]]
    assert ratings == sorted(ratings, reverse=True)
    for row in content["ratings"]:
        assert f"| {row['name']} |" in text
    assert f"```sh\n{content['command']}\n```" in text
    lost = content["ratings"][0] | {"wins": 0.0}
    won = content["ratings"][0] | {"wins": float(content["ratings"][0]["games"])}
    marked = tabulate_ratings(content | {"ratings": [won, lost]}).rows
    assert [row[2][0] for row in marked] == ["≥", "≤"]


# --- an agent of one's own ----------------------------------------------------------------------------
def test_own_agent__the_example_plays_ladders_and_beats_random(tmp_path: Path) -> None:
    assert EXAMPLE in {row["name"] for row in climb(tmp_path / "board", only=[EXAMPLE, *FOUR[2:]])["ratings"]}
    config = MatchConfig(EXAMPLE, ("random",), map="mini", contracts="mini", deals=20)
    assert play_match(config, make_agent=make_any_agent).games.shares[:, :, 0].mean() > 0.7


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ("0", "Other", "has no class Other"),
        ("syntax error", "Mine", "raises SyntaxError"),
        ("0\nMine = 3", "Mine", "has no class Mine"),
        ("0\n    def __init__(self, a): pass", "Mine", "Mine() raises TypeError"),
        ("0\nclass Mine: encoding = None", "Mine", "it has no reset, act"),
    ],
)
def test_own_agent__what_cannot_be_used_is_refused_with_the_reason(
    answer: str, kind: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write_agent(tmp_path / "mine.py", answer).replace(":Mine", f":{kind}")
    assert evaluate.main([name, "--against", "random", *SHORT]) == 2
    assert message in capsys.readouterr().err


# --- what an agent is ---------------------------------------------------------------------------------
def test_hash__is_over_all_files_of_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[str] = []
    monkeypatch.setattr(agent_names, "hash_files", lambda paths: files.extend(path.name for path in paths))
    hash_agent("greedy")
    assert {"greedy.py", "greedy_plan.py", "greedy_ways.py", "greedy_worth.py"} <= {*files}
    assert "random.py" not in files


def test_hash__of_weights_that_the_agent_names(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(b"1")
    name = write_agent(tmp_path / "heavy.py", f"masks.argmax(axis=1)\n    files = [{str(weights)!r}]")
    before = hash_agent(name)
    assert hash_agent(name) == before
    weights.write_bytes(b"2")
    assert hash_agent(name) != before
