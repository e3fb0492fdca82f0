import { createRandom, type Random } from '@canvass/testing';
import { endpointCount } from './checker/receivers';
import * as faults from './nemesis/faults';
import { idleWriter } from './nemesis/idle-writer';
import { promotion } from './nemesis/promotion';
import { loseQueue, lossyQueues, restoreCopy } from './nemesis/operator-faults';
import {
  databaseRoles,
  linkNames,
  processNames,
  serverLinks,
  serverNames,
  type LinkName,
} from './nemesis/targets';
import { normalMsFor } from './verdict/idle-writer';

/** A fault and when it happens, in milliseconds after the start of the faults. */
export type PlannedFault = faults.Fault & { at: number };

/** Mean pauses in milliseconds between two faults of each track. */
const pace = {
  long: {
    kill: 14_000,
    server: 66_000,
    partition: 130_000,
    // Each lost queue repeats four minutes of events.
    operator: 180_000,
    promotion: 300_000,
    other: 8_000,
  },
  // A partition would last as long as the run, and a promotion too.
  short: {
    kill: 7_000,
    server: 22_000,
    partition: Infinity,
    operator: Infinity,
    promotion: Infinity,
    other: 4_000,
  },
};

type Draw = (random: Random) => faults.Fault;

/**
 * Returns all faults of a run in order of time; the same for the same seed and length. Six tracks run in
 * parallel: kills, restarts of servers, long partitions, promotions, faults that need an operator, and all other faults
 * from a shuffled deck, so that each kind occurs equally often.
 */
export function planOf(seed: string, seconds: number): PlannedFault[] {
  const total = seconds * 1000;
  const {
    kill,
    server,
    partition,
    operator,
    promotion: promotionMs,
    other,
  } = seconds <= 300 ? pace.short : pace.long;
  const track = (name: string, pauseMs: number, firstMs: number, draw: Draw) => {
    const random = createRandom(`${seed}/${name}`);
    const planned: PlannedFault[] = [];
    for (let at = firstMs; at < total; at += Math.round(pauseMs * (0.6 + 0.8 * random.next()))) {
      planned.push({ ...draw(random), at });
    }
    return planned;
  };
  const nextProcess = inTurn(processNames);
  const nextServer = inTurn(serverNames);
  const nextOther = inTurn(deck());
  const nextLink = inTurn(serverLinks);
  const nextForOperator = inTurn(operatorFaults(seconds > 300));
  return [
    ...track('kill', kill, 3_000, (random) => faults.kill(nextProcess(random))),
    ...track('server', server, 9_000, (random) =>
      nextServer(random) === 'postgres'
        ? faults.postgresRestart(random.pick(['fast', 'immediate', 'kill']))
        : faults.rabbitmqRestart(random.pick(['stop', 'kill'])),
    ),
    ...track('partition', partition, partition / 8, (random) =>
      faults.partition(nextLink(random), random.pick(['out', 'in']), random.between(60_000, 120_000)),
    ),
    ...track('operator', operator, operator / 3, (random) => nextForOperator(random)(random)),
    ...track('promotion', promotionMs, promotionMs / 4, (random) =>
      promotion(random.pick(['SIGKILL', 'SIGQUIT']), random.between(8_000, 20_000)),
    ),
    ...track('other', other, 1_500, (random) => nextOther(random)(random)),
  ].sort((a, b) => a.at - b.at);
}

/** The load runs for this long before anything is measured. */
const warmUpMs = 15_000;

/**
 * Returns one idle writer after a span of normal load, and the length of the run with some time after the
 * commit.
 */
export function idleWriterPlan(idleSeconds: number): { plan: PlannedFault[]; seconds: number } {
  const idleMs = idleSeconds * 1000;
  const at = warmUpMs + normalMsFor(idleMs);
  const afterMs = Math.min(60_000, idleMs / 2);
  return { plan: [{ ...idleWriter(idleMs), at }], seconds: (at + idleMs + afterMs) / 1000 };
}

/** Returns each item once in random order before any item occurs again. */
function inTurn<T>(items: readonly T[]): (random: Random) => T {
  let waiting: T[] = [];
  return (random) => {
    if (waiting.length === 0) waiting = random.shuffled(items);
    return waiting.pop()!;
  };
}

/**
 * One of each kind; the queues in turn. RabbitMQ damages a deleted queue if it is killed soon after, and the
 * repair takes longer than a short run. So only a long run deletes queues.
 */
function operatorFaults(isLong: boolean): readonly Draw[] {
  const waitMs = (random: Random) => (random.chance(0.7) ? random.between(500, 2_000) : 0);
  const [toDelete, toPurge] = [inTurn(lossyQueues), inTurn(lossyQueues)];
  return [
    ...(isLong ? [(random: Random) => loseQueue(toDelete(random), 'deleted', waitMs(random))] : []),
    (random) => loseQueue(toPurge(random), 'purged', waitMs(random)),
    (random) => restoreCopy(random.between(12_000, 25_000)),
  ];
}

function deck(): readonly Draw[] {
  const nextToPause = inTurn([...processNames, ...serverNames]);
  // With another clock, identity-svc would sign tokens that the others refuse for minutes.
  const nextClock = inTurn(processNames.filter((name) => name !== 'identity-svc'));
  const link =
    (how: 'cut' | 'stall' | 'delay', low: number, high: number, name?: LinkName): Draw =>
    (random) =>
      faults.link(name ?? random.pick(linkNames), how, random.between(low, high));
  const receiver =
    (how: 'fail' | 'hang' | 'drip'): Draw =>
    (random) =>
      faults.receiver(random.between(0, endpointCount - 1), how, random.between(2_000, 8_000));
  return [
    (random) => faults.pause(nextToPause(random), random.between(500, 6_000)),
    (random) => faults.pause(nextToPause(random), random.between(500, 3_000)),
    () => faults.closeConnections(),
    (random) => faults.alarm(random.pick(['memory', 'disk']), random.between(1_000, 4_000)),
    (random) => faults.terminateBackends(random.pick(databaseRoles)),
    (random) => faults.terminateBackends(random.pick(databaseRoles)),
    link('cut', 500, 3_000),
    link('stall', 500, 4_000),
    link('delay', 2_000, 5_000),
    // A commit matters most in two places: after the event of a change, and before an event is acked.
    link('delay', 2_000, 4_000, 'submissions>postgres'),
    link('cut', 500, 2_500, 'relay>postgres'),
    (random) => faults.readOnly(random.between(1_000, 4_000)),
    (random) => faults.noConnections(random.pick(databaseRoles), random.between(1_000, 4_000)),
    (random) => faults.queueFull(random.between(1_000, 3_000)),
    (random) => faults.idleTransaction(random.pick(['snapshot', 'lock']), random.between(2_000, 8_000)),
    (random) =>
      faults.stepClock(
        nextClock(random),
        random.pick([1, -1]) * random.between(10_000, 1_800_000),
        random.between(2_000, 8_000),
      ),
    (random) => faults.failNames(random.pick(['fail', 'mute']), random.between(10_000, 30_000)),
    receiver('fail'),
    receiver('hang'),
    receiver('drip'),
  ];
}
