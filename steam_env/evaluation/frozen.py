"""The hashes of frozen protocols. Written by ``python -m steam_env.evaluation.protocol --freeze``: do not edit."""

FROZEN: dict[str, dict[str, str]] = {
    "v1": {
        "map midwest": "73cb723f1f8a0261e4b0b97bb4bc1afa109c7b85efd16ab599b35f16c6142720",
        "deck standard": "61ddb77a673c9f2035a052ca8fde0edd1c5091ad1fc3bbf6e844e5fda75ac5e9",
        "map alps": "557ea7ba6ed83abfc3727fcb816b894a07bca4e1359f6f4de45d91410b179536",
        "agent random": "bb7c4b1b292cda0301e4abfdd1fb8ac45e5464da16a430109ae2410d545e2b9b",
        "agent greedy": "8d745a268abc02e595b9e5d16fda70ba96bbff741ae32634570e41980ef59278",
        "deals": "1538783272d930b2627c02ebf07a22b493a1680daa752f30009e810a4c4edbca",
        "games": "3d0d7d1af32a3453b17a82f6994d1d3c7db04274df16275e1064884a273de798",
        "scripted": "5dedcbd5b96e8785766870795dbb68ecec99901c64377bdccb45a9e411ea6a9e",
    },
}
