# syntax=docker/dockerfile:1
# One image with every process; the command chooses: node dist/apps/<name>/main.js, or node dist/tools/provision.js.
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
ENV NX_DAEMON=false NX_NO_CLOUD=true CI=true
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npx nx run-many -t build --output-style=static && npx nx run tools:bundle && npx nx run build:supply-chain

# The image says what it holds: dist/sbom.cdx.json and dist/THIRD-PARTY-NOTICES.txt.
# Bundles hold our own code; packages are installed beside them.
FROM ${NODE_IMAGE} AS runtime-packages
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Canvass" \
      org.opencontainers.image.description="A self-hosted backend for forms and surveys" \
      org.opencontainers.image.licenses="MIT"
# Two arenas: each further one of glibc keeps freed memory of its own, which buffers of imports and exports make a lot of.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=runtime-packages /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY LICENSE ./
# A number, so that Kubernetes can see that it is not root. Nothing below /app is ever written.
USER 1000:1000
ARG APP=gateway
ENV APP=${APP}
# exec: node is process 1 and gets SIGTERM itself.
CMD ["/bin/sh", "-c", "exec node dist/apps/${APP}/main.js"]
EXPOSE 8080
