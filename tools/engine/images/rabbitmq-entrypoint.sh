#!/bin/bash
# The entry point of an image of Debian's RabbitMQ. It does what docker-compose.yml needs of the official image: the
# first user is that of the environment, the management API is on, and the data is in /var/lib/rabbitmq.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p /var/lib/rabbitmq /etc/rabbitmq/conf.d
  # Files of conf.d may be mounted and belong to others.
  chown rabbitmq: /etc/rabbitmq
  chown -R rabbitmq: /var/lib/rabbitmq
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$0" "$@"
fi
export HOME=/var/lib/rabbitmq LANG=C.UTF-8 RABBITMQ_LOGS=- RABBITMQ_CONF_ENV_FILE=/dev/null
PATH=$(echo /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin):$PATH
export PATH
{
  echo 'listeners.tcp.default = 5672'
  [ -z "${RABBITMQ_DEFAULT_USER:-}" ] || echo "default_user = $RABBITMQ_DEFAULT_USER"
  [ -z "${RABBITMQ_DEFAULT_PASS:-}" ] || echo "default_pass = $RABBITMQ_DEFAULT_PASS"
} > /etc/rabbitmq/rabbitmq.conf
echo '[rabbitmq_management,rabbitmq_prometheus].' > /etc/rabbitmq/enabled_plugins
exec "$@"
