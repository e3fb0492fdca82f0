#!/bin/bash
# The entry point of an image of Debian's PostgreSQL. It does what docker-compose.yml needs of the official image:
# it creates the data with the user and the password of the environment, then becomes the server.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres: /var/lib/postgresql /var/run/postgresql
  chmod 700 "$PGDATA"
  if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
    POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
    export POSTGRES_PASSWORD
  fi
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "${POSTGRES_PASSWORD:-}" ] || { echo 'POSTGRES_PASSWORD is empty' >&2; exit 1; }
  # Several options in one variable, as in the official image.
  # shellcheck disable=SC2086
  initdb --username="${POSTGRES_USER:-postgres}" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --auth-host=scram-sha-256 --auth-local=trust ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
unset POSTGRES_PASSWORD
shift
exec postgres -c listen_addresses='*' "$@"
