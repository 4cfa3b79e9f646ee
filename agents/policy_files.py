"""Files of trained policies: weights as safetensors, with what they were trained for. Needs the extra `train`.

Beside the weights a file holds ``about``, a JSON text: its format, the net's configuration, the game, SHA-256
hashes of the observation layout and of the action list, and whatever else is known of the training.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steam_env.agents.networks import USUAL, find_network, find_network_of
from steam_env.agents.trained import TrainedAgent
from steam_env.kit.errors import MissingExtraError, NotFiniteError
from steam_env.kit.files import write_whole
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.spec import GameSpec, find_known, find_spec, list_games

if TYPE_CHECKING:
    from torch import Tensor

SUFFIX = ".safetensors"
FORMAT = "steam_env policy 2"
WITHOUT_HASHES = "steam_env policy 1"  # the format before: the same without game and hashes
MOST_NETWORKS = 8  # that are kept for the next agent of the same file
NET = "net"  # the entry that names a net other than the usual one
FITTING = {  # what a file must have in common with this version
    "game": "game",
    "layout_sha256": "observation layout",
    "actions_sha256": "action list",
}


def load_policy(name: str | os.PathLike[str], *, is_greedy: bool = True) -> TrainedAgent:
    """A trained policy by the name of a shipped one, or by the path of a file. Its net is shared: change a copy.

    Raises:
        ValueError: naming what is there, what is wrong with the file, or what it was trained for that is not here.
        MissingExtraError: without the extra `train`.

    Example:
        >>> load_policy("duel")  # doctest: +SKIP
    """
    path = find_policy(name)
    stamp = path.stat()
    network, encoding, about = _load_network(path, path.resolve(), stamp.st_mtime_ns, stamp.st_size)
    return TrainedAgent(network, encoding, is_greedy=is_greedy, about=copy.deepcopy(about))


@lru_cache(maxsize=MOST_NETWORKS)
def _load_network(path: Path, *stamp: Path | int) -> tuple[Any, str, dict[str, Any]]:
    """The net of a policy's file, its encoding, and what the file tells of it; kept until the file changes."""
    about, weights = read_policy(path)
    try:
        import torch  # noqa: F401 - nets need it
    except ImportError as error:
        raise _need_extra(error) from None
    spec = check_fit(path, about)
    kind = find_network(spec, about.get(NET, USUAL))
    try:
        network = kind.network(kind.config(**about["network"]))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path}: no network can be made as it says: {error}") from None
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError(f"{path}: its weights are not those of this version's network: {error}") from None
    return network, kind.find_encoding(spec).name, about


def find_policy(name: str | os.PathLike[str]) -> Path:
    """The file of a policy.

    Raises:
        ValueError: for a name that is neither a shipped policy nor a file.
    """
    shipped = list_shipped()
    if name in shipped:
        return Path(str(files("steam_env.agents") / "policies" / f"{name}{SUFFIX}"))
    path = Path(name)
    if path.suffix != SUFFIX and not path.exists():
        raise ValueError(f"policy {str(name)!r}: {', '.join(map(repr, shipped))} or a file *{SUFFIX} is allowed")
    if not path.is_file():
        raise ValueError(f"policy {str(name)!r}: {'is a folder' if path.is_dir() else 'there is no such file'}")
    if path.suffix != SUFFIX:
        raise ValueError(f"policy {str(name)!r}: a file *{SUFFIX} is allowed")
    return path


def list_shipped() -> tuple[str, ...]:
    """The names of the shipped policies of all games."""
    return tuple(name for game in list_games() for name in find_spec(game).players.policies)


def find_game_of(name: str) -> GameSpec:
    """The game of a shipped policy.

    Raises:
        ValueError: for another name.
    """
    for game in list_games():
        if name in find_spec(game).players.policies:
            return find_spec(game)
    raise ValueError(f"name={name!r}: {', '.join(map(repr, list_shipped()))} is allowed")


