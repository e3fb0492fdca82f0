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

/** Of each log, the line of a process that needs more memory than it may have. */
export const outOfMemory = 'A process ran out of memory';

const message = (text: string) => new RegExp(`"message":"${text}`);
const attempt = (number: number) => new RegExp(`"number":${number},.*"message":"attempt"`);

/** Paths that a line in the log of a service shows. */
const inLogs: Record<string, readonly [RegExp, Demand]> = {
  [outOfMemory]: [/JavaScript heap out of memory/, 'none'],
  'A process joined the outbox and shared its lanes': [message('joined the outbox'), 'any'],
  'A process lost its outbox session': [message('lost the outbox; trying again'), 'long'],
  'A service connected to the broker': [message('connected to the broker'), 'any'],
  'The connection was lost before the confirm': [
    /"reason":"disconnected".*"message":"events not confirmed; they stay in the outbox"/,
    'long',
  ],
  'An event waited in a retry queue, because the owner of the settings was away': [
    message('webhook settings unavailable; the event will be retried'),
    'long',
  ],
  'The handler of an event failed and was called again': [
    message('handler failed; the message will be retried'),
    'long',
  ],
  'A lease expired and was released': [message('expired leases released'), 'long'],
  'A sweep failed, because the database was away': [message('sweep failed; retrying'), 'long'],
  'A delivery had a second attempt (step 1 of the schedule)': [attempt(2), 'any'],
  'A delivery had a third attempt (step 2)': [attempt(3), 'long'],
  'A delivery had a fourth attempt (step 3)': [attempt(4), 'long'],
};

/** Counts the lines of the logs of the services in a folder, by path. */
export async function countLogLines(folder: string): Promise<Record<string, number>> {
  const counts = Object.fromEntries(Object.keys(inLogs).map((path) => [path, 0]));
  for (const file of readdirSync(folder).filter((name) => /-svc(-\d)?\.log$/.test(name)))
    for await (const line of createInterface({ input: createReadStream(path.join(folder, file)) })) {
      // Most lines are requests; none of the patterns matches them.
      if (line.includes('"message":"request"')) continue;
      for (const [name, [pattern]] of Object.entries(inLogs)) if (pattern.test(line)) counts[name]! += 1;
    }
  return counts;
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
    'A webhook was accepted twice': [accepted.length - new Set(accepted).size, 'any'],
    'An event was published twice': [events.length - new Set(events.map(({ id }) => id)).size, 'long'],
    'A circuit opened (webhook.endpoint_failing)': [seen('webhook.endpoint_failing'), 'long'],
    'A circuit closed again (webhook.endpoint_recovered)': [seen('webhook.endpoint_recovered'), 'long'],
  };
}

/** Returns how often the run was on each path; those it had to be on and was not are findings. */
export function compareReached(evidence: Evidence, findings: Findings): Reached[] {
  const { logLines, demand: demanded } = evidence;
  const tooLarge = logLines[outOfMemory] ?? 0;
  if (tooLarge > 0) findings.crashes.push(`${tooLarge} processes ran out of memory`);
  const fromLogs = Object.entries(inLogs).map(
    ([name, [, demand]]) => [name, logLines[name] ?? 0, demand] as const,
  );
  const fromRecords = Object.entries(inRecords(evidence)).map(
    ([name, [times, demand]]) => [name, times, demand] as const,
  );
  return [...fromLogs, ...fromRecords].map(([name, times, demand]) => {
    const isDemanded = demand !== 'none' && (demanded === 'long' || demanded === demand);
    if (isDemanded && times === 0) findings.notReached.push(name);
    return { path: name, times, isDemanded };
  });
}
