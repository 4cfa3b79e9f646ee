"""Self-play training: MaskablePPO of sb3-contrib on ``SteamVecEnv``, with a league of past policies. Extra `train`."""
