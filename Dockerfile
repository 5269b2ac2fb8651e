# The daemon and its client, with the Debian packages that they need and a small shell, and nothing else; and, as a target of
# its own, the gateway for HTTP.
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
ARG COMMIT=
# Swift's runtime lies beside the programs, which share it: that is smaller than to have it in each.
RUN export SIGNALBOX_COMMIT=$COMMIT \
 && swift build -c release --product signalboxd \
 && swift build -c release --product signalbox \
 && install -D -s -t /programs/bin .build/release/signalboxd .build/release/signalbox \
 && ldd /programs/bin/* | awk '$3 ~ /\/swift\/linux\// { print $3 }' | sort -u | xargs install -D -s -t /programs/lib

# The gateway has a stage of its own, so that an image of the daemon is made without it; its modules are mostly built above.
FROM build AS build-http
ARG COMMIT=
RUN export SIGNALBOX_COMMIT=$COMMIT \
 && swift build -c release --product signalbox-http \
 && install -D -s -t /http/bin .build/release/signalbox-http \
 && ldd /http/bin/* | awk '$3 ~ /\/swift\/linux\// { print $3 }' | sort -u | xargs install -D -s -t /http/lib

# The root of each image: the libraries that its programs need, and a small shell. The daemon's has the rules of time zones.
FROM debian:bookworm-slim AS packages
COPY scripts/image-root scripts/version /scripts/
COPY Sources/WireProtocol/Version.swift /Sources/WireProtocol/
ENV COMMON="base-files libc6 libgcc-s1 gcc-12-base libstdc++6 libsystemd0 libcap2 libgcrypt20 libgpg-error0 liblz4-1 \
    liblzma5 libzstd1 libsimdjson14 libyaml-0-2 libonig5 busybox"

FROM packages AS root
RUN apt-get update && /scripts/image-root /image "$(bash /scripts/version)" $COMMON libsqlite3-0 tzdata

FROM packages AS root-http
RUN apt-get update && /scripts/image-root /image "$(bash /scripts/version)" $COMMON libmicrohttpd12 libgnutls30 \
    libp11-kit0 libffi8 libidn2-0 libunistring2 libtasn1-6 libnettle8 libhogweed6 libgmp10

# The gateway's image: docker build --target http -t signalbox-http .
FROM scratch AS http
COPY --from=root-http /image/ /
COPY --from=build-http /http/ /usr/
# That of the daemon's image, whose graphs are drawn: mount yours here as well.
COPY config/signalbox.yaml /etc/signalbox/signalbox.yaml
# The group of the daemon's socket is 990. The user is another, whose rights the configuration names: signalbox-http.
USER 989:990
VOLUME /run/signalbox
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8765/health"]
ENTRYPOINT ["/usr/bin/signalbox-http"]
CMD ["--listen", "0.0.0.0:8765", "--token-file", "/etc/signalbox/tokens"]

FROM scratch
COPY --from=root /image/ /
COPY --from=build /programs/ /usr/
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
