import { createRandom, type Random } from '@canvass/testing';

/** Processes that are killed and paused: the copies of the services as the stack names them. */
export const processNames = [
  'identity-svc',
  'submissions-svc',
  'submissions-svc-2',
  'datalists-svc',
  'webhook-relay-svc',
  'webhook-relay-svc-2',
  'gateway',
] as const;
export type ProcessName = (typeof processNames)[number];

/** The servers under the services. Of Postgres the process that takes connections is paused. */
export const serverNames = ['postgres', 'rabbitmq'] as const;
type ServerName = (typeof serverNames)[number];

/** Connections that go through a proxy of the harness, `<from>><to>`. */
export const linkNames = [
  'submissions>postgres',
  'datalists>postgres',
  'relay>postgres',
  'identity>postgres',
  'submissions>rabbitmq',
  'datalists>rabbitmq',
  'relay>rabbitmq',
  'gateway>submissions',
  'gateway>datalists',
  'gateway>identity',
  'relay>submissions',
] as const;
export type LinkName = (typeof linkNames)[number];

const databaseRoles = [
  'canvass_submissions',
  'canvass_datalists',
  'canvass_webhooks',
  'canvass_identity',
] as const;

interface At {
  /** Milliseconds after the start of the faults. */
  at: number;
}

/** One fault; `ms` is how long it lasts where it does not end by itself. */
export type Fault = At &
  (
    | { kind: 'kill'; process: ProcessName }
    | { kind: 'pause'; process: ProcessName | ServerName; ms: number }
    | { kind: 'rabbitmq-restart'; how: 'stop' | 'kill' }
    | { kind: 'postgres-restart'; how: 'fast' | 'immediate' | 'kill' }
    | { kind: 'close-connections' }
    | { kind: 'alarm'; of: 'memory' | 'disk'; ms: number }
    | { kind: 'terminate-backends'; role: (typeof databaseRoles)[number] }
    | { kind: 'link'; link: LinkName; how: 'cut' | 'stall' | 'delay'; ms: number }
    | { kind: 'queue-full'; ms: number }
    | { kind: 'idle-transaction'; holds: 'snapshot' | 'lock'; ms: number }
    | { kind: 'receiver'; endpoint: number; how: 'fail' | 'hang' | 'drip'; ms: number }
  );

/** How many receivers' addresses there are. */
export const endpointCount = 8;

/** Mean pauses, in ms, between two faults of each of the three tracks that go on side by side. */
const pace = {
  long: { kill: 14_000, server: 66_000, other: 8_000 },
  short: { kill: 7_000, server: 22_000, other: 4_000 },
};

/**
 * All faults of a run in the order of time; the same for the same seed and length. Three tracks run side by side: kills,
 * restarts of servers, and everything else, drawn from a shuffled deck so that every kind has its turn.
 */
export function planOf(seed: string, seconds: number): Fault[] {
  const total = seconds * 1000;
  const { kill, server, other } = seconds <= 300 ? pace.short : pace.long;
  const track = (
    name: string,
    pauseMs: number,
    firstMs: number,
    make: (random: Random, at: number) => Fault,
  ) => {
    const random = createRandom(`${seed}/${name}`);
    const faults: Fault[] = [];
    for (let at = firstMs; at < total; at += Math.round(pauseMs * (0.6 + 0.8 * random.next()))) {
      faults.push(make(random, at));
    }
    return faults;
  };
  return [
    ...track('kill', kill, 3_000, killer()),
    ...track('server', server, 9_000, restarter()),
    ...track('other', other, 1_500, deck()),
  ].sort((a, b) => a.at - b.at);
}

/** One after the other in random order, so that each has its turn as often as any other. */
function inTurn<T>(names: readonly T[]): (random: Random) => T {
  let waiting: T[] = [];
  return (random) => {
    if (waiting.length === 0) waiting = random.shuffled(names);
    return waiting.pop()!;
  };
}

function killer() {
  const next = inTurn(processNames);
  return (random: Random, at: number): Fault => ({ at, kind: 'kill', process: next(random) });
}

