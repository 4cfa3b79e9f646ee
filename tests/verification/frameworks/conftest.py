"""The witness of a framework's run."""

from collections.abc import Iterator

import pytest

from tests.verification.frameworks.witness import Witness


@pytest.fixture
def witness(monkeypatch: pytest.MonkeyPatch) -> Iterator[Witness]:
    """Counts decisions of PettingZoo environments, and updates; PyTorch has one thread meanwhile."""
    import torch  # every module of tests here looks for its framework first
    from torch.optim.optimizer import register_optimizer_step_post_hook

    watching = Witness()
    watching.watch_games(monkeypatch)

    def count(*_: object) -> None:
        watching.updates += 1

    hook, threads = register_optimizer_step_post_hook(count), torch.get_num_threads()
    torch.set_num_threads(1)  # more threads than free cores make small networks slow
    yield watching
    torch.set_num_threads(threads)
    hook.remove()
