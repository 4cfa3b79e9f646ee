"""The hashes of frozen protocols. Written by ``python -m steam_env.evaluation.protocol --freeze``: do not edit."""

FROZEN: dict[str, dict[str, str]] = {
    "v0": {
        "map": "73cb723f1f8a0261e4b0b97bb4bc1afa109c7b85efd16ab599b35f16c6142720",
        "deck": "61ddb77a673c9f2035a052ca8fde0edd1c5091ad1fc3bbf6e844e5fda75ac5e9",
        "greedy": "8baa70c902d897053e1bd58b132de2c318c11bab3fb08fbb8a26a2337662fbea",
        "games": "ebc51c41863146fd25b6c065ee9cf94089ca332ebdead99d1037d49a76cc3f6d",
    },
}
