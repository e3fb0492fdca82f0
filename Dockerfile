# One image with every process; the command chooses: node dist/apps/<name>/main.js, or node dist/tools/provision.js.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${NODE_IMAGE} AS build
WORKDIR /src
ENV NX_DAEMON=false NX_NO_CLOUD=true CI=true
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The bundles hold all code of the packages. Only the console and the OpenAPI document are not made by build-app.mjs.
ENV CANVASS_BUNDLE_PACKAGES=true
RUN npx nx run-many -t build --output-style=static && npx nx run tools:bundle && npx nx run build:supply-chain

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Canvass" \
      org.opencontainers.image.description="A self-hosted backend for forms and surveys" \
      org.opencontainers.image.licenses="MIT"
# Two arenas: each further one of glibc keeps freed memory of its own, which buffers of imports and exports make a lot of.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps MALLOC_ARENA_MAX=2
WORKDIR /app
# argon2 is a native add-on, which no bundle can hold, with the two packages that load it.
COPY --from=build /src/node_modules/argon2 ./node_modules/argon2
COPY --from=build /src/node_modules/@phc/format ./node_modules/@phc/format
COPY --from=build /src/node_modules/node-gyp-build ./node_modules/node-gyp-build
COPY --from=build /src/dist/apps ./dist/apps
COPY --from=build /src/dist/tools ./dist/tools
# What the image holds.
COPY --from=build /src/dist/sbom.cdx.json /src/dist/THIRD-PARTY-NOTICES.txt ./dist/
COPY LICENSE ./
# A number, so that Kubernetes can see that it is not root. Nothing below /app is ever written.
USER 1000:1000
ARG APP=gateway
ENV APP=${APP}
# exec: node is process 1 and gets SIGTERM itself.
CMD ["/bin/sh", "-c", "exec node dist/apps/${APP}/main.js"]
EXPOSE 8080
