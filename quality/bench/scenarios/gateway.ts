import type { Bench, Scenario } from '../bench';
import { compare } from '../compare';
import type { BareApi } from '../processes/bare';
import type { LoadApi } from '../processes/load';

const connections = 32;
/** The default of `Service:Gateway:MaxConnectionsPerService`. */
const upstreamConnections = 256;
/** The lightest answer of a service, without the database: what remains is the gateway. */
const request = { method: 'GET' as const, paths: ['/.well-known/form-access-jwks.json'], expect: 200 };

/** The variants with their base URLs. */
async function ways(bench: Bench) {
  const { gatewayUrl, services } = (await bench.stack()).file;
  const service = services['submissions-svc'].url;
  const bare = await bench.child<BareApi>('bare');
  return [
    { name: 'gateway', about: 'gateway and service', origin: gatewayUrl },
    {
      name: 'bare proxy',
      about: 'node:http, undici pool, service',
      origin: await bare.call('proxy', service, upstreamConnections),
    },
    { name: 'service direct', about: 'service', origin: service },
  ];
}

export const gateway: Scenario = {
  name: 'gateway',
  title: 'Through the gateway',
  about:
    `GET of a small document (the keys of form-access tokens) that the service answers from memory, ${connections} kept connections. ` +
    'Against the gateway: the service itself, and a bare `node:http` server that passes bytes on through one undici pool.',
  async run(bench) {
    const load = await bench.child<LoadApi>('load');
    return compare(bench.options.seconds, {
      variants: (await ways(bench)).map(({ name, about, origin }) => ({
        name,
        about,
        unit: 'requests',
        run: (seconds) => load.call('closed', { origin, ...request }, connections, seconds),
      })),
      ratios: [
        { of: 'gateway', to: 'bare proxy', by: 'rate', atLeast: 0.7 },
        { of: 'gateway', to: 'service direct', by: 'rate' },
        { of: 'gateway', to: 'bare proxy', by: 'p50' },
      ],
    });
  },
};

const perSecond = 200;
const maxAddedMs = 1;

export const gatewayDelay: Scenario = {
  name: 'gateway-delay',
  title: 'What the gateway adds to a request',
  about:
    `The same GET, ${perSecond} times a second at a steady rate, so that nothing waits for a core: to the service, through a bare ` +
    '`node:http` proxy and through the gateway, in turns. What is added is the difference of the medians within a turn; the median of ' +
    'the turns counts.',
  async run(bench) {
    const load = await bench.child<LoadApi>('load');
    return compare(bench.options.seconds, {
      variants: (await ways(bench)).map(({ name, about, origin }) => ({
        name,
        about,
        unit: 'requests',
        async run(seconds) {
          const found = await load.call('open', { origin, ...request }, perSecond, seconds);
          return { ...found, operations: found.latenciesMs.length, seconds };
        },
      })),
      ratios: [],
      differences: [
        { of: 'gateway', to: 'service direct', below: maxAddedMs },
        { of: 'bare proxy', to: 'service direct' },
        { of: 'gateway', to: 'bare proxy' },
      ],
    });
  },
};
