"""Benchmarks of speed: programs that measure, their results as JSON, and the page made of them.

``python -m benchmarks`` measures all and writes ``docs/performance.md``. Parts of it: ``python -m
benchmarks.throughput`` (this package alone), ``python -m benchmarks.peers`` (beside other environments, which the
extra ``peers`` installs) and ``python -m benchmarks.report`` (the page, from the JSON).
"""
