"""The hashes of frozen protocols. Written by ``python -m steam_env.evaluation.protocol --freeze``: do not edit."""

FROZEN: dict[str, dict[str, str]] = {
    "v0": {
        "map": "73cb723f1f8a0261e4b0b97bb4bc1afa109c7b85efd16ab599b35f16c6142720",
        "deck": "61ddb77a673c9f2035a052ca8fde0edd1c5091ad1fc3bbf6e844e5fda75ac5e9",
        "greedy": "8d745a268abc02e595b9e5d16fda70ba96bbff741ae32634570e41980ef59278",
        "games": "4d2f4698e272d94c46622c130c242f012633f2607218828e7df7d11551812cc4",
    },
}
