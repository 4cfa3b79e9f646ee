"""What is hidden from every seat, for full-information states."""

import numpy as np

from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS, SOLO_COMPANIES
from steam_env.data.steam_power.setting import Setting


def write_secrets(records: np.ndarray, setting: Setting) -> np.ndarray:
    """(48,) float32: by contract its place in the deck of the only game; in solo (58,), the trains in the bag, too.

    The next draw is 1/48, the one after it 2/48, ...; 0 for what is not in the deck. Trains stand in the order of
    the bag, the next one first, each as (company + 1) / 5; 0 where there are no more.
    """
    record = records[0]
    deck = np.zeros(MAX_CONTRACTS, np.float32)
    order = record.deck_order[: record.deck_size][::-1]
    deck[order] = np.arange(1, len(order) + 1, dtype=np.float32) / MAX_CONTRACTS
    if not setting.is_solo:
        return deck
    bag = np.zeros(BAG_SIZE, np.float32)
    trains = record.bag[: record.bag_size][::-1]
    bag[: len(trains)] = (trains.astype(np.float32) + 1) / SOLO_COMPANIES
    return np.concatenate([deck, bag])
