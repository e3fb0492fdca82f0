import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '@canvass/testing';
import { endpointCount, type ReceiverMode } from '../checker/receivers';
import { withClient } from '../../session';
import { armedFolder } from '../failpoints/points';
import { isReady, until, type Fault, type PlannedFault } from './faults';
import { processNames, processOf, type ProcessName, type Targets } from './targets';

/** A point, and the hit at which the process is killed. */
interface Armed {
  name: string;
  hits: number;
}

/** Any process that reaches a point may be killed. With two points, the second kill comes soon after the first. */
const killAt = (points: readonly Armed[]): Fault => ({
  kind: 'failpoint',
  description: points.map(({ name, hits }) => `SIGKILL at ${name}, hit ${hits}`).join(', and '),
  resource: 'failpoints',
  async inflict(targets) {
    const armed = armedFolder(targets.dir);
    mkdirSync(armed, { recursive: true });
    const hitFile = (name: string) => path.join(armed, `${name}.hit`);
    const missing = () => points.filter(({ name }) => !existsSync(hitFile(name)));
    for (const { name, hits } of points) writeFileSync(path.join(armed, name), String(hits));
    try {
      for (const { name } of points) await provoke(name, targets, () => existsSync(hitFile(name)));
      await until(() => Promise.resolve(missing().length === 0), maxMs);
    } catch {
      throw new Error(
        `not reached: ${missing()
          .map(({ name }) => name)
          .join(', ')}`,
      );
    } finally {
      for (const { name } of points)
        for (const file of [name, `${name}.hit`]) rmSync(path.join(armed, file), { force: true });
    }
    await sleep(exitMs);
    await until(() => allReady(targets));
  },
});

/** Time for a point to be reached. */
const maxMs = 45_000;
/** A killed process has ended and its supervisor knows. */
const exitMs = 300;

async function allReady({ stack }: Targets): Promise<boolean> {
  const ready = processNames.map(async (name) => {
    const { pid, url } = processOf(stack, name);
    return pid !== null && (await isReady(url));
  });
  return (await Promise.all(ready)).every(Boolean);
}

/** Points that the load alone reaches rarely or never, by the begin of their names, and what leads there. */
const provocations: Record<string, (targets: Targets, isReached: () => boolean) => Promise<void>> = {
  'consumer.retry': async ({ proxies }, isReached) => {
    proxies['relay>submissions'].become('cut');
    await waitFor(isReached);
    proxies['relay>submissions'].become('none');
  },
  'outbox.joined': killOne('submissions-svc-2'),
  'outbox.lanes': killOne('submissions-svc-2'),
  'outbox.poison': async ({ stack }, isReached) => {
    const { databaseUrl } = stack.file;
    await withClient(databaseUrl, (client) => client.query(addPoison));
    await waitFor(isReached);
    // It would be a finding at the end.
    await until(() =>
      withClient(databaseUrl, async (client) => (await client.query(removePoison)).rowCount === 1),
    );
  },
  'jobs.': async ({ checker: { driver } }) => {
    const list = await driver.send<{ items: { id: string }[] }>('admin', ['GET', '/api/webhooks/endpoints']);
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const { id } of list.body?.items ?? [])
      await driver.send('admin', ['POST', `/api/webhooks/endpoints/${id}/recover`, { since }]);
  },
  // It runs when a process starts.
  'relay.retention': killOne('webhook-relay-svc'),
  'submissions.retention': killOne('submissions-svc'),
  'relay.health': failAll,
  'relay.cancelled': failAll,
  'relay.leases.released': async (targets) => {
    allReceivers(targets, 'hang');
    await sleep(1_000);
    targets.stack.kill('webhook-relay-svc', 'SIGKILL');
    allReceivers(targets, 'normal');
  },
};

/** An event that can never become a message. */
const addPoison = `set search_path = submissions, extensions;
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
  values (0, 'form.created', 1, 'form', 1, 1, '[]')`;
const removePoison = `delete from submissions.outbox_poison where event ->> 'entity_id' = '1'`;

async function provoke(name: string, targets: Targets, isReached: () => boolean): Promise<void> {
  const key = Object.keys(provocations).find((begin) => name.startsWith(begin));
  if (key !== undefined) await provocations[key]!(targets, isReached);
}

function killOne(name: ProcessName) {
  return ({ stack }: Targets): Promise<void> => Promise.resolve(stack.kill(name, 'SIGKILL'));
}

async function failAll(targets: Targets, isReached: () => boolean): Promise<void> {
  allReceivers(targets, 'fail');
  await waitFor(isReached);
  allReceivers(targets, 'normal');
}

function allReceivers({ checker }: Targets, mode: ReceiverMode): void {
  for (let endpoint = 0; endpoint < endpointCount; endpoint++) checker.receivers.become(endpoint, mode);
}

/** Resolves when the point was reached, or after the longest time. */
const waitFor = (isReached: () => boolean): Promise<void> =>
  until(() => Promise.resolve(isReached()), maxMs).catch(() => undefined);

const pairCount = 16;
/** The load runs for this long before the first kill. */
const firstMs = 3_000;

/** Returns a kill at each point, and at pairs of points, in an order that the seed decides. */
export function failpointPlan(seed: string, names: readonly string[]): PlannedFault[] {
  const random = createRandom(`${seed}/failpoints`);
  const armed = (name: string): Armed => ({ name, hits: hitsOf(name, random) });
  const single = random.shuffled(names).map((name) => [armed(name)]);
  const pairs = Array.from({ length: pairCount }, () => random.shuffled(names).slice(0, 2).map(armed));
  return [...single, ...pairs].map((points) => ({ ...killAt(points), at: firstMs }));
}

/** A later hit finds more work in progress. What is provoked may be reached once only. */
const hitsOf = (name: string, random: Random): number =>
  Object.keys(provocations).some((begin) => name.startsWith(begin)) ? 1 : random.between(1, 3);
