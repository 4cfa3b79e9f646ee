"""The hashes of frozen protocols. Written by ``python -m steam_env.evaluation.protocol --freeze``: do not edit."""

FROZEN: dict[str, dict[str, str]] = {
    "v1": {
        "map midwest": "a8df1a3bcabffd429d1659d295037b8728ac3aee24a3f87acddac2e0de0ad440",
        "deck standard": "43477c7c1aa92b18ebfa844049257a942e9f7d894c0914e04fc1b7cb6529aa6f",
        "map alps": "c8ca19dc14fecc604c8f732bf8b31364e2c1f5d39f866ac088b20fe1ac8834ca",
        "agent random": "bb7c4b1b292cda0301e4abfdd1fb8ac45e5464da16a430109ae2410d545e2b9b",
        "agent greedy": "6f5fafb28f74b9fc2bf5cd124397efde2afb1a874633d3b85fcea8fe57d8bffd",
        "agent planner": "fe3ace7f789f5e6fb260d44d05f96bb64c6b7b80c9358725f298643edbafcf5c",
        "deals": "be5a06086558b00a460c6cc197c19b7db34c0fa72e2c96d65ecdfdad1f85cde9",
        "games": "a2ab7008bbdda4c3e9f69498c7563054c7711dd24b9955151aafe76045c53105",
        "scripted": "2e1d8742d1cbe9e8a5a31268ec999eaa6bf53572142e6681f121bc4e4060759b",
    },
}
