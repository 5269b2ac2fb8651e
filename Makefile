# signalbox: `make help` lists the targets.

# Installation directories of `make install`. The units and the programs' paths in them follow PREFIX; the configuration is
# always in /etc/signalbox, where the daemon expects it.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# The engine of `make image`: docker or podman
ENGINE ?= docker
IMAGE ?= signalbox
VERSION = $(shell scripts/version)

# The folder of release builds. In one below .build they run beside a debug build, for which the package manager locks .build.
BUILD_PATH ?= .build
# The programs report the commit, and their build ID identifies the debug symbols.
SWIFT_BUILD = SIGNALBOX_COMMIT=$$(scripts/commit) \
  $(SWIFT) build -c release --scratch-path $(BUILD_PATH) --static-swift-stdlib -Xlinker --build-id
PROGRAMS ?= .build/release
# The folder of `make pictures` for those that the documentation does not show
PICTURES ?= .build/pictures
BINARIES = $(PROGRAMS)/signalboxd $(PROGRAMS)/signalbox $(PROGRAMS)/signalbox-http $(PROGRAMS)/signalbox-bridge
SYSTEM_UNITS = signalbox.service signalbox.socket signalbox@.service signalbox@.socket \
  signalbox-http.service signalbox-http.socket signalbox-bridge.service signalbox-bridge@.service
