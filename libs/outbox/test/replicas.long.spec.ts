import { eventually } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { lanesWithLeaders } from '../src/lane.sql';
import { laneOf } from '../src/lanes';
import { change, outboxFixture, revisionsByEntity, type OutboxFixture } from './outbox-fixture';

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture();
});
afterEach(() => fixture.end());

/** The application that leads each lane, or null. */
async function leaders(): Promise<(string | null)[]> {
  const rows = await fixture.db.query<{ application: string | null }>(
    `select application_name as application from ${lanesWithLeaders} as led
       left join pg_stat_activity on pid = leader order by lane`,
  );
  return rows.map(({ application }) => application);
}

/** The number of lanes of each leader, largest first. Fails if a lane has none. */
async function shares(): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const application of await leaders()) {
    expect(application).not.toBeNull();
    counts.set(application!, (counts.get(application!) ?? 0) + 1);
  }
  return [...counts.values()].sort((a, b) => b - a);
}

const start = (name: string) => {
  const dispatcher = fixture.dispatcher(name, { broker: fixture.newBroker() });
  dispatcher.start();
  return dispatcher;
};

it('processes share the lanes evenly, and what is written meanwhile arrives once and in order', async () => {
  let isWriting = true;
  const entities = Array.from({ length: 4 }, (_, writer) =>
    Array.from({ length: 40 }, (_each, n) => String(1 + writer * 80 + 2 * n)),
  );
  const writers = entities.map(async (ids) => {
    for (let n = 0; isWriting; n += 1) await change(fixture.db, ids[n % ids.length]!);
  });
  const one = start('one');
  await eventually(async () => expect(await shares()).toEqual([64]));
  const two = start('two');
  await eventually(async () => expect(await shares()).toEqual([32, 32]));
  start('three');
  await eventually(async () => expect(await shares()).toEqual([22, 21, 21]));
  await one.stop();
  await eventually(async () => expect(await shares()).toEqual([32, 32]));
  await two.stop();
  await eventually(async () => expect(await shares()).toEqual([64]));
  isWriting = false;
  await Promise.all(writers);
  await eventually(async () => expect(await fixture.pending()).toBe(0));
  await eventually(() => {
    for (const revisions of revisionsByEntity(fixture.seen).values())
      expect(revisions).toEqual(revisions.map((_, at) => at + 1));
    expect(new Set(fixture.seen.map(({ entityId }) => entityId)).size).toBe(160);
  });
  expect(new Set(fixture.seen.map(({ id }) => id)).size).toBe(fixture.seen.length);
});

it('lanes of a process that is killed have another leader soon', async () => {
  start('one');
  start('two');
  await eventually(async () => expect(await shares()).toEqual([32, 32]));
  expect(await fixture.killLeaders('one')).toBe(1);
  await eventually(async () => expect(await shares()).toHaveLength(1));
  // It joins again.
  await eventually(async () => expect(await shares()).toEqual([32, 32]));
});

it('a commit in one process wakes the leader of its lane in another', async () => {
  const dispatchers = { 'one outbox': start('one'), 'two outbox': start('two') };
  await eventually(async () => expect(await shares()).toEqual([32, 32]));
  await sleep(1_500); // both know the leaders of the other
  const leaderOfLane = await leaders();
  const rounds = 15;

  /** The median time from a commit to the arrival of its event. */
  async function latency(wake: 'here' | 'elsewhere' | 'no one'): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < rounds; n += 1) {
      const id = String(1_000 + 2 * n);
      const leader = leaderOfLane[laneOf(id)] as keyof typeof dispatchers;
      const other = leader === 'one outbox' ? 'two outbox' : 'one outbox';
      await sleep(20 + Math.random() * 200); // any time between two polls
      const event = await change(fixture.db, id);
      const committed = performance.now();
      if (wake !== 'no one') dispatchers[wake === 'here' ? leader : other].wake(id);
      while (!fixture.seen.some((each) => each.id === event)) await sleep(1);
      times.push(performance.now() - committed);
    }
    return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  }

  const [here, elsewhere, notWoken] = [
    await latency('here'),
    await latency('elsewhere'),
    await latency('no one'),
  ];
  // The way to the other process takes a small part of what the wait for its poll would.
  expect((elsewhere - here) / (notWoken - here)).toBeLessThan(0.25);
});
