"""PettingZoo AEC environment."""
