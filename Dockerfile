# One image for every process: `service` (ROLE=all, http or worker), `engine`, `migrate`, `rewrap`, `engine:check`, `support` (docs/deploy.md).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /srv/portal
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY messages/package.json messages/
COPY core/package.json core/
COPY engine/package.json engine/
COPY catalog/package.json catalog/
COPY sandbox/package.json sandbox/
COPY service/package.json service/
COPY portal/package.json portal/
COPY tests/package.json tests/
COPY bench/package.json bench/
# Where packages come from a mirror, or through a proxy with an authority of its own: `docker build --secret id=npmrc,src=$HOME/.npmrc .`
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --loglevel=error
COPY . .
RUN npm run build && npm run build:service
# What runs: the files of the build, what they read by its place, and the packages that are not in them. No sources.
RUN mkdir /image \
  && cp -r --parents package.json service/package.json service/dist service/schema service/quick-start service/public-texts engine/migrations catalog \
       sandbox/migrations sandbox/website portal/dist $(cat service/dist/packages.txt) /image \
  && find /image -path '*/node_modules' -prune -o -name '*.ts' -exec rm {} + \
  && install -D deploy/portal /image/bin/portal

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Portal" \
  org.opencontainers.image.description="Portal, REST API, background work and the embedded workflow engine." \
  org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.licenses="UNLICENSED"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/portal NODE_COMPILE_CACHE=/srv/portal/compiled
COPY --from=build /image /srv/portal
# Compiled by the account that runs it, whose number is part of the folder's name, and then unchangeable for it.
RUN ln -s /srv/portal/bin/portal /usr/local/bin/portal \
  && install -d -o 1000 -g 1000 /var/lib/portal "$NODE_COMPILE_CACHE" \
  && setpriv --reuid=1000 --regid=1000 --clear-groups portal compile \
  && chown -R root:root "$NODE_COMPILE_CACHE" && chmod -R a+rX "$NODE_COMPILE_CACHE"
WORKDIR /srv/portal
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# A busy machine takes seconds to start the check itself, and an upgrade may migrate for minutes: "unhealthy" would end `docker compose up`.
HEALTHCHECK --interval=15s --timeout=20s --start-period=10m --retries=3 CMD ["portal", "health"]
ENTRYPOINT ["portal"]
CMD ["service"]
