# The checks that take longer than the tests. `make lockstep MINUTES=10 SEED=3 PROCESSES=2`
PYTHON ?= python
MINUTES ?= 10
SEED ?= 1
PROCESSES ?= 1
TORCH ?= torch
FRAMEWORKS ?=

.PHONY: coverage goldens learning lockstep lockstep-steam mutants fuzz browser-test benchmarks processes frameworks
lockstep:  ## random games in the core and in the reference engine, compared at every decision
	$(PYTHON) -m tests.verification.lockstep --minutes $(MINUTES) --seed $(SEED) --processes $(PROCESSES)

lockstep-steam:  ## the same of Steam
	$(PYTHON) -m tests.verification.lockstep_steam --minutes $(MINUTES) --seed $(SEED) --processes $(PROCESSES)

mutants:  ## deliberate faults in the rules, each of which the tests must notice
	$(PYTHON) -m tests.verification.mutants --processes $(PROCESSES) --output docs/trust/mutants.json
	$(PYTHON) -m tests.verification.mutants --game steam --processes $(PROCESSES) --output docs/trust/steam-mutants.json

fuzz:  ## inputs that try to break the readers; needs the extra `fuzz`
	$(PYTHON) -m tests.verification.fuzz --minutes $(MINUTES) --seed $(SEED)

browser-test:  ## clicks through a replay and games; needs chromium and chromium-driver (apt-get), the extras `test` and `browser`
	STEAM_ENV_BROWSER=required $(PYTHON) -m pytest tests/test_replay_browser.py tests/test_web_browser.py

benchmarks:  ## docs/performance.md: about ten minutes on a machine left alone; needs the extras `bench` and `peers`
	$(PYTHON) -m benchmarks

processes:  ## threads, processes, cold and damaged caches, memory
	$(PYTHON) -m tests.verification.processes

frameworks:  ## docs/frameworks.md: training frameworks, each in a virtual environment of its own; TORCH chooses a build
	$(PYTHON) -m tests.verification.frameworks --torch "$(TORCH)" $(FRAMEWORKS)

learning:  ## the preset `quick` from random weights must beat random in 95 of 100 games; needs the extra `train`
	$(PYTHON) -m tests.verification.learning

coverage:  ## line coverage of the Python that is not compiled, by the whole suite
	$(PYTHON) -m pytest -n 2 --cov=steam_env --cov-report=term:skip-covered

goldens:  ## records, observations, files, texts, agents, programs are what they were; needs the extra `train`
	$(PYTHON) -m tests.verification.goldens --all
