# The daemon and its client, with the Debian packages they need and a small shell, and nothing else; and, as a separate target,
# the HTTP gateway and the bridge to the network.
#
#     docker build -t signalbox .
#     docker run --read-only --cap-drop=ALL --network=none -v signalbox:/run/signalbox -v state:/var/lib/signalbox signalbox

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends pkg-config libsystemd-dev libsimdjson-dev libyaml-dev libonig-dev \
    libsqlite3-dev libmicrohttpd-dev libgnutls28-dev libcurl4-gnutls-dev libmosquitto-dev libnats-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /signalbox
# The manifest refers to the tests too, and is rejected without their folders.
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
ARG COMMIT=
# The Swift runtime is shared by the programs: that is smaller than linking it into each.
RUN export SIGNALBOX_COMMIT=$COMMIT \
 && swift build -c release --product signalboxd \
 && swift build -c release --product signalbox \
 && install -D -s -t /programs/bin .build/release/signalboxd .build/release/signalbox \
 && ldd /programs/bin/* | awk '$3 ~ /\/swift\/linux\// { print $3 }' | sort -u | xargs -r install -D -s -t /programs/lib

# The gateway has a separate stage, so that an image of the daemon is built without it; its modules are mostly built above.
FROM build AS build-http
ARG COMMIT=
RUN export SIGNALBOX_COMMIT=$COMMIT \
 && swift build -c release --product signalbox-http \
 && install -D -s -t /http/bin .build/release/signalbox-http \
 && ldd /http/bin/* | awk '$3 ~ /\/swift\/linux\// { print $3 }' | sort -u | xargs -r install -D -s -t /http/lib

FROM build AS build-bridge
ARG COMMIT=
RUN export SIGNALBOX_COMMIT=$COMMIT \
 && swift build -c release --product signalbox-bridge \
 && install -D -s -t /bridge/bin .build/release/signalbox-bridge \
 && ldd /bridge/bin/* | awk '$3 ~ /\/swift\/linux\// { print $3 }' | sort -u | xargs -r install -D -s -t /bridge/lib

# The root of each image: the libraries its programs need, and a small shell. The daemon's includes the time zone database.
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

# The authorities are one file, which ca-certificates puts together as it is installed.
FROM packages AS root-bridge
RUN apt-get update && /scripts/image-root /image "$(bash /scripts/version)" $COMMON libcurl3-gnutls libgnutls30 \
    libp11-kit0 libffi8 libidn2-0 libunistring2 libtasn1-6 libnettle8 libhogweed6 libgmp10 libnghttp2-14 libpsl5 librtmp1 \
    libssh2-1 libssl3 libldap-2.5-0 libsasl2-2 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libkeyutils1 \
    libcom-err2 libbrotli1 zlib1g libmosquitto1 libnats3.4 libprotobuf-c1 ca-certificates \
 && install -d /image/etc/ssl/certs \
 && cat /image/usr/share/ca-certificates/mozilla/*.crt > /image/etc/ssl/certs/ca-certificates.crt

# The gateway's image: docker build --target http -t signalbox-http .
FROM scratch AS http
COPY --from=root-http /image/ /
COPY --from=build-http /http/ /usr/
# The configuration of the daemon's image, whose graphs are drawn: mount yours here as well.
COPY config/signalbox.yaml /etc/signalbox/signalbox.yaml
# The group of the daemon's socket is 990. The user is a different one, signalbox-http, which access rules can name.
USER 989:990
VOLUME /run/signalbox
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8765/health"]
ENTRYPOINT ["/usr/bin/signalbox-http"]
CMD ["--listen", "0.0.0.0:8765", "--token-file", "/etc/signalbox/tokens"]

# The bridge's image: docker build --target bridge -t signalbox-bridge .
FROM scratch AS bridge
COPY --from=root-bridge /image/ /
COPY --from=build-bridge /bridge/ /usr/
# The group of the daemon's socket is 990. The user is a different one, which server.access.adapters has to name.
USER 988:990
VOLUME /run/signalbox
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/signalbox-bridge"]

FROM scratch
COPY --from=root /image/ /
COPY --from=build /programs/ /usr/
COPY share/ /usr/share/
# Mount another one over this one, or copy it over this one in a derived image.
COPY config/signalbox.yaml /etc/signalbox/signalbox.yaml

# Fixed, so that the same group can be used on a host or in another container: 990 may open the socket.
USER 990:990
# The socket: share this volume with the daemon's clients. Being a volume, it is writable with --read-only.
VOLUME /run/signalbox
# The state of durable graphs, unless the configuration sets another directory (server.state).
ENV STATE_DIRECTORY=/var/lib/signalbox
VOLUME /var/lib/signalbox
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/bin/signalbox", "ping"]
ENTRYPOINT ["/usr/bin/signalboxd"]
CMD ["--config", "/etc/signalbox/signalbox.yaml"]
