import path from 'node:path';
import type { RabbitLogin } from './rabbitmq-login';

/**
 * The time after which a message that came out of a retry queue, and was refused because its queue was full
 * or not there yet, is tried again. By itself RabbitMQ waits three minutes; `rabbitmq.conf` cannot say it.
 */
const refusedAgainAfterMs = 10_000;

/** The largest message that RabbitMQ 4 takes by default, and an event may need; older versions take more. */
const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Quorum queues keep the messages of their log in memory until the log has this size, 512 MB by default. If
 * that is more than the memory limit, the alarm blocks publishers, the log grows no more, and the memory
 * stays in use.
 */
const logBytes = 64_000_000;

/** `rabbitmq.conf`: every listener on loopback, limits that suit a development machine. */
export function rabbitConfiguration(
  ports: { amqp: number; management: number; prometheus: number },
  { user, password }: RabbitLogin,
): string {
  return `${[
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${ports.management}`,
    'prometheus.tcp.ip = 127.0.0.1',
    `prometheus.tcp.port = ${ports.prometheus}`,
    // They take effect when the data is created.
    `default_user = ${user}`,
    `default_pass = ${password}`,
    'log.file.level = info',
    'vm_memory_high_watermark.absolute = 1GB',
    'disk_free_limit.absolute = 200MB',
    `max_message_size = ${maxMessageBytes}`,
    `raft.wal_max_size_bytes = ${logBytes}`,
  ].join('\n')}\n`;
}

/** Everything RabbitMQ would look for in /etc and /var, moved into `data`. */
export function rabbitEnvironment(
  data: string,
  nodeName: string,
  ports: { amqp: number; distribution: number; epmd: number },
): Record<string, string> {
  const at = (...parts: string[]) => path.join(data, ...parts);
  return {
    LANG: 'C.UTF-8',
    HOME: at('home'), // the Erlang cookie
    RABBITMQ_NODENAME: nodeName,
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: at('advanced.config'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_ENABLED_PLUGINS_FILE: at('enabled_plugins'),
    RABBITMQ_MNESIA_BASE: at('mnesia'),
    RABBITMQ_QUORUM_DIR: at('mnesia', 'quorum'),
    RABBITMQ_STREAM_DIR: at('mnesia', 'stream'),
    RABBITMQ_LOG_BASE: at('log'),
    RABBITMQ_PID_FILE: at('rabbit.pid'),
    RABBITMQ_GENERATED_CONFIG_DIR: at('generated'),
    RABBITMQ_PLUGINS_EXPAND_DIR: at('plugins'),
    RABBITMQ_SCHEMA_DIR: at('schema'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {127,0,0,1} -rabbit dead_letter_worker_publisher_confirm_timeout ${refusedAgainAfterMs}`,
    // The start script then becomes the server instead of waiting for it, so that the pid we keep is the
    // server's.
    RUNNING_UNDER_SYSTEMD: 'true',
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
}