USER_UNITS = signalbox.service signalbox.socket signalbox-bridge.service
# The units that instances have, too
INSTANCE_UNITS = signalbox.service signalbox.socket signalbox-bridge.service
AT_PREFIX = sed 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,'
# Manual pages, completions and the schema for editors, as installed below share
SHARED = $(patsubst share/%,%,$(wildcard share/signalbox/* share/man/*/* share/*/completions/* share/*/site-functions/* \
  share/*/vendor_completions.d/*))

bin = $(DESTDIR)$(PREFIX)/bin
lib = $(DESTDIR)$(PREFIX)/lib
share = $(DESTDIR)$(PREFIX)/share
etc = $(DESTDIR)/etc/signalbox
INSTALLED_UNITS = $(addprefix $(lib)/systemd/system/,$(SYSTEM_UNITS)) $(addprefix $(lib)/systemd/user/,$(USER_UNITS))

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: help demo build units test test-restarts test-watched test-no-fusion test-long test-sanitized handover-test kill-test fuzz soak test-system cluster-demo lint bench-core bench-expressions bench-graphs bench-buses bench-handover bench-bridge bench-state docs image install uninstall clean test-clients deb portable release pictures

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

demo: ## Build, run on this machine's own statistics, print events until Ctrl-C or for DEMO_SECONDS
	@scripts/dependencies build demo
	@$(MAKE) --no-print-directory build
	@scripts/demo $(PROGRAMS)

build: ## Build the daemon, the client and the gateway, into .build/release
	$(SWIFT_BUILD) --product signalboxd
	$(SWIFT_BUILD) --product signalbox
	$(SWIFT_BUILD) --product signalbox-http
	$(SWIFT_BUILD) --product signalbox-bridge
	@[ $(BUILD_PATH) = .build ] || ln -sfn $(BUILD_PATH:.build/%=%)/release .build/release

test: ## Run all tests that need no root
	@scripts/dependencies build test
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	@scripts/test

test-restarts: ## Run the graph tests again, saving and restoring all graphs at every step
	@scripts/dependencies build test
	GRAPH_RESTARTS=1 $(SWIFT) test --explicit-target-dependency-import-check error --filter GraphTests

test-watched: ## Run the graph tests again, with provenance tracing enabled
	@scripts/dependencies build test
	GRAPH_WATCHED=1 $(SWIFT) test --explicit-target-dependency-import-check error --filter GraphTests

test-no-fusion: ## Run the graph tests again, making values of all inputs of expressions
	@scripts/dependencies build test
	GRAPH_NO_FUSION=1 $(SWIFT) test --explicit-target-dependency-import-check error --filter GraphTests

test-long: ## Run the scalable tests longer: random comparisons, stress, millions of clients and bytes
	@scripts/dependencies build test
	EXPRESSION_PAIRS=100000 $(SWIFT) test --filter DifferentialTests
	STRESS_EVENTS=10000000 $(SWIFT) test --filter StressTests
	RANDOM_GRAPHS=5000 $(SWIFT) test --filter RandomGraphTests
	RESTARTED_GRAPHS=2000 $(SWIFT) test --filter RestartOracleTests
	EXPLAINED_GRAPHS=1000 $(SWIFT) test --filter WhyStoryTests
	KILLED_GRAPHS=2000 $(SWIFT) test --filter KilledStoryTests
	CLUSTER_ROUNDS=10000 CLUSTER_LOSSES=1000 $(SWIFT) test --filter ClusterTests.Simulations
	FLIPPED_BITS=50000 KILLED_WRITERS=500 $(SWIFT) test --filter StateLogTests
	OWNER_CHANGES=3000 $(SWIFT) test --filter BusChaosTests
	STORM_SECONDS=3600 $(SWIFT) test --filter DaemonTests.Storms
	STALLED_MEGABYTES=500 $(SWIFT) test --filter DaemonTests.Fairness --no-parallel
	LINE_MEGABYTES=1000 CONNECTIONS=1000000 $(SWIFT) test --filter DaemonTests.Abuse --no-parallel
	$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=600

test-sanitized: ## Run the tests under the thread and the address sanitizer
	@scripts/dependencies build test
	scripts/test-sanitized

handover-test: ## Replace daemons HANDOVERS times (1000) under load: every byte must be the same
	@scripts/dependencies build test
	HANDOVERS=$$(( $(or $(HANDOVERS),1000) / 2 )) $(SWIFT) test --filter DaemonTests.Handover

kill-test: ## Kill daemons KILLS times (400) under load on durable graphs: nothing may be lost or duplicated
	@scripts/dependencies build test
	KILLS=$$(( $(or $(KILLS),400) / 2 )) $(SWIFT) test --filter DaemonTests.KillTests

fuzz: ## Fuzz the parsers with libFuzzer, each for FUZZ_SECONDS (10)
	@scripts/dependencies build test
	scripts/fuzz --seconds $(or $(FUZZ_SECONDS),10)

soak: build ## Put mixed load on the daemon for SOAK_SECONDS (3600), in rounds that must not leak
	Tests/System/soak-test $(or $(SOAK_SECONDS),3600)

test-clients: ## Test the client libraries (CLIENTS selects some), interrupting connections at each STRIDE-th byte
	@scripts/dependencies build clients
	$(SWIFT) build --product signalboxd
	clients/test $(CLIENTS)

test-system: ## Test the service in a real systemd, and the image (needs root)
	@scripts/dependencies build system package
	scripts/test-system

cluster-demo: build ## Kill the servers and the daemons of a cluster on this machine in turn, and print how long values are away
	KEEP= Tests/System/cluster-test .build/release several

lint: ## Check the format, the layers and the words of the sources, and the shell scripts if shellcheck is installed
	$(SWIFT) format lint --strict -r Sources Tests Package.swift
	scripts/lint-shell
	scripts/lint-layers
	scripts/lint-words
	for unit in $(INSTANCE_UNITS); do \
	  sed -f systemd/instance.sed systemd/$$unit | diff systemd/$${unit%.*}@.$${unit##*.} - || exit 1; done

units: ## Generate the instance units from the plain ones
	for unit in $(INSTANCE_UNITS); do \
	  sed -f systemd/instance.sed systemd/$$unit > systemd/$${unit%.*}@.$${unit##*.}; done

bench-core: ## Measure the reactive core, in ns an event
	$(SWIFT) run -c release Benchmarks core

bench-expressions: ## Measure expressions, in ns an evaluation
	$(SWIFT) run -c release Benchmarks expressions

bench-graphs: ## Measure graphs of 100, 1,000 and 10,000 signals
	$(SWIFT) run -c release Benchmarks graphs

bench-buses: ## Measure the cost of a watched property besides libsystemd's, on a private bus
	dbus-run-session -- $(SWIFT) run -c release Benchmarks buses

bench-handover: $(BINARIES) ## Measure how long clients wait during a handover
	scripts/bench-handover $(PROGRAMS)

bench-bridge: $(BINARIES) ## Measure messages and calls through the bridge, beside the brokers alone
	@scripts/dependencies test
	scripts/bench-bridge $(PROGRAMS)

bench-state: ## Measure saving the state of such graphs, and resuming from it
	$(SWIFT) run -c release Benchmarks state

docs: ## Build the libraries' documentation as a static site, into .build/docs
	scripts/docs

pictures: ## Regenerate the pictures in docs/pictures; the other ones of the page are in PICTURES=.build/pictures
	@[ $(PROGRAMS) != .build/release ] || $(MAKE) --no-print-directory build
	scripts/pictures $(PROGRAMS)
	scripts/page-pictures $(PROGRAMS) $(PICTURES)
	cp $(PICTURES)/history.png docs/pictures/page-light.png
	cp $(PICTURES)/dark.png docs/pictures/page-dark.png
	cp $(PICTURES)/telephone.png docs/pictures/page-narrow.png
	cp $(PICTURES)/view.png docs/pictures/page-view.png
	cp $(PICTURES)/why.png docs/pictures/page-why.png
	cp $(PICTURES)/way.png docs/pictures/page-way.png

image: ## Build the container image
	$(ENGINE) build --build-arg COMMIT=$$(scripts/commit) -t $(IMAGE):$(VERSION) -t $(IMAGE):latest .

deb: $(BINARIES) ## Build the Debian packages, into .build/packages
	@scripts/dependencies package
	scripts/package $(PROGRAMS)

portable: $(BINARIES) ## Build an archive and rpms for every Linux with glibc 2.36, into .build/packages
	@scripts/dependencies portable
	scripts/portable $(PROGRAMS)

release: ## Build a release, into .build/packages: the source archive, the packages, the notes
	@scripts/dependencies build package portable
	scripts/release

# Built only if missing, so that `sudo make install` after `make build` builds nothing as root.
$(BINARIES):
	@scripts/dependencies build
	@$(MAKE) --no-print-directory build

install: $(BINARIES) ## Install programs, units and a first configuration (DESTDIR, PREFIX=/usr/local)
	install -D -m 755 -t $(bin) $(BINARIES)
	install -d $(lib)/systemd/system $(lib)/systemd/user $(lib)/sysusers.d $(share)/doc/signalbox $(etc)/conf.d
	for unit in $(SYSTEM_UNITS); do $(AT_PREFIX) systemd/$$unit > $(lib)/systemd/system/$$unit || exit 1; done
	for unit in $(USER_UNITS); do $(AT_PREFIX) systemd/user/$$unit > $(lib)/systemd/user/$$unit || exit 1; done
	chmod 644 $(INSTALLED_UNITS)
	install -m 644 systemd/signalbox.sysusers.conf $(lib)/sysusers.d/signalbox.conf
	install -D -m 644 -t $(share)/dbus-1/system.d systemd/org.signalbox.Signalbox.conf
	install -D -m 644 -t $(share)/signalbox/cookbook docs/cookbook/*.yaml
	for file in $(SHARED); do install -D -m 644 share/$$file $(share)/$$file || exit 1; done
	install -m 644 -t $(share)/doc/signalbox docs/operations.md docs/web.md docs/cluster.md systemd/exec.conf systemd/journal.conf \
	  systemd/cluster.conf config/demo.yaml
	install -m 644 apparmor/signalboxd $(share)/doc/signalbox/apparmor
	test -e $(etc)/signalbox.yaml || install -m 644 config/signalbox.yaml $(etc)/signalbox.yaml
ifeq ($(DESTDIR),)
	@echo
	@echo 'Installed. To start it: systemd-sysusers && systemctl daemon-reload && systemctl enable --now signalbox'
endif

uninstall: ## Remove installed files, except a modified configuration
	rm -f $(bin)/signalboxd $(bin)/signalbox $(bin)/signalbox-http $(bin)/signalbox-bridge $(lib)/sysusers.d/signalbox.conf \
	  $(share)/dbus-1/system.d/org.signalbox.Signalbox.conf $(INSTALLED_UNITS)
	rm -f $(addprefix $(share)/,$(SHARED))
	rm -rf $(share)/signalbox/cookbook
	rm -rf $(share)/doc/signalbox
	! cmp -s config/signalbox.yaml $(etc)/signalbox.yaml || rm $(etc)/signalbox.yaml
	for folder in $(etc)/conf.d $(etc); do test ! -d $$folder || rmdir --ignore-fail-on-non-empty $$folder || exit 1; done
	for folder in $(addprefix lib/,systemd/system systemd/user sysusers.d) $(addprefix share/,doc dbus-1/system.d $(sort $(dir $(SHARED)))); do \
	  parts=$${folder#*/}; cd $(DESTDIR)$(PREFIX)/$${folder%%/*} || exit 1; \
	  test ! -d $$parts || rmdir -p --ignore-fail-on-non-empty $$parts || exit 1; done

clean: ## Remove build products
	$(SWIFT) package clean
	rm -rf .build
