# The daemon and its client on a slim Debian; and, as a target of its own, the gateway for HTTP.
#
#     docker build -t signalbox .
#     docker run --read-only --cap-drop=ALL --network=none -v signalbox:/run/signalbox -v state:/var/lib/signalbox signalbox

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends pkg-config libsystemd-dev libsimdjson-dev libyaml-dev libonig-dev \
    libsqlite3-dev libmicrohttpd-dev libgnutls28-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /signalbox
# The manifest names the tests too, and is refused without their folders.
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
# --static-swift-stdlib: the runtime image has no Swift of its own.
RUN swift build -c release --static-swift-stdlib --product signalboxd \
 && swift build -c release --static-swift-stdlib --product signalbox \
 && install -D -s -t /programs .build/release/signalboxd .build/release/signalbox

# The gateway, as an image of its own: docker build --target http -t signalbox-http .
FROM build AS build-http
RUN swift build -c release --static-swift-stdlib --product signalbox-http \
 && install -D -s -t /http .build/release/signalbox-http

FROM debian:bookworm-slim AS http
RUN apt-get update \
 && apt-get install -y --no-install-recommends libsystemd0 libsimdjson14 libyaml-0-2 libonig5 libmicrohttpd12 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/* \
    /usr/share/man/* /usr/share/locale/*
COPY --from=build-http /http/ /usr/bin/
# The group of the daemon's socket is 990; the user is another, whom the configuration gives the rights of those who come.
USER 989:990
EXPOSE 8765
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/signalbox-http"]
CMD ["--listen", "0.0.0.0:8765", "--token-file", "/etc/signalbox/tokens"]

# The daemon and its client, as which the last image is built where nothing is said.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libsystemd0 libsimdjson14 libyaml-0-2 libonig5 libsqlite3-0 tzdata \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/* \
    /usr/share/zoneinfo/right /usr/share/man/* /usr/share/locale/* \
 && groupadd --gid 990 signalbox \
 && useradd --uid 990 --gid 990 --no-create-home --home-dir /run/signalbox --shell /usr/sbin/nologin signalbox \
 && install -d -o signalbox -g signalbox /run/signalbox \
 && install -d -o signalbox -g signalbox -m 700 /var/lib/signalbox
COPY --from=build /programs/ /usr/bin/
COPY share/ /usr/share/
# Another one is mounted over this one, or copied over it in an image built on this one.
COPY config/signalbox.yaml /etc/signalbox/signalbox.yaml

# Fixed, so that a host or another container can be given the same group: 990 may open the socket.
USER 990:990
# The socket: share this volume with whoever talks to the daemon. Being a volume, it can be written with --read-only.
VOLUME /run/signalbox
# The state of durable graphs, where the configuration names no other folder (server.state).
ENV STATE_DIRECTORY=/var/lib/signalbox
VOLUME /var/lib/signalbox
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/bin/signalbox", "ping"]
ENTRYPOINT ["/usr/bin/signalboxd"]
CMD ["--config", "/etc/signalbox/signalbox.yaml"]
