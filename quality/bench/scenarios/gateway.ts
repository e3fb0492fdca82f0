import type { BareProxyApi } from '../processes/bare-proxy';
import type { LoadApi } from '../processes/load';
import type { Watched } from '../process-usage';
import type { Contestant, Scenario } from '../scenario';

const connections = 32;
/** As `Service:Gateway:MaxConnectionsPerService` by default. */
const upstreamConnections = 256;

/** The lightest answer a service has (no database): what is left is the way through. */
export const lightPath = '/.well-known/form-access-jwks.json';

export const gateway: Scenario = {
  name: 'gateway',
  title: 'Through the gateway',
  about:
    `GET of a small document (the keys of form-access tokens) that the service answers from memory, ${connections} kept connections. Against the gateway: ` +
    'the service itself, and a bare `node:http` server that passes bytes on through one undici pool.',
  async prepare(run) {
    const { gatewayUrl, services } = (await run.stack()).file;
    const serviceUrl = services['submissions-svc'].url;
    const proxy = await run.child<BareProxyApi>('bare-proxy');
    const proxyUrl = await proxy.call('listen', serviceUrl, upstreamConnections);
    const load = await run.child<LoadApi>('load');
    const service = await run.watchedService('submissions-svc');
    const ours = await run.watchedService('gateway');
    const contestant = (name: string, about: string, origin: string, between: Watched[]): Contestant => ({
      name,
      about,
      unit: 'requests',
      watched: () => [...between, service, { name: 'load generator', pid: load.pid }],
      run: (seconds) =>
        load.call('closed', { origin, method: 'GET', paths: [lightPath], expect: 200 }, connections, seconds),
    });
    return {
      contestants: [
        contestant('gateway', 'gateway and service', gatewayUrl, [ours]),
        contestant('bare proxy', 'node:http, undici pool, service', proxyUrl, [
          { name: 'bare proxy', pid: proxy.pid },
        ]),
        contestant('service direct', 'service', serviceUrl, []),
      ],
      comparisons: [
        { of: 'gateway', to: 'bare proxy', by: 'rate', target: { atLeast: 0.7 } },
        { of: 'gateway', to: 'service direct', by: 'rate' },
        { of: 'gateway', to: 'bare proxy', by: 'p50' },
      ],
      notes: [],
      end: () => Promise.resolve(),
    };
  },
};