def read_policy(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What a policy file tells about itself, and its weights by name, which are finite; nothing else is checked.

    Raises:
        ValueError: if it cannot be read, or naming a weight that is not finite.
        MissingExtraError: without the extra `train`.
    """
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise _need_extra(error) from None
    try:
        with safe_open(path, framework="pt") as content:
            about = parse_json((content.metadata() or {}).get("about", "{}"))
            weights = {key: content.get_tensor(key) for key in content.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: no policy can be read: {error}") from None
    if not isinstance(about, dict):
        raise ValueError(f"{path}: no policy can be read: what it tells about itself is no table")
    check_finite(str(path), weights)
    return about, weights


def save_policy(network: Any, path: str | os.PathLike[str], about: dict[str, Any], game: str | None = None) -> None:
    """Write a net as a policy file of this version, with what else is to be known ``about`` it: JSON.

    Raises:
        NotFiniteError: naming a weight that is not finite.
        OSError: if it cannot be written.
    """
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    spec = find_spec(game)
    write_policy(Path(path), {**tell_network(spec, network.config), **about}, weights, spec)


def write_policy(path: Path, about: dict[str, Any], weights: dict[str, Tensor], spec: GameSpec) -> None:
    """Write weights as a policy file of this version: with its format, game and hashes.

    Raises:
        NotFiniteError: naming a weight that is not finite.
        OSError: if it cannot be written; an older file stays as it was.
    """
    from safetensors.torch import save

    check_finite(str(path), weights)
    told = {**about, "format": FORMAT, **describe_fit(spec, about.get(NET, USUAL))}
    write_whole(path, save(weights, {"about": dump_json(told, sort_keys=True)}))


def check_finite(what: str, tensors: Mapping[str, Tensor]) -> None:
    """Refuse tensors that hold infinite values, or some that are no numbers: whatever follows from them means nothing.

    Raises:
        NotFiniteError: naming what, the first of the tensors, and how much of it is not finite.
    """
    for name, tensor in tensors.items():
        wrong = tensor.numel() - int(tensor.isfinite().sum())
        if wrong:
            raise NotFiniteError(f"{what}: {name}: {wrong} of {tensor.numel()} values are not finite")


def _need_extra(error: ImportError) -> MissingExtraError:
    return MissingExtraError(f"{error}; trained policies need: pip install 'steam-env[train]'")


# --- what a policy fits to ----------------------------------------------------------------------------


def check_fit(path: Path, about: dict[str, Any]) -> GameSpec:
    """The game that a file was trained for; one for another observation layout or action list is refused.

    Raises:
        ValueError: naming what the file tells and what is here, or how a file without hashes gets them.
    """
    if about.get("format") == WITHOUT_HASHES:
        raise ValueError(
            f"{path}: it does not tell which observation layout and action list it was trained with; if they are those "
            f"of this version: python -m steam_env.commands.convert_policy {shlex.quote(str(path))}"
        )
    if about.get("format") != FORMAT:
        raise ValueError(f"{path}: format {about.get('format')!r}: {FORMAT!r} is allowed")
    try:
        spec = find_known(about.get("game"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    try:
        fit = describe_fit(spec, about.get(NET, USUAL))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    for name, here in fit.items():
        if about.get(name) != here:
            raise ValueError(
                f"{path}: trained with another {FITTING[name]}: {about.get(name)} in the file, {here} here"
            )
    return spec


def tell_network(spec: GameSpec, config: Any) -> dict[str, Any]:
    """Which net a policy is, and how large: entries of its file."""
    kind = find_network_of(spec, config)
    return {"network": asdict(config), **({NET: kind.name} if kind.name != USUAL else {})}


def describe_fit(spec: GameSpec, net: str = USUAL) -> dict[str, str]:
    """What a policy of this version is trained for if it is this net, by the names in ``FITTING``."""
    layout = hash_fields(find_network(spec, net).find_encoding(spec).parts, "name", "start", "length", "scale", "low")
    actions = hash_fields(spec.facts.blocks, "name", "start", "length")
    return dict(zip(FITTING, (spec.game, layout, actions), strict=True))


def hash_fields(rows: Iterable[object], *names: str) -> str:
    """SHA-256 over these attributes of each of the rows, in their order."""
    told = [[getattr(row, name) for name in names] for row in rows]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
