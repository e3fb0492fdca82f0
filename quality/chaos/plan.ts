import { createRandom, type Random } from '@canvass/testing';
import { isShort } from './arguments';
import { endpointCount } from './checker/receivers';
import * as faults from './nemesis/faults';
import { linkNames, processNames, serverLinks, serverNames, type LinkName } from './nemesis/targets';

/** Mean pauses in milliseconds between two faults of each track, in a long and in a short run. */
const pace = {
  kill: [14_000, 7_000],
  server: [66_000, 22_000],
  // A partition would last as long as a short run.
  partition: [130_000, Infinity],
  other: [8_000, 4_000],
} as const;

type Draw = (random: Random) => faults.Fault;

/**
 * Returns all faults of a run in order of time; the same for the same seed and length. Four tracks run in
 * parallel: kills, restarts of servers, long partitions, and all other faults from a shuffled deck, so that each kind
 * occurs equally often.
 */
export function planOf(seed: string, seconds: number): faults.PlannedFault[] {
  /** @param firstAt of the first fault: milliseconds, or a share of the pause */
  const track = (name: keyof typeof pace, firstAt: number, draw: Draw) => {
    const random = createRandom(`${seed}/${name}`);
    const pauseMs = pace[name][isShort(seconds) ? 1 : 0];
    const planned: faults.PlannedFault[] = [];
    const firstMs = firstAt < 1 ? firstAt * pauseMs : firstAt;
    for (let at = firstMs; at < seconds * 1000; at += Math.round(pauseMs * (0.6 + 0.8 * random.next())))
      planned.push({ ...draw(random), at });
    return planned;
  };
  const nextProcess = inTurn(processNames);
  const nextServer = inTurn(serverNames);
  const nextOther = inTurn(deck());
  const nextLink = inTurn(serverLinks);
  return [
    ...track('kill', 3_000, (random) => faults.kill(nextProcess(random))),
    ...track('server', 9_000, (random) => {
      const server = nextServer(random);
      const how =
        server === 'postgres' ? (['stop', 'SIGQUIT', 'SIGKILL'] as const) : (['stop', 'SIGKILL'] as const);
      return faults.serverRestart(server, random.pick(how));
    }),
    ...track('partition', 1 / 8, (random) =>
      faults.partition(nextLink(random), random.pick(['out', 'in']), random.between(60_000, 120_000)),
    ),
    ...track('other', 1_500, (random) => nextOther(random)(random)),
  ].sort((a, b) => a.at - b.at);
}

/** Returns each item once in random order before any item occurs again. */
function inTurn<T>(items: readonly T[]): (random: Random) => T {
  let waiting: T[] = [];
  return (random) => {
    if (waiting.length === 0) waiting = random.shuffled(items);
    return waiting.pop()!;
  };
}

function deck(): readonly Draw[] {
  const nextToPause = inTurn([...processNames, ...serverNames]);
  const link =
    (how: 'cut' | 'stall' | 'delay', low: number, high: number, name?: LinkName): Draw =>
    (random) =>
      faults.link(name ?? random.pick(linkNames), how, random.between(low, high));
  const receiver =
    (how: 'fail' | 'hang'): Draw =>
    (random) =>
      faults.receiver(random.between(0, endpointCount - 1), how, random.between(2_000, 8_000));
  return [
    (random) => faults.pause(nextToPause(random), random.between(500, 6_000)),
    (random) => faults.pause(nextToPause(random), random.between(500, 3_000)),
    link('cut', 500, 3_000),
    link('stall', 500, 4_000),
    link('delay', 2_000, 5_000),
    // A commit matters most in two places: after the event of a change, and before an event is acked.
    link('delay', 2_000, 4_000, 'submissions>postgres'),
    link('cut', 500, 2_500, 'relay>postgres'),
    receiver('fail'),
    receiver('hang'),
  ];
}
