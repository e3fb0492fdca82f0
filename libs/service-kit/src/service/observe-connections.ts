import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import type { Closed } from './connections';

type Port = 'public' | 'internal';

/** At most one log line a minute for each port. */
const quietMs = 60_000;

/** Registers the metrics of the connections of both ports. `open` is called at each scrape. */
export function observeConnections(
  metrics: Metrics,
  logger: Logger,
  open: (port: Port) => number,
): (port: Port) => (which: Closed) => void {
  const ports: Port[] = ['public', 'internal'];
  metrics.gauge({
    name: 'http_open_connections',
    help: 'Open connections of clients.',
    labels: ['port'],
    collect: () => ports.map((port) => ({ labels: { port }, value: open(port) })),
  });
  const closed = metrics.counter({
    name: 'http_connections_closed_total',
    help: 'Connections closed at a limit: the longest waiting one (idle, or without its body), or the new one because all had a request in progress (new), or all of its address (address).',
    labels: ['port', 'which'],
  });
  for (const port of ports)
    for (const which of ['idle', 'body', 'new', 'address']) closed.inc({ port, which }, 0);
  return (port) => {
    let loggedAt = -Infinity;
    return (which) => {
      closed.inc({ port, which });
      if (performance.now() - loggedAt < quietMs) return;
      loggedAt = performance.now();
      logger.warn(
        { port, which, open: open(port) },
        'connection limit reached; evicting waiting connections',
      );
    };
  };
}
