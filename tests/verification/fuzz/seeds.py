"""By target what the fuzzer starts from, of both games."""

from tests.verification.fuzz import corpus, corpus_steam

SEEDS = corpus.STEAM_POWER_SEEDS | {f"steam_{target}": texts for target, texts in corpus_steam.SEEDS.items()}
