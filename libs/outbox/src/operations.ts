import { retry } from '@canvass/async';
import { notFound } from '@canvass/errors';
import { sqlState, type Database } from '@canvass/postgres';
import { discardPoison, findPoison, findStuck, inspectLeaders, listPoison, retryPoison } from './inspect.sql';
import { allLanes, type Lane } from './lanes';
import {
  lockRepublish,
  lockWriters,
  presentWindow,
  republish,
  resendWaiting,
  slotCount,
} from './published.sql';

type Values = Readonly<Partial<Record<string, string>>>;

const event = { event: { about: 'Id of the event.', kind: 'id', isRequired: true } } as const;
const limit = { limit: { about: 'Most rows.', kind: 'count', otherwise: '50' } } as const;

/**
 * The operator commands for the outbox of a service, in the form of service-kit's `Operation`.
 *
 * @param service shown in each row, because an operator reads several outboxes at once
 */
export function outboxOperations(service: string, db: Database) {
  const shown = <R extends object>(rows: readonly R[]) => rows.map((row) => ({ service, ...row }));
  const touch = async (sql: typeof retryPoison, id: string | undefined, done: string) => {
    const rows = await db.query(sql({ eventId: id }));
    if (rows.length === 0) throw notFound('poisoned event', id);
    return { rows: shown(rows), say: done };
  };
  return [
    {
      name: 'outbox',
      about: 'Unpublished events, by the session that leads their lanes.',
      run: async () => ({ rows: shown(await db.query(inspectLeaders())) }),
    },
    {
      name: 'outbox stuck',
      about: 'The oldest unpublished events.',
      options: {
        'older-than': { about: 'Seconds.', kind: 'count', otherwise: '60' },
        ...limit,
      },
      async run({ 'older-than': seconds, limit: max }: Values) {
        const rows = await db.query(findStuck({ seconds, limit: max }));
        return { rows: shown(rows), say: `${service}: ${rows.length} events older than ${seconds} s.` };
      },
    },
    {
      name: 'outbox republish',
      about: 'Sends published events again, with their ids, for example after RabbitMQ lost its data.',
      options: {
        since: { about: 'Events that were published at this time or later.', kind: 'time', isRequired: true },
      },
      changes: true,
      async run({ since }: Values) {
        const events = await republishSince(db, since!);
        return { rows: [], say: `${service}: ${events} events are sent again.` };
      },
    },
    {
      name: 'poison',
      about: 'Unpublishable events, with the reason.',
      options: limit,
      async run({ limit: max }: Values) {
        const rows = await db.query(listPoison({ limit: max }));
        return { rows: shown(rows), say: `${service}: ${rows.length} poisoned events.` };
      },
    },
    {
      name: 'poison show',
      about: 'Shows a poisoned event completely.',
      options: event,
      showsContents: true,
      async run({ event: id }: Values) {
        const rows = await db.query(findPoison({ eventId: id }));
        if (rows.length === 0) throw notFound('poisoned event', id);
        return { rows: shown(rows) };
      },
    },
    {
      name: 'poison retry',
      about: 'Puts a poisoned event back into the outbox, after the waiting events.',
      options: event,
      changes: true,
      run: ({ event: id }: Values) => touch(retryPoison, id, 'The event is in the outbox again.'),
    },
    {
      name: 'poison discard',
      about: 'Deletes a poisoned event. Its change is never published.',
      options: event,
      changes: true,
      run: ({ event: id }: Values) => touch(discardPoison, id, 'The event is deleted.'),
    },
  ] as const;
}

/** Another transaction holds a lock. Writers go on for a moment before the next attempt. */
const whenLocked = {
  when: (error: unknown) => sqlState(error) === '55P03',
  delay: () => 200 + 300 * Math.random(),
  deadlineMs: 120_000,
};

/** A partition has the events of four hours, and each is moved in one transaction. */
const maxMoveMs = 3_600_000;

/**
 * The waiting events come first. Of those that the broker has confirmed, none can then become published
 * afterwards without being sent again.
 *
 * @returns the number of published events that are in the outbox again
 */
async function republishSince(db: Database, since: string): Promise<number> {
  for (const lane of allLanes) await retry(() => resendLane(db, lane), whenLocked);
  const { until, last } = (await db.query(presentWindow()))[0]!;
  let count = 0;
  for (let window = last - slotCount + 1; window <= last; window += 1)
    count += await db.transaction(async (tx) => {
      await tx.limitStatements(maxMoveMs);
      await tx.query(lockRepublish());
      const [moved] = await tx.query(republish({ slot: window % slotCount, since, until }));
      return moved!.count;
    });
  return count;
}

/**
 * Writers wait while a lane is moved, so it is one lane at a time. The wait for their locks is shorter than
 * `deadlock_timeout`: if an erasure and this transaction wait for each other, this one gives up.
 */
function resendLane(db: Database, lane: Lane): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.limitStatements(maxMoveMs);
    await tx.query(lockRepublish());
    await tx.query(`set local lock_timeout = '500ms'`);
    await tx.query(lockWriters());
    await tx.query(resendWaiting({ lane }));
  });
}
