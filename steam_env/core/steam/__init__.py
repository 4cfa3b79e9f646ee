"""The rules of Steam (2009) as kernels, one file for each chapter of the rules."""
