"""Intervals of rates and means: they agree with tables, and hold the truth as often as they say."""

import numpy as np
import pytest

from steam_env.evaluation.intervals import count_effective, estimate_mean, estimate_rate, find_t, find_wilson


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_t__agrees_with_the_table(degrees: int, quantile: float) -> None:
    assert find_t(degrees) == pytest.approx(quantile, rel=2e-3)


@pytest.mark.parametrize(
    ("mean", "games", "low", "high"),
    [(0.8, 10, 0.4902, 0.9433), (0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0), (0.5, 100, 0.4038, 0.5962)],
)
def test_wilson__agrees_with_the_table(mean: float, games: float, low: float, high: float) -> None:
    assert find_wilson(mean, games, 1.959964) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("deals", "effective", "bounds"),
    [
        (np.tile([0.0, 1.0], 50), 99, (0.4026, 0.5974)),  # all games of a deal won, or none: it counts as one game
        (np.tile([0.0, 1.0, 0.5, 0.5], 25), 198, (0.4308, 0.5692)),
        (np.zeros(50), None, (0.0, 0.0747)),  # all or nothing leaves room for doubt
        (np.ones(50), None, (0.9253, 1.0)),
        (np.ones(1), None, (0.2065, 1.0)),  # one deal says next to nothing
    ],
)
def test_rate__deals_are_what_counts_not_games(
    deals: np.ndarray, effective: float | None, bounds: tuple[float, float]
) -> None:
    estimate = estimate_rate(deals)
    assert estimate.mean == deals.mean()
    assert (estimate.low, estimate.high) == pytest.approx(bounds, abs=1e-3)
    assert effective is None or count_effective(deals) == pytest.approx(effective)


def test_rate__interval_holds_the_truth_as_often_as_it_says() -> None:
    deals = np.random.default_rng(0).binomial(2, 0.3, (1500, 40)) / 2
    estimates = [estimate_rate(row) for row in deals]
    held = np.mean([estimate.low <= 0.3 <= estimate.high for estimate in estimates])  # type: ignore[operator]
    assert 0.93 < held < 0.97


def test_mean__interval_of_known_values_and_none_of_one_deal() -> None:
    estimate = estimate_mean(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert (estimate.mean, estimate.low, estimate.high) == pytest.approx((3.0, 1.0368, 4.9632), abs=5e-3)
    single = estimate_mean(np.array([7.0]))
    assert (single.mean, single.low, single.high) == (7.0, None, None)
