"""The rules core: the game and nothing else, as compiled kernels over NumPy records."""