/** The two servers by turns, in each of the ways they can end. */
function restarter() {
  const next = inTurn(serverNames);
  return (random: Random, at: number): Fault => {
    return next(random) === 'postgres'
      ? { at, kind: 'postgres-restart', how: random.pick(['fast', 'immediate', 'kill']) }
      : { at, kind: 'rabbitmq-restart', how: random.pick(['stop', 'kill']) };
  };
}

type Maker = (random: Random, at: number) => Fault;

const between = (random: Random, low: number, high: number) => random.between(low, high);

const linkOf =
  (link: LinkName, how: 'cut' | 'delay', low: number, high: number): Maker =>
  (random, at) => ({ at, kind: 'link', link, how, ms: between(random, low, high) });

const link =
  (how: 'cut' | 'stall' | 'delay', low: number, high: number): Maker =>
  (random, at) => ({ at, kind: 'link', link: random.pick(linkNames), how, ms: between(random, low, high) });

const receiver =
  (how: 'fail' | 'hang' | 'drip'): Maker =>
  (random, at) => ({
    at,
    kind: 'receiver',
    endpoint: random.between(0, endpointCount - 1),
    how,
    ms: between(random, 2_000, 8_000),
  });

const makers = (nextToPause: (random: Random) => ProcessName | ServerName): readonly Maker[] => [
  (random, at) => ({
    at,
    kind: 'pause',
    process: nextToPause(random),
    ms: between(random, 500, 6_000),
  }),
  (random, at) => ({
    at,
    kind: 'pause',
    process: nextToPause(random),
    ms: between(random, 500, 3_000),
  }),
  (_random, at) => ({ at, kind: 'close-connections' }),
  (random, at) => ({
    at,
    kind: 'alarm',
    of: random.pick(['memory', 'disk']),
    ms: between(random, 1_000, 4_000),
  }),
  (random, at) => ({ at, kind: 'terminate-backends', role: random.pick(databaseRoles) }),
  (random, at) => ({ at, kind: 'terminate-backends', role: random.pick(databaseRoles) }),
  link('cut', 500, 3_000),
  link('stall', 500, 4_000),
  link('delay', 2_000, 5_000),
  // The two places where a commit matters most: after a change's event, and before an event is acked.
  linkOf('submissions>postgres', 'delay', 2_000, 4_000),
  linkOf('relay>postgres', 'cut', 500, 2_500),
  (random, at) => ({ at, kind: 'queue-full', ms: between(random, 1_000, 3_000) }),
  (random, at) => ({
    at,
    kind: 'idle-transaction',
    holds: random.pick(['snapshot', 'lock']),
    ms: between(random, 2_000, 8_000),
  }),
  receiver('fail'),
  receiver('hang'),
  receiver('drip'),
];

function deck() {
  const next = inTurn(makers(inTurn([...processNames, ...serverNames])));
  return (random: Random, at: number): Fault => next(random)(random, at);
}

/** One line for a person. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
      return `SIGKILL ${fault.process}`;
    case 'pause':
      return `SIGSTOP ${fault.process} for ${fault.ms} ms`;
    case 'rabbitmq-restart':
      return fault.how === 'stop' ? 'RabbitMQ stopped and started' : 'RabbitMQ killed (SIGKILL)';
    case 'postgres-restart':
      return {
        fast: 'Postgres stopped (fast) and started',
        immediate: 'Postgres stopped at once (SIGQUIT)',
        kill: 'Postgres killed (SIGKILL)',
      }[fault.how];
    case 'close-connections':
      return 'all broker connections closed';
    case 'alarm':
      return `${fault.of} alarm of the broker for ${fault.ms} ms`;
    case 'terminate-backends':
      return `all backends of ${fault.role} terminated`;
    case 'link':
      return `${fault.link} ${{ cut: 'cut', stall: 'swallows packets', delay: 'slow' }[fault.how]} for ${fault.ms} ms`;
    case 'queue-full':
      return `webhook.events full for ${fault.ms} ms`;
    case 'idle-transaction':
      return `idle transaction holds a ${fault.holds} for ${fault.ms} ms`;
    case 'receiver':
      return `receiver ${fault.endpoint} ${{ fail: 'answers 500', hang: 'hangs', drip: 'drips' }[fault.how]} for ${fault.ms} ms`;
  }
}
