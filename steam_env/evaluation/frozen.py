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
    "steam-v1": {
        "map great_lakes": "09e0eebb2e25ec82a726881d6c1c4d659394536046dd8145a3b274682a90c747",
        "tiles box": "8498671133705a6f6002817b3613cebb11d9741d8ec7940af1ca044218c40098",
        "map rhineland": "be28c9037d892bad2ca0826bc818f15bb799fff44cb6eb5bfef35140cf2f6dc6",
        "agent random": "bb7c4b1b292cda0301e4abfdd1fb8ac45e5464da16a430109ae2410d545e2b9b",
        "agent thrifty": "9477b338e33f972e50c10330e96dc6f5d0fc79e6bbaac9d9546019c27ca24e92",
        "agent greedy": "e1618a477c2e94fbbabe735b07f4f86d9a2ea7c3cdb862e952def5da88f4ebe0",
        "deals": "06e650e46db8072ee22673db302942429b07be21f8e9255e936dd9719afa12ff",
        "games": "3569fb151eea16daebbad0e8c728c37c78e6d8654e5b04724c629ec5f053d423",
    },
}
