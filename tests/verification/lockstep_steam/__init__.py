"""Random games of Steam in the kernels and in the reference engine, compared at every decision."""
