import type { BareProxyApi } from '../processes/bare-proxy';
import type { LoadApi } from '../processes/load';
import type { Scenario } from '../scenario';
import { median, percentile } from '../statistics';
import { lightPath } from './gateway';

const perSecond = 200;
const seconds = 4;
const rounds = 5;
/** Of the median request, in milliseconds. */
const mostAdded = 1;

const ways = ['service direct', 'bare proxy', 'gateway'] as const;
type Way = (typeof ways)[number];

export const gatewayDelay: Scenario = {
  name: 'gateway-delay',
  title: 'What the gateway adds to a request',
  about:
    `The same GET, ${perSecond} times a second at a steady rate, so that nothing waits for a core: to the service, through a bare \`node:http\` proxy and through the gateway, in ${rounds} turns of ${seconds} s. ` +
    'What is added is the difference of the medians within a turn; the median of the turns counts.',
  async watch(run) {
    const { gatewayUrl, services } = (await run.stack()).file;
    const serviceUrl = services['submissions-svc'].url;
    const proxy = await run.child<BareProxyApi>('bare-proxy');
    const load = await run.child<LoadApi>('load');
    const origins: Record<Way, string> = {
      'service direct': serviceUrl,
      'bare proxy': await proxy.call('listen', serviceUrl, 256),
      gateway: gatewayUrl,
    };
    let errors = 0;
    const measure = async (way: Way) => {
      const request = { origin: origins[way], method: 'GET' as const, paths: [lightPath], expect: 200 };
      const answers = await load.call('open', request, perSecond, seconds);
      errors += answers.errors;
      const took = answers.answeredAt.map((at, n) => at - answers.sentAt[n]!);
      return { p50: percentile(took, 0.5), p99: percentile(took, 0.99) };
    };
    for (const way of ways) await measure(way);
    const turns: Record<Way, { p50: number; p99: number }>[] = [];
    for (let turn = 1; turn <= rounds; turn++) {
      const found = {
        'service direct': await measure('service direct'),
        'bare proxy': await measure('bare proxy'),
        gateway: await measure('gateway'),
      };
      turns.push(found);
      run.say(
        `  turn ${turn} of ${rounds}: ${ways.map((way) => `${way} ${found[way].p50.toFixed(2)} ms`).join(', ')}`,
      );
    }
    const added = (of: Way, to: Way) => median(turns.map((turn) => turn[of].p50 - turn[to].p50));
    const row = (of: Way, to: Way) => [`${of} − ${to}, p50`, `${added(of, to).toFixed(2)} ms`];
    return {
      ratios: [
        ['', 'Found', 'Target', ''],
        [
          ...row('gateway', 'service direct'),
          `< ${mostAdded} ms`,
          added('gateway', 'service direct') < mostAdded ? 'met' : '**missed**',
        ],
        [...row('bare proxy', 'service direct'), '', ''],
        [...row('gateway', 'bare proxy'), '', ''],
      ],
      results: [
        ['', 'p50 ms', 'p99 ms'],
        ...ways.map((way) => [
          way,
          median(turns.map((turn) => turn[way].p50)).toFixed(2),
          median(turns.map((turn) => turn[way].p99)).toFixed(2),
        ]),
      ],
      processes: [[]],
      notes: [],
      broken: errors > 0,
    };
  },
};
