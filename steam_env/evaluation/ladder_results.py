"""What the matches of a ladder come to: ratings, totals of each participant, and how well the ratings fit.

In a match one participant sits alone, the other has all other seats; with two seats both sit alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from steam_env.evaluation.kept import Content
from steam_env.evaluation.match import MatchResult
from steam_env.evaluation.ratings import FloatArray, Pairing, Ratings, rate


def find_lone(names: Sequence[str]) -> int:
    """The place of who sits alone at the table; with two seats that of the first."""
    return next(place for place, name in enumerate(names) if list(names).count(name) == 1)


def list_matches(content: Content) -> list[Content]:
    """The matches of the participants; the file may hold more, of earlier participants."""
    names = {entry["name"] for entry in content["participants"]}
    return [match for match in content["matches"] if names.issuperset(match["names"])]


def measure_ahead(result: MatchResult) -> FloatArray:
    """(deals,) how often who sits alone is ahead of each other seat; who has the same place is half ahead."""
    ranks, lone = result.games.ranks, find_lone(result.config.names)
    others = np.delete(ranks, lone, axis=2)
    return np.asarray((np.sign(others - ranks[:, :, [lone]]) + 1).mean(axis=(1, 2)) / 2)


# --- ratings ------------------------------------------------------------------------------------------


def rate_all(content: Content) -> Content:
    """The ratings, from the best down, and how well they fit, from the matches of the participants."""
    names = [entry["name"] for entry in content["participants"]]
    matches = list_matches(content)
    pairings = pair_up(names, matches)
    anchor = content["anchor"]
    ratings = rate(pairings, len(names), names.index(anchor["name"]), anchor["rating"], content["fixed"]["seed"])
    order = np.argsort(-ratings.values, kind="stable").tolist()
    rows = [_tell_one(names[number], number, ratings, matches) for number in order]
    return {"ratings": rows, "fit": _tell_fit(names, pairings, ratings)}


def pair_up(names: Sequence[str], matches: Sequence[Content]) -> list[Pairing]:
    """The games of each pair of participants, by their numbers, from all its matches."""
    pairs: dict[tuple[int, int], list[tuple[int, FloatArray]]] = {}
    for match in matches:
        lone = names.index(match["names"][find_lone(match["names"])])
        other = next(number for number in map(names.index, match["names"]) if number != lone)
        ahead = np.array(match["ahead"], np.float64)
        pair = (min(lone, other), max(lone, other))
        told = (match["games"] // match["deals"], ahead if lone == pair[0] else 1.0 - ahead)
        pairs.setdefault(pair, []).append(told)
    return [_join(pair, several) for pair, several in pairs.items()]


def _join(pair: tuple[int, int], several: Sequence[tuple[int, FloatArray]]) -> Pairing:
    games = sum(count for count, _ in several)
    total = np.sum([count * ahead for count, ahead in several], axis=0)
    return Pairing(*pair, games, total / games)


def _tell_one(name: str, number: int, ratings: Ratings, matches: Sequence[Content]) -> Content:
    """The entry of one participant: its rating, and its results over all matches in which it sits alone."""
    own = [match for match in matches if match["names"].count(name) == 1]
    between = [match for match in own if None not in match["sha256"]]  # of agents: what the rules play has no hash
    is_agent = all(match["sha256"][match["names"].index(name)] for match in own)
    agents = [match["results"]["agents"][match["names"].index(name)] for match in own]
    games, wins = sum(agent["games"] for agent in agents), sum(agent["wins"] for agent in agents)
    return {
        "name": name,
        "rating": float(ratings.values[number]),
        "low": float(ratings.low[number]),
        "high": float(ratings.high[number]),
        "games": games,
        "wins": wins,
        "win_rate": wins / games,
        "between_agents": _tell_seats(name, between) if is_agent else None,
    }


def _tell_seats(name: str, matches: Sequence[Content]) -> Content | None:
    """Win rates by seat and by place in the turn order; None without a match against another agent.

    Each match holds as many games on each seat, and as many as first player, so that means of matches are means of
    games. Against Automas an agent is always player_0 and first (rule 8.1).
    """
    if not matches:
        return None
    agents = [match["results"]["agents"][match["names"].index(name)] for match in matches]
    return {
        "games": sum(agent["games"] for agent in agents),
        "by_seat": np.mean([agent["by_seat"] for agent in agents], axis=0).tolist(),
        "by_turn": np.mean([agent["by_turn"] for agent in agents], axis=0).tolist(),
    }


def _tell_fit(names: Sequence[str], pairings: Sequence[Pairing], ratings: Ratings) -> Content:
    """How far who is ahead how often is from what the ratings predict: one number does not tell all of a strength."""
    played = np.array([pairing.shares.mean() for pairing in pairings])
    expected = np.array([ratings.expect(pairing.first, pairing.second) for pairing in pairings])
    gaps = np.abs(played - expected)
    worst = int(gaps.argmax())
    return {
        "mean_gap": float(gaps.mean()),
        "largest": {
            "names": [names[pairings[worst].first], names[pairings[worst].second]],
            "win_rate": float(played[worst]),
            "expected": float(expected[worst]),
        },
    }
