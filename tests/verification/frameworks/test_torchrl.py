"""TorchRL on the PettingZoo environment. Skipped without the extra `torchrl`."""

import pytest

from steam_env import IllegalActionError
from tests.verification.frameworks.witness import Witness

pytest.importorskip("torchrl", reason="TorchRL is not installed: pip install -e '.[torchrl]'")
pytestmark = pytest.mark.filterwarnings("default")  # warnings of TorchRL are not ours


def test_ppo__plays_10000_decisions_without_an_illegal_action(witness: Witness) -> None:
    names = witness.run("torchrl")
    ends = names["steps"]["next", "done"].squeeze(-1)
    rewards = names["steps"]["next", "seats", "reward"].squeeze(-1)
    assert ends.any()
    assert (rewards[ends].sum(dim=1) == 0).all()  # winners get what losers pay
    assert (rewards[~ends] == 0).all()
    assert witness.decisions >= 10_000
    assert witness.illegal == 0
    assert witness.updates > 0
    witness.record("torchrl", ("torchrl", "tensordict"), "PPO in self-play on `PettingZooWrapper`, 2 seats")


def test_ppo__without_masks_plays_an_illegal_action(witness: Witness) -> None:
    unmasked = "distribution_class=lambda logits, mask: torch.distributions.Categorical(logits=logits)"
    with pytest.raises(IllegalActionError):
        witness.run("torchrl", instead=("distribution_class=MaskedCategorical", unmasked))
    assert witness.illegal
