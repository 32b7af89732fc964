# Builds the server with the Swift runtime inside, and puts it alone into a small image.
#
#   docker build -t hearth .
#   docker run -p 8080:8080 -v hearth-data:/data -v "$PWD/config:/etc/hearth:ro" hearth
#
# config holds firestore.rules, and admin.key, which only user 10001 may read: see "Securing a server" in docs/operations/running-a-server.md.
#
# One of several nodes over a PostgreSQL server, without data of its own: docker build --target node -t hearth-node . (deploy/compose.yaml)

FROM swift:6.2-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libpq-dev libsqlite3-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Dependencies first: they change less often than the code. (No Package.resolved is kept: the newest that fit.)
COPY Package.swift ./
RUN swift package resolve
COPY . .
# For `hearth --version`: docker build --build-arg HEARTH_COMMIT=$(git rev-parse HEAD) …
ARG HEARTH_COMMIT=
RUN swift build -c release --traits default,Postgres --product hearth --static-swift-stdlib \
    && strip .build/release/hearth -o /hearth

FROM debian:bookworm-slim AS runtime
RUN apt-get update \
    && apt-get install -y --no-install-recommends libpq5 libsqlite3-0 zlib1g ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin hearth \
    && install -d -o hearth -g hearth -m 0750 /data
COPY --from=build /hearth /usr/local/bin/hearth
USER hearth
EXPOSE 8080 9099
# Containers that reach it by a name need that name: -e HEARTH_ALLOW_HOST=hearth.
# Secured from the start: without these files, and the rules of a file or of the cluster, the server does not start.
ENV HEARTH_HOST=0.0.0.0 HEARTH_PORT=8080 HEARTH_LOG_FORMAT=json HEARTH_ADMIN_KEY_FILE=/etc/hearth/admin.key
# SIGTERM, which Docker sends, ends it well; give it the time of --grace and some more.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/hearth"]
CMD ["serve"]

# HEARTH_STORE names the PostgreSQL server, which has the documents and the rules.
FROM runtime AS node

FROM runtime
VOLUME /data
ENV HEARTH_DATA=/data HEARTH_RULES=/etc/hearth/firestore.rules
