"""The ladder: who meets whom, what is kept, ratings, and agents in files of one's own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.agents import AGENTS
from steam_env.commands import evaluate, ladder
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.ratings import ADDED, SCALE, Pairing, rate
from steam_env.pages.leaderboard import draw_ratings, tabulate_ratings

REASON = "the extra `ladder` is not installed"
pytest.importorskip("choix", reason=REASON)
pytest.importorskip("matplotlib", reason=REASON)

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = f"{ROOT / 'examples' / 'hasty_agent.py'}:HastyAgent"
SHORT = ["--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "4", "--quiet"]
FOUR = ["greedy", "random", "automa:easy", "automa:normal"]
PAIRS = [("greedy", "random"), *((agent, automa) for agent in FOUR[:2] for automa in FOUR[2:])]
PLAIN = ["--only", "random", "--only", "automa:normal"]
PASSING = ("run", "software")  # what differs each time a match is played
AGENT = """
import numpy as np

class {name}:
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


def write_agent(path: Path, answer: str = "masks.argmax(axis=1)", name: str = "Mine") -> str:
    path.write_text(AGENT.format(name=name, answer=answer), encoding="utf-8")
    return f"{path}:{name}"


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("four") / "board"
    climb(folder)
    return folder


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The matches that are played from now on."""
    found: list[tuple[str, ...]] = []

    def spy(config: MatchConfig, **options: Any) -> Any:
        found.append(config.names)
        return play_match(config, **options)

    monkeypatch.setattr(ladder, "play_match", spy)
    return found


# --- ratings ------------------------------------------------------------------------------------------
def pair(first: int, second: int, shares: list[float] | float, deals: int = 100, games: int = 2) -> Pairing:
    return Pairing(first, second, games, np.full(deals, shares) if isinstance(shares, float) else np.array(shares))


def test_rating__odds_of_ten_to_one_are_400_points() -> None:
    ratings = rate([pair(0, 1, 10 / 11, deals=100_000)], 2, 1, 1000.0, seed=0)
    assert ratings.values.tolist() == pytest.approx([1400, 1000], abs=0.1)
    assert ratings.expect(0, 1) == pytest.approx(10 / 11, abs=1e-4)


def test_rating__strengths_are_found_again_though_some_never_meet() -> None:
    true = np.array([1250.0, 1000.0, 1111.0, 700.0])
    met = [(0, 1), (0, 2), (0, 3), (1, 3)]  # 1 and 2 meet only through 0, 2 and 3 too
    odds = [(a, b, 1 / (1 + 10 ** ((true[b] - true[a]) / 400))) for a, b in met]
    ratings = rate([pair(a, b, share, deals=50_000) for a, b, share in odds], 4, 1, 1000.0, seed=0)
    assert ratings.values.tolist() == pytest.approx(true.tolist(), abs=0.2)


def test_rating__a_shared_win_is_half_a_win_to_each() -> None:
    tied = rate([pair(0, 1, 0.5)], 2, 1, 1000.0, seed=0)
    assert tied.values.tolist() == pytest.approx([1000, 1000])
    shared = rate([pair(0, 1, [0.5, 1.0] * 50)], 2, 1, 1000.0, seed=0)
    won = rate([pair(0, 1, [0.75, 0.75] * 50)], 2, 1, 1000.0, seed=0)
    assert shared.values.tolist() == pytest.approx(won.values.tolist())


@pytest.mark.parametrize("deals", [10, 1000])
def test_rating__who_never_wins_is_rated_by_the_added_draw(deals: int) -> None:
    ratings = rate([pair(0, 1, 0.0, deals=deals)], 2, 1, 1000.0, seed=0)
    lost = 2 * deals + ADDED / 2
    assert ratings.values[0] == pytest.approx(1000 - SCALE * np.log(lost / (ADDED / 2)), abs=0.01)


def test_interval__is_of_the_difference_to_the_anchor() -> None:
    ratings = rate([pair(0, 1, [0.0, 1.0] * 50), pair(1, 2, [1.0, 0.5] * 50)], 3, 1, 1000.0, seed=0)
    assert (ratings.low[1], ratings.high[1]) == (1000, 1000)
    assert (ratings.low < ratings.values).tolist() == [True, False, True]
    assert (ratings.values < ratings.high).tolist() == [True, False, True]


def test_interval__resamples_deals_and_not_games() -> None:
    fair = rate([pair(0, 1, 0.5)], 2, 1, 1000.0, seed=0)  # each wins one game of each deal
    swept = rate([pair(0, 1, [0.0, 1.0] * 50)], 2, 1, 1000.0, seed=0)  # each wins both games of every other deal
    assert fair.high[0] - fair.low[0] == pytest.approx(0)
    width = 2 * 1.96 * SCALE * 0.5 / np.sqrt(100) / 0.25  # of log-odds at one half, from 100 independent deals
    assert swept.high[0] - swept.low[0] == pytest.approx(width, rel=0.15)


def test_interval__a_deal_is_drawn_for_all_matches_at_once() -> None:
    good = [0.0, 1.0] * 50
    together = rate([pair(0, 1, good), pair(2, 1, good)], 3, 0, 1000.0, seed=0)
    apart = rate([pair(0, 1, good), pair(2, 1, good[::-1])], 3, 0, 1000.0, seed=0)
    assert together.high[2] - together.low[2] == pytest.approx(0, abs=1e-6)
    assert apart.high[2] - apart.low[2] > 100


def test_interval__four_times_the_deals_halve_it() -> None:
    few, many = (rate([pair(0, 1, [0.0, 1.0] * half)], 2, 1, 1000.0, seed=0) for half in (50, 200))
    assert (few.high[0] - few.low[0]) / (many.high[0] - many.low[0]) == pytest.approx(2, rel=0.15)


# --- who meets whom -----------------------------------------------------------------------------------
def test_ladder__everybody_meets_everybody_but_automas() -> None:
    options = ladder.Options(add=("b.py:B",))
    met = [frozenset(match.names) for match in options.matches()]
    names = ("b.py:B", *AGENTS, *AUTOMA_NAMES)
    assert options.participants[: -len(AUTOMA_NAMES)] == tuple(sorted({*names} - {*AUTOMA_NAMES}))
    wanted = {
        frozenset((one, other))
        for one in names
        for other in names
        if one != other and not {one, other} <= {*AUTOMA_NAMES}
    }
    assert set(met) == wanted
    assert len(met) == len(wanted)


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
    assert content["fixed"]["map"]["name"] == "mini"
    assert content["fixed"]["rules"]["contracts_to_end"] == 1
    assert content["software"]["git"] is None or content["software"]["git"]["commit"]
    for text in (content["fixed"]["map"]["sha256"], content["fixed"]["game_sha256"], hash_agent("greedy")):
        assert len(text) == 64
    hashes = {entry["name"]: entry["sha256"] for entry in content["participants"]}
    assert hashes["greedy"] == hash_agent("greedy") != hashes["random"]
    assert hashes["automa:easy"] is None


def test_ladder__totals_and_seats_are_those_of_the_matches(four: Path) -> None:
    content = read(four)
    (greedy,) = (row for row in content["ratings"] if row["name"] == "greedy")
    own = [match for match in content["matches"] if "greedy" in match["names"]]
    assert greedy["games"] == sum(match["games"] for match in own) == 8 + 4 + 4
    assert greedy["wins"] == pytest.approx(sum(np.sum(match["shares"]) * match["games"] / 4 for match in own))
    between = own[0]["results"]["agents"][0]
    assert greedy["between_agents"] == {
        "games": 8,
        "by_seat": between["by_seat"],
        "by_turn": between["by_turn"],
    }


def test_ladder__anchor_is_where_it_is_said(four: Path) -> None:
    (anchor,) = (row for row in read(four)["ratings"] if row["name"] == "automa:normal")
    assert (anchor["rating"], anchor["low"], anchor["high"]) == (1000, 1000, 1000)


# --- going on -----------------------------------------------------------------------------------------
def test_resume__nothing_is_played_twice(four: Path, played: list[tuple[str, ...]]) -> None:
    before = read(four)
    assert keep(climb(four)) == keep(before)
    assert played == []


def test_resume__an_added_agent_plays_its_own_matches_only(
    four: Path, tmp_path: Path, played: list[tuple[str, ...]]
) -> None:
    folder = tmp_path / "board"
    folder.mkdir()
    (folder / "ladder.json").write_bytes((four / "ladder.json").read_bytes())
    mine = write_agent(tmp_path / "mine.py")
    content = climb(folder, only=[mine, *FOUR])
    assert len(played) == len(FOUR)
    assert all(mine in names for names in played)
    assert mine in {row["name"] for row in content["ratings"]}
    played.clear()
    assert keep(climb(folder))["ratings"] == keep(read(four))["ratings"]  # and without it again
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
    names = [mine, "random", "automa:normal"]
    climb(tmp_path / "board", only=names)
    played.clear()
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(text + "# changed\n", encoding="utf-8")
    climb(tmp_path / "board", only=names)
    assert played == []
    (tmp_path / "mine.py").write_text(text + "changed = 1\n", encoding="utf-8")
    content = climb(tmp_path / "board", only=names)
    assert played == [(mine, "random"), (mine, "automa:normal")]
    assert len(content["matches"]) == 3


def test_resume__another_ladder_is_not_replaced_unasked(
    four: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[str, ...]]
) -> None:
    folder = tmp_path / "board"
    folder.mkdir()
    (folder / "ladder.json").write_bytes((four / "ladder.json").read_bytes())
    words = ["--out", str(folder), "--only", "random", "--only", "automa:normal", *SHORT, "--deals", "3"]
    assert ladder.main(words) == 2
    assert "is another ladder, deals differ: name another --out, or say --fresh" in capsys.readouterr().err
    assert (folder / "ladder.json").read_bytes() == (four / "ladder.json").read_bytes()
    assert ladder.main([*words, "--fresh"]) == 0
    assert name_matches(read(folder)) == played == [("random", "automa:normal")]
    assert ladder.main([*words, "--fresh"]) == 0
    assert len(played) == 2


# --- bad input ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*PLAIN, "--only", "nobody"], "agent 'nobody': allowed are"),
        ([*PLAIN, "--only", "automa:brutal"], "opponent 'automa:brutal': allowed Automas are"),
        ([*PLAIN, "--only", "random"], "random: named twice"),
        ([*PLAIN, "--only", "no.py:X"], "agent file 'no.py': there is no such file"),
        ([*PLAIN, "--only", "no.safetensors"], "safetensors"),
        (["--only", "greedy"], "greedy: a ladder needs two participants or more"),
        (["--only", "automa:easy", "--only", "automa:normal"], "of which one is an agent"),
        (
            ["--only", "greedy", "--only", "automa:easy"],
            "anchor='automa:normal': a participant is allowed: greedy, auto",
        ),
        ([*PLAIN, "--add", "random"], "--add and --only cannot be given together"),
        ([*PLAIN, "--deals", "1"], "deals=1: 2 to 1000000 are allowed"),
        ([*PLAIN, "--seed", "-1"], "seed=-1: 0 to"),
        ([*PLAIN, "--map", "nowhere"], "nowhere"),
        (["--deals", "many"], "parsing --deals: invalid literal for int() with base 10: 'many'"),
        (["--page-only"], "ladder.json: there is no such file"),
    ],
)
def test_bad_input__is_refused_before_anything_is_played(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[str, ...]]
) -> None:
    assert ladder.main(["--out", str(tmp_path / "board"), "--quiet", *words]) == 2
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
    assert ladder.main(["--out", str(tmp_path), *PLAIN, "--quiet", "--fresh"]) == 2
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
def test_own_agent__the_example_plays_matches_and_ladders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main([EXAMPLE, "--against", "random", *SHORT]) == 0
    words = ["--only", EXAMPLE, "--only", "random", "--only", "automa:normal", *SHORT]
    assert evaluate.main(["ladder", "--out", str(tmp_path / "board"), *words]) == 0
    assert "HastyAgent" in capsys.readouterr().out


def test_own_agent__the_example_beats_random() -> None:
    config = MatchConfig(EXAMPLE, ("random",), map="mini", contracts="mini", deals=20)
    shares = play_match(config, make_agent=make_any_agent).games.shares[:, :, 0]
    assert shares.mean() > 0.7


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: f"{path}/none.py:Mine", "there is no such file"),
        (lambda path: write_agent(path / "a.py").replace("Mine", "Other"), "has no class Other"),
        (lambda path: write_agent(path / "b.py", "syntax error"), "raises SyntaxError"),
        (lambda path: write_agent(path / "c.py", "0\nMine = 3"), "has no class Mine"),
        (lambda path: write_agent(path / "d.py", "0\n    def __init__(self, a): pass"), r"Mine() raises TypeError"),
        (lambda path: write_agent(path / "e.py", "0\nclass Mine: encoding = None"), "it has no reset, act"),
    ],
)
def test_own_agent__what_cannot_be_used_is_refused_with_the_reason(
    make: Callable[[Path], str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate.main([make(tmp_path), "--against", "random", *SHORT]) == 2
    assert message in capsys.readouterr().err


def test_own_agent__illegal_actions_are_named(tmp_path: Path) -> None:
    name = write_agent(tmp_path / "wrong.py", "np.zeros(len(masks))")
    with pytest.raises(ValueError, match=r"wrong.py:Mine: its answer must be \d+ integers"):
        ladder.main(["--out", str(tmp_path / "board"), "--only", name, "--only", "automa:normal", *SHORT])


# --- what an agent is ---------------------------------------------------------------------------------
def test_hash__is_over_all_files_of_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    from steam_env.evaluation import agent_names

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
