"""What holds for all tests."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of networks: threads that wait for each other take much longer
