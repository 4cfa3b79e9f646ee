"""The hashes of frozen protocols. Written by ``python -m steam_env.evaluation.protocol --freeze``: do not edit."""

FROZEN: dict[str, dict[str, str]] = {
    "v1": {
        "map midwest": "7d0b8c5b6d504c88cb6a6746bfcead51951780c06da97a786f18e2b9274a580d",
        "deck standard": "43477c7c1aa92b18ebfa844049257a942e9f7d894c0914e04fc1b7cb6529aa6f",
        "map alps": "39e18a166a8448ed24a06a6040d0981d487efb417617b528c8154e2f02345cae",
        "agent random": "bb7c4b1b292cda0301e4abfdd1fb8ac45e5464da16a430109ae2410d545e2b9b",
        "agent greedy": "2c00145d3cc2187fa647f54ee8522753089b41e0d51dbb17b9f2e780e8c815d1",
        "agent planner": "640bb88aa0493e55ca4d0e8838a3a1448fecb35a4f42c0e4c66a4f877a717d97",
        "deals": "be5a06086558b00a460c6cc197c19b7db34c0fa72e2c96d65ecdfdad1f85cde9",
        "games": "988fec4d66e0d389a96024476cfde91a44cb15a00cf1d31e7cdde37ae820aa7e",
        "scripted": "7ec7cac5679aaf8c0e081465a1fc8868051d5a8a31338eac446d9a54e88fcf48",
    },
    "gen-v1": {
        "set gen-v1:train": "88f920e914d4e8f1fa653c18e0ed0bc7093a2a6dd36f43c49f1abf636e4937c7",
        "set gen-v1:test": "c821fc0b98a56d0e74cecdc29579b8f37c1896e9a2ed9f2e0d3a16f83b53036c",
        "set gen-v1:ood": "dd22dcc0b25443521bd2b21f3f63af1dc35ac8eaea9bb40e9f72d68af78811d5",
        "set gen-v1:hand": "79f411c6036d3e7715d1fd07ec7a5ecd8d45dbe02740a3187cb079c6df35fa40",
        "agent greedy": "2c00145d3cc2187fa647f54ee8522753089b41e0d51dbb17b9f2e780e8c815d1",
        "deals": "ea34fcce651a8b2ee7a267503a435f80db9e6e50095f933af18211e53471d363",
        "games": "155f485669160f1d930160c4e640ada98a7b6c94b690d94245ed465806267ac1",
        "scripted": "e01d181fa078f981fdac4677308322d9ff0c8a4fbd92ccb1c3e1cc69d4875080",
    },
    "v1-search": {
        "map midwest": "7d0b8c5b6d504c88cb6a6746bfcead51951780c06da97a786f18e2b9274a580d",
        "deck standard": "43477c7c1aa92b18ebfa844049257a942e9f7d894c0914e04fc1b7cb6529aa6f",
        "map alps": "39e18a166a8448ed24a06a6040d0981d487efb417617b528c8154e2f02345cae",
        "agent greedy": "2c00145d3cc2187fa647f54ee8522753089b41e0d51dbb17b9f2e780e8c815d1",
        "agent planner": "640bb88aa0493e55ca4d0e8838a3a1448fecb35a4f42c0e4c66a4f877a717d97",
        "deals": "5ae20473ab427b85535da82ccf0b5ae66b2193bb70a03acf0b696f328025435a",
        "games": "63d4381ae2673e5b4fe9bccbb22f39cc3aac36e8fa57f37761f358e643a3de3e",
        "scripted": "d4d6242e4732944a331831abd8db3c5f5cb50dc4d321c0a2dd2c51cc699f48e7",
    },
}
