import { createReadStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Change } from '../records';
import { isAccepted } from './deliveries';
import type { Demand, Evidence, Findings } from './evidence';

/** A rare path, how often the run was on it, and whether it had to be. */
export interface Reached {
  path: string;
  times: number;
  isDemanded: boolean;
}

/** Counts the processes that needed more memory than they may have, by the logs in a folder. */
export async function countOutOfMemory(folder: string): Promise<number> {
  let count = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.log')))
    for await (const line of createInterface({ input: createReadStream(path.join(folder, file)) }))
      if (line.includes('JavaScript heap out of memory')) count += 1;
  return count;
}

const of = (operation: RegExp) => (change: Change) => operation.test(change.operation);

/** Counts the paths that the records show. */
function inRecords({ changes, events, hooks }: Evidence): Record<string, readonly [number, Demand]> {
  const count = (isIt: (change: Change) => unknown) => changes.filter((change) => isIt(change)).length;
  const seen = (type: string) => events.filter((event) => event.type === type).length;
  const accepted = hooks.filter(isAccepted).map(({ id, path }) => `${id} ${path}`);
  return {
    'A change had no answer': [count(({ outcome }) => outcome === 'unknown'), 'any'],
    'A create was repeated with its key': [count(({ keyed }) => keyed && keyed.repeats > 0), 'any'],
    'A repeated create was replayed': [count(({ keyed }) => keyed?.replayed), 'long'],
    'A gate refused a second submission (409)': [
      count((change) => of(/^create/)(change) && change.status === 409),
      'long',
    ],
    'A stale revision was refused': [
      count((change) => of(/stale/)(change) && change.outcome === 'refused'),
      'any',
    ],
    'A respondent was erased': [
      count((change) => of(/^erase/)(change) && change.outcome === 'acknowledged'),
      'any',
    ],
    'A webhook with more than 100 kB was accepted': [
      hooks.filter((hook) => isAccepted(hook) && hook.bytes > 100_000).length,
      'long',
    ],
    'A webhook was accepted twice': [accepted.length - new Set(accepted).size, 'long'],
    'An event was published twice': [events.length - new Set(events.map(({ id }) => id)).size, 'long'],
    'A circuit opened (webhook.endpoint_failing)': [seen('webhook.endpoint_failing'), 'long'],
    'A circuit closed again (webhook.endpoint_recovered)': [seen('webhook.endpoint_recovered'), 'long'],
  };
}

/** Returns how often the run was on each path; those it had to be on and was not are findings. */
export function compareReached(evidence: Evidence, findings: Findings): Reached[] {
  const { outOfMemory, demand: demanded } = evidence;
  if (outOfMemory > 0) findings.crashes.push(`${outOfMemory} processes ran out of memory`);
  return Object.entries(inRecords(evidence)).map(([name, [times, demand]]) => {
    const isDemanded = demanded === 'long' || demanded === demand;
    if (isDemanded && times === 0) findings.notReached.push(name);
    return { path: name, times, isDemanded };
  });
}
