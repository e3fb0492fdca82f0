import { silentLogger, startService, type Logger } from '@canvass/service-kit';
import { listen, type Listening } from '@canvass/testing';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Outside } from '../src/app';
import { configSchema, serviceNames, type GatewayConfig, type ServiceName } from '../src/config';
import { routeTable, type Route } from '../src/routing';
import { service as gatewayService } from '../src/service';

export interface Harness {
  url: string;
  internalUrl: string;
  port: number;
  /** The services behind it, by name. Replace `handler` to change what a service does. */
  services: Record<ServiceName, TestUpstream>;
  /** All replicas of each service; `services` has the first of each. */
  replicas: Record<ServiceName, TestUpstream[]>;
  /** Stops the gateway only. Whether all requests ended in time. */
  stop(): Promise<boolean>;
  close(): Promise<void>;
}

export interface TestUpstream extends Listening {
  handler: RequestListener;
  /** `METHOD url` of each request that arrived. */
  seen: string[];
}

export interface HarnessOptions {
  settings?: Record<string, unknown>;
  /** Adjusts each route of the real table, for example its timeout. */
  route?: (route: Route) => Route;
  /** The number of replicas of a service; default 1. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Services that the configuration leaves out. */
  absent?: ServiceName[];
  /** Further settings of `Service:Hosting`. */
  hosting?: Record<string, unknown>;
  /** `Service:Auth`. */
  auth?: Record<string, unknown>;
  /** Further sections of `Service`. */
  service?: Record<string, unknown>;
  logger?: Logger;
  /** The web console: its variables and its folder. By default no console is served. */
  console?: Pick<Outside, 'environment' | 'consoleFolder'>;
}

/** A gateway in front of four real HTTP servers. Each answers 200 `{ "service": name }` by default. */
export async function startHarness({
  settings = {},
  route,
  replicas: counts = {},
  absent = [],
  hosting = {},
  auth = {},
  service = {},
  logger = silentLogger,
  console = { environment: {}, consoleFolder: null },
}: HarnessOptions = {}): Promise<Harness> {
  const replicasOf = async (name: ServiceName) => {
    const all = Array.from({ length: counts[name] ?? 1 }, () => testUpstream(name));
    return [name, await Promise.all(all)] as const;
  };
  const replicas = Object.fromEntries(await Promise.all(serviceNames.map(replicasOf))) as Harness['replicas'];
  const services = Object.fromEntries(
    serviceNames.map((name) => [name, replicas[name][0]!]),
  ) as Harness['services'];
  const urls = serviceNames
    .filter((name) => !absent.includes(name))
    .map((name) => {
      const all = replicas[name].map(({ url }) => url);
      return [name, all.length === 1 ? all[0] : all];
    });
  const { value, error } = configSchema.validate({
    Service: {
      Hosting: {
        Host: '127.0.0.1',
        Port: 0,
        InternalPort: 0,
        DrainSeconds: 0,
        ShutdownSeconds: 2,
        ...hosting,
      },
      Logging: {},
      Auth: auth,
      ...service,
      Gateway: { Services: Object.fromEntries(urls), ...settings },
    },
  });
  if (error) throw error;
  const { Service } = value as GatewayConfig;
  const closeReplicas = () =>
    Promise.all(
      Object.values(replicas)
        .flat()
        .map((replica) => replica.close().catch(() => undefined)),
    );
  const gateway = await startService({
    service: gatewayService,
    config: Service,
    outside: { ...console, ...(route && { table: routeTable.map(route) }) },
    logger,
  }).catch(async (cause: unknown) => {
    await closeReplicas(); // otherwise they keep jest running
    throw cause;
  });
  await gateway.ready;
  return {
    url: gateway.url,
    internalUrl: gateway.internalUrl,
    port: gateway.port,
    services,
    replicas,
    stop: () => gateway.stop(),
    async close() {
      await closeReplicas();
      await gateway.stop();
    },
  };
}

async function testUpstream(name: ServiceName): Promise<TestUpstream> {
  const seen: string[] = [];
  const upstream: { handler: RequestListener } = {
    handler: (_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ service: name }));
    },
  };
  const listening = await listen((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    upstream.handler(request, response);
  });
  return Object.assign(upstream, listening, { seen });
}

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
  /** Head and body as they were received. */
  text: string;
}

/** Sends bytes unchanged and reads until the gateway ends the connection. */
export function rawRequest(port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.setTimeout(30_000, () => socket.destroy(new Error(`no end of the answer; so far: ${text}`)));
    socket.on('data', (chunk: string) => (text += chunk));
    socket.once('error', reject);
    socket.once('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1] ?? 0), head, body: rest.join('\r\n\r\n'), text });
    });
    socket.write(bytes, 'latin1');
  });
}
